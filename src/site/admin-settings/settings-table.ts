// What the parts of the settings work with.

import type { SettingsView } from "#core/operator/settings.ts";
import type { PartProps } from "#site/admin/part.ts";

import type { SettingsDraft } from "./draft.ts";

export type SettingsTable = Pick<PartProps, "data" | "desk"> & {
  view: SettingsView;
  /** What is typed and not saved. */
  draft: SettingsDraft;
  setDraft: (draft: SettingsDraft) => void;
  /** They are saved. */
  renew: (view: SettingsView) => void;
  /** Reads the presets again, and nothing else. */
  relist: () => Promise<void>;
  /** Another operator was faster. */
  clash: () => Promise<void>;
};

export const SETTINGS_ROUTE = "/api/admin/settings";

export const isClash = ({ code }: { code: string | undefined }): boolean =>
  code === "settings_conflict";
