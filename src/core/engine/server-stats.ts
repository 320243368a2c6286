import { MILLISECOND_US } from "#base/util/time.ts";
import { exceedsFailedTickShare } from "#core/limits/failed-tick-share.ts";

import type { IdleReason, RecordedDeadlines, RecordedTurn, ReplayTick } from "./types.ts";
import type { EndReason, ServerStats, TimingStats } from "./types.ts";

/** Limit for matches whose replays don't record one. */
const DEFAULT_FAILED_TICKS = 10;

/**
 * Returns, by seat, whether the fighter is disqualified for failed ticks. If any seat has `limit`
 * failed ticks in a row, only seats with that many in a row are disqualified. Otherwise the share
 * of failed ticks decides.
 */
export function disqualifiedSeats(
  counts: readonly { consecutive: number; total: number }[],
  ticks: number,
  limit: number,
): boolean[] {
  const disqualifiedByStreak = counts.map(({ consecutive }) => consecutive >= limit);
  return disqualifiedByStreak.includes(true)
    ? disqualifiedByStreak
    : counts.map(({ total }) => exceedsFailedTickShare(total, ticks));
}

export function failedTicksToDisqualify({ failed_ticks_to_disqualify }: RecordedDeadlines): number {
  return failed_ticks_to_disqualify ?? DEFAULT_FAILED_TICKS;
}

/**
 * Upper bounds of the histogram buckets, in thousandths of the tick limit. A final bucket counts
 * slower replies.
 */
export const BUCKET_BOUNDS = [
  10, 25, 50, 100, 200, 300, 400, 500, 600, 700, 800, 850, 900, 950, 1000,
] as const;
/** A reply counts as near the limit if it takes at least this many thousandths of the limit. */
const NEAR_LIMIT = 800;

// Reply times in milliseconds have up to three decimal places, so they are whole microseconds.

type FighterServerTally = {
  readonly idles: Partial<Record<IdleReason, number>>;
  disconnects: number;
  wasDisconnected: boolean;
  consecutiveFailures: number;
  totalFailures: number;
  budgetLeft: number;
  readonly replies: ReplyTally;
};

/** Times are in microseconds. */
type ReplyTally = {
  count: number;
  sum: number;
  max: number;
  nearLimit: number;
  readonly histogram: number[];
};

export type ServerTally = {
  ticks: number;
  readonly deadlines: RecordedDeadlines;
  readonly fighters: readonly FighterServerTally[];
};

export function startServerTally(deadlines: RecordedDeadlines, seats: number): ServerTally {
  const fighters = Array.from({ length: seats }, () => ({
    idles: {},
    disconnects: 0,
    wasDisconnected: false,
    consecutiveFailures: 0,
    totalFailures: 0,
    budgetLeft: deadlines.budget_ms,
    replies: {
      count: 0,
      sum: 0,
      max: 0,
      nearLimit: 0,
      histogram: Array.from({ length: BUCKET_BOUNDS.length + 1 }, () => 0),
    },
  }));
  return { ticks: 0, deadlines, fighters };
}

export function tallyServerTick(tally: ServerTally, tick: ReplayTick): void {
  tally.ticks += 1;
  for (const [seat, fighter] of tally.fighters.entries()) {
    const reply = tick.reply_ms[seat]!;
    tallyTurn(fighter, tick.turns[seat]!);
    fighter.budgetLeft = tick.budget_ms[seat]!;
    if (reply !== null) tallyReply(fighter.replies, reply, tally.deadlines.tick_ms);
  }
}

export function serverStats(tally: ServerTally, seat: number, reason: EndReason): ServerStats {
  const { idles, disconnects } = tally.fighters[seat]!;
  return {
    server_idles: { ...idles },
    timing: timingStats(tally, seat),
    disconnects,
    disqualified: reason === "disqualification" && disqualifiedFighters(tally)[seat]!,
  };
}

function disqualifiedFighters({ deadlines, fighters, ticks }: ServerTally): boolean[] {
  const counts = fighters.map(({ consecutiveFailures, totalFailures }) => ({
    consecutive: consecutiveFailures,
    total: totalFailures,
  }));
  return disqualifiedSeats(counts, ticks, failedTicksToDisqualify(deadlines));
}

function tallyTurn(fighter: FighterServerTally, turn: RecordedTurn): void {
  const idle = turn !== null && "idle" in turn ? turn.idle : null;
  const isDisconnected = idle === "disconnected";
  if (isDisconnected && !fighter.wasDisconnected) fighter.disconnects += 1;
  if (idle !== null) fighter.idles[idle] = (fighter.idles[idle] ?? 0) + 1;
  fighter.wasDisconnected = isDisconnected;
  fighter.consecutiveFailures = idle === null ? 0 : fighter.consecutiveFailures + 1;
  fighter.totalFailures += Number(idle !== null);
}

function tallyReply(replies: ReplyTally, reply: number, tickLimit: number): void {
  const time = Math.round(reply * MILLISECOND_US);
  replies.count += 1;
  replies.sum += time;
  replies.max = Math.max(replies.max, time);
  if (time >= NEAR_LIMIT * tickLimit) replies.nearLimit += 1;
  replies.histogram[bucketOf(time, tickLimit)]! += 1;
}

/**
 * Returns the first bucket whose bound is at least `time`. The units match: one thousandth of a
 * limit in ms is that many µs.
 */
function bucketOf(time: number, tickLimit: number): number {
  const bucket = BUCKET_BOUNDS.findIndex((bound) => time <= bound * tickLimit);
  return bucket === -1 ? BUCKET_BOUNDS.length : bucket;
}

function timingStats({ deadlines, fighters }: ServerTally, seat: number): TimingStats | null {
  const { replies, budgetLeft } = fighters[seat]!;
  if (replies.count === 0) return null;
  return {
    replies: replies.count,
    mean_ms: Math.round(replies.sum / replies.count) / MILLISECOND_US,
    p50_ms: percentile(replies, 0.5, deadlines.tick_ms),
    p95_ms: percentile(replies, 0.95, deadlines.tick_ms),
    max_ms: replies.max / MILLISECOND_US,
    near_limit: replies.nearLimit,
    tick_ms: deadlines.tick_ms,
    budget_ms: deadlines.budget_ms,
    budget_ms_left: budgetLeft,
    histogram: [...replies.histogram],
  };
}

/**
 * Returns a percentile in ms: the upper bound of the bucket with the nearest-rank value, but at
 * most the maximum.
 */
function percentile({ count, max, histogram }: ReplyTally, share: number, tickLimit: number) {
  let rank = Math.ceil(share * count);
  const bucket = histogram.findIndex((size) => (rank -= size) <= 0);
  const bound = bucket < BUCKET_BOUNDS.length ? BUCKET_BOUNDS[bucket]! * tickLimit : max;
  return Math.min(bound, max) / MILLISECOND_US;
}
