// What paired measurements say of a ratio, without a guess at how they are distributed.

const CONFIDENCE = 0.95;

export type Interval = readonly [least: number, most: number];

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * Holds the true median with a chance of at least 95 %: each measurement is as likely below it as
 * above, so how many are below is binomial. Null of fewer than six, which cannot be so sure.
 */
export function medianInterval(values: readonly number[]): Interval | null {
  const sorted = values.toSorted((one, other) => one - other);
  const out = leftOutAtEachEnd(sorted.length);
  return out === null ? null : [sorted[out]!, sorted[sorted.length - 1 - out]!];
}

/** The most measurements at each end that the interval may do without. */
function leftOutAtEachEnd(count: number): number | null {
  let chance = 0.5 ** count;
  let below = chance;
  let out: number | null = null;
  for (let next = 0; 2 * below <= 1 - CONFIDENCE; next += 1) {
    out = next;
    chance *= (count - next) / (next + 1);
    below += chance;
  }
  return out;
}
