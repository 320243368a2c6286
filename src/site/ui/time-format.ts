// The server formats times in UTC, the browser in the viewer's time zone.

export type TimePrecision = "day" | "minute" | "second";

const TIME_FORMATS: Record<TimePrecision, Intl.DateTimeFormatOptions> = {
  day: { day: "numeric", month: "short", year: "numeric" },
  minute: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  second: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
};

/** Formats a time in `timeZone`, which defaults to the runtime's time zone. */
export function formatTime(instant: string, precision: TimePrecision, timeZone?: string): string {
  return formatterFor(precision, timeZone).format(new Date(instant));
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Cached: creating a formatter takes 50 times as long as using it, and a page has hundreds of
 * times.
 */
function formatterFor(precision: TimePrecision, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${precision} ${timeZone ?? ""}`;
  const cachedFormatter = formatters.get(key);
  if (cachedFormatter !== undefined) return cachedFormatter;
  const formatter = new Intl.DateTimeFormat("en-GB", {
    ...TIME_FORMATS[precision],
    timeZone,
    hourCycle: "h23",
  });
  formatters.set(key, formatter);
  return formatter;
}

/** Formats a time in UTC, for comparing with logs and with other people's times. */
export const formatUtcTime = (instant: string, precision: TimePrecision): string =>
  `${formatTime(instant, precision, "UTC")} UTC`;

/** Converts the times on a static page to the viewer's time zone. */
export function localizeTimes(page: ParentNode): void {
  for (const time of page.querySelectorAll<HTMLTimeElement>("time[data-form]"))
    time.textContent = formatTime(time.dateTime, time.dataset.form as TimePrecision);
}

/** Returns the value for a datetime-local input: local time with seconds. */
export function toLocalInputValue(instant: string): string {
  if (instant === "") return "";
  const date = new Date(instant);
  const padTwoDigits = (value: number) => String(value).padStart(2, "0");
  const day = [
    date.getFullYear(),
    padTwoDigits(date.getMonth() + 1),
    padTwoDigits(date.getDate()),
  ].join("-");
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(padTwoDigits).join(":")}`;
}
