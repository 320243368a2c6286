// Reads a bot's rated games as points on a curve. For long histories, only the IDs of all games are
// read.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { BotId, MatchId, VersionId } from "#core/ids/ids.ts";
import type { RatingPoint, RatingHistoryQuery } from "#data/store/stats.ts";

import { competitionEnds } from "./season.ts";
import type { Database } from "./tables.ts";

type SeatQuery = RawBuilder<unknown>;
type HistoryRow = {
  matchId: MatchId;
  ended: string;
  map: string;
  versionId: VersionId;
  opponentVersionId: string;
  ratingBefore: number;
  ratingAfter: number;
  deviationAfter: number | null;
  won: number | null;
};

export async function ratingHistory(
  database: Database,
  query: RatingHistoryQuery,
): Promise<{ games: number; points: RatingPoint[] }> {
  const seatQuery = await historyCondition(database, query);
  if (seatQuery === null) return { games: 0, points: [] };
  const gameIds = await readGameIds(database, seatQuery);
  const { length: gameCount } = gameIds.matchIds;
  if (gameCount === 0) return { games: 0, points: [] };
  const isComplete = gameCount <= query.points;
  const selectedSeats = isComplete
    ? seatsInRange(seatQuery)
    : seatsByMatch(query.botId, sampleMatchIds(gameIds, query.points));
  const { rows } = await sql<HistoryRow>`
    select n.match_id as "matchId", n.ended, m.map, n.version_id as "versionId",
      o.version_id as "opponentVersionId", n.rating_before as "ratingBefore",
      n.rating_after as "ratingAfter", n.deviation_after as "deviationAfter",
      case m.winner_seat when o.seat then 0 when 1 - o.seat then 1 end as won
    from (${selectedSeats}) as n
      join matches as m on m.id = n.match_id
      join seats as o on o.match_id = n.match_id and o.bot_id <> ${query.botId}
    order by n.ended, n.match_id`.execute(database);
  const names = await readNames(database, rows);
  return { games: gameCount, points: rows.map((row) => toPoint(row, names)) };
}

type GameIds = { matchIds: MatchId[]; versionIds: VersionId[] };

/**
 * Returns IDs oldest first. Reads only the index by bot, and fetches the IDs as two long strings,
 * because ten thousand rows take three times as long. Both databases preserve the order of the
 * inner query.
 */
async function readGameIds(database: Database, seatQuery: SeatQuery): Promise<GameIds> {
  const { rows } = await sql<Record<"matches" | "versions", string | null>>`
    select string_agg(match_id, ' ') as matches, string_agg(version_id, ' ') as versions
    from (
      select match_id, version_id from seats where ${seatQuery} order by ended, match_id
    ) as played`.execute(database);
  const { matches, versions } = assertDefined(rows[0], "row");
  return { matchIds: matches?.split(" ") ?? [], versionIds: versions?.split(" ") ?? [] };
}

function sampleMatchIds({ matchIds, versionIds }: GameIds, points: number): string[] {
  const { first: firstPositions, last: lastPositions } = versionEdges(versionIds);
  const edgePositions = new Set([...firstPositions.values(), ...lastPositions.values()]);
  const sampleSize = Math.max(1, points - 2 * firstPositions.size);
  const sampleIndex = (position: number) => Math.floor((position * sampleSize) / matchIds.length);
  return matchIds.filter(
    (_, index) => sampleIndex(index + 1) > sampleIndex(index) || edgePositions.has(index),
  );
}

function versionEdges(versionIds: readonly VersionId[]) {
  const firstPositions = new Map<string, number>();
  const lastPositions = new Map<string, number>();
  for (const [position, versionId] of versionIds.entries()) {
    if (versionIds[position - 1] !== versionId && !firstPositions.has(versionId))
      firstPositions.set(versionId, position);
    if (versionIds[position + 1] !== versionId) lastPositions.set(versionId, position);
  }
  return { first: firstPositions, last: lastPositions };
}

type VersionName = { label: string; bot: string };

/**
 * Reads the current labels and bot names of the versions that played. There are fewer versions than
 * games, so this is cheaper than a join.
 */
async function readNames(
  database: Database,
  rows: readonly HistoryRow[],
): Promise<ReadonlyMap<string, VersionName>> {
  const ids = new Set(rows.flatMap((row) => [row.versionId, row.opponentVersionId]));
  const { rows: names } = await sql<VersionName & { id: string }>`
    select v.id, v.label, b.name as bot from versions as v join bots as b on b.id = v.bot_id
    where v.id in (${paddedList([...ids])})`.execute(database);
  return new Map(names.map((name) => [name.id, name]));
}

const seatsInRange = (seatQuery: SeatQuery): SeatQuery => sql`
  select match_id, version_id, rating_before, rating_after, deviation_after, ended
  from seats where ${seatQuery}`;

/**
 * Looks up seats by match ID. The computed bot ID prevents use of the index by bot, which would
 * scan all games of the bot.
 */
const seatsByMatch = (botId: BotId, matchIds: readonly MatchId[]): SeatQuery => sql`
  select match_id, version_id, rating_before, rating_after, deviation_after, ended
  from seats where match_id in (${paddedList(matchIds)}) and bot_id || '' = ${botId}`;

/**
 * Repeats the last ID until the length of the `in` list is a power of two, because preparing a
 * statement for each new length takes as long as running it.
 */
function paddedList(ids: readonly string[]): RawBuilder<unknown> {
  const paddedLength = 2 ** Math.ceil(Math.log2(ids.length));
  return sql.join(
    Array.from({ length: paddedLength }, (_, position) => ids[position] ?? ids.at(-1)),
  );
}

/**
 * Returns the condition for a bot's rated seats, or null if the season has no match. Limits a
 * season by its first and last end time.
 */
async function historyCondition(
  database: Database,
  { botId, ladderId, season, since = "" }: RatingHistoryQuery,
): Promise<SeatQuery | null> {
  const botCondition = sql`bot_id = ${botId} and ladder_id = ${ladderId}
    and mode = 'ranked' and rating_after is not null`;
  if (season === undefined) return sql`${botCondition} and ended >= ${since}`;
  const seasonEnds = await competitionEnds(database, { ladderId, season });
  if (seasonEnds === null) return null;
  const firstEnd = since > seasonEnds.first ? since : seasonEnds.first;
  return sql`${botCondition} and season = ${season} and ended >= ${firstEnd} and ended <= ${seasonEnds.last}`;
}

function toPoint(row: HistoryRow, names: ReadonlyMap<string, VersionName>): RatingPoint {
  const { matchId, ended, map, ratingBefore, ratingAfter, deviationAfter, won } = row;
  const opponent = assertDefined(names.get(row.opponentVersionId), "version");
  return {
    matchId,
    ended,
    map,
    version: assertDefined(names.get(row.versionId), "version").label,
    ratingBefore,
    ratingAfter,
    deviationAfter,
    result: won === null ? "D" : won === 1 ? "W" : "L",
    opponent: opponent.bot,
    opponentVersion: opponent.label,
  };
}
