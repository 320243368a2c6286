import type { Results } from "#core/ids/results.ts";
import { CENTRE, leaderboardScore, POINTS_PER_UNIT } from "#core/rating/score.ts";

/** Record of one version on one ladder. `rating` and `deviation` are unrounded points. */
export type RatedRecord = Results & { rating: number; deviation: number };

export type RatingStats = {
  rating: number;
  rating_deviation: number;
  leaderboard_score: number;
};

export type VersionStats = RatingStats & {
  wins: number;
  losses: number;
  draws: number;
  win_rate: number | null;
};

/**
 * Before its first rated game, a version has only a virtual draw. Its information is 1/4 per
 * squared natural unit, which makes a deviation of two units.
 */
const UNRATED_VERSION: RatedRecord = {
  rating: CENTRE,
  deviation: 2 * POINTS_PER_UNIT,
  wins: 0,
  losses: 0,
  draws: 0,
};

/**
 * Returns the rating in whole points. A version without rated games has the values of an unknown
 * version.
 */
export function toRatingStats(ratedGames: RatedRecord | undefined): RatingStats {
  const { rating, deviation } = ratedGames ?? UNRATED_VERSION;
  return {
    rating: Math.round(rating),
    rating_deviation: Math.round(deviation),
    leaderboard_score: leaderboardScore(rating, deviation),
  };
}

export function toVersionStats(ratedGames: RatedRecord | undefined): VersionStats {
  const { wins, losses, draws } = ratedGames ?? UNRATED_VERSION;
  return {
    ...toRatingStats(ratedGames),
    wins,
    losses,
    draws,
    win_rate: winRate({ wins, losses, draws }),
  };
}

export function totalGames({ wins, losses, draws }: Results): number {
  return wins + losses + draws;
}

/**
 * Returns the win rate in percent, to two decimal places, or null if no games were played. A draw
 * counts as half a win.
 */
export function winRate(record: Results): number | null {
  const games = totalGames(record);
  if (games === 0) return null;
  return Math.round(((record.wins + record.draws / 2) / games) * 10_000) / 100;
}
