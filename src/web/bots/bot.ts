import { Type } from "typebox";

import type { Shelf } from "#base/cache/cache.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { ratingFigures } from "#core/ladder/version-record.ts";
import { BotSchema } from "#core/resources/bot.ts";
import type { Bot } from "#core/resources/bot.ts";
import type { BotId, LadderId, VersionId } from "#core/words/ids.ts";
import type { SeasonPlace } from "#data/store/season.ts";
import { identityOf } from "#web/api/identity.ts";
import type { Standings } from "#web/api/leaderboard-rows.ts";
import { toMatch } from "#web/api/match.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers, BotParams, findBot, ladder, ladderOf } from "#web/http/query.ts";

import { healthByVersion, listedVersion, versionsRoute } from "./bot-versions.ts";

type BotDeps = ApiDeps & { standings: Standings };

/** A bot finds what it was told on its page at once, so no page is kept beyond its next match. */
export function botRoutes(app: App, deps: BotDeps): void {
  const kept = keepAnswers(deps, "bot page", null);
  const storedFacts = deps.cache.shelf<StoredFacts>("bot facts");
  const schema = {
    params: BotParams,
    querystring: Type.Object({ ladder }),
    response: answers(Type.Unsafe<Bot | Buffer>(BotSchema)),
  };
  const about = "A bot with its latest versions and matches";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot", about, refuses, public: true };
  app.get("/api/bots/:name", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const subject = { botId: bot.id, ladderId, presence: presenceOf(deps, bot.id) };
    const page = await kept(reply, JSON.stringify(subject), () =>
      botPage(deps, storedFacts, subject),
    );
    return page ?? refuse(reply, "no_such_bot");
  });
  versionsRoute(app, deps);
}

/** Whether a bot is connected, and the version that is waiting or playing. */
type Presence = { online: boolean; version: string | null; versionId: VersionId | null };

export function presenceOf({ arena }: Pick<ApiDeps, "arena">, botId: BotId): Presence {
  const sessions = arena.online().filter((session) => session.botId === botId);
  const active = sessions.find(({ state }) => state !== "idle");
  return {
    online: sessions.some(({ online }) => online),
    version: active?.version ?? null,
    versionId: active?.versionId ?? null,
  };
}

type Subject = { botId: BotId; ladderId: LadderId; presence: Presence };

/** Everything public about a bot, with its figures on one ladder. */
async function botPage(
  deps: BotDeps,
  storedFacts: Shelf<StoredFacts>,
  { botId, ladderId, presence }: Subject,
): Promise<Bot | null> {
  const { arena, limits, store, standings } = deps;
  const [bot] = await store.bots.byIds([botId]);
  if (bot === undefined) return null;
  const place = (await standings(ladderId)).find((row) => row.bot.id === botId);
  const always = [place?.version.id, presence.versionId].filter((id) => typeof id === "string");
  const facts = await storedFacts.get(JSON.stringify([botId, ladderId, ...always]), () =>
    readFacts(deps, botId, ladderId, always),
  );
  const board = arena.board(ladderId);
  return {
    id: bot.id,
    ...identityOf(bot, presence.online),
    // What a ban of the account does to a bot ends with the ban.
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
  always: readonly string[],
) {
  const { store, limits } = deps;
  const shown = await shownVersions(deps, botId, ladderId, always);
  const [healthOf, playedLadders, recent, finalPlaces] = await Promise.all([
    healthByVersion(deps, shown.versions),
    store.matches.laddersOf(botId),
    store.matches.list({ ladderId, botId, limit: limits().recent_matches, withStats: false }),
    store.seasons.placesOf(botId),
  ]);
  return { ...shown, healthOf, playedLadders, recent: recent ?? [], finalPlaces };
}

/** The latest versions of a bot, including its current one and those in `always`. */
export async function shownVersions(
  { store, limits }: Pick<ApiDeps, "store" | "limits">,
  botId: BotId,
  ladderId: LadderId,
  always: readonly string[],
) {
  const current = await store.versions.current(botId, ladderId);
  const ids = current === null ? always : [...always, current.id];
  return { current, ...(await store.versions.latest(botId, limits().versions_shown, ids)) };
}

function toSeasonPlace(place: SeasonPlace): NonNullable<Bot["season_history"]>[number] {
  const { season, rank, label, wins, losses, draws } = place;
  const { leaderboard_score } = ratingFigures(place);
  return { season, rank, version: label, leaderboard_score, wins, losses, draws };
}
