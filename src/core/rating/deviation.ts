import { believedVariances } from "./beliefs.ts";
import { constrainedVariances } from "./cholesky.ts";
import { anchorMean, anchorWeights, currentFit, UNPLAYED_INFORMATION } from "./fit.ts";
import { POINTS_PER_UNIT } from "./score.ts";
import type { Fit } from "./types.ts";
import type { Information } from "./types.ts";
import type { CompetitionResults } from "./types.ts";
import { variancesOf } from "./variance.ts";

// A deviation is the standard error of a rating, in points, under the anchors' constraint.
// `deviations` are exact for the present counts. Between exact computations,
// `rememberedDeviation` follows the beliefs of the pairs: a variance is a multiple of the believed
// one, and the multiple changes slowly. `refreshDeviations` keeps the multiples fresh.

/** Up to this many versions, one dense factorisation for all beats sparse solutions for some. */
const DENSE_LIMIT = 120;

/**
 * Pairs that may be visited per step of a solution to make deviations exact. On a young ladder that
 * covers nearly everybody, which is needed because there each game moves many.
 */
const PAIRS_AT_ONCE = 45_000;

/** Versions that are solved for together. */
const SOLVED_TOGETHER = 4;

/** The share of the others that is chosen because they have moved most. */
const MOVED_SHARE = 1 / 4;

/** In points, of a version that has not played. */
export const UNPLAYED_DEVIATION = POINTS_PER_UNIT / Math.sqrt(UNPLAYED_INFORMATION);

/** For all versions at once, exact for the present counts: a full pass over the scope. */
export function deviations(scope: CompetitionResults): Map<string, number> {
  const fit = currentFit(scope);
  makeExact(scope, fit, Array.from(scope.versions.keys()));
  return new Map(scope.versions.map((version, index) => [version, remembered(scope, fit, index)]));
}

/**
 * Makes the remembered deviations of these players exact, and those of `count` others or more if
 * that is cheap: some that have moved most since they were exact, the rest in rotation.
 */
export function refreshDeviations(
  scope: CompetitionResults,
  count: number,
  players: Iterable<string> = [],
): void {
  const fit = currentFit(scope);
  const chosen = new Set<number>();
  for (const player of players) chosen.add(scope.indices.get(player)!);
  const affordable = SOLVED_TOGETHER * Math.floor(PAIRS_AT_ONCE / scope.pairs.count);
  const others = Math.max(count, affordable);
  const most = chosen.size + others;
  addMostMoved(scope, fit, chosen, Math.floor(MOVED_SHARE * others));
  addNextInRotation(scope, fit, chosen, most - chosen.size);
  makeExact(scope, fit, [...chosen]);
}

/** Whether every remembered deviation is exact for the present counts. */
export function areDeviationsExact(scope: CompetitionResults): boolean {
  return !currentFit(scope).exact.includes(0);
}

/** As last computed, adjusted for what games since then have changed around the version. */
export function rememberedDeviation(scope: CompetitionResults, version: string): number {
  const fit = currentFit(scope);
  const index = scope.indices.get(version);
  return index === undefined ? UNPLAYED_DEVIATION : remembered(scope, fit, index);
}

function remembered(scope: CompetitionResults, fit: Fit, index: number): number {
  const isExact = fit.exact[index] === 1;
  const variance = isExact ? scope.variances[index]! : followedVariance(scope, fit, index);
  return POINTS_PER_UNIT * Math.sqrt(variance);
}

function followedVariance(scope: CompetitionResults, fit: Fit, index: number): number {
  const believed = believedOf(scope, fit);
  const followed = scope.varianceRatios[index]! * believed[index]! - anchorEffect(fit, index);
  return isOnlyAnchor(fit, index) ? 0 : Math.max(0, followed);
}

const isOnlyAnchor = ({ anchors }: Fit, index: number): boolean =>
  anchors.length === 1 && anchors[0] === index;

function believedOf(scope: CompetitionResults, fit: Fit): Float64Array {
  fit.believed ??= believedVariances(scope.beliefs, fit.information);
  return fit.believed;
}

/**
 * What the anchors' constraint takes off a version's variance, beyond what it takes off that of a
 * version far from all anchors: response^2 / (a' response) minus the inverse of the whole prior.
 */
function anchorEffect({ anchors, anchorResponse, information }: Fit, index: number): number {
  const pull = anchorMean(anchorResponse, anchors);
  if (pull === 0) return 0;
  return anchorResponse[index]! ** 2 / pull - 1 / information.wholePrior;
}

/**
 * Adds others whose deviation has moved most since it was exact, starting with any that never was.
 */
function addMostMoved(
  scope: CompetitionResults,
  fit: Fit,
  chosen: Set<number>,
  count: number,
): void {
  const moves = Float64Array.from(scope.versions.keys(), (index) =>
    fit.exact[index] === 1 || chosen.has(index) ? 0 : moveOf(scope, fit, index),
  );
  for (let left = count; left > 0; left -= 1) {
    const most = largestAt(moves);
    if (moves.length === 0 || moves[most] === 0) return;
    chosen.add(most);
    moves[most] = 0;
  }
}

function largestAt(values: Float64Array): number {
  let most = 0;
  for (let index = 1; index < values.length; index += 1) {
    if (values[index]! > values[most]!) most = index;
  }
  return most;
}

function moveOf(scope: CompetitionResults, fit: Fit, index: number): number {
  const exact = scope.variances[index]!;
  if (Number.isNaN(exact)) return Infinity;
  return Math.abs(Math.sqrt(followedVariance(scope, fit, index)) - Math.sqrt(exact));
}

/** Adds others whose deviation is not exact, starting after the last one that had its turn. */
function addNextInRotation(
  scope: CompetitionResults,
  fit: Fit,
  chosen: Set<number>,
  count: number,
): void {
  const size = scope.versions.length;
  const most = chosen.size + count;
  const last = scope.lastRefreshed;
  for (let step = 1; step <= size && chosen.size < most; step += 1) {
    const index = (last + step) % size;
    if (fit.exact[index] === 1 || chosen.has(index)) continue;
    chosen.add(index);
    scope.lastRefreshed = index;
  }
}

const isDense = ({ versions }: CompetitionResults): boolean => versions.length <= DENSE_LIMIT;

/** With few versions, all of them at once. */
function makeExact(scope: CompetitionResults, fit: Fit, wanted: readonly number[]): void {
  const dense = isDense(scope);
  const indices = (dense ? Array.from(scope.versions.keys()) : wanted).filter(
    (index) => fit.exact[index] === 0,
  );
  if (indices.length === 0) return;
  const variances = dense ? denseVariances(fit) : variancesOf(fit, indices);
  for (const [place, index] of indices.entries()) {
    scope.variances[index] = variances[dense ? index : place]!;
  }
  const believed = believedOf(scope, fit);
  for (const index of indices) {
    const free = scope.variances[index]! + anchorEffect(fit, index);
    scope.varianceRatios[index] = free / believed[index]!;
    fit.exact[index] = 1;
  }
}

function denseVariances({ information, anchors }: Fit): Float64Array {
  const size = information.diagonal.length;
  return constrainedVariances(denseOf(information), size, anchorWeights(size, anchors));
}

function denseOf({ pairs, weight, diagonal }: Information): Float64Array {
  const size = diagonal.length;
  const matrix = new Float64Array(size * size);
  for (let index = 0; index < size; index += 1) matrix[index * size + index] = diagonal[index]!;
  for (let pair = 0; pair < pairs.count; pair += 1) {
    matrix[pairs.first[pair]! * size + pairs.second[pair]!] = -weight[pair]!;
    matrix[pairs.second[pair]! * size + pairs.first[pair]!] = -weight[pair]!;
  }
  return matrix;
}
