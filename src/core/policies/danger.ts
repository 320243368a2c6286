// What a tile costs: the least damage from known areas and the zone over the next three ticks.

import { AREA_COUNT, BLAST_AREA, DIRECTION_COUNT, NONE } from "#core/engine/codes.ts";
import { TICK, areaTile } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { distanceBetween } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import { zoneRadius } from "#core/engine/zone.ts";

const TICKS_AHEAD = 3;
const { blast, scorch } = RULES.attacks;

/**
 * By tile: damage at the end of this tick when standing there, plus the least damage that a fighter
 * walking on from there takes in the two ticks after.
 */
export function dangerMap(fight: Fight): Float64Array {
  let danger = damageAt(fight, TICKS_AHEAD - 1);
  for (let ahead = TICKS_AHEAD - 2; ahead >= 0; ahead -= 1) {
    const now = damageAt(fight, ahead);
    for (let tile = 0; tile < now.length; tile += 1) now[tile]! += leastAround(fight, danger, tile);
    danger = now;
  }
  return danger;
}

function leastAround({ grid }: Fight, danger: Float64Array, tile: number): number {
  let least = danger[tile]!;
  for (let way = tile * DIRECTION_COUNT; way < (tile + 1) * DIRECTION_COUNT; way += 1) {
    const to = grid.step[way]!;
    if (to !== NONE && danger[to]! < least) least = danger[to]!;
  }
  return least;
}

/** Damage by tile at the end of the tick this many ticks ahead, 0 being the next one. */
function damageAt(fight: Fight, ahead: number): Float64Array {
  const { grid } = fight;
  const radius = zoneRadius(grid, fight.words[TICK]! + ahead);
  const damage = Float64Array.from(grid.level, (level) => (level > radius ? RULES.zone.damage : 0));
  for (let area = 0; area < fight.areaX.length; area += 1) {
    if (!acts(fight, area, ahead)) continue;
    const reach = area % AREA_COUNT === BLAST_AREA ? blast.radius : scorch.radius;
    addArea(fight, area, reach, damage);
  }
  return damage;
}

function acts({ areaX, areaLeft }: Fight, area: number, ahead: number): boolean {
  if (areaX[area] === NONE) return false;
  const isBlast = area % AREA_COUNT === BLAST_AREA;
  return isBlast ? areaLeft[area] === ahead + 1 : areaLeft[area]! > ahead;
}

function addArea(fight: Fight, area: number, reach: number, damage: Float64Array): void {
  const { grid } = fight;
  const center = areaTile(fight, area);
  for (let tile = 0; tile < damage.length; tile += 1) {
    const isInSight = grid.sight[center * grid.tileCount + tile] === 1;
    if (isInSight && distanceBetween(grid, center, tile) <= reach) {
      damage[tile]! += fight.areaDamage[area]!;
    }
  }
}

/** A blast that is still some ticks away can be walked out of. */
const LATER_SHARE = 0.6;

/** Weighted damage that running areas will soon do to a fighter on a tile, for playouts. */
export function damageOn(fight: Fight, tile: number): number {
  const { grid, areaX, areaLeft, areaDamage } = fight;
  let damage = 0;
  for (let area = 0; area < areaX.length; area += 1) {
    if (areaX[area] === NONE) continue;
    const isBlast = area % AREA_COUNT === BLAST_AREA;
    const center = areaTile(fight, area);
    if (distanceBetween(grid, center, tile) > (isBlast ? blast.radius : scorch.radius)) continue;
    if (grid.sight[center * grid.tileCount + tile] === 0) continue;
    damage += areaDamage[area]! * (isBlast && areaLeft[area]! > 1 ? LATER_SHARE : 1);
  }
  return damage;
}
