import { recordHit, isInRange, withPowerBuff } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { areaTile } from "./fight.ts";
import { AREA_COUNT, BLAST, BLAST_AREA, NONE, SCORCH, SCORCH_AREA } from "./integer-codes.ts";
import { logAreaExplode, logAreaSpawn } from "./log.ts";
import { RULES } from "./rules.ts";

const { blast: BLAST_RULES, scorch: SCORCH_RULES } = RULES.attacks;

/** Phase 6: active areas deal damage, including those of fallen fighters. Then new areas appear. */
export function resolveAreas(fight: Fight): void {
  for (let seat = 0; seat < fight.seats; seat += 1) {
    const firstArea = seat * AREA_COUNT;
    if (fight.areaX[firstArea + BLAST_AREA] !== NONE)
      tickBlast(fight, seat, firstArea + BLAST_AREA);
    if (fight.areaX[firstArea + SCORCH_AREA] !== NONE)
      tickScorch(fight, seat, firstArea + SCORCH_AREA);
    spawnArea(fight, seat, fight.notes[seat]!.attack);
  }
}

function tickBlast(fight: Fight, by: number, area: number): void {
  fight.areaLeft[area]! -= 1;
  if (fight.areaLeft[area]! > 0) return;
  logAreaExplode(fight.log, by, areaTile(fight, area));
  damageInRadius(fight, by, area, BLAST, BLAST_RULES.radius);
  clearArea(fight, area);
}

function tickScorch(fight: Fight, by: number, area: number): void {
  damageInRadius(fight, by, area, SCORCH, SCORCH_RULES.radius);
  fight.areaLeft[area]! -= 1;
  if (fight.areaLeft[area] === 0) clearArea(fight, area);
}

function damageInRadius(
  fight: Fight,
  by: number,
  area: number,
  attack: number,
  radius: number,
): void {
  const center = areaTile(fight, area);
  const damage = fight.areaDamage[area]!;
  for (let seat = 0; seat < fight.seats; seat += 1) {
    if (isInRange(fight, seat, center, radius)) recordHit(fight, by, seat, attack, damage);
  }
}

function clearArea(fight: Fight, area: number): void {
  fight.areaX[area] = NONE;
  fight.areaY[area] = NONE;
  fight.areaLeft[area] = 0;
  fight.areaDamage[area] = 0;
}

function spawnArea(fight: Fight, by: number, attack: number): void {
  if (attack === BLAST) setArea(fight, by, BLAST, BLAST_RULES.damage, BLAST_RULES.fuse);
  if (attack === SCORCH) setArea(fight, by, SCORCH, SCORCH_RULES.damage, SCORCH_RULES.burns);
}

function setArea(fight: Fight, by: number, attack: number, damage: number, left: number): void {
  const { grid, notes } = fight;
  const area = by * AREA_COUNT + (attack === BLAST ? BLAST_AREA : SCORCH_AREA);
  const center = notes[by]!.aim;
  fight.areaX[area] = grid.x[center]!;
  fight.areaY[area] = grid.y[center]!;
  fight.areaLeft[area] = left;
  fight.areaDamage[area] = withPowerBuff(fight, by, damage);
  logAreaSpawn(fight.log, by, attack, fight.areaDamage[area], center);
}
