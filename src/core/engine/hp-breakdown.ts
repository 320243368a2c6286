// HP breakdown: how a fighter's starting HP became its final HP.

import { RULES } from "./rules.ts";
import { DAMAGE_SOURCES } from "./types.ts";
import type { DamageSource, FighterStats } from "./types.ts";

type DamageBySource = Partial<Record<DamageSource, number>>;

/** start + healed - own - zone - opponent + beyond = left; sources without damage are absent. */
export type HpBreakdown = {
  start: number;
  healed: number;
  /** Damage from its own areas. */
  selfDamage: DamageBySource;
  zoneDamage: number;
  opponentDamage: DamageBySource;
  /** Overkill: damage of the last hits beyond the remaining HP. */
  overkill: number;
  remaining: number;
};

/** For duels: damage that the opponent didn't deal is the fighter's own or the zone's. */
export function hpBreakdown(
  { hp, healed, damage_taken, taken_by_source }: FighterStats,
  { dealt_by_source }: FighterStats,
): HpBreakdown {
  const selfDamage: DamageBySource = {};
  const opponentDamage: DamageBySource = {};
  for (const source of DAMAGE_SOURCES) {
    if (source === "zone") continue;
    const dealt = dealt_by_source[source];
    if (dealt > 0) opponentDamage[source] = dealt;
    if (taken_by_source[source] > dealt) selfDamage[source] = taken_by_source[source] - dealt;
  }
  return {
    start: RULES.hp,
    healed,
    selfDamage,
    zoneDamage: taken_by_source.zone,
    opponentDamage,
    overkill: hp + damage_taken - RULES.hp - healed,
    remaining: hp,
  };
}

export function totalDamage(damage: DamageBySource): number {
  return Object.values(damage).reduce((sum, hp) => sum + hp, 0);
}
