import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { BotId, LadderId, VersionId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { MatchRecord } from "#data/store/match.ts";
import type { CompetitionStats } from "#data/store/stats.ts";

import { countDifferingRows } from "./differing-rows.ts";
import { versionPair, seatResult } from "./pair-counts.ts";
import type { VersionSeat } from "./pair-counts.ts";
import { competitionColumns } from "./season.ts";
import { compiledInsert, compiledSelect } from "./statement.ts";
import type {
  BotMapTable,
  Database,
  AllTimeMapTable,
  AllTimeRivalTable,
  OpenTransaction,
  BotOpponentTable,
} from "./tables.ts";

export async function countOpponents(tx: OpenTransaction, match: MatchRecord): Promise<void> {
  const rows = seatViews(match);
  const isRivalry = !(await hasHouseBot(tx, match));
  const opponents = rows.map(({ map: _map, ...row }) => {
    const isRivalryRow = isRivalry && row.bot_id < row.opponent_id;
    // In a single match, only a draw gives points to both bots: half a point each.
    return { ...row, shared: isRivalryRow ? row.draws : null };
  });
  await incrementOpponents(tx, opponents);
  const mapRows = rows.map(({ opponent_id: _opponent, ...row }) => row);
  await incrementMaps(tx, mapRows);
  if (match.season !== null) await countAllTime(tx, opponents, mapRows);
}

/** Counts the match in the results across all seasons. Both rivals share one row. */
async function countAllTime(
  tx: OpenTransaction,
  opponents: readonly Selectable<BotOpponentTable>[],
  mapRows: readonly Selectable<BotMapTable>[],
): Promise<void> {
  const rivalRows = opponents.flatMap(({ season: _season, shared, ...row }) =>
    shared === null ? [] : [{ ...row, shared }],
  );
  if (rivalRows.length > 0) await incrementAllTimeRivals(tx, rivalRows);
  await incrementAllTimeMaps(
    tx,
    mapRows.map(({ season: _season, ...row }) => row),
  );
}

const incrementOpponents = compiledInsert((tx, rows: readonly Selectable<BotOpponentTable>[]) =>
  tx
    .insertInto("bot_opponents")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "season", "bot_id", "opponent_id"])
        .doUpdateSet({ ...incrementedResults("bot_opponents"), shared: SHARED_POINTS }),
    ),
);

const incrementMaps = compiledInsert((tx, rows: readonly Selectable<BotMapTable>[]) =>
  tx
    .insertInto("bot_maps")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "season", "bot_id", "map"])
        .doUpdateSet(incrementedResults("bot_maps")),
    ),
);

const incrementAllTimeRivals = compiledInsert(
  (tx, rows: readonly Selectable<AllTimeRivalTable>[]) =>
    tx
      .insertInto("ever_rivals")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["ladder_id", "bot_id", "opponent_id"]).doUpdateSet({
          ...incrementedResults("ever_rivals"),
          shared: sharedPoints("ever_rivals"),
        }),
      ),
);

const incrementAllTimeMaps = compiledInsert((tx, rows: readonly Selectable<AllTimeMapTable>[]) =>
  tx
    .insertInto("ever_maps")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["ladder_id", "bot_id", "map"]).doUpdateSet(incrementedResults("ever_maps")),
    ),
);

/** Half points of the bot that took fewer, including the new row. */
function sharedPoints(table: "bot_opponents" | "ever_rivals") {
  const sum = (column: string) =>
    sql`${sql.ref(`${table}.${column}`)} + excluded.${sql.raw(column)}`;
  return sql<number>`${sum("draws")} + 2 * (case when ${sum("wins")} < ${sum("losses")}
    then ${sum("wins")} else ${sum("losses")} end)`;
}

const SHARED_POINTS = sql<number | null>`case when bot_opponents.shared is null then null else
  ${sharedPoints("bot_opponents")} end`;

async function hasHouseBot(tx: OpenTransaction, match: MatchRecord): Promise<boolean> {
  const [first, second] = versionPair(match);
  return (await houseBots(tx, first.botId, second.botId)).length > 0;
}

const houseBots = compiledSelect((database, first: string, second: string) =>
  database
    .selectFrom("bots")
    .select("id")
    .where("id", "in", [first, second])
    .where(sql<boolean>`house = 1`),
);

/** Returns the match from each bot's perspective, in the order in which transactions lock rows. */
function seatViews(match: MatchRecord) {
  const [first, second] = versionPair(match);
  const toView = (seat: VersionSeat, opponentSeat: VersionSeat) => ({
    ...competitionColumns(match),
    bot_id: seat.botId,
    opponent_id: opponentSeat.botId,
    map: match.map,
    ...seatResult(match, seat),
  });
  return [toView(first, second), toView(second, first)].toSorted((a, b) =>
    a.bot_id < b.bot_id ? -1 : 1,
  );
}

const incrementedResults = (table: "bot_opponents" | "bot_maps" | "ever_rivals" | "ever_maps") => ({
  wins: sql<number>`${sql.table(table)}.wins + excluded.wins`,
  draws: sql<number>`${sql.table(table)}.draws + excluded.draws`,
  losses: sql<number>`${sql.table(table)}.losses + excluded.losses`,
});

export async function opponentResults(
  database: Database,
  botId: BotId,
  competition: Competition,
  versionId?: VersionId,
): Promise<(Results & { opponentId: BotId })[]> {
  if (versionId !== undefined) return opponentsOfVersion(database, botId, competition, versionId);
  const { ladder_id, season } = competitionColumns(competition);
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

async function opponentsOfVersion(
  database: Database,
  botId: BotId,
  competition: Competition,
  versionId: VersionId,
): Promise<(Results & { opponentId: BotId })[]> {
  const { ladder_id, season } = competitionColumns(competition);
  const isFirstVersion = sql`p.first_version = ${versionId}`;
  const { rows } = await sql<Results & { opponentId: BotId }>`
    select o.opponent_id as "opponentId",
      cast(sum(case when ${isFirstVersion} then p.wins else p.losses end) as integer) as wins,
      cast(sum(p.draws) as integer) as draws,
      cast(sum(case when ${isFirstVersion} then p.losses else p.wins end) as integer) as losses
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

export async function botMapResults(
  database: Database,
  competition: Competition,
): Promise<CompetitionStats["maps"]> {
  const { ladder_id, season } = competitionColumns(competition);
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
 * Returns the pairs of players' bots that took the most points from each other. The number of games
 * breaks ties. Each bot must have taken points in at least a quarter of the games. `shared` counts
 * half points.
 */
export async function rivalries(
  database: Database,
  competition: Competition,
  limit: number,
): Promise<CompetitionStats["rivalries"]> {
  const { ladder_id, season } = competitionColumns(competition);
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

export async function allTimeRivalries(
  database: Database,
  ladderId: LadderId,
  limit: number,
): Promise<CompetitionStats["rivalries"]> {
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

export async function countWrongOpponents(database: Database): Promise<number> {
  return countDifferingRows(database, RECOUNTED, STORED_RESULTS);
}

const STORED_RESULTS = sql`select ladder_id, season, bot_id, opponent_id, wins, draws, losses
  from bot_opponents`;

const RECOUNTED = sql`
  select m.ladder_id, m.season, a.bot_id, b.bot_id as opponent_id,
    sum(case when m.winner_seat = a.seat then 1 else 0 end) as wins,
    sum(case when m.winner_seat is null then 1 else 0 end) as draws,
    sum(case when m.winner_seat = b.seat then 1 else 0 end) as losses
  from matches as m
    join seats as a on a.match_id = m.id
    join seats as b on b.match_id = m.id and b.seat <> a.seat
  where m.rated = 1 and m.voided = 0
  group by m.ladder_id, m.season, a.bot_id, b.bot_id`;

export async function countWrongAllTime(database: Database): Promise<number> {
  const rivalDifferences = await countDifferingRows(
    database,
    EVER_RIVALS,
    sql`select * from ever_rivals`,
  );
  return (
    rivalDifferences + (await countDifferingRows(database, EVER_MAPS, sql`select * from ever_maps`))
  );
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
