import { fighterAt, recordHit, isInRange, withPowerBuff } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { distanceBetween } from "./grid.ts";
import {
  DIRECTION_COUNT,
  HOOK,
  NONE,
  REPULSE,
  STRIKE,
  directionOf,
  oppositeDirection,
} from "./integer-codes.ts";
import { RULES } from "./rules.ts";

const { strike: STRIKE_RULES, hook: HOOK_RULES, repulse: REPULSE_RULES } = RULES.attacks;

/** Phase 2: resolves strikes, hooks and repulses from the tiles at the start of the tick. */
export function resolveQuickAttacks(fight: Fight): void {
  for (let seat = 0; seat < fight.seats; seat += 1) {
    const attack = fight.notes[seat]!.attack;
    if (attack === STRIKE) strike(fight, seat);
    else if (attack === HOOK) hook(fight, seat);
    else if (attack === REPULSE) repulse(fight, seat);
  }
}

function strike(fight: Fight, by: number): void {
  const target = firstTargetOnRay(fight, by, STRIKE_RULES.range);
  if (target === NONE) return;
  recordHit(fight, by, target, STRIKE, withPowerBuff(fight, by, STRIKE_RULES.damage));
}

function hook(fight: Fight, by: number): void {
  const { grid, tile, notes } = fight;
  const target = firstTargetOnRay(fight, by, HOOK_RULES.range);
  if (target === NONE) return;
  recordHit(fight, by, target, HOOK, withPowerBuff(fight, by, HOOK_RULES.damage));
  const length = distanceBetween(grid, tile[by]!, tile[target]!) - 1;
  if (length > 0) throwFighter(fight, by, target, HOOK, oppositeDirection(notes[by]!.aim), length);
}

function repulse(fight: Fight, by: number): void {
  const { radius, damage, push } = REPULSE_RULES;
  const { tile, x, y } = fight;
  for (let target = 0; target < fight.seats; target += 1) {
    if (target === by || !isInRange(fight, target, tile[by]!, radius)) continue;
    recordHit(fight, by, target, REPULSE, withPowerBuff(fight, by, damage));
    const heading = directionOf(x[target]! - x[by]!, y[target]! - y[by]!);
    throwFighter(fight, by, target, REPULSE, heading, push);
  }
}

/** Returns the first other fighter on the ray before its first bounce, or NONE. */
function firstTargetOnRay(fight: Fight, by: number, range: number): number {
  const { grid, notes, tile } = fight;
  const edge = tile[by]! * DIRECTION_COUNT + notes[by]!.aim;
  const start = grid.rayStart[edge]!;
  const end = start + Math.min(range, grid.rayStraight[edge]!);
  for (let step = start; step < end; step += 1) {
    const target = fighterAt(fight, grid.rayTiles[step]!, by);
    if (target !== NONE) return target;
  }
  return NONE;
}

/**
 * Records a push or pull. The longest one takes effect. Two of equal length cancel out, unless a
 * longer one follows.
 */
function throwFighter(
  { notes }: Fight,
  by: number,
  target: number,
  attack: number,
  heading: number,
  length: number,
): void {
  const note = notes[target]!;
  if (length < note.throwLength) return;
  const isTie = length === note.throwLength;
  note.thrower = isTie ? NONE : by;
  note.throwAttack = attack;
  note.throwHeading = heading;
  note.throwLength = length;
  note.throwTilesLeft = isTie ? 0 : length;
}
