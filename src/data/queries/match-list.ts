import { sql } from "kysely";
import type { InferResult, RawBuilder, SelectQueryBuilder } from "kysely";

import { sure } from "#base/units/sure.ts";
import type { BotId, LadderId, VersionId } from "#core/words/ids.ts";
import type { MatchQuery, MatchRow, ResultLetter, SeatRow } from "#data/store/match.ts";

import type { Backend } from "./backend.ts";
import { isRanked } from "./mode.ts";
import { endsOf, seasonOf } from "./season.ts";
import { selection, variants } from "./statement.ts";
import type { Database, Tables } from "./tables.ts";

/** Selects the matches of a page, before their rows are read. */
type Page = SelectQueryBuilder<Tables, never, { id: string; ended: string }>;
type Cursor = { id: string; ended: string };

/** Newest first; null when `before` or `after` names no match. */
export async function matches(backend: Backend, query: MatchQuery): Promise<MatchRow[] | null> {
  const { database } = backend;
  const named = query.before ?? query.after;
  const cursor = named === undefined ? undefined : await cursorAt(database, named);
  if (cursor === null) return null;
  const span = await spanOf(database, query, cursor);
  if (span === null) return [];
  const { botId } = query;
  const rows =
    botId === undefined
      ? await ladderRows(database, { query, span })
      : await botRows(database, { query: await fromFewer(database, { ...query, botId }), span });
  return toMatches(backend, rows, query.withStats);
}

/** One match as lists show it, without statistics; null when there is none. */
export async function match(backend: Backend, id: string): Promise<MatchRow | null> {
  return (await toMatches(backend, await rowsOfMatch(backend.database, id), false))[0] ?? null;
}

const rowsOfMatch = selection((database, id: string) =>
  rowsOf(database, place(database, id), false),
);

/** A match's place in lists. */
const place = (database: Database, id: string) =>
  database.selectFrom("matches").select(["id", "ended"]).where("id", "=", id);

const placeOf = selection(place);

async function cursorAt(database: Database, id: string): Promise<Cursor | null> {
  return (await placeOf(database, id))[0] ?? null;
}

/** A season's matches lie between two ends, so the indexes by end find them. */
type Span = {
  first?: string;
  before?: Cursor | undefined;
  after?: Cursor | undefined;
  last?: string;
};

/**
 * Has a single bound on the side where an index scan starts. Null when the season has no match.
 */
async function spanOf(
  database: Database,
  { ladderId, season, after }: MatchQuery,
  cursor?: Cursor,
): Promise<Span | null> {
  if (season === undefined) return after === undefined ? { before: cursor } : { after: cursor };
  const ends = await endsOf(database, { ladderId, season });
  if (after !== undefined) {
    const isWithin = ends !== null && cursor !== undefined && cursor.ended >= ends.first;
    return isWithin ? { after: cursor, last: ends.last } : ends;
  }
  const isWithin = cursor !== undefined && cursor.ended <= (ends?.last ?? "");
  return ends && (isWithin ? { first: ends.first, before: cursor } : ends);
}

function pageOfLadder(database: Database, query: MatchQuery, span: Span): Page {
  const { season } = query;
  const { first, last, before, after } = span;
  const way = wayOf(query);
  const page = database
    .selectFrom("matches")
    .select(["id", "ended"])
    .where("ladder_id", "=", query.ladderId)
    .where(isRanked("matches"))
    .$call((list) => (season === undefined ? list : list.where("season", "=", season)))
    .$call((list) => (first === undefined ? list : list.where("ended", ">=", first)))
    .$call((list) => (last === undefined ? list : list.where("ended", "<=", last)))
    .$call((list) => (before === undefined ? list : list.where(olderThan(before, "id"))))
    .$call((list) => (after === undefined ? list : list.where(newerThan(after, "id"))))
    .orderBy("ended", way)
    .orderBy("id", way)
    .limit(query.limit);
  return page;
}

const ladderRows = variants(
  (database, { query, span }: { query: MatchQuery; span: Span }) =>
    rowsOf(database, pageOfLadder(database, query, span), query.withStats),
  ({ query, span }) => ({
    kind: `${wayOf(query)}, stats ${query.withStats} `,
    values: [query.ladderId, query.season, ...boundsOf(span), query.limit],
  }),
);

/** In the order in which pages bind them. */
const boundsOf = ({ first, last, before, after }: Span) => {
  return [first, last, before?.ended, before?.id, after?.ended, after?.id];
};

/** What is asked of a bot's seats; the version may also be that of the opponent. */
type SeatQuery = MatchQuery & { botId: BotId; opponentVersionId?: VersionId | undefined };

/** Matches of a bot that are counted to compare it with another one. */
const COUNTED = 5000;
const SEEN_BY_OPPONENT: Record<ResultLetter, ResultLetter> = { W: "L", L: "W", D: "D" };

/** Two bots' matches with each other are among those of either: the one with fewer is read. */
async function fromFewer(database: Database, query: SeatQuery): Promise<SeatQuery> {
  const { ladderId, botId, versionId, opponentId, result } = query;
  if (opponentId === undefined) return query;
  const [own, others] = [
    await countSeats(database, ladderId, botId),
    await countSeats(database, ladderId, opponentId),
  ];
  if (own <= others) return query;
  return {
    ...query,
    botId: opponentId,
    versionId: undefined,
    opponentId: botId,
    opponentVersionId: versionId,
    result: result && SEEN_BY_OPPONENT[result],
  };
}

async function countSeats(database: Database, ladderId: LadderId, botId: BotId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select cast(count(*) as integer) as count from (
      select 1 from seats
      where bot_id = ${botId} and ladder_id = ${ladderId} and ${isRanked("seats")}
      limit ${COUNTED}
    ) as counted`.execute(database);
  return sure(rows[0], "count").count;
}

function pageOfBot(database: Database, query: SeatQuery, span: Span): Page {
  const { botId, season, versionId, opponentId, opponentVersionId } = query;
  const { first, last, before, after } = span;
  const way = wayOf(query);
  const page = database
    .selectFrom("seats")
    .select(["match_id as id", "ended"])
    .where("bot_id", "=", botId)
    .where(isRanked("seats"))
    .where("ladder_id", "=", query.ladderId)
    .$call((list) => (versionId === undefined ? list : list.where("version_id", "=", versionId)))
    .$call((list) =>
      opponentId === undefined ? list : list.where(isAgainst(opponentId, opponentVersionId)),
    )
    .$if(query.map !== undefined || query.result !== undefined, (list) =>
      list.where(isSuchMatch(query)),
    )
    .$call((list) => (season === undefined ? list : list.where("season", "=", season)))
    .$call((list) => (first === undefined ? list : list.where("ended", ">=", first)))
    .$call((list) => (last === undefined ? list : list.where("ended", "<=", last)))
    .$call((list) => (before === undefined ? list : list.where(olderThan(before, "match_id"))))
    .$call((list) => (after === undefined ? list : list.where(newerThan(after, "match_id"))))
    .orderBy("ended", way)
    .orderBy("match_id", way)
    .limit(query.limit);
  return page;
}

const botRows = variants(
  (database, { query, span }: { query: SeatQuery; span: Span }) =>
    rowsOf(database, pageOfBot(database, query, span), query.withStats),
  ({ query, span }) => {
    const { botId, ladderId, versionId, opponentId, opponentVersionId } = query;
    const { result, map, season, limit, withStats } = query;
    const whose = [botId, ladderId, versionId, opponentId, opponentVersionId];
    return {
      kind: `${wayOf(query)}, stats ${withStats}, result ${result} `,
      values: [...whose, map, season, ...boundsOf(span), limit],
    };
  },
);

function isAgainst(opponentId: BotId, versionId: VersionId | undefined) {
  const withVersion = versionId === undefined ? sql`` : sql`and o.version_id = ${versionId}`;
  return sql<boolean>`exists (select 1 from seats as o
    where o.match_id = seats.match_id and o.seat <> seats.seat and o.bot_id = ${opponentId}
      ${withVersion})`;
}

function isSuchMatch({ map, result }: MatchQuery) {
  const onMap = map === undefined ? sql`1 = 1` : sql`m.map = ${map}`;
  const withResult = result === undefined ? sql`1 = 1` : RESULTS[result];
  return sql<boolean>`exists (select 1 from matches as m
    where m.id = seats.match_id and ${onMap} and ${withResult})`;
}

const RESULTS: Record<ResultLetter, RawBuilder<unknown>> = {
  W: sql`m.winner_seat = seats.seat`,
  L: sql`m.winner_seat <> seats.seat`,
  D: sql`m.winner_seat is null and m.voided = 0`,
};

function olderThan({ ended, id }: Cursor, idColumn: "id" | "match_id") {
  return sql<boolean>`(ended, ${sql.ref(idColumn)}) < (${ended}, ${id})`;
}

function newerThan({ ended, id }: Cursor, idColumn: "id" | "match_id") {
  return sql<boolean>`(ended, ${sql.ref(idColumn)}) > (${ended}, ${id})`;
}

/** Whether a page is the newest part of what there is, or the oldest. */
const wayOf = ({ after }: MatchQuery) => (after === undefined ? "desc" : "asc");

type Row = InferResult<ReturnType<typeof rowsOf>>[number];

const SEAT_COLUMNS = [
  "bot_id",
  "version_id",
  "account_id",
  "version",
  "fighter",
  "rating_before",
  "rating_after",
  "deviation_after",
  "score_after",
  "rated_games",
] as const;
type SeatColumn = (typeof SEAT_COLUMNS)[number];

type SeatNumber = 0 | 1;
type SeatSelection<N extends SeatNumber> = {
  [C in SeatColumn]: `s${N}.${C} as ${C}_${N}`;
}[SeatColumn];

/** The columns of a seat, from table `s0` or `s1`, with its number behind their names. */
const columnsOf = <N extends SeatNumber>(seat: N) =>
  SEAT_COLUMNS.map((column) => `s${seat}.${column} as ${column}_${seat}`) as SeatSelection<N>[];

/** One row per match with both of its seats: fewer values than in a row per seat, and sooner read. */
function rowsOf(database: Database, page: Page, withStats: boolean) {
  return database
    .selectFrom(page.as("page"))
    .innerJoin("matches as m", "m.id", "page.id")
    .innerJoin("seats as s0", (on) =>
      on.onRef("s0.match_id", "=", "page.id").on("s0.seat", "=", sql.lit(0)),
    )
    .innerJoin("seats as s1", (on) =>
      on.onRef("s1.match_id", "=", "page.id").on("s1.seat", "=", sql.lit(1)),
    )
    .leftJoin("bots as b0", "b0.id", "s0.bot_id")
    .leftJoin("bots as b1", "b1.id", "s1.bot_id")
    .selectAll("m")
    .select(columnsOf(0))
    .select(columnsOf(1))
    .select(["b0.house as house_0", "b0.avatar as avatar_0"])
    .select(["b1.house as house_1", "b1.avatar as avatar_1"])
    .select(({ fn }) => [
      fn.coalesce("b0.name", "s0.name").as("name_0"),
      fn.coalesce("b1.name", "s1.name").as("name_1"),
    ])
    .$if(withStats, (rows) =>
      rows.leftJoin("match_documents as d", "d.match_id", "m.id").select("d.stats"),
    )
    .orderBy("page.ended", "desc")
    .orderBy("page.id", "desc");
}

async function toMatches(backend: Backend, rows: Row[], withStats: boolean): Promise<MatchRow[]> {
  const found: MatchRow[] = [];
  for (const row of rows) {
    const match = toMatch(row);
    if (withStats) match.stats = await statsOf(backend, row);
    found.push(match);
  }
  return found;
}

/** One damaged document must not fail a whole list; read alone, it is an error. */
async function statsOf(backend: Backend, { stats }: Row): Promise<string | null> {
  try {
    return stats ? await backend.unpack(stats) : null;
  } catch {
    return null;
  }
}

function toMatch(row: Row): MatchRow {
  const { id, mode, map, seed, started, ended, reason } = row;
  return {
    id,
    mode,
    map,
    seed,
    started,
    ended,
    reason,
    ladderId: row.ladder_id,
    season: seasonOf(row.season),
    durationMs: row.duration_ms,
    finalTick: row.final_tick,
    winnerSeat: row.winner_seat,
    voided: row.voided === 1,
    rated: row.rated === 1,
    unratedReason: row.unrated_reason,
    seats: toSeats(row),
  };
}

function toSeats(row: Row): [SeatRow, SeatRow] {
  return [
    {
      botId: row.bot_id_0,
      versionId: row.version_id_0,
      accountId: row.account_id_0,
      name: row.name_0,
      version: row.version_0,
      fighter: row.fighter_0,
      ratingBefore: row.rating_before_0,
      ratingAfter: row.rating_after_0,
      deviationAfter: row.deviation_after_0,
      scoreAfter: row.score_after_0,
      ratedGames: row.rated_games_0,
      house: row.house_0 === 1,
      avatar: row.avatar_0,
    },
    {
      botId: row.bot_id_1,
      versionId: row.version_id_1,
      accountId: row.account_id_1,
      name: row.name_1,
      version: row.version_1,
      fighter: row.fighter_1,
      ratingBefore: row.rating_before_1,
      ratingAfter: row.rating_after_1,
      deviationAfter: row.deviation_after_1,
      scoreAfter: row.score_after_1,
      ratedGames: row.rated_games_1,
      house: row.house_1 === 1,
      avatar: row.avatar_1,
    },
  ];
}
