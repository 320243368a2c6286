import { gamesPlayed } from "./competition-results.ts";
import {
  addScaled,
  finalizeDiagonal,
  createInformation,
  dot,
  solve,
} from "./information-matrix.ts";
import { CENTRE, POINTS_PER_UNIT } from "./score.ts";
import type { Fit, Information } from "./types.ts";
import type { CompetitionResults } from "./types.ts";

/**
 * Virtual draws of each version against an imaginary player at the centre. One draw keeps every
 * record finite and connects groups that never met. After 30 games, it still moves a rating by
 * about ten points.
 */
const PRIOR_DRAWS = 1;

/** Tolerance for strengths at the end of a fit, in natural units. */
const CONVERGED = 1e-9;

/**
 * Typical change of a strength by one game, in natural units. Determines the accuracy of the first
 * direction.
 */
const USUAL_REACH = 1e-2;

const LOOSEST_TOLERANCE = 1e-2;

/** Relative accuracy of the anchors' response. Its error enters standard errors squared. */
const RESPONSE_TOLERANCE = 1e-5;

/**
 * In natural units. After a longer step, the information has changed so much that the response must
 * be recomputed.
 */
const RESPONSE_REACH = 0.1;

/**
 * In natural units, for the difference of two opponents. A full Newton step up to this length
 * always improves the fit.
 */
const FULL_STEP_REACH = 1.5;

/**
 * Far above the steps needed for the worst known history. Reaching this limit means that the counts
 * are corrupt.
 */
const MAXIMUM_STEPS = 1000;

/**
 * Fits all strengths to the counts with the Bradley-Terry model. A draw counts as half a win, each
 * version has one virtual draw, and the anchors' mean is the centre. Newton's method starts from
 * the last fit, so a new game takes two or three steps. The result depends only on the counts, to
 * about 1e-9 natural units, or 1e-6 if only the prior connects old groups of versions. Throws an
 * Error if the fit doesn't converge.
 */
export function refit(scope: CompetitionResults): void {
  const size = scope.versions.length;
  const anchors = anchorsWithGames(scope);
  const strengths = resized(scope.strengths, size);
  const information = (scope.information ??= createInformation(size, scope.pairs));
  centreStrengths(strengths, anchors);
  let response = resized(scope.anchorResponse, size);
  let largestStep = anchorMean(response, anchors) > 0 ? 0 : Infinity;
  let error = USUAL_REACH;
  for (let step = 1; step <= MAXIMUM_STEPS; step += 1) {
    const gradient = updateDerivatives(scope, strengths, information);
    if (largestStep > RESPONSE_REACH) response = anchorResponse(information, anchors, response);
    const tolerance = toleranceFor(error);
    const { direction, meanDrift } = newtonDirection(
      { information, anchors, response },
      gradient,
      tolerance,
    );
    largestStep = largest(direction);
    const factor = stepFactor(scope, direction, largestStep);
    addScaled(strengths, factor, direction);
    error = largestStep * (largestStep + tolerance) + meanDrift;
    if (factor === 1 && error < CONVERGED) {
      centreStrengths(strengths, anchors);
      // Deviations need the information at the final strengths.
      const remainingGradient = updateDerivatives(scope, strengths, information);
      storeFit(scope, strengths, { information, anchors, response }, remainingGradient, step);
      return;
    }
  }
  throw new Error("the rating fit did not converge");
}

/**
 * Newton's method leaves an error of about the squared step. A direction needs no more accuracy
 * than that, and no more than the tolerance at which the fit ends (Eisenstat and Walker 1996).
 */
function toleranceFor(error: number): number {
  return Math.min(LOOSEST_TOLERANCE, Math.max(error, CONVERGED / (2 * error)));
}

type Solution = {
  information: Information;
  anchors: readonly number[];
  response: Float64Array;
};

function storeFit(
  scope: CompetitionResults,
  strengths: Float64Array,
  solution: Solution,
  gradient: Float64Array,
  steps: number,
): void {
  const { information, anchors, response } = solution;
  scope.strengths = strengths;
  scope.anchorResponse = anchorResponse(information, anchors, response);
  scope.fit = {
    information,
    anchors,
    anchorResponse: scope.anchorResponse,
    gradient: withoutForce(gradient, anchors, scope.anchorResponse),
    exactFlags: new Uint8Array(strengths.length),
    estimates: null,
    steps,
  };
}

/** Returns the fit of the scope. Refits first if counts or anchors have changed. */
export function currentFit(scope: CompetitionResults): Fit {
  if (scope.fit === null) refit(scope);
  return scope.fit!;
}

/**
 * Returns a version's rating in unrounded points. A version without games, known or not, is at the
 * centre.
 */
export function ratingOf(scope: CompetitionResults, version: string): number {
  currentFit(scope);
  const index = scope.indices.get(version);
  return index === undefined ? CENTRE : CENTRE + POINTS_PER_UNIT * scope.strengths[index]!;
}

export function anchorMean(vector: Float64Array, anchors: readonly number[]): number {
  let sum = 0;
  for (const anchor of anchors) sum += vector[anchor]!;
  return anchors.length === 0 ? 0 : sum / anchors.length;
}

export function anchorWeights(size: number, anchors: readonly number[]): Float64Array {
  const weights = new Float64Array(size);
  for (const anchor of anchors) weights[anchor] = 1 / anchors.length;
  return weights;
}

/** Information from the prior for a version that has not played, at even odds. */
export const UNPLAYED_INFORMATION = PRIOR_DRAWS / 4;

function anchorsWithGames(scope: CompetitionResults): number[] {
  const anchorIndices = scope.anchors.map((version) => scope.indices.get(version));
  return anchorIndices.filter(
    (index) => index !== undefined && gamesPlayed(scope.tallies[index]!) > 0,
  ) as number[];
}

function resized(vector: Float64Array, size: number): Float64Array {
  const copy = new Float64Array(size);
  copy.set(vector);
  return copy;
}

function centreStrengths(strengths: Float64Array, anchors: readonly number[]): void {
  const shift = anchorMean(strengths, anchors);
  for (let index = 0; index < strengths.length; index += 1) strengths[index]! -= shift;
}

/**
 * Overwrites `information` with the information of the log posterior at these strengths and returns
 * the gradient. Shares are computed from odds, which keeps full precision for very likely and very
 * unlikely results.
 */
function updateDerivatives(
  scope: CompetitionResults,
  strengths: Float64Array,
  information: Information,
): Float64Array {
  const { first, second, wins, losses, draws, count } = scope.pairs;
  const { weight, diagonal } = information;
  const odds = new Float64Array(strengths.length);
  const gradient = priorDerivatives(strengths, odds, information);
  for (let pair = 0; pair < count; pair += 1) {
    const a = first[pair]!;
    const b = second[pair]!;
    const scale = 1 / (odds[a]! + odds[b]!);
    const winShare = odds[a]! * scale;
    const lossShare = odds[b]! * scale;
    const points = wins[pair]! + draws[pair]! / 2;
    const lossPoints = losses[pair]! + draws[pair]! / 2;
    const surplus = points * lossShare - lossPoints * winShare;
    gradient[a]! += surplus;
    gradient[b]! -= surplus;
    const pairWeight = (points + lossPoints) * winShare * lossShare;
    weight[pair] = pairWeight;
    diagonal[a]! += pairWeight;
    diagonal[b]! += pairWeight;
  }
  finalizeDiagonal(information);
  return gradient;
}

/**
 * Writes the odds and the prior's part of the information, and returns the prior's gradient. The
 * prior consists of draws against odds of 1.
 */
function priorDerivatives(
  strengths: Float64Array,
  odds: Float64Array,
  { prior, diagonal }: Information,
): Float64Array {
  const gradient = new Float64Array(odds.length);
  for (let index = 0; index < odds.length; index += 1) {
    const ownOdds = Math.exp(strengths[index]!);
    const totalOdds = 1 + ownOdds;
    odds[index] = ownOdds;
    gradient[index] = (PRIOR_DRAWS / 2) * ((1 - ownOdds) / totalOdds);
    prior[index] = PRIOR_DRAWS * (ownOdds / totalOdds / totalOdds);
    diagonal[index] = prior[index]!;
  }
  return gradient;
}

function anchorResponse(
  information: Information,
  anchors: readonly number[],
  guess: Float64Array,
): Float64Array {
  const weights = anchorWeights(guess.length, anchors);
  if (anchors.length === 0) return weights;
  return solve(information, weights, RESPONSE_TOLERANCE, guess);
}

/**
 * Returns the Newton step that keeps the anchors' mean. Subtracts the constraint's force from the
 * gradient first, so that convergence doesn't depend on the accuracy of the response. `meanDrift`
 * is how far the mean still moved before the response corrected it. With an outdated response, the
 * step can be wrong by that much.
 */
function newtonDirection(
  { information, anchors, response }: Solution,
  gradient: Float64Array,
  tolerance: number,
): { direction: Float64Array; meanDrift: number } {
  const anchorPull = anchorMean(response, anchors);
  if (anchorPull === 0) return { direction: solve(information, gradient, tolerance), meanDrift: 0 };
  const rhs = withoutForce(gradient, anchors, response);
  const direction = solve(information, rhs, tolerance);
  const mean = anchorMean(direction, anchors);
  addScaled(direction, -mean / anchorPull, response);
  return { direction, meanDrift: Math.abs(mean) };
}

function withoutForce(
  gradient: Float64Array,
  anchors: readonly number[],
  response: Float64Array,
): Float64Array {
  const anchorPull = anchorMean(response, anchors);
  if (anchorPull === 0) return gradient;
  const remainingGradient = gradient.slice();
  const force = dot(response, gradient) / anchorPull;
  for (const anchor of anchors) remainingGradient[anchor]! -= force / anchors.length;
  return remainingGradient;
}

/**
 * Returns the fraction of a Newton step that is certain to improve the fit. If r is the largest
 * change of any strength difference, a fraction t changes the loss by at most -t + (exp(tr) - tr -
 * 1)/r^2 times the decrement. The minimum is at t = log(1 + r)/r, and t = 1 still improves the fit
 * for r up to 1.79 (Bach 2010, self-concordant analysis for logistic regression).
 * `largestDirection` is the largest absolute entry of the direction.
 */
function stepFactor(
  scope: CompetitionResults,
  direction: Float64Array,
  largestDirection: number,
): number {
  if (2 * largestDirection <= FULL_STEP_REACH) return 1;
  const { first, second, count } = scope.pairs;
  let largestStep = largestDirection;
  for (let pair = 0; pair < count; pair += 1) {
    largestStep = Math.max(
      largestStep,
      Math.abs(direction[first[pair]!]! - direction[second[pair]!]!),
    );
  }
  return largestStep <= FULL_STEP_REACH ? 1 : Math.log1p(largestStep) / largestStep;
}

function largest(vector: Float64Array): number {
  let largestValue = 0;
  for (const value of vector) largestValue = Math.max(largestValue, Math.abs(value));
  return largestValue;
}
