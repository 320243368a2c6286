import type { Fight } from "./fight.ts";
import { NONE } from "./integer-codes.ts";
import { logDeath, logHit } from "./log.ts";
import { RULES } from "./rules.ts";

/** Returns the damage of an attack or wall slam, multiplied if the attacker has the power buff. */
export function withPowerBuff(fight: Fight, by: number, damage: number): number {
  if (fight.power[by] === 0) return damage;
  return Math.floor((damage * RULES.power.times) / RULES.power.over);
}

/**
 * Records damage, which is applied at the end of the tick. Self-damage doesn't count towards damage
 * dealt.
 */
export function recordHit(
  fight: Fight,
  by: number,
  target: number,
  source: number,
  damage: number,
  ricochet = 0,
): void {
  fight.notes[target]!.pendingDamage += damage;
  if (by !== target) fight.dealt[by]! += damage;
  logHit(fight.log, by, target, source, damage, fight.tile[target]!, ricochet);
}

/** Returns the seat of the living fighter on a tile, or NONE. Ignores `excludedSeat`. */
export function fighterAt(fight: Fight, tile: number, excludedSeat: number): number {
  for (let seat = 0; seat < fight.seats; seat += 1) {
    if (fight.tile[seat] === tile && fight.alive[seat] === 1 && seat !== excludedSeat) return seat;
  }
  return NONE;
}

/** Returns whether a living fighter is within `radius` of a tile and in line of sight. */
export function isInRange(fight: Fight, seat: number, tile: number, radius: number): boolean {
  const { grid } = fight;
  const ownTile = fight.tile[seat]!;
  return (
    fight.alive[seat] === 1 &&
    Math.abs(grid.x[ownTile]! - grid.x[tile]!) <= radius &&
    Math.abs(grid.y[ownTile]! - grid.y[tile]!) <= radius &&
    grid.sight[tile * grid.tileCount + ownTile] === 1
  );
}

/** Phase 10: applies the tick's damage simultaneously. Fighters without HP fall. */
export function applyDamage(fight: Fight): void {
  const { notes, hp, alive } = fight;
  for (let seat = 0; seat < fight.seats; seat += 1) {
    const { pendingDamage } = notes[seat]!;
    if (pendingDamage === 0) continue;
    hp[seat] = Math.max(0, hp[seat]! - pendingDamage);
    if (hp[seat]! > 0) continue;
    alive[seat] = 0;
    logDeath(fight.log, seat, fight.tile[seat]!);
  }
}
