import { Type } from "typebox";

import { openKeeper } from "#base/cache/keeper.ts";
import { currentVersion } from "#core/ladder/current-version.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { versionHealth } from "#core/ladder/version-health.ts";
import { ratingFigures, versionFigures } from "#core/ladder/version-record.ts";
import { BotSchema } from "#core/resources/bot.ts";
import type { Bot, Version } from "#core/resources/bot.ts";
import type { BotRecord, VersionRecord } from "#data/store/store.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers, BotParams, botNamed, ladder, ladderOf } from "#web/http/query.ts";

import { identityOf } from "./identity.ts";
import { currentStandings } from "./leaderboard-rows.ts";
import { toMatch } from "./match.ts";

type BotDeps = Pick<ApiDeps, "store" | "arena" | "limits">;

/** Room for the pages of some hundred bots, and so many bots of which the stored facts are kept. */
const PAGE_BYTES = 16 * 1024 * 1024;
const MOST_BOTS = 1000;

/** What a bot was told shows on its page at once, so no page is kept beyond its next match. */
export function botRoutes(app: App, deps: ApiDeps): void {
  const { store, arena, changes } = deps;
  const kept = keepAnswers(deps.now, { makings: null, bytes: PAGE_BYTES });
  const storedFacts = openKeeper<StoredFacts>({ most: MOST_BOTS, sizeOf: () => 1 });
  const places = openKeeper<Places>({ most: 1, sizeOf: () => 1 });
  const schema = {
    params: BotParams,
    querystring: Type.Object({ ladder }),
    response: answers(Type.Unsafe<Bot | Buffer>(BotSchema)),
  };
  const about = "A bot with its versions and latest matches";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot", about, refuses, public: true };
  app.get("/api/bots/:name", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = ladderOf(query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const [bots, versions] = [await store.bots(), await store.versions()];
    const bot = botNamed(bots, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const key = `${ladderId} ${bot.id}`;
    const roster = [bots, versions];
    const stored = [...roster, changes.matchesOf(bot.id), changes.seasons(), changes.turns()];
    const presence = presenceOf(deps, bot);
    const standings = [...roster, arena.board(ladderId)];
    const parts = [
      ...stored,
      ...standings,
      presence.online,
      presence.version,
      arena.seasons().live,
    ];
    return kept(reply, key, parts, async () => {
      const [facts, ranked] = await Promise.all([
        storedFacts(key, stored, () => readFacts(deps, bot.id, ladderId)),
        places(ladderId, standings, () => currentStandings(deps, ladderId)),
      ]);
      const standing = ranked.find((row) => row.bot.id === bot.id);
      return botPage(deps, { bot, ladderId, presence, standing, facts });
    });
  });
}

type Places = Awaited<ReturnType<typeof currentStandings>>;

/** Whether the bot is connected, and the version that waits or plays. */
type Presence = { online: boolean; version: string | null };

function presenceOf({ arena }: BotDeps, bot: BotRecord): Presence {
  const sessions = arena.online().filter(({ botId }) => botId === bot.id);
  const active = sessions.find(({ state }) => state !== "idle");
  return { online: sessions.some(({ online }) => online), version: active?.version ?? null };
}

type StoredFacts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts(deps: BotDeps, botId: string, ladderId: string) {
  const { store, limits } = deps;
  const versions = await store.versionsOf(botId);
  const [healthOf, playedLadders, recent, played, finalPlaces] = await Promise.all([
    healthByVersion(deps, versions),
    store.playedLadders(botId),
    store.matches({ ladderId, botId, limit: limits.recent_matches, withStats: false }),
    store.lastPlayed(botId, ladderId),
    store.finalPlacesOf(botId),
  ]);
  return { versions, healthOf, playedLadders, recent: recent ?? [], played, finalPlaces };
}

type Shown = {
  bot: BotRecord;
  ladderId: string;
  presence: Presence;
  standing: Places[number] | undefined;
  facts: StoredFacts;
};

/** All that is public about a bot, with its figures on one ladder. */
function botPage(
  { arena, limits }: BotDeps,
  { bot, ladderId, presence, standing, facts }: Shown,
): Bot {
  const { versions, healthOf, playedLadders, recent, played, finalPlaces } = facts;
  const rankOf = ({ id }: VersionRecord) => (standing?.version.id === id ? standing.rank : null);
  const board = arena.board(ladderId);
  const lastGames = new Map(played.map((last) => [last.versionId, last]));
  const hasSeasons = ladderId === PUBLIC_LADDER;
  return {
    id: bot.id,
    ...identityOf(bot, presence.online),
    created: bot.created,
    avatar: bot.avatar,
    ladder_id: ladderId,
    played_ladders: playedLadders,
    current_version: currentVersion(versions, lastGames)?.label ?? null,
    online_version: presence.version,
    qualifying_games: limits.qualifying_games,
    versions: versions.map((version) => ({
      ...toVersion(version, board),
      rank: rankOf(version),
      health: healthOf.get(version.id) ?? null,
    })),
    recent_matches: recent.map(toMatch),
    season: hasSeasons ? arena.seasons().live : null,
    season_history: hasSeasons ? finalPlaces.map(toSeasonPlace) : [],
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
