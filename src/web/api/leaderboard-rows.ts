// Rows of standings, from a changing board, an archived season or a ladder that is over.

import { ownerPath } from "#core/accounts/name.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { qualifiedVersions, standings } from "#core/ladder/standings.ts";
import type { RatedEntry, Standing } from "#core/ladder/standings.ts";
import { versionFigures } from "#core/ladder/version-record.ts";
import type { LeaderboardRow } from "#core/resources/ladder.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ReadStanding } from "#data/store/season.ts";
import type { VersionEntry } from "#data/store/version.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { identityOf } from "./identity.ts";

export type StandingPlace = Standing<BotRecord, VersionEntry> & {
  rated: RatedEntry;
  /** Rank minus that at the beginning of the UTC day; null if it had none then. */
  moved: number | null;
};

/**
 * The standings, best first: of a ladder's board, of a season that is closing, or the final ones of
 * a ladder that is over.
 */
export type Standings = (ladderId: LadderId, season?: string) => Promise<readonly StandingPlace[]>;

/** Sizes in memory, in bytes: of a place with its facts and figures, and of a noted one. */
const PLACE_BYTES = 1024;
const NOTED_BYTES = 128;

type Keeping = Pick<ApiDeps, "store" | "arena" | "ladders" | "limits" | "cache">;

/** Kept, since several answers are made from them. */
export function keepStandings(deps: Keeping): Standings {
  const { store, arena, ladders, limits, cache } = deps;
  const kept = cache.shelf<StandingPlace[]>("standings", {
    sizeOf: (rows) => rows.length * PLACE_BYTES,
  });
  const rankAtMidnight = keepNoted(deps);
  return (ladderId, season) =>
    kept.get(`${ladderId} ${season ?? ""}`, async () => {
      const { finishedAt = null } = ladders.byId(ladderId) ?? {};
      if (finishedAt !== null) return writtenPlaces(deps, ladderId);
      const board = arena.board(ladderId, season);
      const before = await rankAtMidnight(ladderId, season);
      const { qualifying_games: enough } = limits();
      const versions = await store.versions.byIds(qualifiedVersions(board, enough));
      const bots = await store.bots.byIds([...new Set(versions.map(({ botId }) => botId))]);
      const listed = bots.filter((bot) => ladders.lists(bot, ladderId));
      return standings(listed, versions, board, enough).map((place) => {
        const rank = before.get(place.bot.id);
        return { ...place, moved: rank === undefined ? null : place.rank - rank };
      });
    });
}

/** Of a ladder that is over: places as they were written, of the bots as they are now. */
async function writtenPlaces(
  { store, arena }: Keeping,
  ladderId: LadderId,
): Promise<StandingPlace[]> {
  const written = await store.ladders.standings(ladderId);
  const bots = await store.bots.byIds(written.map(({ botId }) => botId));
  const versions = await store.versions.byIds(written.map(({ versionId }) => versionId));
  const botOf = new Map(bots.map((bot) => [bot.id, bot]));
  const versionOf = new Map(versions.map((version) => [version.id, version]));
  const board = arena.board(ladderId);
  return written.flatMap(({ rank, botId, versionId, ...figures }): StandingPlace[] => {
    const [bot, version] = [botOf.get(botId), versionOf.get(versionId)];
    if (bot === undefined || version === undefined) return [];
    const { rating, deviation, wins, losses, draws } = figures;
    const { lastPlayed = null, lastMatchId = null } = board.get(versionId) ?? {};
    const rated = { rating, deviation, wins, losses, draws, lastPlayed, lastMatchId };
    return [{ rank, bot, version, rated, moved: null }];
  });
}

type Ranks = ReadonlyMap<BotId, number>;

/** Ranks at the last midnight UTC, of nobody if another season was live then. */
function keepNoted({ store, arena, cache }: Keeping) {
  type Noted = { season: string | null; ranks: Ranks };
  const kept = cache.shelf<Noted>("noted places", {
    sizeOf: ({ ranks }) => ranks.size * NOTED_BYTES,
  });
  return async (ladderId: LadderId, season?: string): Promise<Ranks> => {
    const noted = await kept.get(ladderId, async () => {
      const { season: of = null, botIds = [] } = (await store.standings.latest(ladderId)) ?? {};
      return { season: of, ranks: new Map(botIds.map((id, index) => [id, index + 1])) };
    });
    const shown = hasSeasons(ladderId) ? (season ?? arena.seasons().live) : null;
    return noted.season === shown ? noted.ranks : NO_RANKS;
  };
}

const NO_RANKS: Ranks = new Map();

type Row = { botId: BotId; row: LeaderboardRow };

/** Best first. */
export function boardRows(places: readonly StandingPlace[], online: ReadonlySet<string>): Row[] {
  return places.map(({ rank, bot, version, rated, moved }) => {
    const { win_rate: _, ...figures } = versionFigures(rated);
    const identity = identityOf(bot, online.has(bot.id));
    return { botId: bot.id, row: { rank, ...identity, version: version.label, ...figures, moved } };
  });
}

/** As it was when the season was archived, but for names; nothing tells who is online now. */
export function finalRow(place: ReadStanding): Row {
  const { rank, botId, name, owner, house, label } = place;
  const { win_rate: _, ...figures } = versionFigures(place);
  const identity = {
    name,
    display_name: displayName(name),
    owner,
    owner_url: ownerPath(place),
    house,
  };
  const row = { rank, ...identity, online: false, version: label, ...figures, moved: null };
  return { botId, row };
}
