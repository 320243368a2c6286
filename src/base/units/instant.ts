// UTC instants as they are stored, `2026-11-23T12:09:30.250Z`, and as milliseconds since 1970.

import { dayNumber, dayText } from "./days.ts";
import { sure } from "./sure.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time.ts";

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})\.(\d{3})Z$/;

/** Fails for any other text. */
export function msOf(instant: string): number {
  const [day = "", ...times] = (INSTANT.exec(instant) ?? []).slice(1);
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = times.map(Number);
  const ofDay = hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS + ms;
  return sure(dayNumber(day) ?? undefined, "UTC instant") * DAY_MS + ofDay;
}

/** For years of four digits. */
export function instantAt(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const ofDay = ms - day * DAY_MS;
  const part = (unit: number, of: number, width = 2) =>
    String(Math.floor((ofDay % of) / unit)).padStart(width, "0");
  const time = [part(HOUR_MS, DAY_MS), part(MINUTE_MS, HOUR_MS), part(SECOND_MS, MINUTE_MS)];
  return `${dayText(day)}T${time.join(":")}.${part(1, SECOND_MS, 3)}Z`;
}
