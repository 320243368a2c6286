// Alarms for admins when the store can't be written to. Their emails aren't stored but sent
// immediately.

import { MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import type { StoreAlarm } from "#core/accounts/transactional-email.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

/** Times are in milliseconds since 1970. */
export type AlarmState = {
  /** When the store became unreachable; null while it responds. */
  unreachableSince: number | null;
  lastNotifiedMs: Readonly<Record<StoreAlarm, number | null>>;
};

export const NO_ALARM: AlarmState = {
  unreachableSince: null,
  lastNotifiedMs: { disk_full: null, store_away: null },
};

/** Shorter outages raise no alarm. */
const UNREACHABLE_GRACE_MS = MINUTE_MS;

/** Result of a store call: success, disk full, or no response. */
export type StoreStatus = "up" | "full" | "away";

/**
 * Returns the next state and the alarm to send, if any. Sends up to one alarm of each kind per
 * hour.
 */
export function nextAlarmState(
  state: AlarmState,
  status: StoreStatus,
  nowMs: number,
): { state: AlarmState; alarm: StoreAlarm | null } {
  if (status === "up") return { state: { ...state, unreachableSince: null }, alarm: null };
  const unreachableSince = state.unreachableSince ?? nowMs;
  const alarm = status === "full" ? "disk_full" : "store_away";
  const isTooSoon = alarm === "store_away" && nowMs - unreachableSince < UNREACHABLE_GRACE_MS;
  const previousMs = state.lastNotifiedMs[alarm];
  const wasNotified =
    previousMs !== null && nowMs - previousMs < FIXED_LIMITS.warning_every_s * SECOND_MS;
  if (isTooSoon || wasNotified) return { state: { ...state, unreachableSince }, alarm: null };
  return {
    state: { unreachableSince, lastNotifiedMs: { ...state.lastNotifiedMs, [alarm]: nowMs } },
    alarm,
  };
}
