import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { DamageSource } from "#core/engine/types.ts";

import { STATS_VERSION } from "./seat-stats.ts";

export type DamageSums = Record<DamageSource, { dealt: number; taken: number }>;

export const zeroDamage = (): DamageSums =>
  Object.fromEntries(
    DAMAGE_SOURCES.map((source) => [source, { dealt: 0, taken: 0 }]),
  ) as DamageSums;

/**
 * Adds the damage dealt and taken by the fighter in a seat. Returns false if the statistics
 * document lacks it.
 */
export function addMatchDamage(sums: DamageSums, stats: string, seat: number): boolean {
  const document = JSON.parse(stats) as StatsDocument;
  const fighter = document.fighters?.[seat];
  if (document.stats_version !== STATS_VERSION || fighter === undefined) return false;
  for (const source of DAMAGE_SOURCES) {
    sums[source].dealt += fighter.dealt_by_source?.[source] ?? 0;
    sums[source].taken += fighter.taken_by_source?.[source] ?? 0;
  }
  return true;
}

/** The part of a statistics document that this module reads. A missing count means 0. */
type StatsDocument = {
  stats_version?: number;
  fighters?: { dealt_by_source?: DamageCounts; taken_by_source?: DamageCounts }[];
};

type DamageCounts = Partial<Record<DamageSource, number>>;
