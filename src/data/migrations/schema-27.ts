import type { ColumnTypes, Migration } from "#data/queries/backend.ts";

/** Who stood where on each ladder at the beginning of each UTC day. */
export const NOTED_PLACES: Migration = {
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
