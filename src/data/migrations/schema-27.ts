import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/** Adds the standings of each ladder at the start of each UTC day. */
export const SCHEMA_27: Migration = {
  number: 27,
  name: "noted places",
  statements: ({ text, heap }: ColumnTypes) => [
    `create table noted_places (
      ladder_id ${text} not null,
      day ${text} not null,
      season ${text} not null,
      noted_at ${text} not null,
      bot_ids ${text} not null,
      primary key (ladder_id, day)
    ) ${heap}`,
  ],
};
