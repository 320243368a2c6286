import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/**
 * Adds operator overrides of settings. The newest revision contains all server overrides.
 * `ladder_bounds` overrides the bounds of single ladders.
 */
export const SCHEMA_31: Migration = {
  number: 31,
  name: "settings",
  statements: ({ text, whole, heap }: ColumnTypes) => [
    `create table settings_revisions (
      revision ${whole} primary key,
      id ${text} not null unique,
      at ${text} not null,
      account_id ${text} not null,
      overrides ${text} not null,
      changes ${text} not null
    ) ${heap}`,
    `create table ladder_bounds (
      ladder_id ${text} primary key,
      max_concurrent ${whole},
      owner_concurrency ${whole}
    ) ${heap}`,
    `create table settings_presets (
      id ${text} primary key,
      name ${text} not null unique,
      created ${text} not null,
      account_id ${text} not null,
      overrides ${text} not null
    ) ${heap}`,
  ],
};
