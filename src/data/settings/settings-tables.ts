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
  changes: Fixed<string>;
};

/** What settings say of ladders. Their own bounds are in their rows. */
type BoundsTable = {
  ladder_id: Fixed<string>;
  max_concurrent: Fixed<number | null>;
  owner_concurrency: Fixed<number | null>;
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
  ladder_bounds: BoundsTable;
  settings_presets: PresetTable;
};
