// Days of the calendar as whole numbers, so that they can be counted: day 0 is 1970-01-01.

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Days before a month of a year that begins in March, so that a leap day is its last. */
const DAYS_BEFORE = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];
const DAYS_IN_400_YEARS = 146_097;
/** From 0000-03-01 to 1970-01-01. */
const BEFORE_1970 = 719_468;

/** The number of a day that is written YYYY-MM-DD; null if there is no such day. */
export function dayNumber(text: string): number | null {
  const [year, month, day] = (DAY.exec(text) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  const before = DAYS_BEFORE[month - 1];
  if (before === undefined) return null;
  const years = month < 3 ? year - 1 : year;
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  const number = years * 365 + leaps + before + day - 1 - BEFORE_1970;
  return dayText(number) === text ? number : null;
}

/** The day of a number, written YYYY-MM-DD; for years of four digits. */
export function dayText(number: number): string {
  const days = number + BEFORE_1970;
  const era = Math.floor(days / DAYS_IN_400_YEARS);
  const ofEra = days - era * DAYS_IN_400_YEARS;
  const leaps = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const year = Math.floor((ofEra - leaps) / 365);
  const start = year * 365 + Math.floor(year / 4) - Math.floor(year / 100);
  const ofYear = ofEra - start;
  const months = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * months + 2) / 5) + 1;
  const month = months < 10 ? months + 3 : months - 9;
  const whole = era * 400 + year + (month < 3 ? 1 : 0);
  return [digits(whole, 4), digits(month, 2), digits(day, 2)].join("-");
}

const digits = (number: number, width: number): string => String(number).padStart(width, "0");
