// Seasons of the public ladder: UTC calendar months, and everything before the first of them.

import type { LadderId } from "#core/words/ids.ts";

import { DEFAULT_LADDER } from "./ladder.ts";

/** The season before the first month; its window ends where that month begins. */
export const PRESEASON = "preseason";

/** Results are rated together within a competition: a ladder, or on public one of its seasons. */
export type Competition = { ladderId: LadderId; season: string | null };

/** What a season of the public ladder is as a competition. */
export const seasonCompetition = (season: string): Competition => ({
  ladderId: DEFAULT_LADDER,
  season,
});

/** Instants are UTC, ISO 8601 with milliseconds; the close is the next season's first instant. */
export type SeasonWindow = { id: string; opensAt: string; closesAt: string };

export type SeasonState = "live" | "finalizing" | "archived";

const MONTH = /^[0-9]{4}-(?:0[1-9]|1[0-2])$/;

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

/** Whether a text has the form of a season id: `YYYY-MM` or `preseason`. */
export function isSeasonId(text: string): boolean {
  return text === PRESEASON || MONTH.test(text);
}

/** The name shown to people. */
export function seasonName(id: string): string {
  if (id === PRESEASON) return "Preseason";
  const [year, month] = id.split("-");
  return `${MONTH_NAMES[Number(month) - 1]} ${year}`;
}

/** The id of the month that contains a UTC instant. */
export function monthOf(instant: string): string {
  return instant.slice(0, "YYYY-MM".length);
}

/** From the first instant of a month to the first of the next. */
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
 * The season of a match that starts at an instant: the month of that instant, but never before the
 * newest opened month. A clock that is set back therefore changes nothing that has closed.
 */
export function seasonAt(instant: string, newest: string): string {
  const month = monthOf(instant);
  return month > newest ? month : newest;
}

/** The months after the newest opened season up to that of an instant, oldest first. */
export function dueSeasons(newest: string, now: string): SeasonWindow[] {
  const due: SeasonWindow[] = [];
  const last = seasonAt(now, newest);
  for (let id = newest; id < last;) {
    id = monthAfter(id);
    due.push(windowOfMonth(id));
  }
  return due;
}

/**
 * The newest opened season is live, and there is always one. An older season is finalizing while a
 * match that started in it still runs, and archived once its standings are written.
 */
export function seasonState(
  { id, archivedAt }: { id: string; archivedAt: string | null },
  newest: string,
): SeasonState {
  if (archivedAt !== null) return "archived";
  return id === newest ? "live" : "finalizing";
}

/** Sorts season ids newest first, preseason last. */
export function newestFirst(one: string, other: string): number {
  if (one === other) return 0;
  if (one === PRESEASON || other === PRESEASON) return one === PRESEASON ? 1 : -1;
  return one < other ? 1 : -1;
}
