import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/**
 * Drops indexes to make saving matches cheaper. Season queries can use the indexes by end time,
 * because a tally stores when the first and last match of a competition ended. A bot's newest
 * released replay determines which replays it retains. The index by bot covers every column that a
 * rating history reads from thousands of seats.
 */
export const SCHEMA_25: Migration = {
  number: 25,
  name: "fewer indexes",
  statements: (types) => [...competitionEnds(types), ...releasedReplays(types)],
};

function competitionEnds({ text }: ColumnTypes): string[] {
  const endExpression = (aggregate: "min" | "max") => `(select ${aggregate}(ended) from matches as m
    where m.ladder_id = ladder_tallies.ladder_id and m.season = ladder_tallies.season)`;
  return [
    `alter table ladder_tallies add column first_ended ${text} not null default ''`,
    `alter table ladder_tallies add column last_ended ${text} not null default ''`,
    `update ladder_tallies
      set first_ended = coalesce(${endExpression("min")}, ''), last_ended = coalesce(${endExpression("max")}, '')`,
    "drop index matches_by_season",
    "drop index matches_by_start",
    "drop index seats_by_season",
    "drop index seats_by_bot",
    `create index seats_by_bot on seats
      (bot_id, ladder_id, ended, match_id, season, version_id, rating_before, rating_after)`,
  ];
}

function releasedReplays({ text, keyed }: ColumnTypes): string[] {
  return [
    `create table released_replays (
      bot_id ${text} primary key,
      ended ${text} not null,
      match_id ${text} not null
    ) ${keyed}`,
    `insert into released_replays select bot_id, ended, match_id from (
      select *, row_number() over (partition by bot_id order by ended desc, match_id desc) as age
      from seats where keeps_replay = 0) as released
      where age = 1`,
    "drop index seats_keeping",
    "alter table seats drop column keeps_replay",
  ];
}
