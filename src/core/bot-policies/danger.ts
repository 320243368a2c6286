import { TICK, areaTile } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { distanceBetween } from "#core/engine/grid.ts";
import { AREA_COUNT, BLAST_AREA, DIRECTION_COUNT, NONE } from "#core/engine/integer-codes.ts";
import { RULES } from "#core/engine/rules.ts";
import { zoneRadius } from "#core/engine/zone.ts";

const TICKS_AHEAD = 3;
const { blast, scorch } = RULES.attacks;

/**
 * Returns the damage, by tile, that a fighter on that tile takes at the end of this tick, plus the
 * least it must take in the next two ticks wherever it walks. Counts running areas and the zone.
 */
export function dangerMap(fight: Fight): Float64Array {
  let danger = damageAt(fight, TICKS_AHEAD - 1);
  for (let ticksAhead = TICKS_AHEAD - 2; ticksAhead >= 0; ticksAhead -= 1) {
    const dangerNow = damageAt(fight, ticksAhead);
    for (let tile = 0; tile < dangerNow.length; tile += 1)
      dangerNow[tile]! += minNeighbourDanger(fight, danger, tile);
    danger = dangerNow;
  }
  return danger;
}

function minNeighbourDanger({ grid }: Fight, danger: Float64Array, tile: number): number {
  let minDanger = danger[tile]!;
  for (let edge = tile * DIRECTION_COUNT; edge < (tile + 1) * DIRECTION_COUNT; edge += 1) {
    const to = grid.step[edge]!;
    if (to !== NONE && danger[to]! < minDanger) minDanger = danger[to]!;
  }
  return minDanger;
}

function damageAt(fight: Fight, ticksAhead: number): Float64Array {
  const { grid } = fight;
  const radius = zoneRadius(grid, fight.words[TICK]! + ticksAhead);
  const damage = Float64Array.from(grid.level, (level) => (level > radius ? RULES.zone.damage : 0));
  for (let area = 0; area < fight.areaX.length; area += 1) {
    if (!isActive(fight, area, ticksAhead)) continue;
    const areaRadius = area % AREA_COUNT === BLAST_AREA ? blast.radius : scorch.radius;
    addArea(fight, area, areaRadius, damage);
  }
  return damage;
}

function isActive({ areaX, areaLeft }: Fight, area: number, ticksAhead: number): boolean {
  if (areaX[area] === NONE) return false;
  const isBlast = area % AREA_COUNT === BLAST_AREA;
  return isBlast ? areaLeft[area] === ticksAhead + 1 : areaLeft[area]! > ticksAhead;
}

function addArea(fight: Fight, area: number, areaRadius: number, damage: Float64Array): void {
  const { grid } = fight;
  const center = areaTile(fight, area);
  for (let tile = 0; tile < damage.length; tile += 1) {
    const isInSight = grid.sight[center * grid.tileCount + tile] === 1;
    if (isInSight && distanceBetween(grid, center, tile) <= areaRadius) {
      damage[tile]! += fight.areaDamage[area]!;
    }
  }
}

/** A blast that explodes later counts less, because the fighter can still walk out. */
const DELAYED_BLAST_SHARE = 0.6;

/**
 * Returns the expected damage of running areas to a fighter on a tile. A rough estimate, for
 * playouts.
 */
export function areaDamageAt(fight: Fight, tile: number): number {
  const { grid, areaX, areaLeft, areaDamage } = fight;
  let damage = 0;
  for (let area = 0; area < areaX.length; area += 1) {
    if (areaX[area] === NONE) continue;
    const isBlast = area % AREA_COUNT === BLAST_AREA;
    const center = areaTile(fight, area);
    if (distanceBetween(grid, center, tile) > (isBlast ? blast.radius : scorch.radius)) continue;
    if (grid.sight[center * grid.tileCount + tile] === 0) continue;
    damage += areaDamage[area]! * (isBlast && areaLeft[area]! > 1 ? DELAYED_BLAST_SHARE : 1);
  }
  return damage;
}
