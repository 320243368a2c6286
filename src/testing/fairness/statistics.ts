/** Returns the nearest-rank quantile; NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((first, second) => first - second);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export const medianValue = (values: readonly number[]): number => quantile(values, 0.5);

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns Spearman's rank correlation, which is inexact for lists with many ties. */
export function spearman(first: readonly number[], second: readonly number[]): number {
  const [ranks, otherRanks] = [ranksOf(first), ranksOf(second)];
  const meanRank = (first.length - 1) / 2;
  let covariance = 0;
  let variance = 0;
  for (let index = 0; index < first.length; index += 1) {
    covariance += (ranks[index]! - meanRank) * (otherRanks[index]! - meanRank);
    variance += (ranks[index]! - meanRank) ** 2;
  }
  return covariance / variance;
}

function ranksOf(values: readonly number[]): number[] {
  const order = [...values.keys()].toSorted((first, second) => values[first]! - values[second]!);
  const ranks = values.map(() => 0);
  for (const [rank, index] of order.entries()) ranks[index] = rank;
  return ranks;
}
