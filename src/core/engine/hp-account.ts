// Where a fighter's hp came from and where it went: an account of a loss that adds up.

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
  /** Damage of the last blows beyond the hp that was left. */
  beyond: number;
  left: number;
};

/**
 * For a duel: damage that this fighter took and the other did not deal is its own or the zone's.
 */
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
