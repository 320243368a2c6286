import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/** Adds operator announcements. */
export const SCHEMA_34: Migration = {
  number: 34,
  name: "announcements",
  statements: ({ text, whole, heap }: ColumnTypes) => [
    `create table announcements (
      id ${text} primary key,
      title ${text} not null,
      body ${text} not null,
      state ${text} not null check (state in ('draft', 'published', 'archived')),
      created ${text} not null,
      publish_by ${text} not null,
      published ${text} check (state <> 'published' or published is not null),
      archived ${text} check ((state = 'archived') = (archived is not null)),
      in_game ${whole} not null check (in_game in (0, 1)),
      email_title ${text},
      email_text ${text},
      email_html ${text},
      accounts ${whole} not null,
      subscribed ${whole} not null
    ) ${heap}`,
    "create index announcements_by_age on announcements (created, id)",
    `create index announcements_on_pages on announcements (published, id)
      where state = 'published' and in_game = 1`,
  ],
};
