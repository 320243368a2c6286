// Arena health over the last five minutes, kept in memory in one-second buckets. Times are in µs.

import type { Clock } from "#base/clock/clock.ts";
import { addDuration } from "#base/util/duration-histogram.ts";
import { increment } from "#base/util/named-counts.ts";
import { SECOND_US } from "#base/util/time.ts";
import { TURN_KINDS } from "#core/api/process-totals.ts";
import type { HouseBotFailures, MatchOutcome, TurnKind } from "#core/api/process-totals.ts";
import type { HealthReport, TimingReport } from "#core/api/server-health.ts";
import { HEALTH_BUDGET_MS as BUDGET_MS, HEALTH_TIMINGS } from "#core/ids/health-timings.ts";
import type { HealthTiming } from "#core/ids/health-timings.ts";
import type { MatchMode } from "#core/ids/match-modes.ts";

import { emptyHistogram, mergeHistogram, addSample, reportHistogram } from "./histogram.ts";
import type { Histogram } from "./histogram.ts";
import { emptyPlayTotals } from "./play-totals.ts";

/** `restarts` counts worker restarts. `failed_turns` counts failed house bot turns of any kind. */
const HOUSE_KINDS = ["restarts", "failed_turns"] as const satisfies (keyof HouseBotFailures)[];
type HouseKind = keyof HouseBotFailures;

const WINDOW_S = 300;
/** Number of seconds, including the current one, that `isLate` averages over. */
const LATENESS_WINDOW_S = 3;

type Bucket = {
  /** The second this bucket covers, or -1 if it is unused. */
  second: number;
  readonly timings: Record<HealthTiming, Histogram>;
  readonly turns: Record<TurnKind, number>;
  readonly house: Record<HouseKind, number>;
  readonly sends: { total: number; backpressured: number; maxBuffered: number };
  readonly games: MatchSums;
};

/** Totals for both fighters. `duration` is in µs. */
type MatchTotals = { turns: number; moves: number; dashes: number; duration: number };

type MatchSums = MatchTotals & { count: number; maxDuration: number };

export type Health = {
  /**
   * Records a heartbeat of the arena that was `lateness` µs late. Later records are attributed to
   * its second.
   */
  recordBeat(lateness: number): void;
  recordDuration(timing: Exclude<HealthTiming, "event_loop" | "reply">, duration: number): void;
  /** Records a reply time in µs. The budget is the match's tick limit. */
  recordReply(duration: number, tickMs: number): void;
  countTurn(kind: TurnKind): void;
  countHouseFault(kind: HouseKind): void;
  /** Records how many bytes were buffered for the peer before and after a send. */
  recordSend(before: number, after: number): void;
  recordMatch(recordMatch: MatchTotals): void;
  countStoredMatch(mode: MatchMode, outcome: MatchOutcome): void;
  countRefusal(code: string): void;
  /** Records a match whose result was lost because its void record couldn't be stored. */
  countLostResult(): void;
  /**
   * Returns whether the average heartbeat lateness over the last seconds exceeds its budget. A
   * single garbage collection pause is not enough.
   */
  isLate(): boolean;
  report(): HealthReport;
};

function mapTimings<T>(make: () => T): Record<HealthTiming, T> {
  return Object.fromEntries(HEALTH_TIMINGS.map((timing) => [timing, make()])) as Record<
    HealthTiming,
    T
  >;
}

function emptyTurnCounts(): Record<TurnKind, number> {
  return { valid: 0, invalid: 0, timeouts: 0, disconnected: 0 };
}

const emptyHouseCounts = (): Record<HouseKind, number> => ({ restarts: 0, failed_turns: 0 });

const emptyBucket = (): Bucket => ({
  second: -1,
  timings: mapTimings(emptyHistogram),
  turns: emptyTurnCounts(),
  house: emptyHouseCounts(),
  sends: { total: 0, backpressured: 0, maxBuffered: 0 },
  games: emptyMatchSums(),
});

const emptyMatchSums = (): MatchSums => ({
  count: 0,
  turns: 0,
  moves: 0,
  dashes: 0,
  duration: 0,
  maxDuration: 0,
});

export function openHealth(clock: Pick<Clock, "now">): Health {
  const buckets: Bucket[] = Array.from({ length: WINDOW_S }, emptyBucket);
  const openedAt = clock.now();
  let current = currentBucket();
  const totals = emptyPlayTotals();
  let lostResults = 0;

  function currentBucket(): Bucket {
    const second = Math.floor(clock.now() / SECOND_US);
    const index = second % WINDOW_S;
    const existing = buckets[index];
    if (existing?.second === second) return existing;
    return (buckets[index] = { ...emptyBucket(), second });
  }

  function recordTiming(timing: HealthTiming, duration: number, budgetMs: number): void {
    addSample(current.timings[timing], duration, budgetMs);
    addDuration(totals.timings[timing], duration);
  }

  return {
    recordBeat: (lateness) => {
      current = currentBucket();
      recordTiming("event_loop", lateness, BUDGET_MS.event_loop);
    },
    recordDuration: (timing, duration) => recordTiming(timing, duration, BUDGET_MS[timing]),
    recordReply: (duration, tickMs) => recordTiming("reply", duration, tickMs),
    countTurn: (kind) => {
      current.turns[kind] += 1;
      increment(totals.turns, kind);
    },
    countHouseFault: (kind) => {
      current.house[kind] += 1;
      increment(totals.house, kind);
    },
    recordSend: (before, after) => {
      const { sends } = current;
      sends.total += 1;
      totals.sends += 1;
      if (before > 0) sends.backpressured += 1;
      if (before > 0) totals.backpressuredSends += 1;
      if (after > sends.maxBuffered) sends.maxBuffered = after;
    },
    recordMatch: (game) =>
      addMatchSums(current.games, { ...game, count: 1, maxDuration: game.duration }),
    countStoredMatch: (mode, outcome) => increment(totals.matches, `${mode} ${outcome}`),
    countRefusal: (code) => increment(totals.refusals, code),
    countLostResult: () => {
      lostResults += 1;
    },
    isLate: () => {
      const now = Math.floor(clock.now() / SECOND_US);
      let [count, lateness] = [0, 0];
      for (let second = Math.max(0, now - LATENESS_WINDOW_S + 1); second <= now; second += 1) {
        const bucket = buckets[second % WINDOW_S];
        if (bucket?.second !== second) continue;
        count += bucket.timings.event_loop.count;
        lateness += bucket.timings.event_loop.sum;
      }
      return lateness > count * BUDGET_MS.event_loop * 1000;
    },
    report: () => {
      const now = clock.now();
      const oldest = Math.floor(now / SECOND_US) - WINDOW_S;
      const liveBuckets = buckets.filter(({ second }) => second > oldest);
      const uptime = (now - openedAt) / SECOND_US;
      return { ...reportOf(liveBuckets, uptime), lost_results: lostResults, totals };
    },
  };
}

function reportOf(
  buckets: readonly Bucket[],
  uptime: number,
): Omit<HealthReport, "lost_results" | "totals"> {
  const timings = mapTimings(emptyHistogram);
  const turns = emptyTurnCounts();
  const house = emptyHouseCounts();
  const sends = { total: 0, backpressured: 0, max_buffered_bytes: 0 };
  const games = emptyMatchSums();
  for (const bucket of buckets) {
    for (const timing of HEALTH_TIMINGS) mergeHistogram(timings[timing], bucket.timings[timing]);
    for (const kind of TURN_KINDS) turns[kind] += bucket.turns[kind];
    for (const kind of HOUSE_KINDS) house[kind] += bucket.house[kind];
    sends.total += bucket.sends.total;
    sends.backpressured += bucket.sends.backpressured;
    sends.max_buffered_bytes = Math.max(sends.max_buffered_bytes, bucket.sends.maxBuffered);
    addMatchSums(games, bucket.games);
  }
  return {
    uptime_seconds: Math.floor(uptime),
    window_seconds: WINDOW_S,
    observed_seconds: Math.floor(Math.min(WINDOW_S, uptime)),
    timings: Object.fromEntries(
      HEALTH_TIMINGS.map((timing) => [timing, timingReport(timings[timing])]),
    ) as Record<HealthTiming, TimingReport>,
    turns,
    house,
    sends,
    games: matchesReport(games),
  };
}

function addMatchSums(sums: MatchSums, added: MatchSums): void {
  sums.count += added.count;
  sums.turns += added.turns;
  sums.moves += added.moves;
  sums.dashes += added.dashes;
  sums.duration += added.duration;
  sums.maxDuration = Math.max(sums.maxDuration, added.maxDuration);
}

function matchesReport({ count, turns, moves, dashes, duration, maxDuration }: MatchSums) {
  const mean = (sum: number) => (count === 0 ? null : sum / count);
  return {
    count,
    mean_turns: mean(turns),
    mean_moves: mean(moves),
    mean_dashes: mean(dashes),
    mean_duration_ms: mean(duration / 1000),
    max_duration_ms: count === 0 ? null : maxDuration / 1000,
    ms_per_turn: turns === 0 ? null : duration / turns / 1000,
  };
}

function timingReport(histogram: Histogram): TimingReport {
  return { ...reportHistogram(histogram), over_budget: histogram.overBudget };
}
