import type { Limits } from "#core/limits/limits.ts";
import type { PairingParameters } from "#core/pairing/types.ts";

export function pairingNumbers(limits: Limits): PairingParameters {
  return {
    rematchHoldSeconds: limits.rematch_hold_s,
    windowStart: limits.rating_window_start,
    windowPerSecond: limits.rating_window_per_s,
    windowCap: limits.rating_window_cap,
    priorityWaitSeconds: limits.priority_wait_s,
    settledGames: limits.qualifying_games,
  };
}
