import { sql } from "kysely";
import type { RawBuilder } from "kysely";

// A bot's rated games as points of a curve. Of a long history only the ids are read in full.
import { sure } from "#base/units/sure.ts";
import type { BotId, MatchId, VersionId } from "#core/words/ids.ts";
import type { RatingPoint, RatingQuery } from "#data/store/figures.ts";

import { endsOf } from "./season.ts";
import type { Database } from "./tables.ts";

type Span = RawBuilder<unknown>;
type Row = {
  matchId: MatchId;
  ended: string;
  map: string;
  versionId: VersionId;
  opponentVersionId: string;
  ratingBefore: number;
  ratingAfter: number;
  deviationAfter: number | null;
  /** Null for a draw. */
  won: number | null;
};

/**
 * Oldest first. If there are more games than `points`, the first and last of each version stay, and
 * evenly spaced ones fill the remaining room.
 */
export async function ratingHistory(
  database: Database,
  query: RatingQuery,
): Promise<{ games: number; points: RatingPoint[] }> {
  const span = await spanOf(database, query);
  if (span === null) return { games: 0, points: [] };
  const games = await gamesIn(database, span);
  const { length } = games.matchIds;
  if (length === 0) return { games: 0, points: [] };
  const isWhole = length <= query.points;
  const chosen = isWhole ? seatsIn(span) : seatsOf(query.botId, sampleOf(games, query.points));
  const { rows } = await sql<Row>`
    select n.match_id as "matchId", n.ended, m.map, n.version_id as "versionId",
      o.version_id as "opponentVersionId", n.rating_before as "ratingBefore",
      n.rating_after as "ratingAfter", n.deviation_after as "deviationAfter",
      case m.winner_seat when o.seat then 0 when 1 - o.seat then 1 end as won
    from (${chosen}) as n
      join matches as m on m.id = n.match_id
      join seats as o on o.match_id = n.match_id and o.bot_id <> ${query.botId}
    order by n.ended, n.match_id`.execute(database);
  const names = await namesOf(database, rows);
  return { games: length, points: rows.map((row) => toPoint(row, names)) };
}

/** Ids by position. */
type Games = { matchIds: MatchId[]; versionIds: VersionId[] };

/**
 * Oldest first. Read from the index by bot alone, and as two long strings, since ten thousand rows
 * take three times as long. Both databases keep the order of the inner query.
 */
async function gamesIn(database: Database, span: Span): Promise<Games> {
  const { rows } = await sql<Record<"matches" | "versions", string | null>>`
    select string_agg(match_id, ' ') as matches, string_agg(version_id, ' ') as versions
    from (
      select match_id, version_id from seats where ${span} order by ended, match_id
    ) as played`.execute(database);
  const { matches, versions } = sure(rows[0], "row");
  return { matchIds: matches?.split(" ") ?? [], versionIds: versions?.split(" ") ?? [] };
}

/** Ids of the matches that stay. */
function sampleOf({ matchIds, versionIds }: Games, points: number): string[] {
  const { first, last } = edgesOf(versionIds);
  const edges = new Set([...first.values(), ...last.values()]);
  const room = Math.max(1, points - 2 * first.size);
  const step = (place: number) => Math.floor((place * room) / matchIds.length);
  return matchIds.filter((_, index) => step(index + 1) > step(index) || edges.has(index));
}

/** Positions of each version's first and last game, found where the version changes. */
function edgesOf(versionIds: readonly VersionId[]) {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  for (const [place, versionId] of versionIds.entries()) {
    if (versionIds[place - 1] !== versionId && !first.has(versionId)) first.set(versionId, place);
    if (versionIds[place + 1] !== versionId) last.set(versionId, place);
  }
  return { first, last };
}

type Name = { label: string; bot: string };

/** Present labels and bot names of the versions that played; there are fewer of them than games. */
async function namesOf(
  database: Database,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Name>> {
  const ids = new Set(rows.flatMap((row) => [row.versionId, row.opponentVersionId]));
  const { rows: names } = await sql<Name & { id: string }>`
    select v.id, v.label, b.name as bot from versions as v join bots as b on b.id = v.bot_id
    where v.id in (${listOf([...ids])})`.execute(database);
  return new Map(names.map((name) => [name.id, name]));
}

const seatsIn = (span: Span): Span => sql`
  select match_id, version_id, rating_before, rating_after, deviation_after, ended
  from seats where ${span}`;

/** Found by match id. The bot as a computed text keeps off its index, which leads to all its games. */
const seatsOf = (botId: BotId, matchIds: readonly MatchId[]): Span => sql`
  select match_id, version_id, rating_before, rating_after, deviation_after, ended
  from seats where match_id in (${listOf(matchIds)}) and bot_id || '' = ${botId}`;

/**
 * The ids for an `in` list, padded with the last one to a power of two: each new list length means
 * preparing another statement, which takes as long as running it.
 */
function listOf(ids: readonly string[]): RawBuilder<unknown> {
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  return sql.join(Array.from({ length: size }, (_, place) => ids[place] ?? ids.at(-1)));
}

/**
 * Condition for the seats; null when the season has no match. A season's games lie between two
 * ends.
 */
async function spanOf(
  database: Database,
  { botId, ladderId, season, since = "" }: RatingQuery,
): Promise<Span | null> {
  const ofBot = sql`bot_id = ${botId} and ladder_id = ${ladderId}
    and mode = 'ranked' and rating_after is not null`;
  if (season === undefined) return sql`${ofBot} and ended >= ${since}`;
  const ends = await endsOf(database, { ladderId, season });
  if (ends === null) return null;
  const first = since > ends.first ? since : ends.first;
  return sql`${ofBot} and season = ${season} and ended >= ${first} and ended <= ${ends.last}`;
}

function toPoint(row: Row, names: ReadonlyMap<string, Name>): RatingPoint {
  const { matchId, ended, map, ratingBefore, ratingAfter, deviationAfter, won } = row;
  const opponent = sure(names.get(row.opponentVersionId), "version");
  return {
    matchId,
    ended,
    map,
    version: sure(names.get(row.versionId), "version").label,
    ratingBefore,
    ratingAfter,
    deviationAfter,
    result: won === null ? "D" : won === 1 ? "W" : "L",
    opponent: opponent.bot,
    opponentVersion: opponent.label,
  };
}
