import type { SettingsView } from "#core/api/settings-schemas.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import { AdminTable } from "#site/admin/admin-table.tsx";
import { Section } from "#site/ui/section.tsx";

import { settingText, draftForPreset } from "./draft.ts";
import { isSettingsConflict, SETTINGS_ROUTE } from "./settings-editor-props.ts";
import type { SettingsEditorProps } from "./settings-editor-props.ts";

type SettingsPreset = SettingsView["presets"][number];

const describePreset = ({ overrides }: SettingsPreset): string =>
  Object.entries(overrides)
    .map(([name, value]) => `${name}: ${settingText(value)}`)
    .join(", ") || "no changes";

export function PresetsSection(table: SettingsEditorProps) {
  const { view, setDraft, auth } = table;
  return (
    <Section
      id="settings-presets"
      title="Presets"
      note="Named sets of settings. Ladder limits aren't included."
    >
      <SavePreset {...table} />
      <AdminTable
        caption="Presets"
        rows={view.presets}
        columns={[
          { title: "Name", accessor: ({ name }) => name },
          { title: "Since", accessor: ({ created }) => created, kind: "instant" },
          { title: "By", accessor: ({ by }) => by ?? "no handle" },
          { title: "Changed", accessor: describePreset, kind: "long" },
        ]}
        keyOf={({ id }) => id}
        empty="No presets yet."
        actions={(preset) => (
          <>
            <button
              type="button"
              class="link-button"
              aria-label={`Use ${preset.name}`}
              onClick={() => {
                setDraft(draftForPreset(view, preset));
                auth.showStatusMessage(`Save to apply the settings from ${preset.name}.`);
              }}
            >
              Use
            </button>
            <DeletePreset {...table} preset={preset} />
          </>
        )}
      />
    </Section>
  );
}

function SavePreset(table: SettingsEditorProps) {
  const { auth, view, onConflict } = table;
  return (
    <ActionBar>
      <ActionForm
        auth={auth}
        label="Save as preset"
        cancelLabel="Cancel"
        title="Save as preset"
        confirmLabel="Save preset"
        busyLabel="Saving…"
        fields={[{ name: "name", label: "Name", hint: "Replaces a preset with the same name." }]}
        requestFor={({ name }) => ({
          method: "POST",
          path: `${SETTINGS_ROUTE}/presets`,
          body: { revision: view.revision, name },
        })}
        handlesRefusal={(refusal) => isSettingsConflict(refusal) && (void onConflict(), true)}
        doneMessage={(createdPreset) =>
          `Saved the preset ${(createdPreset as SettingsPreset).name}.`
        }
        onDone={table.reloadPresets}
      >
        <p>Includes saved settings only, not your unsaved changes.</p>
      </ActionForm>
    </ActionBar>
  );
}

function DeletePreset({ preset, ...table }: SettingsEditorProps & { preset: SettingsPreset }) {
  const { id, name } = preset;
  return (
    <ActionForm
      auth={table.auth}
      variant="row"
      label="Delete"
      title={`Delete ${name}`}
      confirmLabel="Delete"
      busyLabel="Deleting…"
      requestFor={() => ({ method: "DELETE", path: `${SETTINGS_ROUTE}/presets/${id}` })}
      doneMessage={() => `${name} is deleted.`}
      onDone={table.reloadPresets}
    >
      <p>The current settings don't change.</p>
    </ActionForm>
  );
}
