// No match gets stuck. Matches end, results are stored, and the arena tracks exactly those matches
// that are running.

import { MINUTE_US } from "#base/util/time.ts";

import type { ObservedState, Moment, Watch } from "./watch.ts";

/** Length of the longest match between bots that never respond, in µs. */
const MAX_MATCH_TIME = 20 * MINUTE_US;
/**
 * Maximum time from the end of a match until its result is stored while the store is working, in
 * µs.
 */
const MAX_SAVE_TIME = MINUTE_US;

type ProgressFacts = {
  /** By match id: the times at which the match started and was rated, in µs. */
  startedAt: Map<string, number>;
  ratedAt: Map<string, number>;
  practiceStartedAt: Map<string, number>;
  /** Time at which the store or the server last failed, in µs. */
  lastFailure: number;
};

export function watchProgress(): Watch {
  const facts: ProgressFacts = {
    startedAt: new Map(),
    ratedAt: new Map(),
    practiceStartedAt: new Map(),
    lastFailure: 0,
  };
  const recordFailure = (_: unknown, { at }: Moment) => {
    facts.lastFailure = at;
  };
  return {
    name: "no match gets stuck",
    on: {
      started: ({ matchId }, { at }) => void facts.startedAt.set(matchId, at),
      practised: ({ matchId }, { at }) => void facts.practiceStartedAt.set(matchId, at),
      rated: ({ game }, { at }) => void facts.ratedAt.set(game.matchId, at),
      confirmed: ({ matchId }) => {
        facts.startedAt.delete(matchId);
        facts.practiceStartedAt.delete(matchId);
        facts.ratedAt.delete(matchId);
      },
      killed: () => {
        facts.startedAt.clear();
        facts.practiceStartedAt.clear();
        facts.ratedAt.clear();
      },
      booted: recordFailure,
      stalled: recordFailure,
      looked: (looked, { at }) => {
        if (looked.storeFails) facts.lastFailure = at;
        return checkOverdue(facts, at) ?? checkOnline(facts, looked);
      },
      finished: () => {
        const unfinishedCount = facts.startedAt.size + facts.practiceStartedAt.size;
        return unfinishedCount === 0 ? null : `${unfinishedCount} matches never end`;
      },
    },
  };
}

function checkOverdue(facts: ProgressFacts, at: number): string | null {
  const { startedAt, practiceStartedAt, ratedAt, lastFailure } = facts;
  for (const [id, since] of [...startedAt, ...practiceStartedAt])
    if (at - Math.max(since, lastFailure) > MAX_MATCH_TIME) return `${id} does not end`;
  for (const [id, since] of ratedAt)
    if (at - Math.max(since, lastFailure) > MAX_SAVE_TIME) return `${id} is over but not stored`;
  return null;
}

function checkOnline(
  { startedAt, practiceStartedAt }: ProgressFacts,
  looked: ObservedState,
): string | null {
  if (looked.running !== startedAt.size)
    return `the arena counts ${looked.running} matches, expected ${startedAt.size}`;
  for (const { name, state, matchId } of looked.online)
    if (
      state === "playing" &&
      !startedAt.has(matchId ?? "") &&
      !practiceStartedAt.has(matchId ?? "")
    )
      return `${name} is in no match`;
  return null;
}
