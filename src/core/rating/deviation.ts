import { estimateVariances } from "./belief-propagation.ts";
import { constrainedVariances } from "./cholesky.ts";
import { anchorMean, anchorWeights, currentFit, UNPLAYED_INFORMATION } from "./fit.ts";
import { POINTS_PER_UNIT } from "./score.ts";
import type { Fit } from "./types.ts";
import type { Information } from "./types.ts";
import type { CompetitionResults } from "./types.ts";
import { approximateVariances } from "./variance.ts";

// A deviation is the standard error of a rating, in points, under the anchors' constraint.
// `exactDeviations` are exact for the current counts. Between exact computations, `cachedDeviation`
// multiplies an estimate from belief propagation by a ratio that changes slowly.
// `refreshDeviations` keeps these ratios current.

/**
 * Up to this many versions, a dense factorization for all is faster than sparse solutions for some.
 */
const DENSE_LIMIT = 120;

/**
 * Limits the pairs visited per solver step when deviations are refreshed. On a young ladder, where
 * each game changes many deviations, the limit still covers nearly all versions.
 */
const MAX_PAIR_VISITS = 45_000;

const BATCH_SIZE = 4;

/**
 * Share of the refreshed deviations chosen by largest change. The other deviations are chosen in
 * rotation.
 */
const CHANGED_SHARE = 1 / 4;

/** Deviation of a version that has not played, in points. */
export const UNPLAYED_DEVIATION = POINTS_PER_UNIT / Math.sqrt(UNPLAYED_INFORMATION);

/**
 * Returns the exact deviations of all versions for the current counts, in points. Expensive: visits
 * the whole scope.
 */
export function exactDeviations(scope: CompetitionResults): Map<string, number> {
  const fit = currentFit(scope);
  computeExactDeviations(scope, fit, Array.from(scope.versions.keys()));
  return new Map(scope.versions.map((version, index) => [version, deviationAt(scope, fit, index)]));
}

/**
 * Makes the cached deviations of these players exact. Also refreshes at least `count` other
 * versions, and more if that is cheap: some with the largest changes, the rest in rotation.
 */
export function refreshDeviations(
  scope: CompetitionResults,
  count: number,
  players: Iterable<string> = [],
): void {
  const fit = currentFit(scope);
  const selection = new Set<number>();
  for (const player of players) selection.add(scope.indices.get(player)!);
  const affordableCount = BATCH_SIZE * Math.floor(MAX_PAIR_VISITS / scope.pairs.count);
  const otherCount = Math.max(count, affordableCount);
  const limit = selection.size + otherCount;
  selectMostChanged(scope, fit, selection, Math.floor(CHANGED_SHARE * otherCount));
  selectNextInRotation(scope, fit, selection, limit - selection.size);
  computeExactDeviations(scope, fit, [...selection]);
}

export function areDeviationsExact(scope: CompetitionResults): boolean {
  return !currentFit(scope).exactFlags.includes(0);
}

/** Returns a version's last computed deviation in points, adjusted for games played since. */
export function cachedDeviation(scope: CompetitionResults, version: string): number {
  const fit = currentFit(scope);
  const index = scope.indices.get(version);
  return index === undefined ? UNPLAYED_DEVIATION : deviationAt(scope, fit, index);
}

function deviationAt(scope: CompetitionResults, fit: Fit, index: number): number {
  const isExact = fit.exactFlags[index] === 1;
  const variance = isExact ? scope.variances[index]! : trackedVariance(scope, fit, index);
  return POINTS_PER_UNIT * Math.sqrt(variance);
}

function trackedVariance(scope: CompetitionResults, fit: Fit, index: number): number {
  const estimates = estimatesOf(scope, fit);
  const tracked = scope.varianceRatios[index]! * estimates[index]! - anchorEffect(fit, index);
  return isOnlyAnchor(fit, index) ? 0 : Math.max(0, tracked);
}

const isOnlyAnchor = ({ anchors }: Fit, index: number): boolean =>
  anchors.length === 1 && anchors[0] === index;

function estimatesOf(scope: CompetitionResults, fit: Fit): Float64Array {
  fit.estimates ??= estimateVariances(scope.beliefs, fit.information);
  return fit.estimates;
}

/**
 * Returns how much the anchors' constraint reduces a version's variance, compared to a version far
 * from all anchors: response^2 / (a' response) minus the inverse of the total prior.
 */
function anchorEffect({ anchors, anchorResponse, information }: Fit, index: number): number {
  const pull = anchorMean(anchorResponse, anchors);
  if (pull === 0) return 0;
  return anchorResponse[index]! ** 2 / pull - 1 / information.priorTotal;
}

/**
 * Selects up to `count` other versions whose deviations have changed most since they were exact.
 * Versions that never had an exact deviation come first.
 */
function selectMostChanged(
  scope: CompetitionResults,
  fit: Fit,
  selection: Set<number>,
  count: number,
): void {
  const deviationChanges = Float64Array.from(scope.versions.keys(), (index) =>
    fit.exactFlags[index] === 1 || selection.has(index) ? 0 : deviationChange(scope, fit, index),
  );
  for (let remaining = count; remaining > 0; remaining -= 1) {
    const most = argMax(deviationChanges);
    if (deviationChanges.length === 0 || deviationChanges[most] === 0) return;
    selection.add(most);
    deviationChanges[most] = 0;
  }
}

function argMax(values: Float64Array): number {
  let most = 0;
  for (let index = 1; index < values.length; index += 1) {
    if (values[index]! > values[most]!) most = index;
  }
  return most;
}

function deviationChange(scope: CompetitionResults, fit: Fit, index: number): number {
  const exact = scope.variances[index]!;
  if (Number.isNaN(exact)) return Infinity;
  return Math.abs(Math.sqrt(trackedVariance(scope, fit, index)) - Math.sqrt(exact));
}

function selectNextInRotation(
  scope: CompetitionResults,
  fit: Fit,
  selection: Set<number>,
  count: number,
): void {
  const size = scope.versions.length;
  const most = selection.size + count;
  const last = scope.lastRefreshed;
  for (let step = 1; step <= size && selection.size < most; step += 1) {
    const index = (last + step) % size;
    if (fit.exactFlags[index] === 1 || selection.has(index)) continue;
    selection.add(index);
    scope.lastRefreshed = index;
  }
}

const isDense = ({ versions }: CompetitionResults): boolean => versions.length <= DENSE_LIMIT;

function computeExactDeviations(
  scope: CompetitionResults,
  fit: Fit,
  requested: readonly number[],
): void {
  const useDense = isDense(scope);
  const indices = (useDense ? Array.from(scope.versions.keys()) : requested).filter(
    (index) => fit.exactFlags[index] === 0,
  );
  if (indices.length === 0) return;
  const variances = useDense ? denseVariances(fit) : approximateVariances(fit, indices);
  for (const [position, index] of indices.entries()) {
    scope.variances[index] = variances[useDense ? index : position]!;
  }
  const estimates = estimatesOf(scope, fit);
  for (const index of indices) {
    const unconstrained = scope.variances[index]! + anchorEffect(fit, index);
    scope.varianceRatios[index] = unconstrained / estimates[index]!;
    fit.exactFlags[index] = 1;
  }
}

function denseVariances({ information, anchors }: Fit): Float64Array {
  const size = information.diagonal.length;
  return constrainedVariances(denseMatrix(information), size, anchorWeights(size, anchors));
}

function denseMatrix({ pairs, weight, diagonal }: Information): Float64Array {
  const size = diagonal.length;
  const matrix = new Float64Array(size * size);
  for (let index = 0; index < size; index += 1) matrix[index * size + index] = diagonal[index]!;
  for (let pair = 0; pair < pairs.count; pair += 1) {
    matrix[pairs.first[pair]! * size + pairs.second[pair]!] = -weight[pair]!;
    matrix[pairs.second[pair]! * size + pairs.first[pair]!] = -weight[pair]!;
  }
  return matrix;
}
