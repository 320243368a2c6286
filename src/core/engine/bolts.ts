import { fighterAt, recordHit, withPowerBuff } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { BOLT, DIRECTION_COUNT, NONE } from "./integer-codes.ts";
import { logAttack } from "./log.ts";
import { RULES } from "./rules.ts";

const { damage: STRAIGHT_DAMAGE, bounce_damage: BOUNCE_DAMAGE } = RULES.attacks.bolt;

/**
 * Phase 5: bolts start from the tiles reached in movement and hit the first other fighter on their
 * ray.
 */
export function resolveBolts(fight: Fight): void {
  for (let seat = 0; seat < fight.seats; seat += 1) {
    if (fight.notes[seat]!.attack === BOLT) fireBolt(fight, seat);
  }
}

function fireBolt(fight: Fight, by: number): void {
  const { grid, tile } = fight;
  const note = fight.notes[by]!;
  const edge = tile[by]! * DIRECTION_COUNT + note.aim;
  const end = grid.rayStart[edge + 1]!;
  logAttack(fight.log, by, BOLT, tile[by]!, note.aim);
  for (let step = grid.rayStart[edge]!; step < end; step += 1) {
    note.bounces = grid.rayBounces[step]!;
    const target = fighterAt(fight, grid.rayTiles[step]!, by);
    if (target === NONE) continue;
    recordBoltHit(fight, by, target, note.bounces);
    return;
  }
}

function recordBoltHit(fight: Fight, by: number, target: number, bounces: number): void {
  const damage = withPowerBuff(fight, by, STRAIGHT_DAMAGE + BOUNCE_DAMAGE * bounces);
  recordHit(fight, by, target, BOLT, damage, bounces > 0 ? 1 : 0);
}
