import type { Fight } from "#core/engine/fight.ts";
import type { Grid } from "#core/engine/grid.ts";
import {
  COOLDOWN_COUNT,
  DASH_COOLDOWN,
  DIRECTION_COUNT,
  NONE,
} from "#core/engine/integer-codes.ts";

import type { Dice } from "./bot-dice.ts";
import type { Movement } from "./policy.ts";

/** Returns how much a bot wants to stand on a tile, in tiles of walking. */
export type Potential = (tile: number) => number;

const MAX_NOISE = 0.2;
const MIN_DASH_TILES = 2;

/**
 * Returns standing still and every possible step, except onto the opponent's tile. A stunned
 * fighter can only stand still.
 */
export function stepMovements(fight: Fight, seat: number, opponent: number): Movement[] {
  const from = fight.tile[seat]!;
  const movements: Movement[] = [{ move: NONE, dash: NONE, tile: from }];
  for (let move = 0; move < DIRECTION_COUNT && fight.stun[seat] === 0; move += 1) {
    const tile = fight.grid.step[from * DIRECTION_COUNT + move]!;
    if (tile !== NONE && tile !== fight.tile[opponent]) movements.push({ move, dash: NONE, tile });
  }
  return movements;
}

/**
 * Returns the dashes that are longer than a step and don't ram the opponent. Returns an empty list
 * if the fighter is stunned or the dash is on cooldown.
 */
export function dashMovements(fight: Fight, seat: number, opponent: number): Movement[] {
  if (fight.stun[seat]! > 0 || fight.cooldowns[seat * COOLDOWN_COUNT + DASH_COOLDOWN]! > 0)
    return [];
  const movements: Movement[] = [];
  for (let dash = 0; dash < DIRECTION_COUNT; dash += 1) {
    const path = dashPath(fight.grid, fight.tile[seat]!, dash);
    if (path.length < MIN_DASH_TILES || path.includes(fight.tile[opponent]!)) continue;
    movements.push({ move: NONE, dash, tile: path[path.length - 1]! });
  }
  return movements;
}

function dashPath(grid: Grid, from: number, direction: number): number[] {
  const path: number[] = [];
  for (let tileOnPath = from; path.length < grid.dash[from * DIRECTION_COUNT + direction]!;) {
    tileOnPath = grid.step[tileOnPath * DIRECTION_COUNT + direction]!;
    path.push(tileOnPath);
  }
  return path;
}

/**
 * Returns the movement with the highest potential minus danger, plus a little noise. One HP of
 * danger costs `dangerWeight` tiles of walking.
 */
export function bestMovement(
  movements: readonly Movement[],
  potential: Potential,
  danger: Float64Array,
  dangerWeight: number,
  dice: Dice,
): Movement {
  let best = movements[0]!;
  let highest = -Infinity;
  for (const movement of movements) {
    const noise = dice.roll() * MAX_NOISE;
    const score = potential(movement.tile) - dangerWeight * danger[movement.tile]! + noise;
    if (score <= highest) continue;
    best = movement;
    highest = score;
  }
  return best;
}
