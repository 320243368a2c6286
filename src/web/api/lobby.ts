import { Type } from "typebox";

import { gamesOf, ratingFigures } from "#core/ladder/version-record.ts";
import { LobbyEntrySchema } from "#core/resources/ladder.ts";
import type { LobbyEntry } from "#core/resources/ladder.ts";
import { standingRefusal } from "#core/words/bot-status.ts";
import { difficultyOf } from "#core/words/house.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { OnlineBot } from "#live/arena/view.ts";
import { keepAnswers, LIVE_MAKINGS } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, ladder, ladderOf } from "#web/http/query.ts";

import { identityOf } from "./identity.ts";

type LobbyDeps = Pick<ApiDeps, "store" | "arena" | "ladders">;

export function lobbyRoutes(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "lobby", LIVE_MAKINGS);
  const schema = {
    querystring: Type.Object({ ladder }),
    response: answers(Type.Unsafe<LobbyEntry[] | Buffer>(Type.Array(LobbyEntrySchema))),
  };
  const about = "The bots of a ladder that are connected or play, best first";
  const config = { endpoint: "lobby", about, refuses: [404] as const, public: true };
  app.get("/api/lobby", { schema, config }, async ({ query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    return kept(reply, ladderId, () => lobby(deps, ladderId));
  });
}

/** The active bots that are connected for a ladder, or for none yet; best score first. */
async function lobby(deps: LobbyDeps, ladderId: LadderId): Promise<LobbyEntry[]> {
  const sessions = sessionsOn(deps, ladderId);
  const known = await deps.store.bots.byIds(sessions.map(({ botId }) => botId));
  const bots = new Map(known.map((bot) => [bot.id, bot]));
  const entries = sessions.flatMap((session) => {
    const bot = bots.get(session.botId);
    if (bot === undefined || !isShown(deps, bot, ladderId)) return [];
    return [entryOf(deps, ladderId, bot, session)];
  });
  return entries.toSorted(byScore);
}

/** One session per bot. Of a house bot's several on one ladder, one that can be met. */
export function sessionsOn({ arena }: Pick<LobbyDeps, "arena">, ladderId: LadderId): OnlineBot[] {
  const shown = new Map<string, OnlineBot>();
  for (const session of arena.online()) {
    if (session.ladderId !== null && session.ladderId !== ladderId) continue;
    if (!shown.has(session.botId) || session.state === "waiting") shown.set(session.botId, session);
  }
  return [...shown.values()];
}

/** Bots that may not act, and those that the ladder does not list, are in no lobby. */
export const isShown = (
  { ladders }: Pick<LobbyDeps, "ladders">,
  bot: BotRecord,
  ladderId: LadderId,
): boolean => standingRefusal(bot) === null && ladders.lists(bot, ladderId);

export function entryOf(
  { arena }: Pick<LobbyDeps, "arena">,
  ladderId: LadderId,
  bot: BotRecord,
  { online, version, versionId, state }: OnlineBot,
): LobbyEntry {
  const rated = versionId === null ? undefined : arena.board(ladderId).get(versionId);
  return {
    id: bot.id,
    ...identityOf(bot, online),
    created: bot.created,
    avatar: bot.avatar,
    version,
    ...(version === null ? NO_FIGURES : ratingFigures(rated)),
    games: version === null ? null : gamesOf(rated ?? NO_GAMES),
    difficulty: difficultyOf(bot.name),
    state,
  };
}

const NO_GAMES = { wins: 0, losses: 0, draws: 0 };
const NO_FIGURES = { rating: null, rating_deviation: null, leaderboard_score: null };

/** Entries without a score come last. */
function byScore(a: LobbyEntry, b: LobbyEntry): number {
  const [first, second] = [a.leaderboard_score ?? -Infinity, b.leaderboard_score ?? -Infinity];
  if (first !== second) return second > first ? 1 : -1;
  return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;
}
