// Estimates what attacks achieve against an opponent that may step before they land.

import { withPowerBuff } from "#core/engine/damage.ts";
import type { Fight } from "#core/engine/fight.ts";
import { distanceBetween, isTileVisible } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import {
  COOLDOWN_COUNT,
  DIRECTION_COUNT,
  FIRST_ATTACK_COOLDOWN,
  NONE,
  directionOf,
} from "#core/engine/integer-codes.ts";
import { RULES } from "#core/engine/rules.ts";

import type { Forecast } from "./opponent-habits.ts";

const { bolt, blast, repulse } = RULES.attacks;

export type BoltShot = { direction: number; damage: number };

export function isReady(fight: Fight, seat: number, attack: number): boolean {
  return fight.cooldowns[seat * COOLDOWN_COUNT + FIRST_ATTACK_COOLDOWN + attack] === 0;
}

/**
 * Returns the direction from one tile to another along an unobstructed straight line. Returns NONE
 * if there is no such line or the target is more than `range` tiles away.
 */
export function directionToTarget(grid: Grid, from: number, to: number, range: number): number {
  const dx = grid.x[to]! - grid.x[from]!;
  const dy = grid.y[to]! - grid.y[from]!;
  if (dx !== 0 && dy !== 0 && Math.abs(dx) !== Math.abs(dy)) return NONE;
  const direction = directionOf(dx, dy);
  if (direction === NONE) return NONE;
  const reach = Math.min(range, grid.rayStraight[from * DIRECTION_COUNT + direction]!);
  return distanceBetween(grid, from, to) <= reach ? direction : NONE;
}

export function canRepulse(grid: Grid, from: number, to: number): boolean {
  return isTileVisible(grid, from, to) && distanceBetween(grid, from, to) <= repulse.radius;
}

export function repulseSlams(grid: Grid, from: number, to: number): boolean {
  const direction = directionOf(grid.x[to]! - grid.x[from]!, grid.y[to]! - grid.y[from]!);
  return grid.dash[to * DIRECTION_COUNT + direction]! < repulse.push;
}

/**
 * Returns the bolt with the highest expected damage from a tile, including the power buff. Its
 * direction is NONE if no bolt can hit.
 */
export function bestBolt(fight: Fight, seat: number, from: number, forecast: Forecast): BoltShot {
  let best: BoltShot = { direction: NONE, damage: 0 };
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const damage = expectedBoltDamage(fight, seat, from * DIRECTION_COUNT + direction, forecast);
    if (damage > best.damage) best = { direction, damage };
  }
  return best;
}

export function expectedBoltDamage(
  fight: Fight,
  seat: number,
  edge: number,
  { tiles, chances }: Forecast,
): number {
  const { rayStart, rayTiles, rayBounces } = fight.grid;
  let expected = 0;
  let crossedMask = 0;
  for (let step = rayStart[edge]!; step < rayStart[edge + 1]!; step += 1) {
    const index = tiles.indexOf(rayTiles[step]!);
    if (index === -1 || (crossedMask & (1 << index)) !== 0) continue;
    crossedMask |= 1 << index;
    const damage = withPowerBuff(fight, seat, bolt.damage + bolt.bounce_damage * rayBounces[step]!);
    expected += damage * chances[index]!;
  }
  return expected;
}

/**
 * Returns whether a fighter on `from` can walk out of a blast around `center` within `steps` steps.
 */
export function canEscapeBlast(grid: Grid, center: number, from: number, steps: number): boolean {
  if (!isTileVisible(grid, center, from) || distanceBetween(grid, center, from) > blast.radius)
    return true;
  if (steps === 0) return false;
  for (let edge = from * DIRECTION_COUNT; edge < (from + 1) * DIRECTION_COUNT; edge += 1) {
    const to = grid.step[edge]!;
    if (to !== NONE && canEscapeBlast(grid, center, to, steps - 1)) return true;
  }
  return false;
}

/**
 * Returns the chance, 0 to 1, that a blast cast now around `center` hits the opponent because it
 * can't walk out in time.
 */
export function trapChance(grid: Grid, center: number, { tiles, chances }: Forecast): number {
  let chance = 0;
  for (const [index, tile] of tiles.entries()) {
    if (!canEscapeBlast(grid, center, tile, blast.fuse)) chance += chances[index]!;
  }
  return chance;
}
