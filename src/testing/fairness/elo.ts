// Elo ratings, game by game: A. Elo, "The Rating of Chessplayers, Past and Present" (1978), 8.21,
// with the logistic curve and one K for all.

import { CENTRE, expectedScore } from "#core/rating/score.ts";

/** Points that a game can move at most. */
const K = 16;

/** By version. */
export type Elo = Map<string, number>;

export const eloOf = (elo: Elo, version: string): number => elo.get(version) ?? CENTRE;

/** `score` is what the first version scored, 0 to 1. */
export function playElo(elo: Elo, first: string, second: string, score: number): void {
  const [one, other] = [eloOf(elo, first), eloOf(elo, second)];
  const gain = K * (score - expectedScore(one, other));
  elo.set(first, one + gain);
  elo.set(second, other - gain);
}
