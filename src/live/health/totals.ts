import { newDurationHistogram } from "#base/units/duration-histogram.ts";
import type { PlayTotals } from "#core/operator/totals.ts";
import { HEALTH_TIMINGS } from "#core/words/health.ts";

export function newTotals(): PlayTotals {
  const timings = HEALTH_TIMINGS.map((timing) => [timing, newDurationHistogram()] as const);
  return {
    timings: Object.fromEntries(timings) as PlayTotals["timings"],
    turns: new Map(),
    house: new Map(),
    matches: new Map(),
    refusals: new Map(),
    sends: 0,
    backpressuredSends: 0,
  };
}
