/**
 * Rating of a player with strength 0, in points. Equals the mean rating of the anchors on every
 * ladder.
 */
export const CENTRE = 1500;

/**
 * Rating points per natural unit of strength. With this factor, 400 points multiply the odds by
 * ten.
 */
export const POINTS_PER_UNIT = 400 / Math.LN10;

/** Deviation in points. A smaller deviation doesn't raise the score any further. */
const SCORE_DEVIATION_FLOOR = 25;

/** How many deviations are subtracted from a rating to get its score. */
const SCORE_CAUTION = 2;

/** Returns the expected share of points for the first of two ratings, 0 to 1. */
export function expectedScore(rating: number, opponentRating: number): number {
  return 1 / (1 + Math.exp((opponentRating - rating) / POINTS_PER_UNIT));
}

export function exactScore(rating: number, deviation: number): number {
  return rating - SCORE_CAUTION * Math.max(deviation, SCORE_DEVIATION_FLOOR);
}

/** Returns the score in whole points. Halves are rounded up. */
export function leaderboardScore(rating: number, deviation: number): number {
  return leaderboardPoints(exactScore(rating, deviation));
}

export const leaderboardPoints = (score: number): number => Math.floor(score + 0.5);
