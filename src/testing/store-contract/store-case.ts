import type { MatchRow } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { SAMPLE_SEASON, sampleId, sampleMatch } from "./store-samples.ts";

/**
 * A test case that runs on an empty store. `reopen` closes the store and opens the same data again.
 */
export type StoreCase = {
  name: string;
  run: (store: Store, reopen: () => Promise<Store>) => Promise<void>;
};

export function errorCodeOf(reason: unknown): unknown {
  return (reason as { code?: unknown }).code;
}

export function countWords(words: string[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(words, (word) => word));
  return Object.fromEntries(groups.map(([word, group]) => [word, group?.length ?? 0]));
}

export function sampleMatchId(number: number): string {
  return sampleId("match", number);
}

export const SAMPLE_COMPETITION = { ladderId: "public", season: SAMPLE_SEASON };

export async function competitionCounts(store: Store): Promise<unknown[]> {
  const pairs = await store.stats.pairs(SAMPLE_COMPETITION);
  return pairs.map(({ map, wins, draws, losses }) => [map, wins, draws, losses]);
}

export function expectedRow(changes: Partial<MatchRow>): MatchRow {
  const {
    pairing: _,
    stats: _stats,
    settled: _settled,
    requestId: _request,
    seats,
    ...match
  } = sampleMatch(1);
  const namedSeats = seats.map((seat, number) => ({
    ...seat,
    name: `Bot-${number}`,
    version: `v${number}`,
    house: false,
    avatar: null,
  }));
  return { ...match, seats: namedSeats, ...changes };
}
