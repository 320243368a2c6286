// Calendar days as integers: day 0 is 1970-01-01.

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Days before each month. The year begins in March, so that a leap day is its last day. */
const DAYS_BEFORE_MONTH = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];
const DAYS_IN_400_YEARS = 146_097;
/** Days from 0000-03-01 to 1970-01-01. */
const BEFORE_1970 = 719_468;

/** Returns the number of a day written as YYYY-MM-DD, or null if the day doesn't exist. */
export function dayNumber(text: string): number | null {
  const [year, month, day] = (DAY.exec(text) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  const daysBeforeMonth = DAYS_BEFORE_MONTH[month - 1];
  if (daysBeforeMonth === undefined) return null;
  const years = month < 3 ? year - 1 : year;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  const number = years * 365 + leapDays + daysBeforeMonth + day - 1 - BEFORE_1970;
  return dayFromNumber(number) === text ? number : null;
}

/** Returns a day as YYYY-MM-DD. The year must have four digits. */
export function dayFromNumber(number: number): string {
  const days = number + BEFORE_1970;
  const era = Math.floor(days / DAYS_IN_400_YEARS);
  const dayOfEra = days - era * DAYS_IN_400_YEARS;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const year = Math.floor((dayOfEra - leapDays) / 365);
  const start = year * 365 + Math.floor(year / 4) - Math.floor(year / 100);
  const dayOfYear = dayOfEra - start;
  const months = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * months + 2) / 5) + 1;
  const month = months < 10 ? months + 3 : months - 9;
  const fullYear = era * 400 + year + (month < 3 ? 1 : 0);
  return [padDigits(fullYear, 4), padDigits(month, 2), padDigits(day, 2)].join("-");
}

const padDigits = (number: number, width: number): string => String(number).padStart(width, "0");
