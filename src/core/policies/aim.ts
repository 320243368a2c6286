// What an attack is worth against a foe that may step: expected damage and traps.

import {
  COOLDOWN_COUNT,
  DIRECTION_COUNT,
  FIRST_ATTACK_COOLDOWN,
  NONE,
  directionOf,
} from "#core/engine/codes.ts";
import { powered } from "#core/engine/damage.ts";
import type { Fight } from "#core/engine/fight.ts";
import { distanceBetween, isSeen } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";

import type { Forecast } from "./habits.ts";

const { bolt, blast, repulse } = RULES.attacks;

export type Shot = { direction: number; damage: number };

export function isReady(fight: Fight, seat: number, attack: number): boolean {
  return fight.cooldowns[seat * COOLDOWN_COUNT + FIRST_ATTACK_COOLDOWN + attack] === 0;
}

/**
 * The direction of a free straight line between two tiles, or NONE if there is none within range.
 */
export function lineTo(grid: Grid, from: number, to: number, range: number): number {
  const dx = grid.x[to]! - grid.x[from]!;
  const dy = grid.y[to]! - grid.y[from]!;
  if (dx !== 0 && dy !== 0 && Math.abs(dx) !== Math.abs(dy)) return NONE;
  const direction = directionOf(dx, dy);
  if (direction === NONE) return NONE;
  const reach = Math.min(range, grid.rayStraight[from * DIRECTION_COUNT + direction]!);
  return distanceBetween(grid, from, to) <= reach ? direction : NONE;
}

export function canRepulse(grid: Grid, from: number, to: number): boolean {
  return isSeen(grid, from, to) && distanceBetween(grid, from, to) <= repulse.radius;
}

/** Whether a repulse throws the foe into a wall. */
export function repulseSlams(grid: Grid, from: number, to: number): boolean {
  const direction = directionOf(grid.x[to]! - grid.x[from]!, grid.y[to]! - grid.y[from]!);
  return grid.dash[to * DIRECTION_COUNT + direction]! < repulse.push;
}

/** The bolt from a tile with the highest expected damage, the buff included. */
export function bestBolt(fight: Fight, seat: number, from: number, forecast: Forecast): Shot {
  let best: Shot = { direction: NONE, damage: 0 };
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const damage = expectedBolt(fight, seat, from * DIRECTION_COUNT + direction, forecast);
    if (damage > best.damage) best = { direction, damage };
  }
  return best;
}

export function expectedBolt(
  fight: Fight,
  seat: number,
  way: number,
  { tiles, chances }: Forecast,
): number {
  const { rayStart, rayTiles, rayBounces } = fight.grid;
  let expected = 0;
  let crossed = 0;
  for (let at = rayStart[way]!; at < rayStart[way + 1]!; at += 1) {
    const index = tiles.indexOf(rayTiles[at]!);
    if (index === -1 || (crossed & (1 << index)) !== 0) continue;
    crossed |= 1 << index;
    const damage = powered(fight, seat, bolt.damage + bolt.bounce_damage * rayBounces[at]!);
    expected += damage * chances[index]!;
  }
  return expected;
}

/** Whether a fighter can leave a blast around `center` on foot before it explodes. */
export function canWalkOut(grid: Grid, center: number, from: number, steps: number): boolean {
  if (!isSeen(grid, center, from) || distanceBetween(grid, center, from) > blast.radius)
    return true;
  if (steps === 0) return false;
  for (let way = from * DIRECTION_COUNT; way < (from + 1) * DIRECTION_COUNT; way += 1) {
    const to = grid.step[way]!;
    if (to !== NONE && canWalkOut(grid, center, to, steps - 1)) return true;
  }
  return false;
}

/**
 * The chance that a blast cast now around `center` catches the foe where it cannot walk out of it.
 */
export function trapChance(grid: Grid, center: number, { tiles, chances }: Forecast): number {
  let chance = 0;
  for (const [index, tile] of tiles.entries()) {
    if (!canWalkOut(grid, center, tile, blast.fuse)) chance += chances[index]!;
  }
  return chance;
}
