// The ways to go in a tick and the choice among them, by potential, danger and a little noise.

import { COOLDOWN_COUNT, DASH_COOLDOWN, DIRECTION_COUNT, NONE } from "#core/engine/codes.ts";
import type { Fight } from "#core/engine/fight.ts";
import type { Grid } from "#core/engine/grid.ts";

import type { Way } from "./choice.ts";
import type { Dice } from "./dice.ts";

/** How much a bot wants to stand on a tile, in tiles of walking. */
export type Potential = (tile: number) => number;

const MOST_NOISE = 0.2;
const SHORTEST_DASH = 2;

/** Standing still and the eight steps; only the former if stunned. No step goes into the foe. */
export function steps(fight: Fight, seat: number, foe: number): Way[] {
  const from = fight.tile[seat]!;
  const ways: Way[] = [{ move: NONE, dash: NONE, tile: from }];
  for (let move = 0; move < DIRECTION_COUNT && fight.stun[seat] === 0; move += 1) {
    const tile = fight.grid.step[from * DIRECTION_COUNT + move]!;
    if (tile !== NONE && tile !== fight.tile[foe]) ways.push({ move, dash: NONE, tile });
  }
  return ways;
}

/** Dashes that go further than a step and do not ram the foe; none while dash is on cooldown. */
export function dashes(fight: Fight, seat: number, foe: number): Way[] {
  if (fight.stun[seat]! > 0 || fight.cooldowns[seat * COOLDOWN_COUNT + DASH_COOLDOWN]! > 0)
    return [];
  const ways: Way[] = [];
  for (let dash = 0; dash < DIRECTION_COUNT; dash += 1) {
    const path = pathOf(fight.grid, fight.tile[seat]!, dash);
    if (path.length < SHORTEST_DASH || path.includes(fight.tile[foe]!)) continue;
    ways.push({ move: NONE, dash, tile: path[path.length - 1]! });
  }
  return ways;
}

function pathOf(grid: Grid, from: number, direction: number): number[] {
  const path: number[] = [];
  for (let at = from; path.length < grid.dash[from * DIRECTION_COUNT + direction]!;) {
    at = grid.step[at * DIRECTION_COUNT + direction]!;
    path.push(at);
  }
  return path;
}

/** The way with the best potential, minus `dangerWeight` tiles per hp of danger. */
export function bestWay(
  ways: readonly Way[],
  potential: Potential,
  danger: Float64Array,
  dangerWeight: number,
  dice: Dice,
): Way {
  let best = ways[0]!;
  let highest = -Infinity;
  for (const way of ways) {
    const noise = dice.roll() * MOST_NOISE;
    const score = potential(way.tile) - dangerWeight * danger[way.tile]! + noise;
    if (score <= highest) continue;
    best = way;
    highest = score;
  }
  return best;
}
