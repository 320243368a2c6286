import type { Fixed } from "#data/identity/column.ts";

type RevisionTable = {
  revision: Fixed<number>;
  /** That of its entry in the audit. */
  id: Fixed<string>;
  at: Fixed<string>;
  /** Who made it: an account that may be gone. */
  account_id: Fixed<string>;
  /** JSON: all overrides as they are since then. */
  overrides: Fixed<string>;
  public_bounds: Fixed<string>;
  changes: Fixed<string>;
};

export type PresetTable = {
  id: Fixed<string>;
  name: Fixed<string>;
  created: string;
  account_id: string;
  overrides: string;
};

export type SettingsTables = {
  settings_revisions: RevisionTable;
  settings_presets: PresetTable;
};
