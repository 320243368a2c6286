import type { SettingsView } from "#core/api/settings-schemas.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";

import type { SettingsDraft } from "./draft.ts";

export type SettingsEditorProps = Pick<AdminPanelProps, "data" | "auth"> & {
  view: SettingsView;
  draft: SettingsDraft;
  setDraft: (draft: SettingsDraft) => void;
  onSaved: (view: SettingsView) => void;
  /** Reloads presets but not settings. */
  reloadPresets: () => Promise<void>;
  onConflict: () => Promise<void>;
};

export const SETTINGS_ROUTE = "/api/admin/settings";

export const isSettingsConflict = ({ code }: { code: string | undefined }): boolean =>
  code === "settings_conflict";
