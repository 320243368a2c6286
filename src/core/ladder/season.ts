// Seasons of the public ladder: UTC calendar months, after a preseason.

import type { LadderId } from "#core/ids/ids.ts";

import { DEFAULT_LADDER } from "./ladder.ts";

/** The season before the first month. It ends when that month begins. */
export const PRESEASON = "preseason";

/**
 * The scope of a rating. Results are rated together within a ladder, or within a season of the
 * public ladder.
 */
export type Competition = { ladderId: LadderId; season: string | null };

export const seasonCompetition = (season: string): Competition => ({
  ladderId: DEFAULT_LADDER,
  season,
});

/** UTC instants, ISO 8601 with milliseconds. A season closes at the next season's first instant. */
export type SeasonWindow = { id: string; opensAt: string; closesAt: string };

export type SeasonState = "live" | "finalizing" | "archived";

const MONTH_ID = /^[0-9]{4}-(?:0[1-9]|1[0-2])$/;

const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export function isSeasonId(text: string): boolean {
  return text === PRESEASON || MONTH_ID.test(text);
}

export function seasonName(id: string): string {
  if (id === PRESEASON) return "Preseason";
  const [year, month] = id.split("-");
  return `${MONTH_NAMES[Number(month) - 1]} ${year}`;
}

export function monthOf(instant: string): string {
  return instant.slice(0, "YYYY-MM".length);
}

/** Returns the window of a month, up to the first instant of the next month. */
export function windowOfMonth(id: string): SeasonWindow {
  return { id, opensAt: firstInstant(id), closesAt: firstInstant(monthAfter(id)) };
}

const firstInstant = (month: string): string => `${month}-01T00:00:00.000Z`;

function monthAfter(id: string): string {
  const year = Number(id.slice(0, "YYYY".length));
  const month = Number(id.slice("YYYY-".length));
  const [nextYear, nextMonth] = month === 12 ? [year + 1, 1] : [year, month + 1];
  return `${String(nextYear).padStart(4, "0")}-${String(nextMonth).padStart(2, "0")}`;
}

/**
 * Returns the season of a match that starts at an instant: the instant's month, but never a month
 * before the newest opened one. Setting the clock back therefore can't change a closed season.
 */
export function seasonAt(instant: string, newestSeason: string): string {
  const month = monthOf(instant);
  return month > newestSeason ? month : newestSeason;
}

/**
 * Returns the windows of the months to open: those after the newest opened season up to the month
 * of `now`, oldest first.
 */
export function dueSeasons(newestSeason: string, now: string): SeasonWindow[] {
  const dueWindows: SeasonWindow[] = [];
  const lastMonth = seasonAt(now, newestSeason);
  for (let id = newestSeason; id < lastMonth;) {
    id = monthAfter(id);
    dueWindows.push(windowOfMonth(id));
  }
  return dueWindows;
}

/**
 * Returns a season's state. The newest opened season is live. An older season is finalizing while
 * any of its matches is still running, and archived once its standings are written.
 */
export function seasonState(
  { id, archivedAt }: { id: string; archivedAt: string | null },
  newestSeason: string,
): SeasonState {
  if (archivedAt !== null) return "archived";
  return id === newestSeason ? "live" : "finalizing";
}

/** Sorts season ids newest first, with the preseason last. */
export function compareSeasonIds(a: string, b: string): number {
  if (a === b) return 0;
  if (a === PRESEASON || b === PRESEASON) return a === PRESEASON ? 1 : -1;
  return a < b ? 1 : -1;
}
