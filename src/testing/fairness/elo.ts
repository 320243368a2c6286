// Elo ratings, game by game: A. Elo, "The Rating of Chessplayers, Past and Present" (1978), 8.21,
// with the logistic curve and one K for all.

import { CENTRE, expectedScore } from "#core/rating/score.ts";

/** Maximum change of a rating by one game, in points. */
const K = 16;

/** By version. */
export type Elo = Map<string, number>;

export const eloRatingOf = (elo: Elo, version: string): number => elo.get(version) ?? CENTRE;

/** `score` is what the first version scored, 0 to 1. */
export function updateElo(elo: Elo, first: string, second: string, score: number): void {
  const [firstRating, secondRating] = [eloRatingOf(elo, first), eloRatingOf(elo, second)];
  const gain = K * (score - expectedScore(firstRating, secondRating));
  elo.set(first, firstRating + gain);
  elo.set(second, secondRating - gain);
}
