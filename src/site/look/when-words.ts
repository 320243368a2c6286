// Instants as people read them: in UTC on the server, in the reader's own zone after that.

/** How much of an instant is of interest. */
export type WhenForm = "day" | "minute" | "second";

const FORMS: Record<WhenForm, Intl.DateTimeFormatOptions> = {
  day: { day: "numeric", month: "short", year: "numeric" },
  minute: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  second: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
};

/** In the zone of the reader, or in a given one. */
export function whenWords(instant: string, form: WhenForm, timeZone?: string): string {
  return formatOf(form, timeZone).format(new Date(instant));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes fifty times as long as using it, and a page has hundreds of times. */
function formatOf(form: WhenForm, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${form} ${timeZone ?? ""}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-GB", { ...FORMS[form], timeZone, hourCycle: "h23" });
  formats.set(key, format);
  return format;
}

/** What every reader may compare with logs and with other readers. */
export const utcWords = (instant: string, form: WhenForm): string =>
  `${whenWords(instant, form, "UTC")} UTC`;

/** Gives the times of a page that no component looks after in the zone of its reader. */
export function localizeTimes(page: ParentNode): void {
  for (const time of page.querySelectorAll<HTMLTimeElement>("time[data-form]"))
    time.textContent = whenWords(time.dateTime, time.dataset.form as WhenForm);
}

/** An instant as fields for a date and a time have it: the reader's own zone, to the second. */
export function localOf(instant: string): string {
  if (instant === "") return "";
  const date = new Date(instant);
  const part = (value: number) => String(value).padStart(2, "0");
  const day = [date.getFullYear(), part(date.getMonth() + 1), part(date.getDate())].join("-");
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(part).join(":")}`;
}
