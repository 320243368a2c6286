// The numbers that decide a match in addition to its rules, as carried by its hello and its replay.

import { RULES } from "#core/engine/rules.ts";
import type { Deadlines } from "#core/engine/types.ts";
import type { Limits } from "#core/words/limits.ts";

/** Takes the limits in force now; a match keeps what it started with. */
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

/**
 * Those of a person's fight. Its ticks are timed by the clock alone, so no budget runs out; nobody
 * can come back without a token, so nobody is waited for; and people may think for a while.
 */
export function playDeadlinesOf(limits: Limits): Deadlines {
  const tick_ms = limits.play_tick_ms;
  const budget_ms = tick_ms * RULES.max_ticks;
  const failed_ticks_to_disqualify = limits.play_silent_ticks;
  return {
    ...deadlinesOf(limits),
    tick_ms,
    budget_ms,
    reconnect_ms: 0,
    failed_ticks_to_disqualify,
  };
}

const wholeMs = (seconds: number): number => Math.round(seconds * 1000);
