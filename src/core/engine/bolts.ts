import { BOLT, DIRECTION_COUNT, NONE } from "./codes.ts";
import { fighterOn, hit, powered } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { logAttack } from "./log.ts";
import { RULES } from "./rules.ts";

const { damage: STRAIGHT_DAMAGE, bounce_damage: BOUNCE_DAMAGE } = RULES.attacks.bolt;

/**
 * Phase 5: bolts fly from the tiles reached in movement to the first other fighter on their ray.
 */
export function bolts(fight: Fight): void {
  for (let seat = 0; seat < fight.seats; seat += 1) {
    if (fight.notes[seat]!.attack === BOLT) fly(fight, seat);
  }
}

function fly(fight: Fight, by: number): void {
  const { grid, tile } = fight;
  const note = fight.notes[by]!;
  const way = tile[by]! * DIRECTION_COUNT + note.aim;
  const end = grid.rayStart[way + 1]!;
  logAttack(fight.log, by, BOLT, tile[by]!, note.aim);
  for (let at = grid.rayStart[way]!; at < end; at += 1) {
    note.bounces = grid.rayBounces[at]!;
    const target = fighterOn(fight, grid.rayTiles[at]!, by);
    if (target === NONE) continue;
    boltHit(fight, by, target, note.bounces);
    return;
  }
}

function boltHit(fight: Fight, by: number, target: number, bounces: number): void {
  const damage = powered(fight, by, STRAIGHT_DAMAGE + BOUNCE_DAMAGE * bounces);
  hit(fight, by, target, BOLT, damage, bounces > 0 ? 1 : 0);
}
