// Where a fighter's hp came from and went: why somebody lost, as a sum that comes out.

import { RULES } from "./rules.ts";
import { DAMAGE_SOURCES } from "./types.ts";
import type { DamageSource, FighterStats } from "./types.ts";

type Damage = Partial<Record<DamageSource, number>>;

/** start + healed - own - zone - opponent + beyond = left; sources that took nothing are absent. */
export type HpAccount = {
  start: number;
  healed: number;
  /** By its own areas. */
  own: Damage;
  zone: number;
  opponent: Damage;
  /** What the last blows took beyond the hp that was there. */
  beyond: number;
  left: number;
};

/** Of one of two fighters: what it took and the other one did not deal is its own or the zone's. */
export function hpAccount(
  { hp, healed, damage_taken, taken_by_source }: FighterStats,
  { dealt_by_source }: FighterStats,
): HpAccount {
  const own: Damage = {};
  const opponent: Damage = {};
  for (const source of DAMAGE_SOURCES) {
    if (source === "zone") continue;
    const dealt = dealt_by_source[source];
    if (dealt > 0) opponent[source] = dealt;
    if (taken_by_source[source] > dealt) own[source] = taken_by_source[source] - dealt;
  }
  return {
    start: RULES.hp,
    healed,
    own,
    zone: taken_by_source.zone,
    opponent,
    beyond: hp + damage_taken - RULES.hp - healed,
    left: hp,
  };
}

export function damageIn(damage: Damage): number {
  return Object.values(damage).reduce((sum, hp) => sum + hp, 0);
}
