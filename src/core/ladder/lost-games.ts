// How a version lost: where the damage of its lost games came from.

import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { DamageSource } from "#core/engine/types.ts";

import { STATS_VERSION } from "./seat-figures.ts";

/** Points of damage in some games, by what did it. */
export type DamageSums = Record<DamageSource, { dealt: number; taken: number }>;

export const noDamage = (): DamageSums =>
  Object.fromEntries(
    DAMAGE_SOURCES.map((source) => [source, { dealt: 0, taken: 0 }]),
  ) as DamageSums;

/** Adds what the fighter in a seat did and took; false if the document does not tell. */
export function addDamage(sums: DamageSums, stats: string, seat: number): boolean {
  const document = JSON.parse(stats) as Document;
  const fighter = document.fighters?.[seat];
  if (document.stats_version !== STATS_VERSION || fighter === undefined) return false;
  for (const source of DAMAGE_SOURCES) {
    sums[source].dealt += fighter.dealt_by_source?.[source] ?? 0;
    sums[source].taken += fighter.taken_by_source?.[source] ?? 0;
  }
  return true;
}

/** The part of a statistics document that is read. A missing count is zero. */
type Document = {
  stats_version?: number;
  fighters?: { dealt_by_source?: Counts; taken_by_source?: Counts }[];
};

type Counts = Partial<Record<DamageSource, number>>;
