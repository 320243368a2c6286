// What admins are told at once, by mail that is not kept: the store cannot keep anything then.

import { MINUTE_MS, SECOND_MS } from "#base/units/time.ts";
import type { Alarm } from "#core/accounts/letter.ts";
import { FIXED } from "#core/words/limits.ts";

/** In milliseconds since 1970. */
export type AlarmState = {
  /** Since when the store is out of reach; null while it answers. */
  awaySince: number | null;
  told: Readonly<Record<Alarm, number | null>>;
};

export const CALM: AlarmState = { awaySince: null, told: { disk_full: null, store_away: null } };

/** A store that is away for a moment is nobody's night. */
const PATIENCE_MS = MINUTE_MS;

/** What a call of the store said: that it works, or why it does not. */
export type StoreNews = "up" | "full" | "away";

/** The state from now on, and what admins are told of, at most once an hour each. */
export function alarmAfter(
  state: AlarmState,
  news: StoreNews,
  nowMs: number,
): { state: AlarmState; alarm: Alarm | null } {
  if (news === "up") return { state: { ...state, awaySince: null }, alarm: null };
  const awaySince = state.awaySince ?? nowMs;
  const alarm = news === "full" ? "disk_full" : "store_away";
  const isTooSoon = alarm === "store_away" && nowMs - awaySince < PATIENCE_MS;
  const last = state.told[alarm];
  const isTold = last !== null && nowMs - last < FIXED.warning_every_s * SECOND_MS;
  if (isTooSoon || isTold) return { state: { ...state, awaySince }, alarm: null };
  return { state: { awaySince, told: { ...state.told, [alarm]: nowMs } }, alarm };
}
