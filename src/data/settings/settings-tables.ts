import type { Fixed } from "#data/identity/immutable-column.ts";

type SettingsRevisionTable = {
  revision: Fixed<number>;
  /** ID of its audit entry. */
  id: Fixed<string>;
  at: Fixed<string>;
  /** The account that made it, which may have been deleted. */
  account_id: Fixed<string>;
  /** JSON: all overrides from then on. */
  overrides: Fixed<string>;
  changes: Fixed<string>;
};

/** Overrides per ladder. A ladder's own bounds are in its row. */
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
