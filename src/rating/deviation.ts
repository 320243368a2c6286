import { constrainedVariances } from "./cholesky.ts";
import { anchorMean, anchorWeights, currentFit, priorInformation } from "./fit.ts";
import type { Fit } from "./fit.ts";
import { addScaled, dot, solve } from "./information.ts";
import type { Information } from "./information.ts";
import type { Scope } from "./scope.ts";
import { POINTS_PER_UNIT } from "./score.ts";

// A deviation is the standard error of a rating, in points, under the anchors' constraint:
// `deviation` and `deviations` are exact for the counts as they are, `rememberedDeviation` was
// exact when that version was last asked for or refreshed, `refreshDeviations` keeps it young.

/** Up to this many versions a dense factorisation beats one sparse solution per version. */
const DENSE_LIMIT = 300;

/** Relative accuracy of a sparse solution; a variance feels only its square. */
const VARIANCE_TOLERANCE = 1e-6;

/** Points of a version that has not played. */
const UNPLAYED_DEVIATION = POINTS_PER_UNIT / Math.sqrt(priorInformation(0));

/**
 * Exact for the present counts, to about 1e-6 points, by one sparse solution. The only anchor of a
 * scope has exactly 0; of several anchors each has a positive one.
 */
export function deviation(scope: Scope, version: string): number {
  const fit = currentFit(scope);
  const index = scope.indices.get(version);
  return index === undefined ? UNPLAYED_DEVIATION : refreshed(scope, fit, index);
}

/** Of all versions at once, exact for the present counts: a full pass over the scope. */
export function deviations(scope: Scope): Map<string, number> {
  const fit = currentFit(scope);
  if (scope.versions.length <= DENSE_LIMIT) refreshDense(scope, fit);
  else refreshDeviations(scope, scope.versions.length);
  return new Map(scope.versions.map((version, index) => [version, scope.deviations[index]]));
}

/** Makes the remembered deviations of the next `count` versions exact, in rotation. */
export function refreshDeviations(scope: Scope, count: number): void {
  const fit = currentFit(scope);
  const size = scope.versions.length;
  for (let done = 0; done < Math.min(count, size); done += 1) {
    scope.nextRefresh = (scope.nextRefresh + 1) % size;
    refreshed(scope, fit, scope.nextRefresh);
  }
}

/** As last computed, at no cost; a version never asked for is as uncertain as an unplayed one. */
export function rememberedDeviation(scope: Scope, version: string): number {
  const index = scope.indices.get(version);
  return (index === undefined ? undefined : scope.deviations[index]) ?? UNPLAYED_DEVIATION;
}

/**
 * The constrained variance is the quadratic form of the inverse at e_i - s a, least at
 * s = response_i / (a' response): so errors of s and of the solution enter squared.
 */
function refreshed(scope: Scope, fit: Fit, index: number): number {
  const right = new Float64Array(scope.versions.length);
  right[index] = 1;
  const pull = anchorMean(fit.anchorResponse, fit.anchors);
  if (pull > 0) {
    const weights = anchorWeights(right.length, fit.anchors);
    addScaled(right, -fit.anchorResponse[index] / pull, weights);
  }
  const variance = dot(right, solve(fit.information, right, VARIANCE_TOLERANCE));
  return (scope.deviations[index] = POINTS_PER_UNIT * Math.sqrt(variance));
}

function refreshDense(scope: Scope, { information, anchors }: Fit): void {
  const size = scope.versions.length;
  const constraint = anchorWeights(size, anchors);
  const variances = constrainedVariances(denseOf(information), size, constraint);
  for (const [index, variance] of variances.entries()) {
    scope.deviations[index] = POINTS_PER_UNIT * Math.sqrt(variance);
  }
}

function denseOf({ first, second, weight, diagonal }: Information): Float64Array {
  const size = diagonal.length;
  const matrix = new Float64Array(size * size);
  for (const [index, value] of diagonal.entries()) matrix[index * size + index] = value;
  for (const [pair, value] of weight.entries()) {
    matrix[first[pair] * size + second[pair]] -= value;
    matrix[second[pair] * size + first[pair]] -= value;
  }
  return matrix;
}
