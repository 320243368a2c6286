import { sql } from "kysely";
import type { InferResult, RawBuilder, SelectQueryBuilder } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { BotId, LadderId, VersionId } from "#core/ids/ids.ts";
import type { MatchQuery, MatchRow, ResultLetter, SeatRow } from "#data/store/match.ts";

import type { Backend } from "./database-backend.ts";
import { isRanked } from "./match-mode.ts";
import { competitionEnds, parseSeasonColumn } from "./season.ts";
import { compiledSelect, compiledVariants } from "./statement.ts";
import type { Database, DatabaseSchema } from "./tables.ts";

type MatchPage = SelectQueryBuilder<DatabaseSchema, never, { id: string; ended: string }>;
type MatchPageCursor = { id: string; ended: string };

export async function listMatches(backend: Backend, query: MatchQuery): Promise<MatchRow[] | null> {
  const { database } = backend;
  const cursorId = query.before ?? query.after;
  const cursor = cursorId === undefined ? undefined : await findCursor(database, cursorId);
  if (cursor === null) return null;
  const range = await endRange(database, query, cursor);
  if (range === null) return [];
  const { botId } = query;
  const rows =
    botId === undefined
      ? await ladderRows(database, { query, range })
      : await botRows(database, {
          query: await viaFewerSeats(database, { ...query, botId }),
          range,
        });
  return toMatches(backend, rows, query.withStats);
}

export async function findMatch(backend: Backend, id: string): Promise<MatchRow | null> {
  return (await toMatches(backend, await selectMatchRows(backend.database, id), false))[0] ?? null;
}

const selectMatchRows = compiledSelect((database, id: string) =>
  matchRows(database, matchPosition(database, id), false),
);

const matchPosition = (database: Database, id: string) =>
  database.selectFrom("matches").select(["id", "ended"]).where("id", "=", id);

const selectPosition = compiledSelect(matchPosition);

async function findCursor(database: Database, id: string): Promise<MatchPageCursor | null> {
  return (await selectPosition(database, id))[0] ?? null;
}

/** End times that limit a season, so that indexes by end time apply. */
type EndRange = {
  first?: string;
  before?: MatchPageCursor | undefined;
  after?: MatchPageCursor | undefined;
  last?: string;
};

/**
 * Keeps only the cursor on the side where the index scan starts. Returns null if the season has no
 * match.
 */
async function endRange(
  database: Database,
  { ladderId, season, after }: MatchQuery,
  cursor?: MatchPageCursor,
): Promise<EndRange | null> {
  if (season === undefined) return after === undefined ? { before: cursor } : { after: cursor };
  const seasonEnds = await competitionEnds(database, { ladderId, season });
  if (after !== undefined) {
    const isInSeason =
      seasonEnds !== null && cursor !== undefined && cursor.ended >= seasonEnds.first;
    return isInSeason ? { after: cursor, last: seasonEnds.last } : seasonEnds;
  }
  const isWithin = cursor !== undefined && cursor.ended <= (seasonEnds?.last ?? "");
  return seasonEnds && (isWithin ? { first: seasonEnds.first, before: cursor } : seasonEnds);
}

function ladderPage(database: Database, query: MatchQuery, range: EndRange): MatchPage {
  const { season } = query;
  const { first, last, before, after } = range;
  const direction = sortDirection(query);
  const page = database
    .selectFrom("matches")
    .select(["id", "ended"])
    .where("ladder_id", "=", query.ladderId)
    .where(isRanked("matches"))
    .$call((builder) => (season === undefined ? builder : builder.where("season", "=", season)))
    .$call((builder) => (first === undefined ? builder : builder.where("ended", ">=", first)))
    .$call((builder) => (last === undefined ? builder : builder.where("ended", "<=", last)))
    .$call((builder) =>
      before === undefined ? builder : builder.where(olderCondition(before, "id")),
    )
    .$call((builder) =>
      after === undefined ? builder : builder.where(newerCondition(after, "id")),
    )
    .orderBy("ended", direction)
    .orderBy("id", direction)
    .limit(query.limit);
  return page;
}

const ladderRows = compiledVariants(
  (database, { query, range }: { query: MatchQuery; range: EndRange }) =>
    matchRows(database, ladderPage(database, query, range), query.withStats),
  ({ query, range }) => ({
    variantName: `${sortDirection(query)}, stats ${query.withStats} `,
    values: [query.ladderId, query.season, ...rangeValues(range), query.limit],
  }),
);

const rangeValues = ({ first, last, before, after }: EndRange) => {
  return [first, last, before?.ended, before?.id, after?.ended, after?.id];
};

/**
 * Filters a bot's matches. `opponentVersionId` is set when the opponent's matches are read instead.
 */
type SeatQuery = MatchQuery & { botId: BotId; opponentVersionId?: VersionId | undefined };

/** Stop counting here when comparing how many matches two bots have. */
const COUNT_LIMIT = 5000;
const OPPONENT_RESULT: Record<ResultLetter, ResultLetter> = { W: "L", L: "W", D: "D" };

/**
 * Matches between two bots are in the lists of both, so read the list of the bot with fewer
 * matches.
 */
async function viaFewerSeats(database: Database, query: SeatQuery): Promise<SeatQuery> {
  const { ladderId, botId, versionId, opponentId, result } = query;
  if (opponentId === undefined) return query;
  const [ownCount, opponentCount] = [
    await countSeats(database, ladderId, botId),
    await countSeats(database, ladderId, opponentId),
  ];
  if (ownCount <= opponentCount) return query;
  return {
    ...query,
    botId: opponentId,
    versionId: undefined,
    opponentId: botId,
    opponentVersionId: versionId,
    result: result && OPPONENT_RESULT[result],
  };
}

async function countSeats(database: Database, ladderId: LadderId, botId: BotId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select cast(count(*) as integer) as count from (
      select 1 from seats
      where bot_id = ${botId} and ladder_id = ${ladderId} and ${isRanked("seats")}
      limit ${COUNT_LIMIT}
    ) as counted`.execute(database);
  return assertDefined(rows[0], "count").count;
}

function botPage(database: Database, query: SeatQuery, range: EndRange): MatchPage {
  const { botId, season, versionId, opponentId, opponentVersionId } = query;
  const { first, last, before, after } = range;
  const direction = sortDirection(query);
  const page = database
    .selectFrom("seats")
    .select(["match_id as id", "ended"])
    .where("bot_id", "=", botId)
    .where(isRanked("seats"))
    .where("ladder_id", "=", query.ladderId)
    .$call((builder) =>
      versionId === undefined ? builder : builder.where("version_id", "=", versionId),
    )
    .$call((builder) =>
      opponentId === undefined
        ? builder
        : builder.where(opponentCondition(opponentId, opponentVersionId)),
    )
    .$if(query.map !== undefined || query.result !== undefined, (builder) =>
      builder.where(matchCondition(query)),
    )
    .$call((builder) => (season === undefined ? builder : builder.where("season", "=", season)))
    .$call((builder) => (first === undefined ? builder : builder.where("ended", ">=", first)))
    .$call((builder) => (last === undefined ? builder : builder.where("ended", "<=", last)))
    .$call((builder) =>
      before === undefined ? builder : builder.where(olderCondition(before, "match_id")),
    )
    .$call((builder) =>
      after === undefined ? builder : builder.where(newerCondition(after, "match_id")),
    )
    .orderBy("ended", direction)
    .orderBy("match_id", direction)
    .limit(query.limit);
  return page;
}

const botRows = compiledVariants(
  (database, { query, range }: { query: SeatQuery; range: EndRange }) =>
    matchRows(database, botPage(database, query, range), query.withStats),
  ({ query, range }) => {
    const { botId, ladderId, versionId, opponentId, opponentVersionId } = query;
    const { result, map, season, limit, withStats } = query;
    const seatValues = [botId, ladderId, versionId, opponentId, opponentVersionId];
    return {
      variantName: `${sortDirection(query)}, stats ${withStats}, result ${result} `,
      values: [...seatValues, map, season, ...rangeValues(range), limit],
    };
  },
);

function opponentCondition(opponentId: BotId, versionId: VersionId | undefined) {
  const versionCondition = versionId === undefined ? sql`` : sql`and o.version_id = ${versionId}`;
  return sql<boolean>`exists (select 1 from seats as o
    where o.match_id = seats.match_id and o.seat <> seats.seat and o.bot_id = ${opponentId}
      ${versionCondition})`;
}

function matchCondition({ map, result }: MatchQuery) {
  const mapCondition = map === undefined ? sql`1 = 1` : sql`m.map = ${map}`;
  const resultCondition = result === undefined ? sql`1 = 1` : RESULT_CONDITIONS[result];
  return sql<boolean>`exists (select 1 from matches as m
    where m.id = seats.match_id and ${mapCondition} and ${resultCondition})`;
}

const RESULT_CONDITIONS: Record<ResultLetter, RawBuilder<unknown>> = {
  W: sql`m.winner_seat = seats.seat`,
  L: sql`m.winner_seat <> seats.seat`,
  D: sql`m.winner_seat is null and m.voided = 0`,
};

function olderCondition({ ended, id }: MatchPageCursor, idColumn: "id" | "match_id") {
  return sql<boolean>`(ended, ${sql.ref(idColumn)}) < (${ended}, ${id})`;
}

function newerCondition({ ended, id }: MatchPageCursor, idColumn: "id" | "match_id") {
  return sql<boolean>`(ended, ${sql.ref(idColumn)}) > (${ended}, ${id})`;
}

const sortDirection = ({ after }: MatchQuery) => (after === undefined ? "desc" : "asc");

type Row = InferResult<ReturnType<typeof matchRows>>[number];

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

const seatColumns = <N extends SeatNumber>(seat: N) =>
  SEAT_COLUMNS.map((column) => `s${seat}.${column} as ${column}_${seat}`) as SeatSelection<N>[];

/** Selects one row per match with both seats, which is faster than one row per seat. */
function matchRows(database: Database, page: MatchPage, withStats: boolean) {
  return database
    .selectFrom(page.as("page"))
    .innerJoin("matches as m", "m.id", "page.id")
    .innerJoin("seats as s0", (join) =>
      join.onRef("s0.match_id", "=", "page.id").on("s0.seat", "=", sql.lit(0)),
    )
    .innerJoin("seats as s1", (join) =>
      join.onRef("s1.match_id", "=", "page.id").on("s1.seat", "=", sql.lit(1)),
    )
    .leftJoin("bots as b0", "b0.id", "s0.bot_id")
    .leftJoin("bots as b1", "b1.id", "s1.bot_id")
    .selectAll("m")
    .select(seatColumns(0))
    .select(seatColumns(1))
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
  const matches: MatchRow[] = [];
  for (const row of rows) {
    const match = toMatch(row);
    if (withStats) match.stats = await unpackStats(backend, row);
    matches.push(match);
  }
  return matches;
}

/**
 * Returns null for a damaged document, so that the list doesn't fail. Reading that match alone is
 * an error.
 */
async function unpackStats(backend: Backend, { stats }: Row): Promise<string | null> {
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
    season: parseSeasonColumn(row.season),
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
