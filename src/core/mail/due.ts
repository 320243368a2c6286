// When letters are due, in milliseconds since 1970.

import { DAY_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

const HOUR_MS = DAY_MS / 24;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05 was the first Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The last Monday at `digest_hour` that is not after `nowMs`. */
export function lastDigestMs(nowMs: number): number {
  const first = FIRST_MONDAY_MS + FIXED.digest_hour * HOUR_MS;
  return first + Math.floor((nowMs - first) / WEEK_MS) * WEEK_MS;
}

/** Whether a digest of that instant still goes out. */
export const isDigestFresh = (digestMs: number, nowMs: number): boolean =>
  nowMs - digestMs < FIXED.digest_late_h * HOUR_MS;

export type Edge = "opens" | "closes";

/** The edges of a window that are at most a day ahead. */
export function edgesAhead(
  { opensMs, closesMs }: { opensMs: number; closesMs: number },
  nowMs: number,
): Edge[] {
  const isAhead = (edgeMs: number) => nowMs < edgeMs && edgeMs - nowMs <= DAY_MS;
  return [
    ...(isAhead(opensMs) ? ["opens" as const] : []),
    ...(isAhead(closesMs) ? ["closes" as const] : []),
  ];
}
