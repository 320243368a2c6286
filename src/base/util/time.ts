/** Times are in microseconds of the monotonic clock unless noted otherwise. */
export const MILLISECOND_US = 1000;
export const SECOND_US = 1000 * MILLISECOND_US;
export const MINUTE_US = 60 * SECOND_US;
export const HOUR_US = 60 * MINUTE_US;
export const DAY_US = 24 * HOUR_US;

/** Milliseconds, for timers, settings and wall-clock instants. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const utcDayOf = (instant: string): string => instant.slice(0, "2026-01-05".length);
