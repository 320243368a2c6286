import type { SettingsView } from "#core/operator/settings.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import { Table } from "#site/admin/table.tsx";
import { Section } from "#site/look/parts.tsx";

import { textOf, toPreset } from "./draft.ts";
import { isClash, SETTINGS_ROUTE } from "./settings-table.ts";
import type { SettingsTable } from "./settings-table.ts";

type Preset = SettingsView["presets"][number];

const wordsOf = ({ overrides }: Preset): string =>
  Object.entries(overrides)
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join(", ") || "nothing is changed";

/** Settings under a name, to come back to. */
export function Presets(table: SettingsTable) {
  const { view, setDraft, desk } = table;
  return (
    <Section
      id="settings-presets"
      title="Presets"
      note="Settings under a name. What ladders allow is not part of them."
    >
      <Saving {...table} />
      <Table
        caption="Presets"
        rows={view.presets}
        columns={[
          { title: "Name", of: ({ name }) => name },
          { title: "Since", of: ({ created }) => created, kind: "instant" },
          { title: "By", of: ({ by }) => by ?? "without a handle" },
          { title: "Changed", of: wordsOf, kind: "long" },
        ]}
        keyOf={({ id }) => id}
        empty="There is no preset."
        actions={(preset) => (
          <>
            <button
              type="button"
              class="link-button"
              aria-label={`Use ${preset.name}`}
              onClick={() => {
                setDraft(toPreset(view, preset));
                desk.say(`The settings are those of ${preset.name} once you save them.`);
              }}
            >
              Use
            </button>
            <Deletion {...table} preset={preset} />
          </>
        )}
      />
    </Section>
  );
}

function Saving(table: SettingsTable) {
  const { desk, view, clash } = table;
  return (
    <Acts>
      <Act
        desk={desk}
        ask="Keep the settings under a name"
        no="Cancel"
        title="Keep the settings under a name"
        yes="Keep"
        waiting="Keeping…"
        questions={[{ name: "name", label: "Name", hint: "A preset of this name is replaced." }]}
        route={({ name }) => ({
          method: "POST",
          path: `${SETTINGS_ROUTE}/presets`,
          body: { revision: view.revision, name },
        })}
        isTaken={(refusal) => isClash(refusal) && (void clash(), true)}
        done={(made) => `${(made as Preset).name} is kept.`}
        onDone={table.relist}
      >
        <p>What is saved counts, and nothing that is only typed.</p>
      </Act>
    </Acts>
  );
}

function Deletion({ preset, ...table }: SettingsTable & { preset: Preset }) {
  const { id, name } = preset;
  return (
    <Act
      desk={table.desk}
      look="row"
      ask="Delete"
      title={`Delete ${name}`}
      yes="Delete"
      waiting="Deleting…"
      route={() => ({ method: "DELETE", path: `${SETTINGS_ROUTE}/presets/${id}` })}
      done={() => `${name} is deleted.`}
      onDone={table.relist}
    >
      <p>The settings stay as they are.</p>
    </Act>
  );
}
