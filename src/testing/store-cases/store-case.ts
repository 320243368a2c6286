import type { MatchRow } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { SAMPLE_SEASON, sampleId, sampleMatch } from "./store-samples.ts";

/** A case gets an empty store; `reopen` closes it and opens the same data again. */
export type Case = {
  name: string;
  run: (store: Store, reopen: () => Promise<Store>) => Promise<void>;
};

export function codeOf(reason: unknown): unknown {
  return (reason as { code?: unknown }).code;
}

/** How often each word occurs. */
export function tally(words: string[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(words, (word) => word));
  return Object.fromEntries(groups.map(([word, group]) => [word, group?.length ?? 0]));
}

export function matchId(number: number): string {
  return sampleId("match", number);
}

export const SAMPLE_COMPETITION = { ladderId: "public", season: SAMPLE_SEASON };

/** The pair counts of the samples' season as map, wins, draws and losses. */
export async function countsOf(store: Store): Promise<unknown[]> {
  const pairs = await store.figures.pairs(SAMPLE_COMPETITION);
  return pairs.map(({ map, wins, draws, losses }) => [map, wins, draws, losses]);
}

/** Sample match 1 as lists show it. */
export function rowOf(changes: Partial<MatchRow>): MatchRow {
  const {
    pairing: _,
    stats: _stats,
    settled: _settled,
    requestId: _request,
    seats,
    ...match
  } = sampleMatch(1);
  const named = seats.map((seat, number) => ({
    ...seat,
    name: `Bot-${number}`,
    version: `v${number}`,
    house: false,
    avatar: null,
  }));
  return { ...match, seats: named, ...changes };
}
