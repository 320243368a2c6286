import { RULES } from "./rules.ts";
import { DAMAGE_SOURCES } from "./types.ts";
import type { DamageSource, FighterStats } from "./types.ts";

type DamageBySource = Partial<Record<DamageSource, number>>;

/**
 * start + healed - selfDamage - zoneDamage - opponentDamage + overkill = remaining. Sources without
 * damage are absent.
 */
export type HpBreakdown = {
  start: number;
  healed: number;
  selfDamage: DamageBySource;
  zoneDamage: number;
  opponentDamage: DamageBySource;
  /** Damage from the final hits in excess of the remaining HP. */
  overkill: number;
  remaining: number;
};

/**
 * Returns the HP breakdown of a fighter in a duel. Damage that neither the opponent nor the zone
 * dealt is self-damage.
 */
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
