import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/**
 * Adds human players, bots owned by accounts, unrated modes, final standings of custom ladders,
 * audit actors, and totals over archived seasons. Adds partial indexes on ranked matches.
 */
export const SCHEMA_26: Migration = {
  number: 26,
  name: "people and modes",
  statements: (types) => [
    ...matchColumns(types),
    ...seatTable(types),
    ...botColumns(types),
    ...standingTable(types),
    ...auditTable(types),
    ...archivedSeasonTables(types),
    // Renamed because human and practice games now share a keeper that isn't a bot.
    "alter table released_replays rename column bot_id to keeper",
  ],
};

/** Before schema 26, only void matches were unrated and every winner was a bot. */
function matchColumns({ text, whole }: ColumnTypes): string[] {
  return [
    `alter table matches add column winner_seat ${whole}`,
    `alter table matches add column unrated_reason ${text}`,
    "drop index matches_by_end",
    `update matches set
      winner_seat = case when winner_bot_id is not null then
        (select case when s.bot_id = matches.winner_bot_id then 0 else 1 end from seats as s
          where s.match_id = matches.id and s.seat = 0) end,
      unrated_reason = case when rated = 1 then null
        when reason = 'server_fault' then 'server_fault' else 'nobody_ready' end`,
    "alter table matches drop column winner_bot_id",
    "create index matches_by_end on matches (ladder_id, ended, id) where mode = 'ranked'",
    "create index casual_matches on matches (ended, id) where mode <> 'ranked'",
  ];
}

/** Rebuilt because SQLite can't drop a `not null`. Rows are inserted in key order. */
function seatTable({ text, whole, real, keyed }: ColumnTypes): string[] {
  return [
    `create table seats_26 (
      match_id ${text} not null references matches (id),
      seat ${whole} not null,
      bot_id ${text},
      version_id ${text},
      account_id ${text},
      name ${text} not null,
      version ${text} not null,
      fighter ${text} not null,
      rating_before ${whole},
      rating_after ${whole},
      deviation_after ${real},
      score_after ${real},
      ladder_id ${text} not null,
      season ${text} not null,
      mode ${text} not null,
      ended ${text} not null,
      constraint seats_by_match primary key (match_id, seat),
      foreign key (bot_id, version_id) references versions (bot_id, id),
      check ((bot_id is null) = (version_id is null)),
      check (bot_id is not null or mode = 'human')
    ) ${keyed}`,
    `insert into seats_26 (match_id, seat, bot_id, version_id, name, version, fighter,
        rating_before, rating_after, ladder_id, season, mode, ended)
      select s.match_id, s.seat, s.bot_id, s.version_id, b.name, v.label, s.fighter,
        s.rating_before, s.rating_after, s.ladder_id, s.season, m.mode, s.ended
      from seats as s
        left join matches as m on m.id = s.match_id
        left join bots as b on b.id = s.bot_id
        left join versions as v on v.id = s.version_id
      order by s.match_id, s.seat`,
    "drop table seats",
    "alter table seats_26 rename to seats",
    `create index seats_by_bot on seats
      (bot_id, ladder_id, ended, match_id, season, version_id, rating_before, rating_after)
      where mode = 'ranked'`,
    "create index casual_seats on seats (bot_id, ladder_id) where mode <> 'ranked'",
  ];
}

function botColumns({ text }: ColumnTypes): string[] {
  return [
    "alter table bots rename column owner_key to owner_id",
    "update bots set owner_id = case house when 1 then 'house' else 'anon:' || owner_id end",
    `alter table bots add column status_reason ${text}`,
    `alter table bots add column status_since ${text}`,
  ];
}

/** Ladders without seasons now have final standings too. */
function standingTable({ text, whole, real, keyed }: ColumnTypes): string[] {
  const columns = `season, rank, bot_id, version_id, name, owner, house, label, rating, deviation,
    wins, draws, losses`;
  return [
    `create table final_standings_26 (
      ladder_id ${text} not null,
      season ${text} not null,
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
      constraint final_standings_by_rank primary key (ladder_id, season, rank)
    ) ${keyed}`,
    `insert into final_standings_26 (ladder_id, ${columns})
      select 'public', ${columns} from final_standings order by season, rank`,
    "drop table final_standings",
    "alter table final_standings_26 rename to final_standings",
    `create unique index final_standings_by_bot on final_standings
      (bot_id, ladder_id, season)`,
  ];
}

/** Older entries have no actor and refer to bots by name. */
function auditTable({ text, heap }: ColumnTypes): string[] {
  return [
    `create table audit_26 (
      id ${text} primary key,
      at ${text} not null,
      kind ${text} not null,
      actor_kind ${text} not null,
      actor_id ${text},
      actor_name ${text},
      subject_kind ${text},
      subject_id ${text},
      subject_name ${text},
      reason ${text},
      detail ${text}
    ) ${heap}`,
    `insert into audit_26
        (id, at, kind, actor_kind, subject_kind, subject_id, subject_name, detail)
      select a.id, a.at, case a.kind when 'bot_registered' then 'bot.registered'
          when 'throttled' then 'bot.throttled' else a.kind end,
        'system', 'bot', b.id, a.subject, nullif(a.detail, 'null')
      from audit as a
        left join bots as b on b.name_key = lower(a.subject) and b.created <= a.at
      order by a.at, a.id`,
    "drop table audit",
    "alter table audit_26 rename to audit",
    "create index audit_by_time on audit (at, id)",
    "create index audit_by_kind on audit (kind, at, id)",
  ];
}

function archivedSeasonTables({ text, whole, keyed }: ColumnTypes): string[] {
  const tableOf = (name: string, keyColumn: string, extraColumns = "") => `create table ${name} (
      ladder_id ${text} not null,
      bot_id ${text} not null,
      ${keyColumn} ${text} not null,
      wins ${whole} not null,
      draws ${whole} not null,
      losses ${whole} not null,
      ${extraColumns}
      primary key (ladder_id, bot_id, ${keyColumn})
    ) ${keyed}`;
  const archived = "season in (select id from seasons where archived_at is not null)";
  const sums = "sum(wins), sum(draws), sum(losses)";
  return [
    tableOf("past_rivals", "opponent_id", `shared ${whole} not null,`),
    `insert into past_rivals
      select ladder_id, bot_id, opponent_id, ${sums},
        sum(draws) + 2 * (case when sum(wins) < sum(losses) then sum(wins) else sum(losses) end)
      from bot_opponents where shared is not null and ${archived}
      group by ladder_id, bot_id, opponent_id`,
    `create index past_rivalries on past_rivals
      (ladder_id, shared desc, (wins + draws + losses) desc, bot_id, opponent_id)
      where shared > 0 and wins + draws + losses <= 2 * shared`,
    tableOf("past_maps", "map"),
    `insert into past_maps
      select ladder_id, bot_id, map, ${sums} from bot_maps where ${archived}
      group by ladder_id, bot_id, map`,
  ];
}
