import { sql } from "kysely";
import type { Selectable } from "kysely";

// What a bot took from each opponent and on each map, over all its versions, counted as rated
// matches come.
import type { Competition } from "#core/ladder/season.ts";
import type { BotId, LadderId, VersionId } from "#core/words/ids.ts";
import type { Results } from "#core/words/results.ts";
import type { CompetitionFigures } from "#data/store/figures.ts";
import type { MatchRecord } from "#data/store/match.ts";

import { pairOf, resultOf } from "./pair.ts";
import type { PairedSeat } from "./pair.ts";
import { differingRows } from "./recount.ts";
import { competitionColumns } from "./season.ts";
import { insertion, selection } from "./statement.ts";
import type {
  BotMapTable,
  Database,
  EverMapTable,
  EverRivalTable,
  OpenTransaction,
  OpponentTable,
} from "./tables.ts";

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
  if (match.season !== null) await countEver(transaction, opponents, maps);
}

/** The same over all seasons, of rivals in one row. */
async function countEver(
  transaction: OpenTransaction,
  opponents: readonly Selectable<OpponentTable>[],
  maps: readonly Selectable<BotMapTable>[],
): Promise<void> {
  const rivals = opponents.flatMap(({ season: _season, shared, ...row }) =>
    shared === null ? [] : [{ ...row, shared }],
  );
  if (rivals.length > 0) await addRivalsEver(transaction, rivals);
  await addMapsEver(
    transaction,
    maps.map(({ season: _season, ...row }) => row),
  );
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

const addRivalsEver = insertion((open, rows: readonly Selectable<EverRivalTable>[]) =>
  open
    .insertInto("ever_rivals")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "bot_id", "opponent_id"])
        .doUpdateSet({ ...added("ever_rivals"), shared: sharedOf("ever_rivals") }),
    ),
);

const addMapsEver = insertion((open, rows: readonly Selectable<EverMapTable>[]) =>
  open
    .insertInto("ever_maps")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["ladder_id", "bot_id", "map"]).doUpdateSet(added("ever_maps")),
    ),
);

/** What both took from each other, in half points, with the row that is added. */
function sharedOf(table: "bot_opponents" | "ever_rivals") {
  const sum = (column: string) =>
    sql`${sql.ref(`${table}.${column}`)} + excluded.${sql.raw(column)}`;
  return sql<number>`${sum("draws")} + 2 * (case when ${sum("wins")} < ${sum("losses")}
    then ${sum("wins")} else ${sum("losses")} end)`;
}

const SHARED = sql<number | null>`case when bot_opponents.shared is null then null else
  ${sharedOf("bot_opponents")} end`;

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

const added = (table: "bot_opponents" | "bot_maps" | "ever_rivals" | "ever_maps") => ({
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

/** As rivalries are in a season, over all of them. */
export async function rivalriesEver(
  database: Database,
  ladderId: LadderId,
  limit: number,
): Promise<CompetitionFigures["rivalries"]> {
  const rows = await database
    .selectFrom("ever_rivals")
    .select(["bot_id", "opponent_id", "wins", "draws", "losses"])
    .where("ladder_id", "=", ladderId)
    .where(sql<boolean>`shared > 0 and wins + draws + losses <= 2 * shared`)
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

/** How many rows differ from the sums of what was counted in the seasons. */
export async function wrongEver(database: Database): Promise<number> {
  const rivals = await differingRows(database, EVER_RIVALS, sql`select * from ever_rivals`);
  return rivals + (await differingRows(database, EVER_MAPS, sql`select * from ever_maps`));
}

const EVER_RIVALS = sql`
  select ladder_id, bot_id, opponent_id,
    sum(wins) as wins, sum(draws) as draws, sum(losses) as losses,
    sum(draws) + 2 * (case when sum(wins) < sum(losses) then sum(wins) else sum(losses) end)
      as shared
  from bot_opponents where shared is not null and season <> ''
  group by ladder_id, bot_id, opponent_id`;

const EVER_MAPS = sql`
  select ladder_id, bot_id, map,
    sum(wins) as wins, sum(draws) as draws, sum(losses) as losses
  from bot_maps where season <> ''
  group by ladder_id, bot_id, map`;
