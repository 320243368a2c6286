// Elo ratings, updated after each game. Uses the logistic curve and the same K for every player.
// Source: A. Elo, "The Rating of Chessplayers, Past and Present" (1978), 8.21.

import { CENTRE, expectedScore } from "#core/rating/score.ts";

const K = 16;

/** Rating by version. */
export type Elo = Map<string, number>;

export const eloRatingOf = (elo: Elo, version: string): number => elo.get(version) ?? CENTRE;

/** `score` is the first version's result, from 0 to 1. */
export function updateElo(elo: Elo, first: string, second: string, score: number): void {
  const [firstRating, secondRating] = [eloRatingOf(elo, first), eloRatingOf(elo, second)];
  const gain = K * (score - expectedScore(firstRating, secondRating));
  elo.set(first, firstRating + gain);
  elo.set(second, secondRating - gain);
}
