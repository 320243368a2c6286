import { Type } from "typebox";

import { LobbyEntrySchema } from "#core/api/ladder.ts";
import type { LobbyEntry } from "#core/api/ladder.ts";
import { botRefusalCode } from "#core/ids/bot-status.ts";
import { difficultyOf } from "#core/ids/house-bots.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { totalGames, toRatingStats } from "#core/ladder/version-record.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { OnlineBot } from "#live/arena/arena-view.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { responseCache, LIVE_REFRESH_RATE } from "#web/http/response-cache.ts";
import { okResponses, ladder, resolveLadderId } from "#web/http/route-params.ts";

import { botIdentity } from "./bot-identity.ts";

type LobbyDeps = Pick<ApiDeps, "store" | "arena" | "ladders">;

export function lobbyRoutes(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "lobby", LIVE_REFRESH_RATE);
  const schema = {
    querystring: Type.Object({ ladder }),
    response: okResponses(Type.Unsafe<LobbyEntry[] | Buffer>(Type.Array(LobbyEntrySchema))),
  };
  const summary = "Connected and playing bots on a ladder, best first";
  const config = { endpoint: "lobby", summary, errorCodes: [404] as const, public: true };
  app.get("/api/lobby", { schema, config }, async ({ query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    return cached(reply, ladderId, () => lobby(deps, ladderId));
  });
}

/**
 * Returns the active bots that are connected to this ladder or haven't chosen a ladder yet, best
 * score first.
 */
async function lobby(deps: LobbyDeps, ladderId: LadderId): Promise<LobbyEntry[]> {
  const sessions = sessionsOn(deps, ladderId);
  const botRecords = await deps.store.bots.byIds(sessions.map(({ botId }) => botId));
  const bots = new Map(botRecords.map((bot) => [bot.id, bot]));
  const entries = sessions.flatMap((session) => {
    const bot = bots.get(session.botId);
    if (bot === undefined || !isListedInLobby(deps, bot, ladderId)) return [];
    return [lobbyEntry(deps, ladderId, bot, session)];
  });
  return entries.toSorted(byScore);
}

/**
 * Returns one session per bot. If a house bot has several on a ladder, prefers a waiting session.
 */
export function sessionsOn({ arena }: Pick<LobbyDeps, "arena">, ladderId: LadderId): OnlineBot[] {
  const byBot = new Map<string, OnlineBot>();
  for (const session of arena.onlineBots()) {
    if (session.ladderId !== null && session.ladderId !== ladderId) continue;
    if (!byBot.has(session.botId) || session.state === "waiting") byBot.set(session.botId, session);
  }
  return [...byBot.values()];
}

export const isListedInLobby = (
  { ladders }: Pick<LobbyDeps, "ladders">,
  bot: BotRecord,
  ladderId: LadderId,
): boolean => botRefusalCode(bot) === null && ladders.isListed(bot, ladderId);

export function lobbyEntry(
  { arena }: Pick<LobbyDeps, "arena">,
  ladderId: LadderId,
  bot: BotRecord,
  { online, version, versionId, state }: OnlineBot,
): LobbyEntry {
  const rated = versionId === null ? undefined : arena.board(ladderId).get(versionId);
  return {
    id: bot.id,
    ...botIdentity(bot, online),
    created: bot.created,
    avatar: bot.avatar,
    version,
    ...(version === null ? NO_RATING : toRatingStats(rated)),
    games: version === null ? null : totalGames(rated ?? NO_GAMES),
    difficulty: difficultyOf(bot.name),
    state,
  };
}

const NO_GAMES = { wins: 0, losses: 0, draws: 0 };
const NO_RATING = { rating: null, rating_deviation: null, leaderboard_score: null };

function byScore(a: LobbyEntry, b: LobbyEntry): number {
  const [first, second] = [a.leaderboard_score ?? -Infinity, b.leaderboard_score ?? -Infinity];
  if (first !== second) return second > first ? 1 : -1;
  return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;
}
