// The numbers that decide a match beside its rules, as its hello and its replay carry them.

import type { Deadlines } from "#core/engine/types.ts";
import type { Limits } from "#core/words/limits.ts";

/** As the limits are now: a match keeps what it began with. */
export function deadlinesOf(limits: Limits): Deadlines {
  return {
    startup_ms: wholeMs(limits.startup_s),
    tick_ms: wholeMs(limits.tick_s),
    budget_ms: wholeMs(limits.budget_s),
    reconnect_ms: wholeMs(limits.reconnect_grace_s),
    failed_ticks_to_disqualify: limits.failed_ticks_to_disqualify,
    messages_per_tick: limits.messages_per_tick,
  };
}

const wholeMs = (seconds: number): number => Math.round(seconds * 1000);
