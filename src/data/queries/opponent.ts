import { sql } from "kysely";
import type { Selectable } from "kysely";

// What a bot took from each opponent and on each map, over all its versions, counted as rated
// matches come.
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { BotId, LadderId, SeasonId, VersionId } from "#core/words/ids.ts";
import type { Results } from "#core/words/results.ts";
import type { CompetitionFigures } from "#data/store/figures.ts";
import type { MatchRecord } from "#data/store/match.ts";

import { pairOf, resultOf } from "./pair.ts";
import type { PairedSeat } from "./pair.ts";
import { differingRows } from "./recount.ts";
import { competitionColumns } from "./season.ts";
import { insertion, selection } from "./statement.ts";
import type { BotMapTable, Database, OpenTransaction, OpponentTable } from "./tables.ts";

/** Counts a rated match for both bots. */
export async function countOpponents(
  transaction: OpenTransaction,
  match: MatchRecord,
): Promise<void> {
  const rows = viewsOf(match);
  const isRivalry = !(await hasHouseBot(transaction, match));
  const opponents = rows.map(({ map: _map, ...row }) => {
    const isKept = isRivalry && row.bot_id < row.opponent_id;
    // In a single game the loser has no point, and in a draw both have half of one.
    return { ...row, shared: isKept ? row.draws : null };
  });
  await addOpponents(transaction, opponents);
  const maps = rows.map(({ opponent_id: _opponent, ...row }) => row);
  await addMaps(transaction, maps);
}

const addOpponents = insertion((open, rows: readonly Selectable<OpponentTable>[]) =>
  open
    .insertInto("bot_opponents")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "season", "bot_id", "opponent_id"])
        .doUpdateSet({ ...added("bot_opponents"), shared: SHARED }),
    ),
);

const addMaps = insertion((open, rows: readonly Selectable<BotMapTable>[]) =>
  open
    .insertInto("bot_maps")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["ladder_id", "season", "bot_id", "map"]).doUpdateSet(added("bot_maps")),
    ),
);

const SHARED = sql<number | null>`case when bot_opponents.shared is null then null else
  bot_opponents.draws + excluded.draws + 2 * (case
    when bot_opponents.wins + excluded.wins < bot_opponents.losses + excluded.losses
    then bot_opponents.wins + excluded.wins
    else bot_opponents.losses + excluded.losses end) end`;

async function hasHouseBot(transaction: OpenTransaction, match: MatchRecord): Promise<boolean> {
  const [one, other] = pairOf(match);
  return (await houseBots(transaction, one.botId, other.botId)).length > 0;
}

const houseBots = selection((database, first: string, second: string) =>
  database
    .selectFrom("bots")
    .select("id")
    .where("id", "in", [first, second])
    .where(sql<boolean>`house = 1`),
);

/** The match as each of its bots sees it, in the order in which transactions lock rows. */
function viewsOf(match: MatchRecord) {
  const [first, second] = pairOf(match);
  const view = (own: PairedSeat, other: PairedSeat) => ({
    ...competitionColumns(match),
    bot_id: own.botId,
    opponent_id: other.botId,
    map: match.map,
    ...resultOf(match, own),
  });
  return [view(first, second), view(second, first)].toSorted((a, b) =>
    a.bot_id < b.bot_id ? -1 : 1,
  );
}

const added = (table: "bot_opponents" | "bot_maps") => ({
  wins: sql<number>`${sql.table(table)}.wins + excluded.wins`,
  draws: sql<number>`${sql.table(table)}.draws + excluded.draws`,
  losses: sql<number>`${sql.table(table)}.losses + excluded.losses`,
});

/** Ordered by opponent id. */
export async function opponentsOf(
  database: Database,
  botId: BotId,
  of: Competition,
  versionId?: VersionId,
): Promise<(Results & { opponentId: BotId })[]> {
  if (versionId !== undefined) return opponentsOfVersion(database, botId, of, versionId);
  const { ladder_id, season } = competitionColumns(of);
  const rows = await database
    .selectFrom("bot_opponents")
    .select(["opponent_id as opponentId", "wins", "draws", "losses"])
    .where("ladder_id", "=", ladder_id)
    .where("season", "=", season)
    .where("bot_id", "=", botId)
    .orderBy("opponent_id")
    .execute();
  return rows.map((row) => ({ ...row }));
}

/** Summed over the version's pairs with each opponent's versions. */
async function opponentsOfVersion(
  database: Database,
  botId: BotId,
  of: Competition,
  versionId: VersionId,
): Promise<(Results & { opponentId: BotId })[]> {
  const { ladder_id, season } = competitionColumns(of);
  const isFirst = sql`p.first_version = ${versionId}`;
  const { rows } = await sql<Results & { opponentId: BotId }>`
    select o.opponent_id as "opponentId",
      cast(sum(case when ${isFirst} then p.wins else p.losses end) as integer) as wins,
      cast(sum(p.draws) as integer) as draws,
      cast(sum(case when ${isFirst} then p.losses else p.wins end) as integer) as losses
    from bot_opponents as o
      join versions as v on v.bot_id = o.opponent_id
      join pair_counts as p on p.ladder_id = o.ladder_id and p.season = o.season
        and p.first_version = case when v.id < ${versionId} then v.id else ${versionId} end
        and p.second_version = case when v.id < ${versionId} then ${versionId} else v.id end
    where o.ladder_id = ${ladder_id} and o.season = ${season} and o.bot_id = ${botId}
    group by o.opponent_id
    order by o.opponent_id`.execute(database);
  return rows.map((row) => ({ ...row }));
}

/** Ordered by bot, then by map. */
export async function mapResults(
  database: Database,
  of: Competition,
): Promise<CompetitionFigures["maps"]> {
  const { ladder_id, season } = competitionColumns(of);
  const rows = await database
    .selectFrom("bot_maps")
    .select(["bot_id as botId", "map", "wins", "draws", "losses"])
    .where("ladder_id", "=", ladder_id)
    .where("season", "=", season)
    .orderBy("bot_id")
    .orderBy("map")
    .execute();
  return rows.map((row) => ({ ...row }));
}

/**
 * The pairs of player bots that took the most points from each other, ties by games. A bot that
 * took less than one game in four is no rival; `shared` counts half points.
 */
export async function rivalries(
  database: Database,
  of: Competition,
  limit: number,
): Promise<CompetitionFigures["rivalries"]> {
  const { ladder_id, season } = competitionColumns(of);
  const rows = await database
    .selectFrom("bot_opponents")
    .select(["bot_id", "opponent_id", "wins", "draws", "losses"])
    .where("ladder_id", "=", ladder_id)
    .where("season", "=", season)
    .where("shared", "is not", null)
    .where("shared", ">", 0)
    .where(sql<boolean>`2 * shared >= wins + draws + losses`)
    .orderBy("shared", "desc")
    .orderBy(sql`wins + draws + losses`, "desc")
    .orderBy("bot_id")
    .orderBy("opponent_id")
    .limit(limit)
    .execute();
  return rows.map(({ bot_id, opponent_id, ...results }) => {
    return { botIds: [bot_id, opponent_id] as const, ...results };
  });
}

/** What no archived season has; named within each statement, for a season may end between two. */
export const OPEN = sql`season in (select id from seasons where archived_at is null)`;

const POINTS = sql`(draws + 2 * (case when wins < losses then wins else losses end))`;

/**
 * As rivalries are in a season, over all of them. Pairs that have not met since the last was
 * archived come from an index in their order; only those that have met again are added up.
 */
export async function rivalriesEver(
  database: Database,
  ladderId: LadderId,
  limit: number,
): Promise<CompetitionFigures["rivalries"]> {
  const again = sql`select bot_id, opponent_id, sum(wins) as wins, sum(draws) as draws,
      sum(losses) as losses
    from bot_opponents where ladder_id = ${ladderId} and shared is not null and ${OPEN}
    group by bot_id, opponent_id`;
  const { rows } = await sql<Results & { bot_id: string; opponent_id: string }>`
    with again as (${again}), summed as (
      select a.bot_id, a.opponent_id, a.wins + coalesce(p.wins, 0) as wins,
        a.draws + coalesce(p.draws, 0) as draws, a.losses + coalesce(p.losses, 0) as losses
      from again as a left join past_rivals as p
        on p.ladder_id = ${ladderId} and p.bot_id = a.bot_id and p.opponent_id = a.opponent_id
    ), past as (
      select bot_id, opponent_id, wins, draws, losses from past_rivals as p
      where ladder_id = ${ladderId} and shared > 0 and wins + draws + losses <= 2 * shared
        and not exists (select 1 from bot_opponents as o where o.ladder_id = ${ladderId}
          and o.bot_id = p.bot_id and o.opponent_id = p.opponent_id and ${OPEN})
      order by shared desc, (wins + draws + losses) desc, bot_id, opponent_id
      limit ${limit}
    )
    select bot_id, opponent_id, cast(wins as integer) as wins, cast(draws as integer) as draws,
      cast(losses as integer) as losses
    from (select * from past union all
      select * from summed where ${POINTS} > 0
        and wins + draws + losses <= 2 * ${POINTS}) as pairs
    order by ${POINTS} desc, wins + draws + losses desc, bot_id, opponent_id
    limit ${limit}`.execute(database);
  return rows.map(({ bot_id, opponent_id, ...results }) => {
    return { botIds: [bot_id, opponent_id] as const, ...results };
  });
}

/** How many rows differ from a recount of the stored matches. */
export async function wrongOpponents(database: Database): Promise<number> {
  return differingRows(database, RECOUNT, STORED);
}

const STORED = sql`select ladder_id, season, bot_id, opponent_id, wins, draws, losses
  from bot_opponents`;

const RECOUNT = sql`
  select m.ladder_id, m.season, a.bot_id, b.bot_id as opponent_id,
    sum(case when m.winner_seat = a.seat then 1 else 0 end) as wins,
    sum(case when m.winner_seat is null then 1 else 0 end) as draws,
    sum(case when m.winner_seat = b.seat then 1 else 0 end) as losses
  from matches as m
    join seats as a on a.match_id = m.id
    join seats as b on b.match_id = m.id and b.seat <> a.seat
  where m.rated = 1 and m.voided = 0
  group by m.ladder_id, m.season, a.bot_id, b.bot_id`;

/**
 * Adds a season that has just been archived to all those before it, so that what was ever played is
 * read without going through the seasons one by one.
 */
export async function addToPast(transaction: OpenTransaction, season: SeasonId): Promise<void> {
  await addPastRivals(transaction, season);
  await addPastMaps(transaction, season);
}

/** Pairs of players' bots, each in one row. */
async function addPastRivals(transaction: OpenTransaction, season: SeasonId): Promise<void> {
  await sql`
    insert into past_rivals (ladder_id, bot_id, opponent_id, wins, draws, losses, shared)
    select ladder_id, bot_id, opponent_id, wins, draws, losses, shared from bot_opponents
    where ladder_id = ${DEFAULT_LADDER} and season = ${season} and shared is not null
    on conflict (ladder_id, bot_id, opponent_id) do update set
      wins = past_rivals.wins + excluded.wins,
      draws = past_rivals.draws + excluded.draws,
      losses = past_rivals.losses + excluded.losses,
      shared = past_rivals.draws + excluded.draws + 2 * (case
        when past_rivals.wins + excluded.wins < past_rivals.losses + excluded.losses
        then past_rivals.wins + excluded.wins
        else past_rivals.losses + excluded.losses end)`.execute(transaction);
}

async function addPastMaps(transaction: OpenTransaction, season: SeasonId): Promise<void> {
  await sql`
    insert into past_maps (ladder_id, bot_id, map, wins, draws, losses)
    select ladder_id, bot_id, map, wins, draws, losses from bot_maps
    where ladder_id = ${DEFAULT_LADDER} and season = ${season}
    on conflict (ladder_id, bot_id, map) do update set
      wins = past_maps.wins + excluded.wins,
      draws = past_maps.draws + excluded.draws,
      losses = past_maps.losses + excluded.losses`.execute(transaction);
}

/** How many rows differ from the sums of what was counted in the archived seasons. */
export async function wrongPast(database: Database): Promise<number> {
  const rivals = await differingRows(database, PAST_RIVALS, sql`select * from past_rivals`);
  return rivals + (await differingRows(database, PAST_MAPS, sql`select * from past_maps`));
}

const ARCHIVED = sql`season in (select id from seasons where archived_at is not null)`;

const PAST_RIVALS = sql`
  select ladder_id, bot_id, opponent_id,
    sum(wins) as wins, sum(draws) as draws, sum(losses) as losses,
    sum(draws) + 2 * (case when sum(wins) < sum(losses) then sum(wins) else sum(losses) end)
      as shared
  from bot_opponents where shared is not null and ${ARCHIVED}
  group by ladder_id, bot_id, opponent_id`;

const PAST_MAPS = sql`
  select ladder_id, bot_id, map,
    sum(wins) as wins, sum(draws) as draws, sum(losses) as losses
  from bot_maps where ${ARCHIVED}
  group by ladder_id, bot_id, map`;
