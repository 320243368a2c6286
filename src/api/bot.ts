import { Type } from "typebox";

import { currentVersion } from "#ladder/current-version.ts";
import { versionFigures } from "#ladder/version-record.ts";
import { BotSchema } from "#protocol/resource-bot.ts";
import type { Bot, Version } from "#protocol/resource-bot.ts";
import type { BotRecord, VersionRecord } from "#store/store.ts";

import type { ApiDeps, App } from "./deps.ts";
import { missing, refuse } from "./errors.ts";
import { identityOf } from "./identity.ts";
import { currentStandings } from "./leaderboard.ts";
import { toMatch } from "./match.ts";
import { answers, findBot, ladder, ladderOf } from "./query.ts";

type BotDeps = Pick<ApiDeps, "store" | "arena" | "limits">;

export function botRoutes(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ name: Type.String() }),
    querystring: Type.Object({ ladder }),
    response: answers(BotSchema),
  };
  const config = { endpoint: "bot", public: true };
  app.get("/api/bots/:name", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = ladderOf(query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const bot = await findBot(deps, params.name);
    return bot === null ? refuse(reply, "no_such_bot") : botPage(deps, bot, ladderId);
  });
}

/** All that is public about a bot, with its figures on one ladder. */
async function botPage(deps: BotDeps, bot: BotRecord, ladderId: string): Promise<Bot> {
  const { store, arena, limits } = deps;
  const [versions, standings, playedLadders, recent] = await Promise.all([
    store.versionsOf(bot.id),
    currentStandings(deps, ladderId),
    store.playedLadders(bot.id),
    store.matches({ ladderId, botId: bot.id, limit: limits.recent_matches, withStats: false }),
  ]);
  const standing = standings.find((row) => row.bot.id === bot.id);
  const online = arena.online().find((one) => one.botId === bot.id);
  const rankOf = ({ id }: VersionRecord) => (standing?.version.id === id ? standing.rank : null);
  const board = arena.board(ladderId);
  return {
    ...identityOf(bot, online !== undefined),
    created: bot.created,
    avatar: bot.avatar,
    ladder_id: ladderId,
    played_ladders: playedLadders,
    current_version: currentVersion(versions, board)?.label ?? null,
    online_version: online === undefined || online.state === "idle" ? null : online.version,
    qualifying_games: limits.qualifying_games,
    versions: versions.map((version) => ({
      ...toVersion(version, board),
      rank: rankOf(version),
      health: null,
    })),
    recent_matches: (recent ?? []).map(toMatch),
    season: null,
    season_history: [],
  };
}

/** A version with its figures from a ladder's board. */
export function toVersion(
  { id, label, notes, created, retired }: VersionRecord,
  board: ReturnType<ApiDeps["arena"]["board"]>,
): Version {
  return { label, notes, created, retired, ...versionFigures(board.get(id)) };
}
