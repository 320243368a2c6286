// Rating and record of one version on one ladder, as everyone is shown them.

import { CENTRE, leaderboardScore, POINTS_PER_UNIT } from "#core/rating/score.ts";
import type { Results } from "#core/words/results.ts";

/** Rated games of one version on one ladder; rating and deviation in points, unrounded. */
export type RatedGames = Results & { rating: number; deviation: number };

export type RatingFigures = {
  rating: number;
  rating_deviation: number;
  leaderboard_score: number;
};

export type VersionFigures = RatingFigures & {
  wins: number;
  losses: number;
  draws: number;
  win_rate: number | null;
};

/**
 * Before its first rated game, a version is known only by one virtual draw. Its information is a
 * quarter per squared natural unit: a deviation of two units.
 */
const UNRATED: RatedGames = {
  rating: CENTRE,
  deviation: 2 * POINTS_PER_UNIT,
  wins: 0,
  losses: 0,
  draws: 0,
};

/** Whole points. A version without rated games has the figures of an unknown one. */
export function ratingFigures(rated: RatedGames | undefined): RatingFigures {
  const { rating, deviation } = rated ?? UNRATED;
  return {
    rating: Math.round(rating),
    rating_deviation: Math.round(deviation),
    leaderboard_score: leaderboardScore(rating, deviation),
  };
}

/** Rating figures with the record of wins, losses and draws. */
export function versionFigures(rated: RatedGames | undefined): VersionFigures {
  const { wins, losses, draws } = rated ?? UNRATED;
  return {
    ...ratingFigures(rated),
    wins,
    losses,
    draws,
    win_rate: winRate({ wins, losses, draws }),
  };
}

export function gamesOf({ wins, losses, draws }: Results): number {
  return wins + losses + draws;
}

/** In percent with two decimals, a draw being half a win; null without games. */
export function winRate(record: Results): number | null {
  const games = gamesOf(record);
  if (games === 0) return null;
  return Math.round(((record.wins + record.draws / 2) / games) * 10_000) / 100;
}
