// Turn statistics of a version. Counted per match, summed over matches, and published in percent.

import { MILLISECOND_US } from "#base/util/time.ts";
import { BUCKET_BOUNDS } from "#core/engine/server-stats.ts";

/** The published format. Percentages have two decimal places. */
export type VersionHealth = {
  matches: number;
  turns: number;
  idle_pct: number;
  idle_pct_by_reason: CountsByCode;
  refused_pct: number;
  refused_pct_by_reason: CountsByCode;
  /** In ms. Null if no reply was timed. */
  reply_ms: { replies: number; mean: number; p50: number; p95: number; max: number } | null;
  near_limit_pct: number;
  lowest_budget_ms_left: number | null;
  disconnects: number;
  disqualifications: number;
};

/** Counts by code. Codes that never occurred are absent. */
type CountsByCode = Record<string, number>;

/** Times are in whole microseconds unless the name states a unit. */
export type ReplyStats = {
  replies: number;
  total: number;
  max: number;
  nearLimit: number;
  /** Smallest remaining time budget at the end of any match, in ms. */
  budgetLeftMs: number;
  /** Histogram buckets by tick limit in ms, because bucket bounds are fractions of the limit. */
  histograms: Record<string, number[]>;
};

export type TurnStats = {
  matches: number;
  turns: number;
  idles: CountsByCode;
  refusedTurns: number;
  refused: CountsByCode;
  disconnects: number;
  disqualifications: number;
  /** Null if no reply was timed. */
  replies: ReplyStats | null;
};

export function sumTurnStats(entries: readonly TurnStats[]): TurnStats | null {
  if (entries.length === 0) return null;
  const replyStats = entries.flatMap(({ replies }) => (replies === null ? [] : [replies]));
  return {
    matches: sum(entries.map(({ matches }) => matches)),
    turns: sum(entries.map(({ turns }) => turns)),
    idles: addCounts(entries.map(({ idles }) => idles)),
    refusedTurns: sum(entries.map(({ refusedTurns }) => refusedTurns)),
    refused: addCounts(entries.map(({ refused }) => refused)),
    disconnects: sum(entries.map(({ disconnects }) => disconnects)),
    disqualifications: sum(entries.map(({ disqualifications }) => disqualifications)),
    replies: replyStats.length === 0 ? null : sumReplyStats(replyStats),
  };
}

function sumReplyStats(replyStats: readonly ReplyStats[]): ReplyStats {
  const histograms: Record<string, number[]> = {};
  for (const { histograms: entryHistograms } of replyStats)
    for (const [tickMs, counts] of Object.entries(entryHistograms)) {
      const sums = (histograms[tickMs] ??= []);
      for (const [bucket, count] of counts.entries()) sums[bucket] = (sums[bucket] ?? 0) + count;
    }
  return {
    replies: sum(replyStats.map(({ replies }) => replies)),
    total: sum(replyStats.map(({ total }) => total)),
    max: Math.max(...replyStats.map(({ max }) => max)),
    nearLimit: sum(replyStats.map(({ nearLimit }) => nearLimit)),
    budgetLeftMs: Math.min(...replyStats.map(({ budgetLeftMs }) => budgetLeftMs)),
    histograms,
  };
}

function addCounts(entries: readonly CountsByCode[]): CountsByCode {
  const sums: CountsByCode = {};
  for (const counts of entries)
    for (const [code, count] of Object.entries(counts)) sums[code] = (sums[code] ?? 0) + count;
  return sums;
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

export function versionHealth(stats: TurnStats): VersionHealth {
  const { matches, turns, idles, refusedTurns, refused, replies } = stats;
  const percentages = (counts: CountsByCode) =>
    Object.fromEntries(
      Object.entries(counts).map(([code, count]) => [code, percent(count, turns)]),
    );
  return {
    matches,
    turns,
    idle_pct: percent(sum(Object.values(idles)), turns),
    idle_pct_by_reason: percentages(idles),
    refused_pct: percent(refusedTurns, turns),
    refused_pct_by_reason: percentages(refused),
    reply_ms: replies && replyTimes(replies),
    near_limit_pct: replies === null ? 0 : percent(replies.nearLimit, replies.replies),
    lowest_budget_ms_left: replies?.budgetLeftMs ?? null,
    disconnects: stats.disconnects,
    disqualifications: stats.disqualifications,
  };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}

function replyTimes(stats: ReplyStats): VersionHealth["reply_ms"] {
  const { replies, total, max } = stats;
  return {
    replies,
    mean: Math.round(total / replies) / MILLISECOND_US,
    p50: percentile(stats, 0.5),
    p95: percentile(stats, 0.95),
    max: max / MILLISECOND_US,
  };
}

/**
 * Returns a percentile in ms: the upper bound of the bucket with the nearest-rank value, but at
 * most the maximum.
 */
function percentile({ replies, max, histograms }: ReplyStats, share: number): number {
  const buckets = Object.entries(histograms).flatMap(([tickMs, counts]) =>
    // Bounds are in µs: thousandths of the limit times the limit in ms.
    counts.map((count, bucketIndex) => ({
      count,
      bound: (BUCKET_BOUNDS[bucketIndex] ?? Infinity) * Number(tickMs),
    })),
  );
  let rank = Math.ceil(share * replies);
  const bucketAtRank = buckets
    .toSorted((a, b) => a.bound - b.bound)
    .find(({ count }) => (rank -= count) <= 0);
  return Math.min(bucketAtRank?.bound ?? max, max) / MILLISECOND_US;
}
