// Uncertainty in words, and the scale it is drawn on.

/** A value with the range that it may be in. */
export type Estimate = { low: number; at: number; high: number };

/** How far what is drawn reaches: about 95 in 100 true values lie this close to the estimate. */
const DRAWN_DEVIATIONS = 2;

/** What every line and band of the site spans. */
export function rangeOf(value: number, deviation: number): Estimate {
  const reach = DRAWN_DEVIATIONS * deviation;
  return { low: value - reach, at: value, high: value + reach };
}

/** The lowest and the highest value of a drawing. */
export type Scale = readonly [from: number, to: number];

/** Scales end at whole steps, so that they stay put while ratings move a little. */
const STEP = 50;

/** One scale for all of these estimates, so that their ranges can be compared. */
export function scaleOf(estimates: readonly Pick<Estimate, "low" | "high">[]): Scale {
  const lows = estimates.map(({ low }) => low);
  const highs = estimates.map(({ high }) => high);
  const from = Math.floor(Math.min(...lows) / STEP) * STEP;
  const to = Math.ceil(Math.max(...highs) / STEP) * STEP;
  return Number.isFinite(from) ? [from, Math.max(to, from + STEP)] : [0, STEP];
}

/** Where a value is on a scale, in percent. What lies outside is at its end. */
export function shareOf(value: number, [from, to]: Scale): number {
  const share = ((value - from) / (to - from)) * 100;
  return Math.round(Math.max(0, Math.min(100, share)) * 100) / 100;
}

/** For screen readers: "1840, between 1790 and 1890". */
export function intervalWords({ low, at, high }: Estimate): string {
  const [from, value, to] = [low, at, high].map((number) => minus(Math.round(number)));
  return `${value}, between ${from} and ${to}`;
}

/** With a true minus sign. */
const minus = (number: number): string => String(number).replace("-", "−");
