import { gamesPlayed } from "./competition-results.ts";
import { addScaled, finalizeDiagonal, createInformation, dot, solve } from "./information.ts";
import { CENTRE, POINTS_PER_UNIT } from "./score.ts";
import type { Fit, Information } from "./types.ts";
import type { CompetitionResults } from "./types.ts";

/**
 * Virtual draws of every version against an imaginary player at the centre. One keeps any record
 * finite and joins groups that never met, and weighs about ten points after thirty games.
 */
const PRIOR_DRAWS = 1;

/** Tolerance of a strength at the end of a fit, in natural units. */
const CONVERGED = 1e-9;

/**
 * Expected change of a strength by one game, in natural units. Sets the accuracy of the first
 * direction.
 */
const USUAL_REACH = 1e-2;

/** Worst-case relative accuracy of a Newton direction. */
const LOOSEST_TOLERANCE = 1e-2;

/** Relative accuracy of the anchors' response; it enters standard errors only squared. */
const RESPONSE_TOLERANCE = 1e-5;

/**
 * In natural units. After a larger step the information has changed too much to keep the response.
 */
const RESPONSE_REACH = 0.1;

/** In natural units between two opponents. Up to this, a full Newton step always comes closer. */
const FULL_STEP_REACH = 1.5;

/** Far more than the worst known history needs; beyond it the counts themselves are broken. */
const MAXIMUM_STEPS = 1000;

/**
 * Fits all strengths to the counts: Bradley-Terry with draws as half wins, one virtual draw each,
 * and the anchors' mean at the centre. Newton's method starts from the last fit, so a single new
 * game takes two or three steps. The result depends only on the counts, to about 1e-9 natural
 * units, or to 1e-6 where old groups of versions share little but the prior.
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
 * Newton's method leaves an error of about the square of its step, so a direction need not be more
 * accurate than that, nor than the tolerance that ends the fit (Eisenstat and Walker 1996).
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

/** Returns the scope's fit, refitted first if counts or anchors have changed. */
export function currentFit(scope: CompetitionResults): Fit {
  if (scope.fit === null) refit(scope);
  return scope.fit!;
}

/** Unrounded points. An unknown version is at the centre, like one without games. */
export function ratingOf(scope: CompetitionResults, version: string): number {
  currentFit(scope);
  const index = scope.indices.get(version);
  return index === undefined ? CENTRE : CENTRE + POINTS_PER_UNIT * scope.strengths[index]!;
}

/** Zero if there are no anchors. */
export function anchorMean(vector: Float64Array, anchors: readonly number[]): number {
  let sum = 0;
  for (const anchor of anchors) sum += vector[anchor]!;
  return anchors.length === 0 ? 0 : sum / anchors.length;
}

/** Returns a vector with 1/m at each of the m anchors. */
export function anchorWeights(size: number, anchors: readonly number[]): Float64Array {
  const weights = new Float64Array(size);
  for (const anchor of anchors) weights[anchor] = 1 / anchors.length;
  return weights;
}

/** The prior's information about a version that has not played, whose odds are even. */
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
 * Overwrites the information with that of the log posterior at some strengths and returns its
 * gradient. Shares are computed from the odds, which keeps both tails at full precision.
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
 * Fills in the odds, overwrites the prior's information, which the diagonal starts with, and
 * returns the prior's gradient, that of draws against odds of 1.
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
 * Returns the step that solves the quadratic model without moving the anchors' mean. The
 * constraint's force is subtracted from the gradient first, so that the end of the iteration
 * doesn't depend on the accuracy of the response. The drift is how far the mean still moved and had
 * to be corrected by the response: where the response is old, the step may be wrong by as much.
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

/** Returns the gradient without the force that holds the anchors at the centre. */
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
 * Returns the part of a Newton step that is certain to improve the fit. With r the largest change
 * of any difference, a step t changes the loss by at most -t + (exp(tr) - tr - 1)/r^2 of the
 * decrement. That is least at t = log(1 + r)/r, and still negative at t = 1 for r up to 1.79 (Bach
 * 2010, self-concordant analysis for logistic regression). `largestDirection` is the direction's
 * largest value.
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
