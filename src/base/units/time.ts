// Units of time.

/** Times are microseconds of the monotonic clock unless noted otherwise. */
export const MILLISECOND = 1000;
export const SECOND = 1000 * MILLISECOND;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The same in milliseconds, for timers, settings and wall-clock instants. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC day of an instant, as text. */
export const dayOf = (instant: string): string => instant.slice(0, "2026-01-05".length);
