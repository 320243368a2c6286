import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { Static } from "typebox";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { ErrorBody } from "#core/api/common-schemas.ts";
import { ListedMatchSchema, MatchSchema } from "#core/api/match.ts";
import type { Match } from "#core/api/match.ts";
import { gridOf } from "#core/engine/maps.ts";
import type { FighterId } from "#core/engine/types.ts";
import { displayName } from "#core/ids/house-bots.ts";
import { HUMAN_SEAT } from "#core/ids/match-modes.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { MatchStatsSchema } from "#core/protocol/schema-stats.ts";
import type { MatchQuery, MatchRow, SeatRow } from "#data/store/match.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { rowChunks } from "#web/http/json-chunks.ts";
import { responseCache } from "#web/http/response-cache.ts";
import {
  okResponses,
  findBot,
  parseId,
  ladder,
  resolveLadderId,
  MatchParams,
  season,
  findVersion,
} from "#web/http/route-params.ts";

import { resolveSeason } from "./season.ts";

const ListQuerySchema = Type.Object({
  ladder,
  season,
  bot: Type.Optional(Type.String({ description: "name of a bot in the match" })),
  version: Type.Optional(Type.String({ description: "version of that bot" })),
  opponent: Type.Optional(Type.String({ description: "name of the bot's opponent" })),
  map: Type.Optional(Type.String({ description: "map of the match" })),
  result: Type.Optional(
    Type.Enum(["W", "L", "D"], { description: "result for the bot: won, lost or drawn" }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED_LIMITS.matches_list_max,
      default: FIXED_LIMITS.matches_list_default,
      description: "max matches to list",
    }),
  ),
  stats: Type.Optional(Type.Enum(["1", "true"], { description: "include statistics" })),
  before: Type.Optional(Type.String({ description: "a match id; lists older matches only" })),
  after: Type.Optional(
    Type.String({ description: "a match id; lists newer matches only, nearest first" }),
  ),
});

const MatchListSchema = Type.Unsafe<Match[] | Buffer>(Type.Array(ListedMatchSchema));
const MatchTextSchema = Type.Unsafe<Match | Buffer>(MatchSchema);
const StatsTextSchema = Type.Unsafe<object | Buffer>(MatchStatsSchema);

export function matchRoutes(app: App, deps: ApiDeps): void {
  listRoute(app, deps);
  matchRoute(app, deps);
  statsRoute(app, deps);
}

/** Lists are never stale: when a bot receives its result, the match must already be listed. */
function listRoute(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "matches", null);
  const schema = { querystring: ListQuerySchema, response: okResponses(MatchListSchema) };
  const summary = "Stored matches, newest first";
  const errorCodes = [404, "no_such_bot"] as const;
  const config = { endpoint: "matches", summary, errorCodes, public: true };
  app.get("/api/matches", { schema, config }, async ({ query }, reply) => {
    const list = await parseListQuery(deps, query, reply);
    if ("error" in list) return list;
    const body = await cached(reply, JSON.stringify(list), () => listText(deps, list));
    return body ?? refuseNotFound(reply, "match");
  });
}

const BOT_FILTERS = ["version", "opponent", "map", "result"] as const;

async function parseListQuery(
  deps: ApiDeps,
  query: Static<typeof ListQuerySchema>,
  reply: FastifyReply,
): Promise<MatchQuery | ErrorBody> {
  const { limit = deps.limits().matches_list_default, before, after, map, result } = query;
  const ladderId = resolveLadderId(deps, query.ladder);
  if (ladderId === null) return refuseNotFound(reply, "ladder");
  const season = await resolveSeason(deps, reply, ladderId, query.season);
  if (season !== undefined && "error" in season) return season;
  if (before !== undefined && after !== undefined)
    return refuseWithStatus(
      reply,
      400,
      "The query parameters 'before' and 'after' can't be combined.",
    );
  const [older, newer] = [before, after].map((id) => (id === undefined ? undefined : parseId(id)));
  if (older === null || newer === null) return refuseNotFound(reply, "match");
  const list = {
    ladderId,
    season: season?.id,
    limit,
    before: older,
    after: newer,
    withStats: query.stats !== undefined,
  };
  if (query.bot === undefined) {
    const filter = BOT_FILTERS.find((name) => query[name] !== undefined);
    if (filter === undefined) return list;
    return refuseWithStatus(reply, 400, `The query parameter '${filter}' needs 'bot'.`);
  }
  const bot = await findBot(deps, query.bot);
  const opponent = query.opponent === undefined ? undefined : await findBot(deps, query.opponent);
  if (bot === null || opponent === null) return refuseWithCode(reply, "no_such_bot");
  const version = await findVersion(deps, bot, query.version);
  if (version === null) return refuseNotFound(reply, "version");
  if (map !== undefined && gridOf(map) === null) return refuseNotFound(reply, "map");
  return { ...list, botId: bot.id, versionId: version?.id, opponentId: opponent?.id, map, result };
}

/** Returns the list in chunks of JSON text. Null if `before` or `after` is an unknown match. */
async function listText({ store }: ApiDeps, query: MatchQuery): Promise<Generator<string> | null> {
  const rows = await store.matches.list(query);
  return rows && rowChunks(rows, (chunk) => chunk.map(matchText).join(","));
}

/** Inserts the stored statistics without parsing them. A list may contain hundreds. */
function matchText(row: MatchRow): string {
  const text = JSON.stringify(toMatch(row));
  return row.stats === undefined ? text : `${text.slice(0, -1)},"stats":${row.stats}}`;
}

/** A stored match never changes, but the names and avatars of its bots can. */
function matchRoute(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "match", null);
  const schema = { params: MatchParams, response: okResponses(MatchTextSchema) };
  const summary = "A stored match";
  const config = { endpoint: "match", summary, errorCodes: [404] as const, public: true };
  app.get("/api/matches/:id", { schema, config }, async ({ params }, reply) => {
    const id = parseId(params.id);
    if (id === null) return refuseNotFound(reply, "match");
    return (await cached(reply, id, () => matchById(deps, id))) ?? refuseNotFound(reply, "match");
  });
}

/** Returns a match, including the opponent request it served. Null if the match is unknown. */
async function matchById({ store }: Pick<ApiDeps, "store">, id: string): Promise<Match | null> {
  const row = await store.matches.byId(id);
  if (row === null) return null;
  const servedRequest = canBeRequested(row)
    ? await store.requests.servedBy(servingMatch(row))
    : null;
  const asked_for = servedRequest && {
    event_id: servedRequest.eventId,
    bot_id: servedRequest.botId,
  };
  return { ...toMatch(row), ...(asked_for && { asked_for }) };
}

/** Only ranked matches against a house bot can serve an opponent request. */
const canBeRequested = ({ mode, seats }: MatchRow): boolean =>
  mode === "ranked" && seats.some(({ house }) => house);

const servingMatch = ({ id, seats }: MatchRow) => ({
  id,
  botIds: seats.flatMap(({ botId }) => botId ?? []),
});

function statsRoute(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "match stats", null);
  const schema = { params: MatchParams, response: okResponses(StatsTextSchema) };
  const summary = "Statistics of a match";
  const config = { endpoint: "match_stats", summary, errorCodes: [404] as const, public: true };
  app.get("/api/matches/:id/stats", { schema, config }, async ({ params }, reply) => {
    const id = parseId(params.id);
    const stats = id && (await cached(reply, id, () => statsText(deps, id)));
    return (
      stats ?? refuseWithStatus(reply, 404, "There is no such match, or it has no statistics.")
    );
  });
}

/** Returns the statistics as JSON text. Null for void matches and trimmed replays. */
async function statsText({ store }: ApiDeps, id: string) {
  const stats = (await store.replays.has(id)) ? await store.matches.stats(id) : null;
  return stats === null ? null : [stats].values();
}

export function toMatch(row: MatchRow): Match {
  const { id, mode, map, seed, started, ended, voided } = row;
  return {
    id,
    ladder_id: row.ladderId,
    mode,
    map,
    seed,
    started,
    ended,
    duration_ms: row.durationMs,
    final_tick: row.finalTick,
    reason: row.reason as Match["reason"],
    winner:
      row.winnerSeat === null ? null : seatId(assertDefined(row.seats[row.winnerSeat], "seat")),
    voided,
    rated: row.rated,
    unrated_reason: row.unratedReason,
    bots: row.seats.map(toMatchBot),
    replay_url: `/replays/${id}.jsonl.gz`,
    stats_url: `/api/matches/${id}/stats`,
    watch_url: `/match/${id}`,
  };
}

const seatId = ({ botId }: SeatRow): string => botId ?? HUMAN_SEAT.name;

function toMatchBot(seat: SeatRow): Match["bots"][number] {
  const { name, version, house, avatar, ratingBefore, ratingAfter, ratedGames } = seat;
  const isRated = ratingBefore !== null && ratingAfter !== null;
  return {
    id: seatId(seat),
    name,
    display_name: displayName(name),
    version,
    house,
    avatar,
    fighter: seat.fighter as FighterId,
    ...(isRated && { rating_before: ratingBefore, rating_after: ratingAfter }),
    ...placementOf(ratedGames),
  };
}

function placementOf(ratedGames: number | null): Pick<Match["bots"][number], "placement"> {
  const { qualifying_games: of } = FIXED_LIMITS;
  return ratedGames === null || ratedGames > of ? {} : { placement: { match: ratedGames, of } };
}
