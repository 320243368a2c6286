import { Type } from "typebox";

import type { CacheNamespace } from "#base/cache/cache.ts";
import { BotSchema } from "#core/api/bot.ts";
import type { Bot } from "#core/api/bot.ts";
import type { BotId, LadderId, VersionId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { toRatingStats } from "#core/ladder/version-record.ts";
import type { SeasonPlace } from "#data/store/season.ts";
import { botIdentity } from "#web/api/bot-identity.ts";
import { toMatch } from "#web/api/match.ts";
import type { Standings } from "#web/api/standings-entries.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { responseCache } from "#web/http/response-cache.ts";
import {
  okResponses,
  BotParams,
  findBot,
  ladder,
  resolveLadderId,
} from "#web/http/route-params.ts";

import { healthByVersion, listedVersion, versionsRoute } from "./bot-versions.ts";

type BotDeps = ApiDeps & { standings: Standings };

/** Pages are never stale: when a bot receives its result, its page must already show the match. */
export function botRoutes(app: App, deps: BotDeps): void {
  const cached = responseCache(deps, "bot page", null);
  const storedFacts = deps.cache.namespace<StoredFacts>("bot facts");
  const schema = {
    params: BotParams,
    querystring: Type.Object({ ladder }),
    response: okResponses(Type.Unsafe<Bot | Buffer>(BotSchema)),
  };
  const summary = "A bot with its latest versions and matches";
  const errorCodes = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot", summary, errorCodes, public: true };
  app.get("/api/bots/:name", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const subject = { botId: bot.id, ladderId, presence: presenceOf(deps, bot.id) };
    const page = await cached(reply, JSON.stringify(subject), () =>
      botPage(deps, storedFacts, subject),
    );
    return page ?? refuseWithCode(reply, "no_such_bot");
  });
  versionsRoute(app, deps);
}

/** Returns whether the bot is connected, and the version that is waiting or playing. */
type Presence = { online: boolean; version: string | null; versionId: VersionId | null };

export function presenceOf({ arena }: Pick<ApiDeps, "arena">, botId: BotId): Presence {
  const sessions = arena.onlineBots().filter((session) => session.botId === botId);
  const active = sessions.find(({ state }) => state !== "idle");
  return {
    online: sessions.some(({ online }) => online),
    version: active?.version ?? null,
    versionId: active?.versionId ?? null,
  };
}

type Subject = { botId: BotId; ladderId: LadderId; presence: Presence };

async function botPage(
  deps: BotDeps,
  storedFacts: CacheNamespace<StoredFacts>,
  { botId, ladderId, presence }: Subject,
): Promise<Bot | null> {
  const { arena, limits, store, standings } = deps;
  const [bot] = await store.bots.byIds([botId]);
  if (bot === undefined) return null;
  const place = (await standings(ladderId)).find((row) => row.bot.id === botId);
  const includedIds = [place?.version.id, presence.versionId].filter(
    (id) => typeof id === "string",
  );
  const facts = await storedFacts.get(JSON.stringify([botId, ladderId, ...includedIds]), () =>
    readFacts(deps, botId, ladderId, includedIds),
  );
  const board = arena.board(ladderId);
  return {
    id: bot.id,
    ...botIdentity(bot, presence.online),
    // An account ban is shown as a suspension, because it ends when the ban is lifted.
    status: bot.ownerBanned ? "suspended" : bot.status,
    created: bot.created,
    avatar: bot.avatar,
    ladder_id: ladderId,
    played_ladders: facts.playedLadders,
    current_version: facts.current?.label ?? null,
    online_version: presence.version,
    qualifying_games: limits().qualifying_games,
    versions: facts.versions.map((version) => listedVersion(version, board, place, facts.healthOf)),
    versions_total: facts.total,
    recent_matches: facts.recent.map(toMatch),
    ...(hasSeasons(ladderId) && {
      season: arena.seasons().live,
      season_history: facts.finalPlaces.map(toSeasonPlace),
    }),
  };
}

type StoredFacts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts(
  deps: BotDeps,
  botId: BotId,
  ladderId: LadderId,
  includedIds: readonly string[],
) {
  const { store, limits } = deps;
  const latestVersions = await shownVersions(deps, botId, ladderId, includedIds);
  const [healthById, playedLadders, recent, finalPlaces] = await Promise.all([
    healthByVersion(deps, latestVersions.versions),
    store.matches.laddersOf(botId),
    store.matches.list({ ladderId, botId, limit: limits().recent_matches, withStats: false }),
    store.seasons.placesOf(botId),
  ]);
  return {
    ...latestVersions,
    healthOf: healthById,
    playedLadders,
    recent: recent ?? [],
    finalPlaces,
  };
}

/** Returns the bot's latest versions, its current version and those in `includedIds`. */
export async function shownVersions(
  { store, limits }: Pick<ApiDeps, "store" | "limits">,
  botId: BotId,
  ladderId: LadderId,
  includedIds: readonly string[],
) {
  const current = await store.versions.current(botId, ladderId);
  const ids = current === null ? includedIds : [...includedIds, current.id];
  return { current, ...(await store.versions.latest(botId, limits().versions_shown, ids)) };
}

function toSeasonPlace(place: SeasonPlace): NonNullable<Bot["season_history"]>[number] {
  const { season, rank, label, wins, losses, draws } = place;
  const { leaderboard_score } = toRatingStats(place);
  return { season, rank, version: label, leaderboard_score, wins, losses, draws };
}
