/**
 * The Fisher information of all strengths: the Laplacian of the pairs, each weighing its games
 * times p(1 - p), plus a positive diagonal from the prior. Never stored as a matrix.
 */
export type Information = {
  readonly first: ArrayLike<number>;
  readonly second: ArrayLike<number>;
  readonly weight: Float64Array;
  readonly prior: Float64Array;
  /** The whole diagonal: the prior and the weights of all pairs of a version. */
  readonly diagonal: Float64Array;
};

/** A multiple of the size; rounding can keep the conjugate gradient from ending within the size. */
const ITERATIONS_PER_UNKNOWN = 10;

export function informationOf(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  weight: Float64Array,
  prior: Float64Array,
): Information {
  const diagonal = prior.slice();
  for (let pair = 0; pair < weight.length; pair += 1) {
    diagonal[first[pair]] += weight[pair];
    diagonal[second[pair]] += weight[pair];
  }
  return { first, second, weight, prior, diagonal };
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
  const direction = preconditioned(diagonal, residual);
  const product = new Float64Array(right.length);
  const goal = tolerance ** 2 * squaredSize(diagonal, right);
  let size = dot(residual, direction);
  let left = ITERATIONS_PER_UNKNOWN * right.length;
  while (size > goal && left > 0) {
    multiply(information, direction, product);
    const step = size / dot(direction, product);
    addScaled(x, step, direction);
    addScaled(residual, -step, product);
    const previous = size;
    size = squaredSize(diagonal, residual);
    turn(direction, residual, diagonal, size / previous);
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

/** Differences come first so that a common shift of all strengths cannot drown them. */
function multiply(information: Information, x: Float64Array, out: Float64Array): void {
  const { first, second, weight, prior } = information;
  for (let index = 0; index < x.length; index += 1) out[index] = prior[index] * x[index];
  for (let pair = 0; pair < weight.length; pair += 1) {
    const one = first[pair];
    const other = second[pair];
    const flow = weight[pair] * (x[one] - x[other]);
    out[one] += flow;
    out[other] -= flow;
  }
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

function preconditioned(diagonal: Float64Array, residual: Float64Array): Float64Array {
  return residual.map((value, index) => value / diagonal[index]);
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
