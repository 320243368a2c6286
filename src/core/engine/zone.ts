import type { Fight } from "./fight.ts";
import { TICK } from "./fight.ts";
import type { Grid } from "./grid.ts";
import { logZoneDamage } from "./log.ts";
import { RULES } from "./rules.ts";

const { start: START, every: EVERY, min_radius: MIN_RADIUS, damage: DAMAGE } = RULES.zone;

/** Returns the zone's radius: the highest level that is safe at the end of a tick. */
export function zoneRadius(grid: Grid, tick: number): number {
  if (tick < START) return grid.fullRadius;
  const shrinkage = 1 + Math.floor((tick - START) / EVERY);
  return Math.max(MIN_RADIUS, grid.fullRadius - shrinkage);
}

/** Returns the ticks until the radius shrinks, or null if it won't. */
export function zoneShrinksIn(grid: Grid, tick: number): number | null {
  if (zoneRadius(grid, tick) <= MIN_RADIUS) return null;
  return tick < START ? START - tick : EVERY - ((tick - START) % EVERY);
}

/** Phase 8: damages fighters outside the zone. */
export function applyZoneDamage(fight: Fight): void {
  const { grid, tile, alive, notes } = fight;
  const radius = zoneRadius(grid, fight.words[TICK]!);
  for (let seat = 0; seat < fight.seats; seat += 1) {
    if (alive[seat] === 0 || grid.level[tile[seat]!]! <= radius) continue;
    notes[seat]!.pendingDamage += DAMAGE;
    logZoneDamage(fight.log, seat, DAMAGE, tile[seat]!);
  }
}
