import { MIGRATIONS } from "#data/migrations/migrations.ts";
import type { Migration } from "#data/queries/database-backend.ts";

const NEWEST_NUMBER = MIGRATIONS[MIGRATIONS.length - 1]!.number;

/** Creates, alters and fills tables, as future migrations might. */
const EXTRA_MIGRATION: Migration = {
  number: NEWEST_NUMBER + 1,
  name: "mottos",
  statements: ({ text, heap }) => [
    `create table mottos (bot_id ${text} primary key, motto ${text} not null) ${heap}`,
    `alter table bots add column motto ${text} not null default ''`,
    "insert into mottos (bot_id, motto) select id, name from bots",
    "update bots set motto = (select motto from mottos where bot_id = id)",
  ],
};

export const EXTENDED_MIGRATIONS: readonly Migration[] = [...MIGRATIONS, EXTRA_MIGRATION];
