// A bot's rated games as points of a curve. Of a long history only the ids are read from end to end.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import { endsOf } from "./season.ts";
import type { RatingPoint, RatingQuery } from "./store.ts";
import type { Database } from "./tables.ts";

type Span = RawBuilder<unknown>;
type Row = Omit<RatingPoint, "result"> & { won: number; drawn: number };

/**
 * Oldest first. Where there are more games than `points`, those stay that are the first or last of
 * their version, and as many evenly spaced ones as there is room for besides.
 */
export async function ratingHistory(
  database: Database,
  query: RatingQuery,
): Promise<{ games: number; points: RatingPoint[] }> {
  const span = await spanOf(database, query);
  if (span === null) return { games: 0, points: [] };
  const games = await gamesIn(database, span);
  if (games.length === 0) return { games: 0, points: [] };
  const isWhole = games.length <= query.points;
  const chosen = isWhole ? seatsIn(span) : seatsOf(query.botId, sampleOf(games, query.points));
  const { rows } = await sql<Row>`
    select n.match_id as "matchId", n.ended, m.map, v.label as version,
      n.rating_before as "ratingBefore", n.rating_after as "ratingAfter",
      case when m.winner_bot_id = ${query.botId} then 1 else 0 end as won,
      case when m.winner_bot_id is null then 1 else 0 end as drawn,
      b.name as opponent, w.label as "opponentVersion"
    from (${chosen}) as n
      join matches as m on m.id = n.match_id
      join versions as v on v.id = n.version_id
      join seats as o on o.match_id = n.match_id and o.bot_id <> ${query.botId}
      join bots as b on b.id = o.bot_id
      join versions as w on w.id = o.version_id
    order by n.ended, n.match_id`.execute(database);
  return { games: games.length, points: rows.map(toPoint) };
}

type Game = { matchId: string; versionId: string };

/** Oldest first; read from the index by bot alone. */
async function gamesIn(database: Database, span: Span): Promise<Game[]> {
  const { rows } = await sql<Game>`
    select match_id as "matchId", version_id as "versionId"
    from seats where ${span} order by ended, match_id`.execute(database);
  return rows;
}

/** Ids of the matches that stay. */
function sampleOf(games: readonly Game[], points: number): string[] {
  const { first, last } = edgesOf(games);
  const edges = new Set([...first.values(), ...last.values()]);
  const room = Math.max(1, points - 2 * first.size);
  const step = (place: number) => Math.floor((place * room) / games.length);
  const isChosen = (_game: Game, index: number) =>
    step(index + 1) > step(index) || edges.has(index);
  return games.filter(isChosen).map(({ matchId }) => matchId);
}

/** Places of the first and last game of each version, looked for where the version changes. */
function edgesOf(games: readonly Game[]) {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  for (const [place, { versionId }] of games.entries()) {
    if (games[place - 1]?.versionId !== versionId && !first.has(versionId))
      first.set(versionId, place);
    if (games[place + 1]?.versionId !== versionId) last.set(versionId, place);
  }
  return { first, last };
}

/** All columns that are read of the bot's own seats are in the index by bot. */
const seatsIn = (span: Span): Span =>
  sql`select match_id, version_id, rating_before, rating_after, ended from seats where ${span}`;

/** By the keys of matches: an index by bot would lead through all that the bot has played. */
const seatsOf = (botId: string, matchIds: readonly string[]): Span => sql`
  select own.match_id, own.version_id, own.rating_before, own.rating_after, own.ended
  from matches as chosen
    join seats as other on other.match_id = chosen.id and other.bot_id <> ${botId}
    join seats as own on own.match_id = chosen.id and own.seat = 1 - other.seat
  where chosen.id in (${sql.join(matchIds)})`;

/** Which seats; null when the season has no match. A season's games lie between two ends. */
async function spanOf(
  database: Database,
  { botId, ladderId, season, since = "" }: RatingQuery,
): Promise<Span | null> {
  const ofBot = sql`bot_id = ${botId} and ladder_id = ${ladderId} and rating_after is not null`;
  if (season === undefined) return sql`${ofBot} and ended >= ${since}`;
  const ends = await endsOf(database, { ladderId, season });
  if (ends === null) return null;
  const first = since > ends.first ? since : ends.first;
  return sql`${ofBot} and season = ${season} and ended >= ${first} and ended <= ${ends.last}`;
}

function toPoint({ won, drawn, ...row }: Row): RatingPoint {
  return { ...row, result: won === 1 ? "W" : drawn === 1 ? "D" : "L" };
}
