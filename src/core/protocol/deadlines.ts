// Match settings other than the rules, as recorded in the match's `hello` and replay.

import { RULES } from "#core/engine/rules.ts";
import type { Deadlines } from "#core/engine/types.ts";
import type { Limits } from "#core/limits/limits.ts";

/**
 * Returns the deadlines under the current limits. A running match keeps the deadlines it started
 * with.
 */
export function matchDeadlines(limits: Limits): Deadlines {
  return {
    startup_ms: secondsToMs(limits.startup_s),
    tick_ms: secondsToMs(limits.tick_s),
    budget_ms: secondsToMs(limits.budget_s),
    reconnect_ms: secondsToMs(limits.reconnect_grace_s),
    failed_ticks_to_disqualify: limits.failed_ticks_to_disqualify,
    messages_per_tick: limits.messages_per_tick,
  };
}

/**
 * Returns the deadlines of human matches. The clock alone paces the ticks, so the budget never runs
 * out. People have no token to reconnect with, so there is no grace period. They may also idle for
 * longer.
 */
export function humanMatchDeadlines(limits: Limits): Deadlines {
  const tick_ms = limits.play_tick_ms;
  const budget_ms = tick_ms * RULES.max_ticks;
  const failed_ticks_to_disqualify = limits.play_silent_ticks;
  return {
    ...matchDeadlines(limits),
    tick_ms,
    budget_ms,
    reconnect_ms: 0,
    failed_ticks_to_disqualify,
  };
}

const secondsToMs = (seconds: number): number => Math.round(seconds * 1000);
