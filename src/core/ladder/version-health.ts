// How a version plays its turns: counted per match, summed over many, and published in percent.

import { MILLISECOND } from "#base/units/time.ts";
import { BUCKET_BOUNDS } from "#core/engine/server-stats.ts";

/** As published; percentages have two decimals. */
export type VersionHealth = {
  matches: number;
  turns: number;
  idle_pct: number;
  idle_pct_by_reason: Counts;
  refused_pct: number;
  refused_pct_by_reason: Counts;
  /** In ms; null if nothing was timed. */
  reply_ms: { replies: number; mean: number; p50: number; p95: number; max: number } | null;
  near_limit_pct: number;
  lowest_budget_ms_left: number | null;
  disconnects: number;
  disqualifications: number;
};

/** By code. What never happened is absent. */
type Counts = Record<string, number>;

/** Times in whole microseconds unless a unit is named. */
export type ReplyFigures = {
  replies: number;
  total: number;
  max: number;
  nearLimit: number;
  /** The least time budget left at the end of any match, in ms. */
  budgetLeftMs: number;
  /** Bucket counts of match statistics, by the tick limit in ms: bucket bounds are shares of it. */
  histograms: Record<string, number[]>;
};

/** Of one match, or summed over several. */
export type TurnFigures = {
  matches: number;
  /** One per tick. */
  turns: number;
  idles: Counts;
  refusedTurns: number;
  refused: Counts;
  disconnects: number;
  disqualifications: number;
  /** Null if nothing was timed. */
  replies: ReplyFigures | null;
};

/** The sum of all figures, or null if there are none. */
export function sumOfTurns(all: readonly TurnFigures[]): TurnFigures | null {
  if (all.length === 0) return null;
  const timed = all.flatMap(({ replies }) => (replies === null ? [] : [replies]));
  return {
    matches: sum(all.map(({ matches }) => matches)),
    turns: sum(all.map(({ turns }) => turns)),
    idles: sumOfCounts(all.map(({ idles }) => idles)),
    refusedTurns: sum(all.map(({ refusedTurns }) => refusedTurns)),
    refused: sumOfCounts(all.map(({ refused }) => refused)),
    disconnects: sum(all.map(({ disconnects }) => disconnects)),
    disqualifications: sum(all.map(({ disqualifications }) => disqualifications)),
    replies: timed.length === 0 ? null : sumOfReplies(timed),
  };
}

function sumOfReplies(timed: readonly ReplyFigures[]): ReplyFigures {
  const histograms: Record<string, number[]> = {};
  for (const { histograms: own } of timed)
    for (const [tickMs, counts] of Object.entries(own)) {
      const sums = (histograms[tickMs] ??= []);
      for (const [bucket, count] of counts.entries()) sums[bucket] = (sums[bucket] ?? 0) + count;
    }
  return {
    replies: sum(timed.map(({ replies }) => replies)),
    total: sum(timed.map(({ total }) => total)),
    max: Math.max(...timed.map(({ max }) => max)),
    nearLimit: sum(timed.map(({ nearLimit }) => nearLimit)),
    budgetLeftMs: Math.min(...timed.map(({ budgetLeftMs }) => budgetLeftMs)),
    histograms,
  };
}

function sumOfCounts(all: readonly Counts[]): Counts {
  const sums: Counts = {};
  for (const counts of all)
    for (const [code, count] of Object.entries(counts)) sums[code] = (sums[code] ?? 0) + count;
  return sums;
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** The figures as published. */
export function versionHealth(figures: TurnFigures): VersionHealth {
  const { matches, turns, idles, refusedTurns, refused, replies } = figures;
  const shares = (counts: Counts) =>
    Object.fromEntries(
      Object.entries(counts).map(([code, count]) => [code, percent(count, turns)]),
    );
  return {
    matches,
    turns,
    idle_pct: percent(sum(Object.values(idles)), turns),
    idle_pct_by_reason: shares(idles),
    refused_pct: percent(refusedTurns, turns),
    refused_pct_by_reason: shares(refused),
    reply_ms: replies && replyTimes(replies),
    near_limit_pct: replies === null ? 0 : percent(replies.nearLimit, replies.replies),
    lowest_budget_ms_left: replies?.budgetLeftMs ?? null,
    disconnects: figures.disconnects,
    disqualifications: figures.disqualifications,
  };
}

/** With two decimals; 0 if the whole is 0. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}

function replyTimes(figures: ReplyFigures): VersionHealth["reply_ms"] {
  const { replies, total, max } = figures;
  return {
    replies,
    mean: Math.round(total / replies) / MILLISECOND,
    p50: percentile(figures, 0.5),
    p95: percentile(figures, 0.95),
    max: max / MILLISECOND,
  };
}

/** In ms: the upper bound of the bucket that holds the nearest-rank value, at most the maximum. */
function percentile({ replies, max, histograms }: ReplyFigures, share: number): number {
  const buckets = Object.entries(histograms).flatMap(([tickMs, counts]) =>
    // A thousandth of a millisecond is a microsecond.
    counts.map((count, at) => ({ count, bound: (BUCKET_BOUNDS[at] ?? Infinity) * Number(tickMs) })),
  );
  let rank = Math.ceil(share * replies);
  const holder = buckets
    .toSorted((one, other) => one.bound - other.bound)
    .find(({ count }) => (rank -= count) <= 0);
  return Math.min(holder?.bound ?? max, max) / MILLISECOND;
}
