import type { PairingNumbers } from "#core/pairing/types.ts";
import type { Limits } from "#core/words/limits.ts";

/** The numbers that pairing uses, from the table of limits. */
export function pairingNumbers(limits: Limits): PairingNumbers {
  return {
    rematchHoldSeconds: limits.rematch_hold_s,
    windowStart: limits.rating_window_start,
    windowPerSecond: limits.rating_window_per_s,
    windowCap: limits.rating_window_cap,
    priorityWaitSeconds: limits.priority_wait_s,
    settledGames: limits.qualifying_games,
  };
}
