import { useEffect, useState } from "preact/hooks";

import type { SettingsView } from "#core/api/settings-schemas.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";

import { ConflictPanel } from "./conflict-panel.tsx";
import { findConflicts, rebaseDraft } from "./draft.ts";
import type { SettingConflict, SettingsDraft } from "./draft.ts";
import { SettingsFields } from "./fields.tsx";
import { SettingsHistory } from "./history.tsx";
import { PresetsSection } from "./presets.tsx";
import { SaveBar } from "./save-bar.tsx";
import { SETTINGS_ROUTE } from "./settings-editor-props.ts";

export function SettingsPanel({ data, auth, setUnsavedWarning }: AdminPanelProps) {
  const resource = useResource<SettingsView>(auth, SETTINGS_ROUTE);
  return (
    <ResourceView resource={resource}>
      {(initialView) => <SettingsEditor {...{ data, auth, setUnsavedWarning, initialView }} />}
    </ResourceView>
  );
}

type SettingsEditorInit = Pick<AdminPanelProps, "data" | "auth" | "setUnsavedWarning"> & {
  initialView: SettingsView;
};

function SettingsEditor({ data, auth, setUnsavedWarning, initialView }: SettingsEditorInit) {
  const [view, setView] = useState(initialView);
  const [draft, setDraft] = useState<SettingsDraft>({});
  const [conflicts, setConflicts] = useState<SettingConflict[] | null>(null);
  const [baseRevision, setBaseRevision] = useState(initialView.revision);
  const count = Object.keys(draft).length;
  useEffect(() => {
    setUnsavedWarning(count === 0 ? null : describeUnsaved(count));
    return () => setUnsavedWarning(null);
  }, [count]);
  const onConflict = async () => {
    const response = await auth.sendRequest<SettingsView>("GET", SETTINGS_ROUTE);
    if ("refusal" in response) return auth.showStatusMessage(response.refusal.text);
    setConflicts(findConflicts(view, response.value, draft));
    setBaseRevision(view.revision);
    setDraft(rebaseDraft(response.value, draft));
    setView(response.value);
  };
  const onSaved = (nextView: SettingsView) => {
    setView(nextView);
    setDraft({});
    setConflicts(null);
  };
  const reloadPresets = async () => {
    const response = await auth.sendRequest<SettingsView>("GET", SETTINGS_ROUTE);
    if (!("refusal" in response)) setView({ ...view, presets: response.value.presets });
  };
  const editorProps = { data, auth, view, draft, setDraft, onSaved, reloadPresets, onConflict };
  return (
    <>
      <p class="sub">
        Revision {view.revision}. Settings without changes have their startup value.
      </p>
      {conflicts !== null && (
        <ConflictPanel
          {...{ view, conflicts, baseRevision, draft, setDraft }}
          onClose={() => setConflicts(null)}
        />
      )}
      <SettingsFields {...editorProps} />
      <SaveBar {...editorProps} />
      <PresetsSection {...editorProps} />
      <SettingsHistory {...editorProps} />
    </>
  );
}

const describeUnsaved = (count: number): string =>
  count === 1 ? "You have 1 unsaved change." : `You have ${count} unsaved changes.`;
