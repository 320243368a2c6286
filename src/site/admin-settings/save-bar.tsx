import { useEffect, useState } from "preact/hooks";

import type { Preview, SettingsView } from "#core/api/settings-schemas.ts";
import { ActionForm } from "#site/admin/action-form.tsx";
import { AdminTable } from "#site/admin/admin-table.tsx";
import { reasonBody, reasonField } from "#site/admin/form-fields.ts";

import { settingItems, draftProblems, snapshotWithDraft } from "./draft.ts";
import { APPLIES_TEXTS, fieldId, settingName, formatSettingValue } from "./fields.tsx";
import { isSettingsConflict, SETTINGS_ROUTE } from "./settings-editor-props.ts";
import type { SettingsEditorProps } from "./settings-editor-props.ts";

export function SaveBar(table: SettingsEditorProps) {
  const { data, auth, view, draft, setDraft, onSaved, onConflict } = table;
  const count = Object.keys(draft).length;
  if (count === 0) return null;
  const problems = draftProblems(settingItems(view), draft);
  return (
    <div class="settings-bar" role="region" aria-label="Unsaved changes">
      <p role="status">{count === 1 ? "1 change" : `${count} changes`}, not saved</p>
      {problems.length === 0 ? (
        <ActionForm
          // Resets the dialog when a new revision arrives.
          key={view.revision}
          auth={auth}
          label="Review changes"
          title="Change settings"
          confirmLabel="Save"
          busyLabel="Saving…"
          fields={[reasonField(data.reason_length)]}
          requestFor={(values) => ({
            method: "PUT",
            path: SETTINGS_ROUTE,
            body: { ...snapshotWithDraft(view, draft), ...reasonBody(values) },
          })}
          handlesRefusal={(refusal) => isSettingsConflict(refusal) && (void onConflict(), true)}
          doneMessage={() => "Settings saved."}
          onDone={(response) => onSaved(response as SettingsView)}
        >
          <ChangePreview {...table} />
        </ActionForm>
      ) : (
        <p class="refusal">
          {problems.map(({ item }) => (
            <a key={item.key} href={`#${fieldId(item)}`}>
              {settingName(item)} is not valid
            </a>
          ))}
        </p>
      )}
      <button type="button" class="button quiet" onClick={() => setDraft({})}>
        Discard
      </button>
    </div>
  );
}

type PreviewResult = { preview: Preview } | { trouble: string } | null;

/** Asks the server which changes saving would make. */
function ChangePreview({ auth, view, draft, onConflict }: SettingsEditorProps) {
  const [previewResult, setPreviewResult] = useState<PreviewResult>(null);
  useEffect(() => {
    const body = snapshotWithDraft(view, draft);
    void auth.sendRequest<Preview>("POST", `${SETTINGS_ROUTE}/preview`, body).then((response) => {
      if (!("refusal" in response)) return setPreviewResult({ preview: response.value });
      if (isSettingsConflict(response.refusal)) return onConflict();
      return setPreviewResult({ trouble: response.refusal.text });
    });
  }, []);
  if (previewResult === null) return <p>Loading the preview…</p>;
  if ("trouble" in previewResult) return <p class="notice bad">{previewResult.trouble}</p>;
  const { changes, replays_removed } = previewResult.preview;
  return (
    <>
      <AdminTable
        caption="Changes"
        rows={changes}
        columns={[
          {
            title: "Setting",
            accessor: ({ field, ladder_id }) => settingName({ field, ladder: ladder_id }),
          },
          { title: "Now", accessor: ({ from }) => formatSettingValue(from) },
          { title: "New", accessor: ({ to }) => formatSettingValue(to) },
        ]}
        keyOf={({ field, ladder_id }) => `${ladder_id} ${field}`}
        empty="Nothing changes: the settings already have these values."
      />
      {changes.some(stopsMatches) && (
        <p class="notice bad">
          Version <code>max_concurrent</code> 0, no new match starts
          {" " + changes.filter(stopsMatches).map(describePlace).join(", ")}until you raise it.
          Running matches finish.
        </p>
      )}
      <ul class="settings-timings">
        {[...new Set(changes.map(({ applies }) => applies))].map((applies) => (
          <li key={applies}>
            <code>
              {changes
                .filter((change) => change.applies === applies)
                .map(({ field }) => field)
                .join(", ")}
            </code>{" "}
            {APPLIES_TEXTS[applies]}
          </li>
        ))}
      </ul>
      {replays_removed > 0 && (
        <p class="notice bad">
          The next cleanup removes {replays_removed} replays with these settings. This can't be
          undone.
        </p>
      )}
    </>
  );
}

type Change = Preview["changes"][number];

const stopsMatches = ({ field, to }: Change): boolean => field === "max_concurrent" && to === 0;

const describePlace = ({ ladder_id }: Change): string =>
  ladder_id === null ? "on this server" : `on ${ladder_id}`;
