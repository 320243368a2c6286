// Counts of what happened in a run: a watch that never complains.

import type { EventId, RequestId } from "#core/words/ids.ts";
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
  /** Matches that were stored and are unrated, void ones aside, by why. */
  unrated: Record<string, number>;
  /** Started matches by ladder. */
  ladders: Record<string, number>;
  /** Changes of who is an active member; bots that got another owner; ladders that are over. */
  memberships: number;
  claims: number;
  endings: number;
  /** Opponent requests, and the matches that served one. */
  wishes: number;
  /** The most awards that the events had given at a time. */
  awards: number;
  served: number;
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
    unrated: {},
    ladders: {},
    memberships: 0,
    claims: 0,
    endings: 0,
    wishes: 0,
    awards: 0,
    served: 0,
    faults: {},
    kills: 0,
    stalls: 0,
    logged: 0,
  };
  const add = (name: keyof Omit<Counts, "reasons" | "faults" | "unrated" | "ladders">) => () => {
    counts[name] += 1;
  };
  let isCalm = false;
  /** A save that is tried again is told again. */
  const served = new Set<RequestId>();
  const awarded = new Map<EventId, number>();
  const watch: Watch = {
    name: "counts",
    on: {
      struck: ({ fault }) => {
        countIn(counts.faults, fault);
      },
      calm: () => {
        isCalm = true;
      },
      registered: add("bots"),
      wave: add("waves"),
      started: ({ ladderId }) => {
        counts.started += 1;
        countIn(counts.ladders, ladderId);
      },
      member: add("memberships"),
      owned: add("claims"),
      ladder_finished: add("endings"),
      wished: add("wishes"),
      awards: ({ event, given }) => {
        awarded.set(event.id, given.length);
        counts.awards = Math.max(counts.awards, sum(awarded.values()));
      },
      practised: add("practised"),
      killed: add("kills"),
      stalled: add("stalls"),
      logged: add("logged"),
      stored: ({ match: { reason, voided, unratedReason, mode, requestId } }) => {
        if (requestId !== null && !voided) counts.served = served.add(requestId).size;
        counts.stored += 1;
        counts.storedInCalm += Number(isCalm);
        counts.voided += Number(voided);
        countIn(counts.reasons, reason);
        if (!voided && mode === "ranked" && unratedReason !== null)
          countIn(counts.unrated, unratedReason);
      },
    },
  };
  return { counts, watch };
}

function countIn(counts: Partial<Record<string, number>>, word: string): void {
  counts[word] = (counts[word] ?? 0) + 1;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);
