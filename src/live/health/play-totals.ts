import { createDurationHistogram } from "#base/util/duration-histogram.ts";
import type { MatchTotals } from "#core/api/process-totals.ts";
import { HEALTH_TIMINGS } from "#core/ids/health-timings.ts";

export function emptyPlayTotals(): MatchTotals {
  const timings = HEALTH_TIMINGS.map((timing) => [timing, createDurationHistogram()] as const);
  return {
    timings: Object.fromEntries(timings) as MatchTotals["timings"],
    turns: new Map(),
    house: new Map(),
    matches: new Map(),
    refusals: new Map(),
    sends: 0,
    backpressuredSends: 0,
  };
}
