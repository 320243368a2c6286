import type { Information, PairCounts } from "./types.ts";

/**
 * With exact arithmetic, conjugate gradients need at most one iteration per unknown. Rounding can
 * make them need more.
 */
export const ITERATIONS_PER_UNKNOWN = 10;

export function createInformation(size: number, pairs: PairCounts): Information {
  return {
    pairs,
    weight: new Float64Array(pairs.first.length),
    prior: new Float64Array(size),
    diagonal: new Float64Array(size),
    scale: new Float64Array(size),
    priorTotal: 0,
  };
}

/** Updates the fields derived from `prior` and `diagonal`. Call this after changing either. */
export function finalizeDiagonal(information: Information): void {
  const { prior, diagonal, scale } = information;
  information.priorTotal = 0;
  for (let index = 0; index < prior.length; index += 1) {
    scale[index] = 1 / diagonal[index]!;
    information.priorTotal += prior[index]!;
  }
}

/**
 * Solves `information * x = rhs` by conjugate gradients, starting from `guess` or zero. The
 * diagonal is the preconditioner. Stops when the preconditioned residual is at most `tolerance`
 * times the right-hand side. If rounding makes the tolerance unreachable, returns the best result
 * within the iteration limit.
 */
export function solve(
  information: Information,
  rhs: Float64Array,
  tolerance: number,
  guess?: Float64Array,
): Float64Array {
  const { scale } = information;
  const x = guess === undefined ? new Float64Array(rhs.length) : guess.slice();
  const residual = residualOf(information, rhs, guess);
  const direction = new Float64Array(rhs.length);
  const product = new Float64Array(rhs.length);
  const targetSize = tolerance ** 2 * squaredSize(scale, rhs);
  let size = squaredSize(scale, residual);
  let beta = 0;
  let iterationsLeft = ITERATIONS_PER_UNKNOWN * rhs.length;
  while (size > targetSize && iterationsLeft > 0) {
    updateDirection(direction, residual, scale, beta);
    const step = size / multiply(information, direction, product);
    const nextSize = advance(x, residual, direction, product, scale, step);
    beta = nextSize / size;
    size = nextSize;
    iterationsLeft -= 1;
  }
  return x;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

export function addScaled(target: Float64Array, factor: number, vector: Float64Array): void {
  for (let index = 0; index < target.length; index += 1) target[index]! += factor * vector[index]!;
}

/**
 * Multiplies the information by x into `out` and returns x * out as a sum of squares. Subtracts
 * strengths before multiplying, so that a common shift of all strengths loses no precision.
 */
function multiply(information: Information, x: Float64Array, out: Float64Array): number {
  const { pairs, weight, prior } = information;
  const { first, second, count } = pairs;
  let curvature = 0;
  for (let index = 0; index < x.length; index += 1) {
    const own = prior[index]! * x[index]!;
    out[index] = own;
    curvature += own * x[index]!;
  }
  for (let pair = 0; pair < count; pair += 1) {
    const a = first[pair]!;
    const b = second[pair]!;
    const difference = x[a]! - x[b]!;
    const flow = weight[pair]! * difference;
    out[a]! += flow;
    out[b]! -= flow;
    curvature += flow * difference;
  }
  return curvature;
}

function residualOf(
  information: Information,
  rhs: Float64Array,
  guess: Float64Array | undefined,
): Float64Array {
  const residual = rhs.slice();
  if (guess === undefined) return residual;
  const product = new Float64Array(rhs.length);
  multiply(information, guess, product);
  addScaled(residual, -1, product);
  return residual;
}

function squaredSize(scale: Float64Array, vector: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) {
    sum += vector[index]! * vector[index]! * scale[index]!;
  }
  return sum;
}

/**
 * Computes the next direction: the preconditioned residual plus the part that makes it conjugate to
 * the last direction.
 */
function updateDirection(
  direction: Float64Array,
  residual: Float64Array,
  scale: Float64Array,
  beta: number,
): void {
  for (let index = 0; index < direction.length; index += 1) {
    direction[index] = residual[index]! * scale[index]! + beta * direction[index]!;
  }
}

/**
 * Advances the solution and its residual by one step. Returns the preconditioned square of the
 * residual.
 */
function advance(
  x: Float64Array,
  residual: Float64Array,
  direction: Float64Array,
  product: Float64Array,
  scale: Float64Array,
  step: number,
): number {
  let size = 0;
  for (let index = 0; index < x.length; index += 1) {
    x[index]! += step * direction[index]!;
    const nextResidual = residual[index]! - step * product[index]!;
    residual[index] = nextResidual;
    size += nextResidual * nextResidual * scale[index]!;
  }
  return size;
}
