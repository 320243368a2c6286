import { gamesPlayed, versionResults } from "./competition-results.ts";
import { anchorMean, currentFit, ratingOf } from "./fit.ts";
import { dot, solve } from "./information-matrix.ts";
import { POINTS_PER_UNIT } from "./score.ts";
import type { CompetitionResults, Fit } from "./types.ts";

export type RatingDifference = { difference: number; deviation: number };

/** Relative accuracy of the solution. Its error enters the deviation squared. */
const TOLERANCE = 1e-6;

/**
 * Returns the first version's rating lead and its standard error. Shared opponents make the error
 * smaller than the two deviations suggest. Depends only on counts and anchors, to within 1e-6
 * points. Returns null unless both versions have played.
 */
export function ratingDifference(
  scope: CompetitionResults,
  first: string,
  second: string,
): RatingDifference | null {
  if (
    gamesPlayed(versionResults(scope, first)) === 0 ||
    gamesPlayed(versionResults(scope, second)) === 0
  )
    return null;
  const fit = currentFit(scope);
  const rhs = differenceRhs(fit, scope.indices.get(first)!, scope.indices.get(second)!);
  const response = solve(fit.information, rhs, TOLERANCE);
  // The dot product with the remaining gradient is one more Newton step for the difference.
  const correction = dot(response, fit.gradient);
  return {
    difference: ratingOf(scope, first) - ratingOf(scope, second) + POINTS_PER_UNIT * correction,
    deviation: POINTS_PER_UNIT * Math.sqrt(dot(response, rhs)),
  };
}

/**
 * Returns e_first - e_second - s a. The constrained variance is the quadratic form of the inverse
 * information at this vector. The chosen s minimizes the variance, so errors of s enter squared.
 */
function differenceRhs(
  { information, anchors, anchorResponse }: Fit,
  first: number,
  second: number,
): Float64Array {
  const rhs = new Float64Array(information.diagonal.length);
  rhs[first]! += 1;
  rhs[second]! -= 1;
  const gap = anchorResponse[first]! - anchorResponse[second]!;
  const share = gap / anchorMean(anchorResponse, anchors) / anchors.length;
  for (const anchor of anchors) rhs[anchor]! -= share;
  return rhs;
}

/**
 * Returns the probability that a normal variable around `difference` is positive, to within 1e-7.
 */
export function chanceAboveZero({ difference, deviation }: RatingDifference): number {
  const z = Math.abs(difference / deviation);
  // Abramowitz and Stegun 26.2.17.
  const t = 1 / (1 + 0.231_641_9 * z);
  const series = COEFFICIENTS.reduceRight((sum, coefficient) => t * (coefficient + sum), 0);
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return difference > 0 ? 1 - tail : tail;
}

const COEFFICIENTS = [
  0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429,
] as const;
