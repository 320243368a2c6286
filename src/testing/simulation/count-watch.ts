// Counts events of a run. Never complains.

import type { EventId, RequestId } from "#core/ids/ids.ts";
import type { Watch } from "#testing/invariants/watch.ts";

export type Counts = {
  bots: number;
  waves: number;
  started: number;
  stored: number;
  storedInCalm: number;
  voided: number;
  practised: number;
  reasons: Record<string, number>;
  unrated: Record<string, number>;
  ladders: Record<string, number>;
  memberships: number;
  claims: number;
  endings: number;
  wishes: number;
  awards: number;
  served: number;
  faults: Partial<Record<string, number>>;
  kills: number;
  stalls: number;
  logged: number;
};

export function createCountWatch(): { counts: Counts; watch: Watch } {
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
  /** A retried save is reported again, so requests are counted by id. */
  const served = new Set<RequestId>();
  const awardCounts = new Map<EventId, number>();
  const watch: Watch = {
    name: "counts",
    on: {
      struck: ({ fault }) => {
        increment(counts.faults, fault);
      },
      calm: () => {
        isCalm = true;
      },
      registered: add("bots"),
      wave: add("waves"),
      started: ({ ladderId }) => {
        counts.started += 1;
        increment(counts.ladders, ladderId);
      },
      member: add("memberships"),
      owned: add("claims"),
      ladder_finished: add("endings"),
      wished: add("wishes"),
      awards: ({ event, grantedAwards }) => {
        awardCounts.set(event.id, grantedAwards.length);
        counts.awards = Math.max(counts.awards, sum(awardCounts.values()));
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
        increment(counts.reasons, reason);
        if (!voided && mode === "ranked" && unratedReason !== null)
          increment(counts.unrated, unratedReason);
      },
    },
  };
  return { counts, watch };
}

function increment(counts: Partial<Record<string, number>>, label: string): void {
  counts[label] = (counts[label] ?? 0) + 1;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);
