import type { Fixed } from "#data/identity/immutable-column.ts";

type SettingsRevisionTable = {
  revision: Fixed<number>;
  id: Fixed<string>;
  at: Fixed<string>;
  account_id: Fixed<string>;
  /** JSON of all overrides from this revision on. */
  overrides: Fixed<string>;
  changes: Fixed<string>;
};

/** Bounds that override the bounds in the ladder's row. */
type LadderBoundsTable = {
  ladder_id: Fixed<string>;
  max_concurrent: Fixed<number | null>;
  owner_concurrency: Fixed<number | null>;
};

export type SettingsPresetTable = {
  id: Fixed<string>;
  name: Fixed<string>;
  created: string;
  account_id: string;
  overrides: string;
};

export type SettingsTables = {
  settings_revisions: SettingsRevisionTable;
  ladder_bounds: LadderBoundsTable;
  settings_presets: SettingsPresetTable;
};
