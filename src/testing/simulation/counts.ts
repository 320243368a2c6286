// Counts of what happened in a run: a watch that never complains.

import type { Watch } from "#testing/invariants/watch.ts";

export type Counts = {
  bots: number;
  waves: number;
  /** Matches that were started, stored, stored in calm, and void. */
  started: number;
  stored: number;
  storedInCalm: number;
  voided: number;
  /** Practice games that were started. */
  practised: number;
  /** Matches by how they ended. */
  reasons: Record<string, number>;
  /** How often each fault struck. */
  faults: Partial<Record<string, number>>;
  kills: number;
  stalls: number;
  /** Warnings and errors that the arena logged. */
  logged: number;
};

export function countingWatch(): { counts: Counts; watch: Watch } {
  const counts: Counts = {
    bots: 0,
    waves: 0,
    started: 0,
    stored: 0,
    storedInCalm: 0,
    voided: 0,
    practised: 0,
    reasons: {},
    faults: {},
    kills: 0,
    stalls: 0,
    logged: 0,
  };
  const add = (name: keyof Omit<Counts, "reasons" | "faults">) => () => {
    counts[name] += 1;
  };
  let isCalm = false;
  const watch: Watch = {
    name: "counts",
    on: {
      struck: ({ fault }) => {
        counts.faults[fault] = (counts.faults[fault] ?? 0) + 1;
      },
      calm: () => {
        isCalm = true;
      },
      registered: add("bots"),
      wave: add("waves"),
      started: add("started"),
      practised: add("practised"),
      killed: add("kills"),
      stalled: add("stalls"),
      logged: add("logged"),
      stored: ({ match: { reason, voided } }) => {
        counts.stored += 1;
        counts.storedInCalm += Number(isCalm);
        counts.voided += Number(voided);
        counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1;
      },
    },
  };
  return { counts, watch };
}
