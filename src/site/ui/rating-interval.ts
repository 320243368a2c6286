// Rating intervals: text, and the scale they are drawn on.

/** A value with its uncertainty range. */
export type RatingEstimate = { low: number; center: number; high: number };

/** Half width in deviations: about 95 % of true values are this close to the estimate. */
const SHOWN_DEVIATIONS = 2;

/** Range of every interval and band on the site. */
export function estimateOf(value: number, deviation: number): RatingEstimate {
  const reach = SHOWN_DEVIATIONS * deviation;
  return { low: value - reach, center: value, high: value + reach };
}

/** Min and max of a scale. */
export type Scale = readonly [from: number, to: number];

/** Scales end at multiples of this, so they're stable while ratings change a little. */
const STEP = 50;

/** Returns a common scale for comparable intervals. */
export function scaleOf(estimates: readonly Pick<RatingEstimate, "low" | "high">[]): Scale {
  const lows = estimates.map(({ low }) => low);
  const highs = estimates.map(({ high }) => high);
  const from = Math.floor(Math.min(...lows) / STEP) * STEP;
  const to = Math.ceil(Math.max(...highs) / STEP) * STEP;
  return Number.isFinite(from) ? [from, Math.max(to, from + STEP)] : [0, STEP];
}

/** Position on a scale in percent, clamped to its ends. */
export function percentOnScale(value: number, [from, to]: Scale): number {
  const percent = ((value - from) / (to - from)) * 100;
  return Math.round(Math.max(0, Math.min(100, percent)) * 100) / 100;
}

/** For screen readers: "1840, between 1790 and 1890". */
export function describeInterval({ low, center, high }: RatingEstimate): string {
  const [from, value, to] = [low, center, high].map((number) =>
    formatWithMinusSign(Math.round(number)),
  );
  return `${value}, between ${from} and ${to}`;
}

/** Uses a true minus sign. */
const formatWithMinusSign = (number: number): string => String(number).replace("-", "−");
