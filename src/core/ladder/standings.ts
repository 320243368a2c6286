import { botRefusalCode } from "#core/ids/bot-status.ts";
import type { BotEligibility } from "#core/ids/bot-status.ts";
import type { BotId, VersionId } from "#core/ids/ids.ts";
import { exactScore } from "#core/rating/score.ts";

import { lastPlayedVersion } from "./current-version.ts";
import type { ByVersion, LastPlayedMatch, VersionSummary } from "./current-version.ts";
import { totalGames } from "./version-record.ts";
import type { RatedRecord } from "./version-record.ts";

export type RankableBot = BotEligibility & { id: string; name: string };
export type OwnedVersion = VersionSummary & { botId: BotId };
export type RatedVersionEntry = RatedRecord & LastPlayedMatch;

export type RankedBot<B, V> = { rank: number; bot: B; version: V; rated: RatedVersionEntry };

/** Returns the ids of versions with enough rated games for a rank. */
export function qualifiedVersions(
  ratedVersions: ByVersion<RatedVersionEntry>,
  qualifyingGames: number,
): string[] {
  return [...ratedVersions]
    .filter(([, rated]) => totalGames(rated) >= qualifyingGames)
    .map(([id]) => id);
}

/**
 * Ranks each active bot by the version that played last, among its versions that aren't retired and
 * have enough rated games. Ranks run from 1 without repeats: equal scores are ordered by rating,
 * then by name.
 */
export function rankBots<B extends RankableBot, V extends OwnedVersion>(
  bots: readonly B[],
  versions: readonly V[],
  ratedVersions: ByVersion<RatedVersionEntry>,
  qualifyingGames: number,
): RankedBot<B, V>[] {
  const isRanked = (version: V) => {
    const rated = ratedVersions.get(version.id);
    return !version.retired && rated !== undefined && totalGames(rated) >= qualifyingGames;
  };
  const ranked = Map.groupBy(versions.filter(isRanked), (version) => version.botId);
  return bots
    .filter((bot) => botRefusalCode(bot) === null)
    .flatMap((bot) => toRows(bot, ranked.get(bot.id) ?? [], ratedVersions))
    .sort(byScore)
    .map((row, index) => ({ ...row, rank: index + 1 }));
}

export type FinalRank = Omit<RatedVersionEntry, "lastPlayed" | "lastMatchId"> & {
  rank: number;
  botId: BotId;
  versionId: VersionId;
  name: string;
  owner: string;
  house: boolean;
  label: string;
};

export function finalRanks(
  bots: readonly (RankableBot & { owner: string; house: boolean })[],
  versions: readonly OwnedVersion[],
  ratedVersions: ByVersion<RatedVersionEntry>,
  qualifyingGames: number,
): FinalRank[] {
  return rankBots(bots, versions, ratedVersions, qualifyingGames).map(
    ({ rank, bot, version, rated }) => {
      const { rating, deviation, wins, losses, draws } = rated;
      const { id: botId, name, owner, house } = bot;
      const { id: versionId, label } = version;
      const ratingStats = { rating, deviation, wins, losses, draws };
      return { rank, botId, versionId, name, owner, house, label, ...ratingStats };
    },
  );
}

type UnrankedRow<B, V> = Omit<RankedBot<B, V>, "rank">;

function toRows<B, V extends VersionSummary>(
  bot: B,
  ranked: readonly V[],
  ratedVersions: ByVersion<RatedVersionEntry>,
): UnrankedRow<B, V>[] {
  const version = lastPlayedVersion(ranked, ratedVersions);
  const rated = version && ratedVersions.get(version.id);
  return version && rated ? [{ bot, version, rated }] : [];
}

function byScore<V>(a: UnrankedRow<RankableBot, V>, b: UnrankedRow<RankableBot, V>): number {
  return (
    scoreOf(b.rated) - scoreOf(a.rated) ||
    b.rated.rating - a.rated.rating ||
    (a.bot.name.toLowerCase() < b.bot.name.toLowerCase() ? -1 : 1)
  );
}

const scoreOf = ({ rating, deviation }: RatedRecord): number => exactScore(rating, deviation);
