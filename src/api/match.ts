import { Type } from "typebox";

import type { FighterId } from "#engine/types.ts";
import type { ApiDeps, App } from "#http/deps.ts";
import { missing, refuse, refuseWith } from "#http/errors.ts";
import { answers, findBot, isId, ladder, ladderOf, MatchParams, season } from "#http/query.ts";
import { displayName } from "#ladder/house.ts";
import { PUBLIC_LADDER } from "#ladder/ladder.ts";
import { LIMITS } from "#protocol/limits.ts";
import { ListedMatchSchema, MatchSchema } from "#protocol/resource-match.ts";
import type { Match } from "#protocol/resource-match.ts";
import { MatchStatsSchema } from "#protocol/schema-stats.ts";
import type { MatchQuery, MatchRow, SeatRow } from "#store/store.ts";

import { findSeason } from "./season.ts";

const ListQuerySchema = Type.Object({
  ladder,
  season,
  bot: Type.Optional(Type.String({ description: "matches of this bot" })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.matches_list_max,
      default: LIMITS.matches_list_default,
      description: "most matches to list",
    }),
  ),
  stats: Type.Optional(Type.Enum(["1", "true"], { description: "with statistics" })),
  before: Type.Optional(Type.String({ description: "a match id: only older ones" })),
});

/** Lists with statistics are sent as ready JSON text. */
const MatchListSchema = Type.Unsafe<Match[] | string>(Type.Array(ListedMatchSchema));
const StatsTextSchema = Type.Unsafe<string>(MatchStatsSchema);
const JSON_TYPE = "application/json; charset=utf-8";

export function matchRoutes(app: App, deps: ApiDeps): void {
  listRoute(app, deps);
  oneRoute(app, deps);
  statsRoute(app, deps);
}

function listRoute(app: App, deps: ApiDeps): void {
  const schema = { querystring: ListQuerySchema, response: answers(MatchListSchema) };
  const about = "Stored matches, newest first";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "matches", about, refuses, public: true };
  app.get("/api/matches", { schema, config }, async ({ query }, reply) => {
    const { bot: name, limit = deps.limits.matches_list_default, before } = query;
    const ladderId = ladderOf(query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const seasonId = await seasonOf(deps, ladderId, query.season);
    if (seasonId === null) return missing(reply, "season");
    const bot = name === undefined ? undefined : await findBot(deps, name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const withStats = query.stats !== undefined;
    const list = { ladderId, season: seasonId, botId: bot?.id, limit, before, withStats };
    const rows = await matchRows(deps, list);
    if (rows === null) return missing(reply, "match");
    if (!withStats) return rows.map(toMatch);
    reply.type(JSON_TYPE);
    return `[${rows.map(withStatsText).join(",")}]`;
  });
}

/** The id of the season that a list is of, undefined for all of them; null when there is none. */
async function seasonOf(
  deps: ApiDeps,
  ladderId: string,
  id: string | undefined,
): Promise<string | null | undefined> {
  if (id === undefined) return undefined;
  const found = ladderId === PUBLIC_LADDER ? await findSeason(deps, id) : null;
  return found?.id ?? null;
}

async function matchRows({ store }: ApiDeps, query: MatchQuery): Promise<MatchRow[] | null> {
  if (query.before !== undefined && !isId(query.before)) return null;
  return store.matches(query);
}

/** The stored document goes out as it is, unread: a list may carry hundreds. */
function withStatsText(row: MatchRow): string {
  return `${JSON.stringify(toMatch(row)).slice(0, -1)},"stats":${row.stats ?? null}}`;
}

function oneRoute(app: App, deps: ApiDeps): void {
  const schema = { params: MatchParams, response: answers(MatchSchema) };
  const about = "One stored match";
  const config = { endpoint: "match", about, refuses: [404] as const, public: true };
  app.get("/api/matches/:id", { schema, config }, async ({ params }, reply) => {
    return (await matchById(deps, params.id)) ?? missing(reply, "match");
  });
}

/** A stored match; null when there is none. */
async function matchById({ store }: Pick<ApiDeps, "store">, id: string): Promise<Match | null> {
  const row = isId(id) ? await store.match(id) : null;
  return row && toMatch(row);
}

function statsRoute(app: App, deps: ApiDeps): void {
  const schema = { params: MatchParams, response: answers(StatsTextSchema) };
  const about = "What each fighter of a match did";
  const config = { endpoint: "match_stats", about, refuses: [404] as const, public: true };
  app.get("/api/matches/:id/stats", { schema, config }, async ({ params }, reply) => {
    const stats = await statsText(deps, params.id);
    if (stats === null) return refuseWith(reply, 404, "There are no statistics of such a match.");
    reply.type(JSON_TYPE);
    return stats;
  });
}

/** The statistics document as JSON text; null for void matches and once the replay is gone. */
async function statsText({ store }: ApiDeps, id: string): Promise<string | null> {
  return isId(id) && (await store.hasReplay(id)) ? store.matchStats(id) : null;
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
    winner: row.winnerBotId,
    voided,
    bots: row.seats.map(toMatchBot),
    replay_url: `/replays/${id}.jsonl.gz`,
    stats_url: `/api/matches/${id}/stats`,
    watch_url: `/match/${id}`,
  };
}

function toMatchBot(seat: SeatRow): Match["bots"][number] {
  const { name, version, house, avatar, ratingBefore, ratingAfter } = seat;
  const isRated = ratingBefore !== null && ratingAfter !== null;
  return {
    id: seat.botId,
    name,
    display_name: displayName(name),
    version,
    house,
    avatar,
    fighter: seat.fighter as FighterId,
    ...(isRated && { rating_before: ratingBefore, rating_after: ratingAfter }),
  };
}
