import { ownerProfilePath } from "#core/accounts/name-rules.ts";
import type { LeaderboardRow } from "#core/api/ladder.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { qualifiedVersions, rankBots } from "#core/ladder/standings.ts";
import type { RatedVersionEntry, RankedBot } from "#core/ladder/standings.ts";
import { toVersionStats } from "#core/ladder/version-record.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { NamedStanding } from "#data/store/season.ts";
import type { VersionEntry } from "#data/store/version.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { botIdentity } from "./bot-identity.ts";

export type StandingsEntry = RankedBot<BotRecord, VersionEntry> & {
  rated: RatedVersionEntry;
  /** Current rank minus the rank at midnight UTC. Null if the bot had no rank then. */
  moved: number | null;
};

/** Returns live, closing or (for a finished ladder) final standings, best rank first. */
export type Standings = (ladderId: LadderId, season?: string) => Promise<readonly StandingsEntry[]>;

const PLACE_BYTES = 1024;
const RANK_BYTES = 128;

type StandingsDeps = Pick<ApiDeps, "store" | "arena" | "ladders" | "limits" | "cache">;

/** Returns a cached reader of standings. Several responses are built from the same standings. */
export function openStandings(deps: StandingsDeps): Standings {
  const { store, arena, ladders, limits, cache } = deps;
  const cachedStandings = cache.namespace<StandingsEntry[]>("standings", {
    sizeOf: (rows) => rows.length * PLACE_BYTES,
  });
  const rankAtMidnight = openMidnightRanks(deps);
  return (ladderId, season) =>
    cachedStandings.get(`${ladderId} ${season ?? ""}`, async () => {
      const { finishedAt = null } = ladders.byId(ladderId) ?? {};
      if (finishedAt !== null) return finalPlaces(deps, ladderId);
      const board = arena.board(ladderId, season);
      const ranksAtMidnight = await rankAtMidnight(ladderId, season);
      const { qualifying_games: qualifyingGames } = limits();
      const versions = await store.versions.byIds(qualifiedVersions(board, qualifyingGames));
      const bots = await store.bots.byIds([...new Set(versions.map(({ botId }) => botId))]);
      const listedBots = bots.filter((bot) => ladders.isListed(bot, ladderId));
      return rankBots(listedBots, versions, board, qualifyingGames).map((place) => {
        const rank = ranksAtMidnight.get(place.bot.id);
        return { ...place, moved: rank === undefined ? null : place.rank - rank };
      });
    });
}

/** Returns the stored final places of a finished ladder, with current bot names. */
async function finalPlaces(
  { store, arena }: StandingsDeps,
  ladderId: LadderId,
): Promise<StandingsEntry[]> {
  const finalStandings = await store.ladders.standings(ladderId);
  const bots = await store.bots.byIds(finalStandings.map(({ botId }) => botId));
  const versions = await store.versions.byIds(finalStandings.map(({ versionId }) => versionId));
  const botById = new Map(bots.map((bot) => [bot.id, bot]));
  const versionById = new Map(versions.map((version) => [version.id, version]));
  const board = arena.board(ladderId);
  return finalStandings.flatMap(({ rank, botId, versionId, ...stats }): StandingsEntry[] => {
    const [bot, version] = [botById.get(botId), versionById.get(versionId)];
    if (bot === undefined || version === undefined) return [];
    const { rating, deviation, wins, losses, draws } = stats;
    const { lastPlayed = null, lastMatchId = null } = board.get(versionId) ?? {};
    const rated = { rating, deviation, wins, losses, draws, lastPlayed, lastMatchId };
    return [{ rank, bot, version, rated, moved: null }];
  });
}

type Ranks = ReadonlyMap<BotId, number>;

/** Caches the ranks at the last midnight UTC. Empty if a different season was live at that time. */
function openMidnightRanks({ store, arena, cache }: StandingsDeps) {
  type MidnightRanks = { season: string | null; ranks: Ranks };
  const cachedRanks = cache.namespace<MidnightRanks>("noted places", {
    sizeOf: ({ ranks }) => ranks.size * RANK_BYTES,
  });
  return async (ladderId: LadderId, season?: string): Promise<Ranks> => {
    const midnightRanks = await cachedRanks.get(ladderId, async () => {
      const { season: rankedSeason = null, botIds = [] } =
        (await store.standings.latest(ladderId)) ?? {};
      return { season: rankedSeason, ranks: new Map(botIds.map((id, index) => [id, index + 1])) };
    });
    const currentSeason = hasSeasons(ladderId) ? (season ?? arena.seasons().live) : null;
    return midnightRanks.season === currentSeason ? midnightRanks.ranks : NO_RANKS;
  };
}

const NO_RANKS: Ranks = new Map();

type Row = { botId: BotId; row: LeaderboardRow };

export function boardRows(places: readonly StandingsEntry[], online: ReadonlySet<string>): Row[] {
  return places.map(({ rank, bot, version, rated, moved }) => {
    const { win_rate: _, ...stats } = toVersionStats(rated);
    const identity = botIdentity(bot, online.has(bot.id));
    return { botId: bot.id, row: { rank, ...identity, version: version.label, ...stats, moved } };
  });
}

/** Returns a row from an archived season, with the current name and without online status. */
export function finalRow(place: NamedStanding): Row {
  const { rank, botId, name, owner, house, label } = place;
  const { win_rate: _, ...stats } = toVersionStats(place);
  const identity = {
    name,
    display_name: displayName(name),
    owner,
    owner_url: ownerProfilePath(place),
    house,
  };
  const row = { rank, ...identity, online: false, version: label, ...stats, moved: null };
  return { botId, row };
}
