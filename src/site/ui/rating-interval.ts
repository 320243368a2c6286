export type RatingEstimate = { low: number; center: number; high: number };

/**
 * Half width in standard deviations. About 95% of true values are within two deviations of the
 * estimate.
 */
const SHOWN_DEVIATIONS = 2;

/** Returns the interval used everywhere on the site. */
export function estimateOf(value: number, deviation: number): RatingEstimate {
  const reach = SHOWN_DEVIATIONS * deviation;
  return { low: value - reach, center: value, high: value + reach };
}

export type Scale = readonly [from: number, to: number];

/** Scales end at multiples of this number, so they stay stable while ratings change a little. */
const STEP = 50;

export function scaleOf(estimates: readonly Pick<RatingEstimate, "low" | "high">[]): Scale {
  const lows = estimates.map(({ low }) => low);
  const highs = estimates.map(({ high }) => high);
  const from = Math.floor(Math.min(...lows) / STEP) * STEP;
  const to = Math.ceil(Math.max(...highs) / STEP) * STEP;
  return Number.isFinite(from) ? [from, Math.max(to, from + STEP)] : [0, STEP];
}

export function percentOnScale(value: number, [from, to]: Scale): number {
  const percent = ((value - from) / (to - from)) * 100;
  return Math.round(Math.max(0, Math.min(100, percent)) * 100) / 100;
}

/** Describes an interval for screen readers: "1840, between 1790 and 1890". */
export function describeInterval({ low, center, high }: RatingEstimate): string {
  const [from, value, to] = [low, center, high].map((number) =>
    formatWithMinusSign(Math.round(number)),
  );
  return `${value}, between ${from} and ${to}`;
}

/** Uses a true minus sign. */
const formatWithMinusSign = (number: number): string => String(number).replace("-", "−");
