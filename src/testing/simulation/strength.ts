// What ratings estimate: each version's true strength and its odds in a game. Strengths are in
// points on the ladder's scale.

import { MAP_NAMES } from "#core/engine/maps.ts";
import { expectedScore } from "#core/rating/score.ts";

import type { SeededDice } from "./dice.ts";

export type Strength = {
  points: number;
  /** How well each map suits the version, from -1 to 1. Sums to 0. */
  mapAffinity: readonly number[];
};

/**
 * How far the share of points between equally strong bots deviates from one half on the best and
 * worst maps.
 */
const MAP_AFFINITY_SHARE = 0.1;
/**
 * Share of draws between equal bots. It decreases as the weaker version's share of points
 * decreases.
 */
const DRAW_SHARE = 0.08;

export function drawStrength(dice: SeededDice, points: number): Strength {
  const rawAffinities = MAP_NAMES.map(() => dice.between(-0.5, 0.5));
  const mean =
    rawAffinities.reduce((sum, mapAffinity) => sum + mapAffinity, 0) / rawAffinities.length;
  return { points, mapAffinity: rawAffinities.map((mapAffinity) => mapAffinity - mean) };
}

/**
 * Returns the first version's expected share of points. Averaged over all maps, it follows
 * Bradley-Terry.
 */
export function expectedTrueShare(first: Strength, second: Strength, map: string): number {
  const share = expectedScore(first.points, second.points);
  const mapIndex = (MAP_NAMES as readonly string[]).indexOf(map);
  if (mapIndex === -1) return share;
  const mapAffinity = first.mapAffinity[mapIndex]! - second.mapAffinity[mapIndex]!;
  return share + 4 * share * (1 - share) * MAP_AFFINITY_SHARE * mapAffinity;
}

/** Returns the winner's seat; null for a draw. */
export function drawWinner(share: number, chance: number): number | null {
  const drawShare = DRAW_SHARE * 4 * share * (1 - share);
  const winShare = share - drawShare / 2;
  if (chance < winShare) return 0;
  return chance < winShare + drawShare ? null : 1;
}
