/** Rating points of a player of strength zero: the mean of the house bots on every ladder. */
export const CENTRE = 1500;

/** Rating points per natural unit of strength, so that 400 points multiply the odds by ten. */
export const POINTS_PER_UNIT = 400 / Math.LN10;

/** The deviation, in points, below which further games don't improve a score. */
const SCORE_DEVIATION_FLOOR = 25;

/** Deviations subtracted from a rating to get a leaderboard score. */
const SCORE_CAUTION = 2;

/** Returns the share of points, 0 to 1, that the first of two ratings is expected to take. */
export function expectedScore(rating: number, opponentRating: number): number {
  return 1 / (1 + Math.exp((opponentRating - rating) / POINTS_PER_UNIT));
}

/** Returns the score that orders leaderboards, before rounding. */
export function exactScore(rating: number, deviation: number): number {
  return rating - SCORE_CAUTION * Math.max(deviation, SCORE_DEVIATION_FLOOR);
}

/** Whole points from unrounded values; a half is rounded up. */
export function leaderboardScore(rating: number, deviation: number): number {
  return leaderboardPoints(exactScore(rating, deviation));
}

/** The same from an unrounded score. */
export const leaderboardPoints = (score: number): number => Math.floor(score + 0.5);
