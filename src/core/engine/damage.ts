import { NONE } from "./codes.ts";
import type { Fight } from "./fight.ts";
import { logDeath, logHit } from "./log.ts";
import { RULES } from "./rules.ts";

/** Damage of an attack or a wall slam, with the attacker's power buff if it has one. */
export function powered(fight: Fight, by: number, damage: number): number {
  if (fight.power[by] === 0) return damage;
  return Math.floor((damage * RULES.power.times) / RULES.power.over);
}

/**
 * Records damage to be taken at the end of the tick. What a fighter does to itself does not count
 * as dealt.
 */
export function hit(
  fight: Fight,
  by: number,
  target: number,
  source: number,
  damage: number,
  ricochet = 0,
): void {
  fight.notes[target]!.pending += damage;
  if (by !== target) fight.dealt[by]! += damage;
  logHit(fight.log, by, target, source, damage, fight.tile[target]!, ricochet);
}

/** The living fighter other than `besides` that stands on a tile, or NONE. */
export function fighterOn(fight: Fight, tile: number, besides: number): number {
  for (let seat = 0; seat < fight.seats; seat += 1) {
    if (fight.tile[seat] === tile && fight.alive[seat] === 1 && seat !== besides) return seat;
  }
  return NONE;
}

/** Whether a fighter is alive within a distance of a tile and in its sight. */
export function isWithin(fight: Fight, seat: number, tile: number, radius: number): boolean {
  const { grid } = fight;
  const at = fight.tile[seat]!;
  return (
    fight.alive[seat] === 1 &&
    Math.abs(grid.x[at]! - grid.x[tile]!) <= radius &&
    Math.abs(grid.y[at]! - grid.y[tile]!) <= radius &&
    grid.sight[tile * grid.tileCount + at] === 1
  );
}

/** Phase 10: all damage of the tick is taken at once; fighters with no hp left fall. */
export function damageAndDeaths(fight: Fight): void {
  const { notes, hp, alive } = fight;
  for (let seat = 0; seat < fight.seats; seat += 1) {
    const { pending } = notes[seat]!;
    if (pending === 0) continue;
    hp[seat] = Math.max(0, hp[seat]! - pending);
    if (hp[seat]! > 0) continue;
    alive[seat] = 0;
    logDeath(fight.log, seat, fight.tile[seat]!);
  }
}
