// Distribution-free statistics for paired measurements.

const CONFIDENCE = 0.95;

export type ConfidenceInterval = readonly [least: number, most: number];

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * Returns an interval with at least 95% coverage of the true median, or null for fewer than six
 * measurements. Each measurement is equally likely to be above or below the median, so the number
 * below it is binomial.
 */
export function medianInterval(values: readonly number[]): ConfidenceInterval | null {
  const sorted = values.toSorted((a, b) => a - b);
  const trimmed = trimmedPerEnd(sorted.length);
  return trimmed === null ? null : [sorted[trimmed]!, sorted[sorted.length - 1 - trimmed]!];
}

/**
 * Returns how many measurements can be dropped at each end of the sorted list, or null if the
 * interval can't reach the required coverage.
 */
function trimmedPerEnd(count: number): number | null {
  let chance = 0.5 ** count;
  let belowChance = chance;
  let trimmed: number | null = null;
  for (let candidate = 0; 2 * belowChance <= 1 - CONFIDENCE; candidate += 1) {
    trimmed = candidate;
    chance *= (count - candidate) / (candidate + 1);
    belowChance += chance;
  }
  return trimmed;
}
