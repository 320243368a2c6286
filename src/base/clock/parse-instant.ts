// Parses instants typed by people into the canonical form: UTC with milliseconds.

/** ISO 8601 with an offset. */
const INSTANT_REGEX =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Returns the instant in UTC, to the millisecond, or null if it's invalid. */
export function parseIsoInstant(text: string): string | null {
  const [, day] = INSTANT_REGEX.exec(text) ?? [];
  if (day === undefined || !isValidDay(day)) return null;
  const instant = new Date(text).toISOString();
  // An offset can move the year out of the four-digit range, and such instants don't sort correctly
  // as text.
  return instant.length === day.length + "T00:00:00.000Z".length ? instant : null;
}

/** Date parsers read February 31 as a day in March. */
const isValidDay = (day: string): boolean =>
  new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
