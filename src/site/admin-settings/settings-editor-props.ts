// Props shared by the parts of the settings page.

import type { SettingsView } from "#core/api/settings-schemas.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";

import type { SettingsDraft } from "./draft.ts";

export type SettingsEditorProps = Pick<AdminPanelProps, "data" | "auth"> & {
  view: SettingsView;
  /** Unsaved texts. */
  draft: SettingsDraft;
  setDraft: (draft: SettingsDraft) => void;
  /** Called after saving. */
  onSaved: (view: SettingsView) => void;
  /** Reloads the presets only. */
  reloadPresets: () => Promise<void>;
  /** Called on an edit conflict. */
  onConflict: () => Promise<void>;
};

export const SETTINGS_ROUTE = "/api/admin/settings";

export const isSettingsConflict = ({ code }: { code: string | undefined }): boolean =>
  code === "settings_conflict";
