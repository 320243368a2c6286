// The leaderboard: one row per bot, best score first.

import { exactScore } from "#core/rating/score.ts";
import { standingRefusal } from "#core/words/bot-status.ts";
import type { BotStanding } from "#core/words/bot-status.ts";
import type { BotId, VersionId } from "#core/words/ids.ts";

import { lastPlayedVersion } from "./current-version.ts";
import type { ByVersion, LastPlayed, VersionFacts } from "./current-version.ts";
import { gamesOf } from "./version-record.ts";
import type { RatedGames } from "./version-record.ts";

export type StandingBot = BotStanding & { id: string; name: string };
export type OwnedVersion = VersionFacts & { botId: BotId };
export type RatedEntry = RatedGames & LastPlayed;

export type Standing<B, V> = { rank: number; bot: B; version: V; rated: RatedEntry };

/** Ids of the versions with enough rated games; no others can be on the leaderboard. */
export function qualifiedVersions(board: ByVersion<RatedEntry>, qualifyingGames: number): string[] {
  return [...board].filter(([, rated]) => gamesOf(rated) >= qualifyingGames).map(([id]) => id);
}

/**
 * Each active bot with the ranked version (enough rated games, not retired) that last played. Ranks
 * run from 1 without repeats: equal scores are ordered by rating, then by name.
 */
export function standings<B extends StandingBot, V extends OwnedVersion>(
  bots: readonly B[],
  versions: readonly V[],
  board: ByVersion<RatedEntry>,
  qualifyingGames: number,
): Standing<B, V>[] {
  const isRanked = (version: V) => {
    const rated = board.get(version.id);
    return !version.retired && rated !== undefined && gamesOf(rated) >= qualifyingGames;
  };
  const ranked = Map.groupBy(versions.filter(isRanked), (version) => version.botId);
  return bots
    .filter((bot) => standingRefusal(bot) === null)
    .flatMap((bot) => rowOf(bot, ranked.get(bot.id) ?? [], board))
    .sort(byScore)
    .map((row, index) => ({ ...row, rank: index + 1 }));
}

export type FinalPlace = Omit<RatedEntry, "lastPlayed" | "lastMatchId"> & {
  rank: number;
  botId: BotId;
  versionId: VersionId;
  name: string;
  owner: string;
  house: boolean;
  label: string;
};

/** The standings as they are stored for good at the end of a season. */
export function finalPlaces(
  bots: readonly (StandingBot & { owner: string; house: boolean })[],
  versions: readonly OwnedVersion[],
  board: ByVersion<RatedEntry>,
  qualifyingGames: number,
): FinalPlace[] {
  return standings(bots, versions, board, qualifyingGames).map(({ rank, bot, version, rated }) => {
    const { rating, deviation, wins, losses, draws } = rated;
    const { id: botId, name, owner, house } = bot;
    const { id: versionId, label } = version;
    const figures = { rating, deviation, wins, losses, draws };
    return { rank, botId, versionId, name, owner, house, label, ...figures };
  });
}

type Row<B, V> = Omit<Standing<B, V>, "rank">;

function rowOf<B, V extends VersionFacts>(
  bot: B,
  ranked: readonly V[],
  board: ByVersion<RatedEntry>,
): Row<B, V>[] {
  const version = lastPlayedVersion(ranked, board);
  const rated = version && board.get(version.id);
  return version && rated ? [{ bot, version, rated }] : [];
}

function byScore<V>(a: Row<StandingBot, V>, b: Row<StandingBot, V>): number {
  return (
    scoreOf(b.rated) - scoreOf(a.rated) ||
    b.rated.rating - a.rated.rating ||
    (a.bot.name.toLowerCase() < b.bot.name.toLowerCase() ? -1 : 1)
  );
}

const scoreOf = ({ rating, deviation }: RatedGames): number => exactScore(rating, deviation);
