import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/**
 * Adds turn statistics per version, and replay retention. Statistics of older matches are
 * compressed documents, so these matches are listed in `uncounted_turns` and read in batches after
 * startup.
 */
export const SCHEMA_24: Migration = {
  number: 24,
  name: "turns and kept replays",
  statements: (types) => [...turnTables(types), ...keptReplays(types)],
};

function turnTables({ text, keyed }: ColumnTypes): string[] {
  return [
    `create table version_turns (
      version_id ${text} not null,
      ended ${text} not null,
      match_id ${text} not null,
      figures ${text} not null,
      primary key (version_id, ended, match_id)
    ) ${keyed}`,
    `create table uncounted_turns (
      ended ${text} not null,
      match_id ${text} not null,
      primary key (ended, match_id)
    ) ${keyed}`,
    `insert into uncounted_turns select m.ended, m.id
      from matches as m join match_documents as d on d.match_id = m.id
      where d.stats is not null and m.voided = 0`,
  ];
}

/** All replays are retained until the first trim. */
function keptReplays({ whole }: ColumnTypes): string[] {
  return [
    `alter table seats add column keeps_replay ${whole} not null default 1`,
    "create index seats_keeping on seats (bot_id, ended, match_id) where keeps_replay = 1",
  ];
}
