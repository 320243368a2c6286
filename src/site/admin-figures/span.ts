// The days that analytics are about, as an address has them: 2026-01-05..2026-02-03.

import { dayNumber } from "#base/units/days.ts";
import type { DaySpan } from "#core/operator/analytics.ts";

/** Null for the usual days up to today. */
export function spanIn(of: string | null): DaySpan | null {
  const [from = "", to = ""] = of?.split("..") ?? [];
  return dayNumber(from) === null || dayNumber(to) === null ? null : { from, to };
}

export const spanText = ({ from, to }: DaySpan): string => `${from}..${to}`;

const DAY_S = 86_400;

/** The middle of a day in UTC, where its bar stands, in seconds since 1970. */
export const noonOf = (day: string): number => ((dayNumber(day) ?? 0) + 0.5) * DAY_S;

/** Steps of a week, a month or so, and more, for spans that are long. */
export const DAY_STEPS = [1, 2, 7, 14, 28, 56, 91, 182].map((days) => days * DAY_S);

/** All days of a span, from the beginning of the first to the end of the last. */
export const secondsOf = ({ from, to }: DaySpan): [from: number, to: number] => [
  (dayNumber(from) ?? 0) * DAY_S,
  ((dayNumber(to) ?? 0) + 1) * DAY_S,
];
