// Alarms sent to admins immediately, by email that isn't stored, because the store can't be written
// to.

import { MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import type { StoreAlarm } from "#core/accounts/transactional-email.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

/** In milliseconds since 1970. */
export type AlarmState = {
  /** Since when the store has been unreachable; null while it responds. */
  unreachableSince: number | null;
  lastNotifiedMs: Readonly<Record<StoreAlarm, number | null>>;
};

export const NO_ALARM: AlarmState = {
  unreachableSince: null,
  lastNotifiedMs: { disk_full: null, store_away: null },
};

/** Brief outages don't raise an alarm. */
const UNREACHABLE_GRACE_MS = MINUTE_MS;

/** Result of a store call: success, or why it failed. */
export type StoreStatus = "up" | "full" | "away";

/** Returns the next state and the alarms to send, with each kind limited to one an hour. */
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
