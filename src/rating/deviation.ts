import { constrainedVariances } from "./cholesky.ts";
import { anchorWeights, currentFit, priorInformation } from "./fit.ts";
import type { Fit } from "./fit.ts";
import type { Information } from "./information.ts";
import type { Scope } from "./scope.ts";
import { POINTS_PER_UNIT } from "./score.ts";
import { variancesOf } from "./variance.ts";

// A deviation is the standard error of a rating, in points, under the anchors' constraint:
// `deviation` and `deviations` are exact for the counts as they are. Between exact computations
// `rememberedDeviation` follows the nearest opponents: their share of a variance is known at once,
// and the ratio of the whole to it changes slowly. `refreshDeviations` keeps the ratios young.

/** Up to this many versions a dense factorisation of all beats sparse solutions for some. */
const DENSE_LIMIT = 120;

/** Points of a version that has not played. */
const UNPLAYED_DEVIATION = POINTS_PER_UNIT / Math.sqrt(priorInformation(0));

/**
 * Exact for the present counts, to about 1e-4 points. The only anchor of a scope has exactly 0; of
 * several anchors each has a positive one. The players of the last game are solved for together.
 */
export function deviation(scope: Scope, version: string): number {
  const fit = currentFit(scope);
  const index = scope.indices.get(version);
  if (index === undefined) return UNPLAYED_DEVIATION;
  if (fit.exact[index] === 0) makeExact(scope, fit, companions(scope, fit, index));
  return remembered(scope, fit, index);
}

/** Of all versions at once, exact for the present counts: a full pass over the scope. */
export function deviations(scope: Scope): Map<string, number> {
  const fit = currentFit(scope);
  makeExact(scope, fit, Array.from(scope.versions.keys()));
  return new Map(scope.versions.map((version, index) => [version, remembered(scope, fit, index)]));
}

/** Makes the remembered deviations of the next `count` versions exact, in rotation. */
export function refreshDeviations(scope: Scope, count: number): void {
  makeExact(scope, currentFit(scope), nextInRotation(scope, count));
}

/**
 * As last computed, carried on with what the nearest opponents have changed since; of a version
 * never computed, what they alone explain, which is too little by some percent.
 */
export function rememberedDeviation(scope: Scope, version: string): number {
  const fit = currentFit(scope);
  const index = scope.indices.get(version);
  return index === undefined ? UNPLAYED_DEVIATION : remembered(scope, fit, index);
}

function remembered(scope: Scope, fit: Fit, index: number): number {
  return POINTS_PER_UNIT * Math.sqrt(estimatedVariance(scope, fit, index));
}

function estimatedVariance(scope: Scope, fit: Fit, index: number): number {
  if (fit.exact[index] === 1) return scope.variances[index];
  return scope.varianceRatios[index] * nearVariance(scope, fit, index);
}

/**
 * The variance of a version given those of its opponents, as if these were independent: exact for a
 * version with one opponent.
 */
function nearVariance({ variances }: Scope, { information }: Fit, index: number): number {
  const { links, weight, diagonal } = information;
  let through = 0;
  for (let place = links.start[index]; place < links.start[index + 1]; place += 1) {
    const opponent = links.across[place];
    const known = variances[opponent];
    const variance = Number.isNaN(known) ? 1 / diagonal[opponent] : known;
    through += weight[place] * weight[place] * variance;
  }
  return (1 + through / diagonal[index]) / diagonal[index];
}

/** The players of the last game if the version is one of them, the opponent most moved, one more. */
function companions(scope: Scope, fit: Fit, index: number): number[] {
  const players = scope.lastPlayers.includes(index) ? scope.lastPlayers : [index];
  return [...players, ...mostMoved(scope, fit, players), ...nextInRotation(scope, 1)];
}

/** Of all opponents of the players the one whose variance has most likely changed most, if any. */
function mostMoved(scope: Scope, fit: Fit, players: readonly number[]): number[] {
  let moved: number[] = [];
  let most = 0;
  for (const opponent of players.flatMap((player) => [...scope.opponents[player].keys()])) {
    if (fit.exact[opponent] === 1 || players.includes(opponent)) continue;
    const move = Math.abs(estimatedVariance(scope, fit, opponent) - scope.variances[opponent]);
    if (!(move > most)) continue;
    moved = [opponent];
    most = move;
  }
  return moved;
}

function nextInRotation(scope: Scope, count: number): number[] {
  const size = scope.versions.length;
  const from = scope.lastRefreshed + 1;
  const indices = Array.from({ length: Math.min(count, size) }, (_, k) => (from + k) % size);
  scope.lastRefreshed = indices.at(-1) ?? 0;
  return indices;
}

function makeExact(scope: Scope, fit: Fit, wanted: readonly number[]): void {
  const dense = scope.versions.length <= DENSE_LIMIT;
  const indices = (dense ? Array.from(scope.versions.keys()) : wanted).filter(
    (index) => fit.exact[index] === 0,
  );
  if (indices.length === 0) return;
  const variances = dense ? denseVariances(fit) : variancesOf(fit, indices);
  for (const [place, index] of indices.entries()) {
    scope.variances[index] = variances[dense ? index : place];
  }
  for (const index of indices) {
    scope.varianceRatios[index] = scope.variances[index] / nearVariance(scope, fit, index);
    fit.exact[index] = 1;
  }
}

function denseVariances({ information, anchors }: Fit): Float64Array {
  const size = information.diagonal.length;
  return constrainedVariances(denseOf(information), size, anchorWeights(size, anchors));
}

function denseOf({ links, weight, diagonal }: Information): Float64Array {
  const size = diagonal.length;
  const matrix = new Float64Array(size * size);
  for (let index = 0; index < size; index += 1) {
    matrix[index * size + index] = diagonal[index];
    for (let place = links.start[index]; place < links.start[index + 1]; place += 1) {
      matrix[index * size + links.across[place]] = -weight[place];
    }
  }
  return matrix;
}
