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
  const format = new Intl.DateTimeFormat("en-GB", { ...FORMS[form], timeZone, hourCycle: "h23" });
  return format.format(new Date(instant));
}

/** What every reader may compare with logs and with other readers. */
export const utcWords = (instant: string, form: WhenForm): string =>
  `${whenWords(instant, form, "UTC")} UTC`;

/** Gives the times of a page that no component looks after in the zone of its reader. */
export function localizeTimes(page: ParentNode): void {
  for (const time of page.querySelectorAll<HTMLTimeElement>("time[data-form]"))
    time.textContent = whenWords(time.dateTime, time.dataset.form as WhenForm);
}
