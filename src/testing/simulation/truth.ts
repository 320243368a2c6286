// What ratings estimate: the true strength of each version, and what it means for a game. Strengths
// are points on the ladder's scale.

import { MAP_NAMES } from "#core/engine/maps.ts";
import { expectedScore } from "#core/rating/score.ts";

import type { SeededDice } from "./dice.ts";

export type Strength = {
  points: number;
  /** By map, -1 to 1: how well it suits the version. The sum over all maps is zero. */
  taste: readonly number[];
};

/** The share of points by which the best and worst suited map differ from even, for two equals. */
const TASTE_SHARE = 0.1;
/** The share of draws between two equals; it falls with the weaker one's share of points. */
const DRAW_SHARE = 0.08;

export function drawStrength(dice: SeededDice, points: number): Strength {
  const tastes = MAP_NAMES.map(() => dice.between(-0.5, 0.5));
  const mean = tastes.reduce((sum, taste) => sum + taste, 0) / tastes.length;
  return { points, taste: tastes.map((taste) => taste - mean) };
}

/** The first one's expected share of points; its mean over all maps is Bradley-Terry's. */
export function trueShare(first: Strength, second: Strength, map: string): number {
  const share = expectedScore(first.points, second.points);
  const place = (MAP_NAMES as readonly string[]).indexOf(map);
  if (place === -1) return share;
  const taste = first.taste[place]! - second.taste[place]!;
  return share + 4 * share * (1 - share) * TASTE_SHARE * taste;
}

/** Draws a result: the winner's seat, or null for a draw. */
export function drawWinner(share: number, chance: number): number | null {
  const draws = DRAW_SHARE * 4 * share * (1 - share);
  const wins = share - draws / 2;
  if (chance < wins) return 0;
  return chance < wins + draws ? null : 1;
}
