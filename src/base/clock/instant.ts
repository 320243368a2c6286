// Instants as people write them, and as everything here keeps them: UTC with milliseconds.

/** ISO 8601 with an offset. */
const WRITTEN =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A written instant as UTC, to the millisecond; null where it is none. */
export function readInstant(text: string): string | null {
  const [, day] = WRITTEN.exec(text) ?? [];
  if (day === undefined || !isInMonth(day)) return null;
  const instant = new Date(text).toISOString();
  // Offsets lead out of the years of four digits, whose texts sort.
  return instant.length === day.length + "T00:00:00.000Z".length ? instant : null;
}

/** Readers of dates take the 31st of February for a day in March. */
const isInMonth = (day: string): boolean =>
  new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
