import type { Links } from "./links.ts";

/**
 * The Fisher information of all strengths: the Laplacian of the pairs, each weighing its games
 * times p(1 - p), plus a positive diagonal from the prior. Never stored as a matrix.
 */
export type Information = {
  readonly links: Links;
  /** By place of the links: both ways of a pair weigh the same. */
  readonly weight: Float64Array;
  readonly prior: Float64Array;
  /** The whole diagonal: the prior and the weights of all pairs of a version. */
  readonly diagonal: Float64Array;
};

/** A multiple of the size; rounding can keep the conjugate gradient from ending within the size. */
export const ITERATIONS_PER_UNKNOWN = 10;

export function createInformation(links: Links): Information {
  const size = links.start.length - 1;
  return {
    links,
    weight: new Float64Array(links.across.length),
    prior: new Float64Array(size),
    diagonal: new Float64Array(size),
  };
}

/** Sums up the diagonal after prior and weights have changed. */
export function sumDiagonal({ links, weight, prior, diagonal }: Information): void {
  const { start } = links;
  for (let index = 0; index < prior.length; index += 1) {
    let sum = prior[index];
    for (let place = start[index]; place < start[index + 1]; place += 1) sum += weight[place];
    diagonal[index] = sum;
  }
}

/**
 * Solves `information * x = right` by conjugate gradients with the diagonal as preconditioner,
 * from `guess` (zero by default). Ends when the preconditioned residual has fallen to `tolerance`
 * of the right side; an unreachable tolerance gives the best that rounding allows.
 */
export function solve(
  information: Information,
  right: Float64Array,
  tolerance: number,
  guess?: Float64Array,
): Float64Array {
  const { diagonal } = information;
  const x = guess === undefined ? new Float64Array(right.length) : guess.slice();
  const residual = residualOf(information, right, guess);
  const direction = new Float64Array(right.length);
  const product = new Float64Array(right.length);
  const goal = tolerance ** 2 * squaredSize(diagonal, right);
  let size = squaredSize(diagonal, residual);
  let keep = 0;
  let left = ITERATIONS_PER_UNKNOWN * right.length;
  while (size > goal && left > 0) {
    turn(direction, residual, diagonal, keep);
    const step = size / multiply(information, direction, product);
    const next = advance(x, residual, direction, product, diagonal, step);
    keep = next / size;
    size = next;
    left -= 1;
  }
  return x;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index] * b[index];
  return sum;
}

/** target += factor * vector */
export function addScaled(target: Float64Array, factor: number, vector: Float64Array): void {
  for (let index = 0; index < target.length; index += 1) target[index] += factor * vector[index];
}

/**
 * Multiplies into `out` and returns x * out. Differences come first so that a common shift of all
 * strengths cannot drown them.
 */
function multiply(information: Information, x: Float64Array, out: Float64Array): number {
  const { links, weight, prior } = information;
  const { start, across } = links;
  let product = 0;
  for (let index = 0; index < x.length; index += 1) {
    const own = x[index];
    let sum = prior[index] * own;
    const stop = start[index + 1];
    for (let place = start[index]; place < stop; place += 1) {
      sum += weight[place] * (own - x[across[place]]);
    }
    out[index] = sum;
    product += own * sum;
  }
  return product;
}

function residualOf(
  information: Information,
  right: Float64Array,
  guess: Float64Array | undefined,
): Float64Array {
  const residual = right.slice();
  if (guess === undefined) return residual;
  const product = new Float64Array(right.length);
  multiply(information, guess, product);
  addScaled(residual, -1, product);
  return residual;
}

function squaredSize(diagonal: Float64Array, vector: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) {
    sum += (vector[index] * vector[index]) / diagonal[index];
  }
  return sum;
}

/** The next direction: the preconditioned residual plus what keeps it conjugate to the last. */
function turn(
  direction: Float64Array,
  residual: Float64Array,
  diagonal: Float64Array,
  keep: number,
): void {
  for (let index = 0; index < direction.length; index += 1) {
    direction[index] = residual[index] / diagonal[index] + keep * direction[index];
  }
}

/** One step of the solution and its residual; returns the residual's preconditioned square. */
function advance(
  x: Float64Array,
  residual: Float64Array,
  direction: Float64Array,
  product: Float64Array,
  diagonal: Float64Array,
  step: number,
): number {
  let size = 0;
  for (let index = 0; index < x.length; index += 1) {
    x[index] += step * direction[index];
    const rest = residual[index] - step * product[index];
    residual[index] = rest;
    size += (rest * rest) / diagonal[index];
  }
  return size;
}
