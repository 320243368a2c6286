import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { Static } from "typebox";

import { sure } from "#base/units/sure.ts";
import { gridOf } from "#core/engine/maps.ts";
import type { FighterId } from "#core/engine/types.ts";
import { MatchStatsSchema } from "#core/protocol/schema-stats.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import { ListedMatchSchema, MatchSchema } from "#core/resources/match.ts";
import type { Match } from "#core/resources/match.ts";
import { displayName } from "#core/words/house.ts";
import { FIXED } from "#core/words/limits.ts";
import { HUMAN } from "#core/words/rated.ts";
import type { MatchQuery, MatchRow, SeatRow } from "#data/store/match.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse, refuseWith } from "#web/http/errors.ts";
import { rowPieces } from "#web/http/json-pieces.ts";
import {
  answers,
  findBot,
  idOf,
  ladder,
  ladderOf,
  MatchParams,
  season,
  versionSought,
} from "#web/http/query.ts";

import { seasonOf } from "./season.ts";

const ListQuerySchema = Type.Object({
  ladder,
  season,
  bot: Type.Optional(Type.String({ description: "matches of this bot" })),
  version: Type.Optional(Type.String({ description: "of this version of the bot" })),
  opponent: Type.Optional(Type.String({ description: "of the bot against this one" })),
  map: Type.Optional(Type.String({ description: "of the bot on this map" })),
  result: Type.Optional(
    Type.Enum(["W", "L", "D"], { description: "won, lost or drawn by the bot" }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED.matches_list_max,
      default: FIXED.matches_list_default,
      description: "most matches to list",
    }),
  ),
  stats: Type.Optional(Type.Enum(["1", "true"], { description: "with statistics" })),
  before: Type.Optional(Type.String({ description: "a match id: only older ones" })),
  after: Type.Optional(
    Type.String({ description: "a match id: only newer ones, those nearest to it" }),
  ),
});

/** Sent as ready-made JSON text. */
const MatchListSchema = Type.Unsafe<Match[] | Buffer>(Type.Array(ListedMatchSchema));
const MatchTextSchema = Type.Unsafe<Match | Buffer>(MatchSchema);
const StatsTextSchema = Type.Unsafe<object | Buffer>(MatchStatsSchema);

export function matchRoutes(app: App, deps: ApiDeps): void {
  listRoute(app, deps);
  oneRoute(app, deps);
  statsRoute(app, deps);
}

/**
 * A bot finds a result it was told in these lists at once, so none is kept beyond the next match.
 */
function listRoute(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "matches", null);
  const schema = { querystring: ListQuerySchema, response: answers(MatchListSchema) };
  const about = "Stored matches, newest first";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "matches", about, refuses, public: true };
  app.get("/api/matches", { schema, config }, async ({ query }, reply) => {
    const list = await listSought(deps, query, reply);
    if ("error" in list) return list;
    const body = await kept(reply, JSON.stringify(list), () => listText(deps, list));
    return body ?? missing(reply, "match");
  });
}

/** Parameters that narrow down the matches of one bot. */
const NARROWING = ["version", "opponent", "map", "result"] as const;

/** The list that was asked for, or why there is none. */
async function listSought(
  deps: ApiDeps,
  query: Static<typeof ListQuerySchema>,
  reply: FastifyReply,
): Promise<MatchQuery | ErrorBody> {
  const { limit = deps.limits().matches_list_default, before, after, map, result } = query;
  const ladderId = ladderOf(deps, query.ladder);
  if (ladderId === null) return missing(reply, "ladder");
  const season = await seasonOf(deps, reply, ladderId, query.season);
  if (season !== undefined && "error" in season) return season;
  if (before !== undefined && after !== undefined)
    return refuseWith(reply, 400, "The query parameters 'before' and 'after' exclude each other.");
  const [older, newer] = [before, after].map((id) => (id === undefined ? undefined : idOf(id)));
  if (older === null || newer === null) return missing(reply, "match");
  const list = {
    ladderId,
    season: season?.id,
    limit,
    before: older,
    after: newer,
    withStats: query.stats !== undefined,
  };
  if (query.bot === undefined) {
    const narrowing = NARROWING.find((one) => query[one] !== undefined);
    if (narrowing === undefined) return list;
    return refuseWith(reply, 400, `The query parameter '${narrowing}' needs 'bot' beside it.`);
  }
  const bot = await findBot(deps, query.bot);
  const opponent = query.opponent === undefined ? undefined : await findBot(deps, query.opponent);
  if (bot === null || opponent === null) return refuse(reply, "no_such_bot");
  const version = await versionSought(deps, bot, query.version);
  if (version === null) return missing(reply, "version");
  if (map !== undefined && gridOf(map) === null) return missing(reply, "map");
  return { ...list, botId: bot.id, versionId: version?.id, opponentId: opponent?.id, map, result };
}

/** The list as pieces of JSON text; null when `before` or `after` names no match. */
async function listText({ store }: ApiDeps, query: MatchQuery): Promise<Generator<string> | null> {
  const rows = await store.matches.list(query);
  return rows && rowPieces(rows, (some) => some.map(matchText).join(","));
}

/** A stored document is sent unparsed: a list may contain hundreds. */
function matchText(row: MatchRow): string {
  const text = JSON.stringify(toMatch(row));
  return row.stats === undefined ? text : `${text.slice(0, -1)},"stats":${row.stats}}`;
}

/** A stored match never changes, but its bots may. */
function oneRoute(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "match", null);
  const schema = { params: MatchParams, response: answers(MatchTextSchema) };
  const about = "One stored match";
  const config = { endpoint: "match", about, refuses: [404] as const, public: true };
  app.get("/api/matches/:id", { schema, config }, async ({ params }, reply) => {
    const id = idOf(params.id);
    if (id === null) return missing(reply, "match");
    return (await kept(reply, id, () => matchById(deps, id))) ?? missing(reply, "match");
  });
}

/** A stored match, and whether somebody asked for it; null when there is none. */
async function matchById({ store }: Pick<ApiDeps, "store">, id: string): Promise<Match | null> {
  const row = await store.matches.byId(id);
  if (row === null) return null;
  const asked = mayBeAskedFor(row) ? await store.requests.servedBy(servingMatch(row)) : null;
  const asked_for = asked && { event_id: asked.eventId, bot_id: asked.botId };
  return { ...toMatch(row), ...(asked_for && { asked_for }) };
}

/** Games against a house bot alone are asked for. */
const mayBeAskedFor = ({ mode, seats }: MatchRow): boolean =>
  mode === "ranked" && seats.some(({ house }) => house);

const servingMatch = ({ id, seats }: MatchRow) => ({
  id,
  botIds: seats.flatMap(({ botId }) => botId ?? []),
});

/** Statistics are shown as long as the replay exists. */
function statsRoute(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "match stats", null);
  const schema = { params: MatchParams, response: answers(StatsTextSchema) };
  const about = "What each fighter of a match did";
  const config = { endpoint: "match_stats", about, refuses: [404] as const, public: true };
  app.get("/api/matches/:id/stats", { schema, config }, async ({ params }, reply) => {
    const id = idOf(params.id);
    const stats = id && (await kept(reply, id, () => statsText(deps, id)));
    return stats ?? refuseWith(reply, 404, "There are no statistics of such a match.");
  });
}

/** The statistics document as JSON text; null for void matches and once the replay is gone. */
async function statsText({ store }: ApiDeps, id: string) {
  const stats = (await store.replays.has(id)) ? await store.matches.stats(id) : null;
  return stats === null ? null : [stats].values();
}

/** A stored match as the API shows it. */
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
    winner: row.winnerSeat === null ? null : idOfSeat(sure(row.seats[row.winnerSeat], "seat")),
    voided,
    rated: row.rated,
    unrated_reason: row.unratedReason,
    bots: row.seats.map(toMatchBot),
    replay_url: `/replays/${id}.jsonl.gz`,
    stats_url: `/api/matches/${id}/stats`,
    watch_url: `/match/${id}`,
  };
}

const idOfSeat = ({ botId }: SeatRow): string => botId ?? HUMAN.name;

function toMatchBot(seat: SeatRow): Match["bots"][number] {
  const { name, version, house, avatar, ratingBefore, ratingAfter, ratedGames } = seat;
  const isRated = ratingBefore !== null && ratingAfter !== null;
  return {
    id: idOfSeat(seat),
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
  const { qualifying_games: of } = FIXED;
  return ratedGames === null || ratedGames > of ? {} : { placement: { match: ratedGames, of } };
}
