// Converts UTC instants between their stored form, such as `2026-11-23T12:09:30.250Z`, and
// milliseconds since 1970.

import { assertDefined } from "./assert-defined.ts";
import { dayNumber, dayFromNumber } from "./calendar-days.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time.ts";

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})\.(\d{3})Z$/;

/** Throws if the text isn't an instant in the stored form. */
export function instantToMs(instant: string): number {
  const [day = "", ...times] = (INSTANT.exec(instant) ?? []).slice(1);
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = times.map(Number);
  const msOfDay = hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS + ms;
  return assertDefined(dayNumber(day) ?? undefined, "UTC instant") * DAY_MS + msOfDay;
}

/** Supports only years with four digits. */
export function msToInstant(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const msOfDay = ms - day * DAY_MS;
  const formatPart = (unit: number, modulus: number, width = 2) =>
    String(Math.floor((msOfDay % modulus) / unit)).padStart(width, "0");
  const time = [
    formatPart(HOUR_MS, DAY_MS),
    formatPart(MINUTE_MS, HOUR_MS),
    formatPart(SECOND_MS, MINUTE_MS),
  ];
  return `${dayFromNumber(day)}T${time.join(":")}.${formatPart(1, SECOND_MS, 3)}Z`;
}
