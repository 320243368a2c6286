// Converts between date ranges and their URL form, such as 2026-01-05..2026-02-03.

import { dayNumber } from "#base/util/calendar-days.ts";
import type { DaySpan } from "#core/api/analytics.ts";

/**
 * Returns null for a missing or invalid range. The server then uses its default range, which ends
 * today.
 */
export function parseDayRange(text: string | null): DaySpan | null {
  const [from = "", to = ""] = text?.split("..") ?? [];
  return dayNumber(from) === null || dayNumber(to) === null ? null : { from, to };
}

export const formatDayRange = ({ from, to }: DaySpan): string => `${from}..${to}`;

const DAY_S = 86_400;

/** Returns noon UTC on a day as a Unix timestamp in seconds. Bars are centered there. */
export const middayOf = (day: string): number => ((dayNumber(day) ?? 0) + 0.5) * DAY_S;

/** Tick intervals in seconds. Long ranges use weeks, months or more. */
export const DAY_STEPS = [1, 2, 7, 14, 28, 56, 91, 182].map((days) => days * DAY_S);

export const dayRangeSeconds = ({ from, to }: DaySpan): [from: number, to: number] => [
  (dayNumber(from) ?? 0) * DAY_S,
  ((dayNumber(to) ?? 0) + 1) * DAY_S,
];
