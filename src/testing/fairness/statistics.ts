// The few statistics used in the report.

/** The nearest-rank quantile; NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Spearman's rank correlation of two lists with few ties. */
export function spearman(one: readonly number[], other: readonly number[]): number {
  const [ranks, others] = [ranksOf(one), ranksOf(other)];
  const middle = (one.length - 1) / 2;
  let together = 0;
  let alone = 0;
  for (let place = 0; place < one.length; place += 1) {
    together += (ranks[place]! - middle) * (others[place]! - middle);
    alone += (ranks[place]! - middle) ** 2;
  }
  return together / alone;
}

function ranksOf(values: readonly number[]): number[] {
  const places = [...values.keys()].toSorted((one, other) => values[one]! - values[other]!);
  const ranks = values.map(() => 0);
  for (const [rank, place] of places.entries()) ranks[place] = rank;
  return ranks;
}
