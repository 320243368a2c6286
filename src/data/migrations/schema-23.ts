import { PRESEASON, monthOf, windowOfMonth } from "#core/ladder/season.ts";
import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/**
 * Adds seasons. Assigns a season to every match and recomputes all counts per season. The current
 * month becomes the first season; matches that started earlier belong to the preseason.
 */
export const SCHEMA_23: Migration = {
  number: 23,
  name: "seasons",
  statements: (types, now) => [
    ...seasonTables(types),
    ...seasonRows(now),
    ...assignMatches(types, now),
    ...pairTables(types),
    ...tallyTables(types),
    ...resultTables(types),
    ...playTables(types),
    ...highlightTable(types),
  ],
};

function seasonTables({ text, whole, real, keyed }: ColumnTypes): string[] {
  return [
    `create table seasons (
      id ${text} primary key,
      opens_at ${text} not null,
      closes_at ${text} not null,
      archived_at ${text}
    ) ${keyed}`,
    `create table final_standings (
      season ${text} not null references seasons (id),
      rank ${whole} not null,
      bot_id ${text} not null,
      version_id ${text} not null,
      name ${text} not null,
      owner ${text} not null,
      house ${whole} not null check (house in (0, 1)),
      label ${text} not null,
      rating ${real} not null,
      deviation ${real} not null,
      wins ${whole} not null,
      draws ${whole} not null,
      losses ${whole} not null,
      primary key (season, rank)
    ) ${keyed}`,
    "create unique index final_standings_by_bot on final_standings (bot_id, season)",
  ];
}

/** An empty preseason counts as archived. */
function seasonRows(now: string): string[] {
  const { id, opensAt, closesAt } = windowOfMonth(monthOf(now));
  const earlierMatches = `from matches where ladder_id = 'public' and started < '${opensAt}'`;
  return [
    `insert into seasons (id, opens_at, closes_at, archived_at) select '${PRESEASON}',
      coalesce(min(started), '${opensAt}'), '${opensAt}',
      case when count(*) = 0 then '${now}' end ${earlierMatches}`,
    `insert into seasons (id, opens_at, closes_at, archived_at)
      values ('${id}', '${opensAt}', '${closesAt}', null)`,
  ];
}

function assignMatches({ text }: ColumnTypes, now: string): string[] {
  const { id, opensAt } = windowOfMonth(monthOf(now));
  return [
    `alter table matches add column season ${text} not null default ''`,
    `update matches set season = case when started < '${opensAt}' then '${PRESEASON}' else '${id}' end
      where ladder_id = 'public'`,
    "create index matches_by_season on matches (ladder_id, season, ended, id)",
    `alter table seats add column season ${text} not null default ''`,
    "update seats set season = (select m.season from matches as m where m.id = match_id)",
    "create index seats_by_season on seats (bot_id, ladder_id, season, ended, match_id)",
  ];
}

/** Joins the two seats of each rated match. */
const RATED_SEATS = `matches as m
  join seats as a on a.match_id = m.id
  join seats as b on b.match_id = m.id and b.seat <> a.seat
  where m.rated = 1 and m.voided = 0`;

const RESULT_SUMS = `
  sum(case when m.winner_bot_id = a.bot_id then 1 else 0 end),
  sum(case when m.winner_bot_id is null then 1 else 0 end),
  sum(case when m.winner_bot_id = b.bot_id then 1 else 0 end)`;

const resultColumns = (whole: string): string =>
  `wins ${whole} not null, draws ${whole} not null, losses ${whole} not null`;

/** Counts per ladder can't be split by season, so they are recomputed. */
function pairTables({ text, whole, keyed }: ColumnTypes): string[] {
  return [
    "drop table pair_counts",
    `create table pair_counts (
      ladder_id ${text} not null,
      season ${text} not null,
      first_version ${text} not null,
      second_version ${text} not null,
      map ${text} not null,
      ${resultColumns(whole)},
      primary key (ladder_id, season, first_version, second_version, map),
      check (first_version < second_version)
    ) ${keyed}`,
    `insert into pair_counts
      select m.ladder_id, m.season, a.version_id, b.version_id, m.map, ${RESULT_SUMS}
      from ${RATED_SEATS} and a.version_id < b.version_id
      group by m.ladder_id, m.season, a.version_id, b.version_id, m.map`,
    "drop table version_activity",
    `create table version_activity (
      ladder_id ${text} not null,
      season ${text} not null,
      version_id ${text} not null,
      bot_id ${text} not null,
      last_played ${text} not null,
      last_match_id ${text} not null,
      seat_balance ${whole} not null,
      primary key (ladder_id, season, version_id)
    ) ${keyed}`,
    `insert into version_activity
      select ladder_id, season, version_id, bot_id, ended, match_id, balance from (
        select a.*,
          row_number() over (partition by a.ladder_id, a.season, a.version_id
            order by a.ended desc, a.match_id desc) as age,
          sum(case when a.seat = 0 then 1 else -1 end) over
            (partition by a.ladder_id, a.season, a.version_id) as balance
        from ${RATED_SEATS}) as counted
      where age = 1`,
    "create index version_activity_by_bot on version_activity (bot_id, ladder_id)",
  ];
}

function tallyTables({ text, whole, keyed }: ColumnTypes): string[] {
  return [
    "drop table ladder_tallies",
    `create table ladder_tallies (
      ladder_id ${text} not null,
      season ${text} not null,
      games ${whole} not null,
      draws ${whole} not null,
      voided ${whole} not null,
      stats_games ${whole} not null,
      primary key (ladder_id, season)
    ) ${keyed}`,
    `insert into ladder_tallies
      select ladder_id, season, sum(1 - voided),
        sum(case when voided = 0 and winner_bot_id is null then 1 else 0 end), sum(voided), 0
      from matches group by ladder_id, season`,
  ];
}

function resultTables({ text, whole, keyed }: ColumnTypes): string[] {
  const tableOf = (name: string, keyColumn: string, extraColumns = "") => `create table ${name} (
      ladder_id ${text} not null,
      season ${text} not null,
      bot_id ${text} not null,
      ${keyColumn} ${text} not null,
      ${resultColumns(whole)},
      ${extraColumns}
      primary key (ladder_id, season, bot_id, ${keyColumn})
    ) ${keyed}`;
  const recount = (
    keyColumn: string,
  ) => `select m.ladder_id, m.season, a.bot_id, ${keyColumn}, ${RESULT_SUMS}
      from ${RATED_SEATS} group by m.ladder_id, m.season, a.bot_id, ${keyColumn}`;
  return [
    tableOf("bot_opponents", "opponent_id", `shared ${whole},`),
    `insert into bot_opponents (ladder_id, season, bot_id, opponent_id, wins, draws, losses)
      ${recount("b.bot_id")}`,
    `update bot_opponents
      set shared = 2 * (case when wins < losses then wins else losses end) + draws
      where bot_id < opponent_id and 0 = (select count(*) from bots
        where bots.id in (bot_id, opponent_id) and house = 1)`,
    `create index rivalries on bot_opponents (ladder_id, season, shared)
      where shared is not null`,
    tableOf("bot_maps", "map"),
    `insert into bot_maps ${recount("m.map")}`,
  ];
}

/** Not backfilled, because statistics of older matches are compressed documents. */
function playTables({ text, whole, keyed }: ColumnTypes): string[] {
  const sums = `games ticks moves dashes uses hits damage_dealt damage_taken healed wall_slams
    zone_damage idles`.split(/\s+/);
  return [
    `create table bot_play (
      ladder_id ${text} not null,
      season ${text} not null,
      bot_id ${text} not null,
      ${sums.map((name) => `${name} ${whole} not null`).join(", ")},
      primary key (ladder_id, season, bot_id)
    ) ${keyed}`,
    `create table bot_weapons (
      ladder_id ${text} not null,
      season ${text} not null,
      bot_id ${text} not null,
      attack ${text} not null,
      uses ${whole} not null,
      hits ${whole} not null,
      damage ${whole} not null,
      primary key (ladder_id, season, bot_id, attack)
    ) ${keyed}`,
  ];
}

/**
 * Older matches get no swing or upset, because it is unknown which bots were ranked at the time.
 */
function highlightTable({ text, whole, keyed }: ColumnTypes): string[] {
  return [
    `create table highlights (
      ladder_id ${text} not null,
      season ${text} not null,
      kind ${text} not null,
      match_id ${text} not null,
      value ${whole} not null,
      primary key (ladder_id, season, kind)
    ) ${keyed}`,
    olderHighlight("longest", "final_tick", "voided = 0"),
    olderHighlight("quickest", "-final_tick", "voided = 0 and reason = 'last_standing'"),
  ];
}

function olderHighlight(kind: string, value: string, condition: string): string {
  return `insert into highlights select ladder_id, season, '${kind}', id, ${value} from (
    select *, row_number() over (partition by ladder_id, season order by ${value} desc, id) as place
    from matches where ${condition}) as ranked
    where place = 1`;
}
