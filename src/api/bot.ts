import { Type } from "typebox";

import type { ApiDeps, App } from "#http/deps.ts";
import { missing, refuse } from "#http/errors.ts";
import { answers, BotParams, findBot, ladder, ladderOf } from "#http/query.ts";
import { currentVersion } from "#ladder/current-version.ts";
import { PUBLIC_LADDER } from "#ladder/ladder.ts";
import { versionHealth } from "#ladder/version-health.ts";
import { ratingFigures, versionFigures } from "#ladder/version-record.ts";
import { BotSchema } from "#protocol/resource-bot.ts";
import type { Bot, Version } from "#protocol/resource-bot.ts";
import type { BotRecord, VersionRecord } from "#store/store.ts";

import { identityOf } from "./identity.ts";
import { currentStandings } from "./leaderboard-rows.ts";
import { toMatch } from "./match.ts";

type BotDeps = Pick<ApiDeps, "store" | "arena" | "limits">;

export function botRoutes(app: App, deps: ApiDeps): void {
  const schema = {
    params: BotParams,
    querystring: Type.Object({ ladder }),
    response: answers(BotSchema),
  };
  const about = "A bot with its versions and latest matches";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot", about, refuses, public: true };
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
  const versions = await store.versionsOf(bot.id);
  const [healthOf, standings, playedLadders, recent, played, places] = await Promise.all([
    healthByVersion(deps, versions),
    currentStandings(deps, ladderId),
    store.playedLadders(bot.id),
    store.matches({ ladderId, botId: bot.id, limit: limits.recent_matches, withStats: false }),
    store.lastPlayed(bot.id, ladderId),
    store.finalPlacesOf(bot.id),
  ]);
  const standing = standings.find((row) => row.bot.id === bot.id);
  const online = arena.online().find((one) => one.botId === bot.id);
  const rankOf = ({ id }: VersionRecord) => (standing?.version.id === id ? standing.rank : null);
  const board = arena.board(ladderId);
  const lastGames = new Map(played.map((last) => [last.versionId, last]));
  const hasSeasons = ladderId === PUBLIC_LADDER;
  return {
    ...identityOf(bot, online !== undefined),
    created: bot.created,
    avatar: bot.avatar,
    ladder_id: ladderId,
    played_ladders: playedLadders,
    current_version: currentVersion(versions, lastGames)?.label ?? null,
    online_version: online === undefined || online.state === "idle" ? null : online.version,
    qualifying_games: limits.qualifying_games,
    versions: versions.map((version) => ({
      ...toVersion(version, board),
      rank: rankOf(version),
      health: healthOf.get(version.id) ?? null,
    })),
    recent_matches: (recent ?? []).map(toMatch),
    season: hasSeasons ? arena.seasons().live : null,
    season_history: hasSeasons ? places.map(toSeasonPlace) : [],
  };
}

/** Over all ladders and seasons: how a bot answers does not depend on where it plays. */
async function healthByVersion({ store, limits }: BotDeps, versions: readonly VersionRecord[]) {
  const ids = versions.map(({ id }) => id);
  const turns = await store.turnFigures(ids, limits.health_window_matches);
  return new Map(turns.map((figures) => [figures.versionId, versionHealth(figures)]));
}

type SeasonPlace = Awaited<ReturnType<ApiDeps["store"]["finalPlacesOf"]>>[number];

function toSeasonPlace(place: SeasonPlace): Bot["season_history"][number] {
  const { season, rank, label, wins, losses, draws } = place;
  const { leaderboard_score } = ratingFigures(place);
  return { season, rank, version: label, leaderboard_score, wins, losses, draws };
}

/** A version with its figures from a ladder's board. */
export function toVersion(
  { id, label, notes, created, retired }: VersionRecord,
  board: ReturnType<ApiDeps["arena"]["board"]>,
): Version {
  return { label, notes, created, retired, ...versionFigures(board.get(id)) };
}
