import { anchorMean } from "./fit.ts";
import type { Fit } from "./fit.ts";
import { ITERATIONS_PER_UNKNOWN } from "./information.ts";
import type { Information } from "./information.ts";

// Exact variances by conjugate gradients, four at a time: the pairs are read once for all four. The
// solution itself is not needed, only its product with the right side, and that is the sum of what
// each step gains; so its error is the square of the residual's (Hestenes and Stiefel 1952).

/** Vectors that are solved for together; the value of vector k for a version is at 4 index + k. */
const WIDTH = 4;

/** Relative accuracy of a solution; a variance feels only its square. */
const TOLERANCE = 3e-4;

type Block = {
  readonly residual: Float64Array;
  readonly direction: Float64Array;
  readonly product: Float64Array;
  /** Per vector: the residual's preconditioned square, and where the solution may end. */
  readonly size: Float64Array;
  readonly goal: Float64Array;
  readonly keep: Float64Array;
};

/** The constrained variances of some versions, in squares of natural units. */
export function variancesOf(fit: Fit, indices: readonly number[]): number[] {
  const variances: number[] = [];
  for (let from = 0; from < indices.length; from += WIDTH) {
    variances.push(...blockVariances(fit, indices.slice(from, from + WIDTH)));
  }
  return variances;
}

function blockVariances(fit: Fit, indices: readonly number[]): Float64Array {
  const { information } = fit;
  const block = createBlock(fit, indices);
  const gained = new Float64Array(WIDTH);
  let left = ITERATIONS_PER_UNKNOWN * information.diagonal.length;
  while (unfinished(block) && left > 0) {
    turn(block, information.diagonal);
    multiply(information, block);
    const steps = stepsOf(block);
    for (let k = 0; k < WIDTH; k += 1) gained[k] += steps[k] * block.size[k];
    advance(block, information.diagonal, steps);
    left -= 1;
  }
  return gained.subarray(0, indices.length);
}

/**
 * The constrained variance is the quadratic form of the inverse at e_i - s a, least at
 * s = response_i / (a' response): so errors of s enter squared as well.
 */
function createBlock(
  { information, anchors, anchorResponse }: Fit,
  indices: readonly number[],
): Block {
  const length = WIDTH * information.diagonal.length;
  const residual = new Float64Array(length);
  const pull = anchorMean(anchorResponse, anchors);
  for (const [k, index] of indices.entries()) {
    residual[WIDTH * index + k] = 1;
    for (const anchor of anchors) {
      residual[WIDTH * anchor + k] -= anchorResponse[index] / pull / anchors.length;
    }
  }
  const block = {
    residual,
    direction: new Float64Array(length),
    product: new Float64Array(length),
    size: new Float64Array(WIDTH),
    goal: new Float64Array(WIDTH),
    keep: new Float64Array(WIDTH),
  };
  advance(block, information.diagonal, block.keep);
  block.keep.fill(0);
  for (let k = 0; k < WIDTH; k += 1) block.goal[k] = TOLERANCE ** 2 * block.size[k];
  return block;
}

function unfinished({ size, goal }: Block): boolean {
  for (let k = 0; k < WIDTH; k += 1) if (size[k] > goal[k]) return true;
  return false;
}

/** The next directions: the preconditioned residuals plus what keeps them conjugate to the last. */
function turn({ residual, direction, keep }: Block, diagonal: Float64Array): void {
  const [keep0, keep1, keep2, keep3] = keep;
  for (let index = 0, place = 0; index < diagonal.length; index += 1, place += WIDTH) {
    const scale = 1 / diagonal[index];
    direction[place] = residual[place] * scale + keep0 * direction[place];
    direction[place + 1] = residual[place + 1] * scale + keep1 * direction[place + 1];
    direction[place + 2] = residual[place + 2] * scale + keep2 * direction[place + 2];
    direction[place + 3] = residual[place + 3] * scale + keep3 * direction[place + 3];
  }
}

/** The innermost loop, spelt out for the four so that their sums stay in registers. */
function multiply({ links, weight, prior }: Information, block: Block): void {
  const { start, across } = links;
  const { direction, product } = block;
  for (let index = 0, at = 0; index < prior.length; index += 1, at += WIDTH) {
    const own0 = direction[at];
    const own1 = direction[at + 1];
    const own2 = direction[at + 2];
    const own3 = direction[at + 3];
    let sum0 = prior[index] * own0;
    let sum1 = prior[index] * own1;
    let sum2 = prior[index] * own2;
    let sum3 = prior[index] * own3;
    const stop = start[index + 1];
    for (let place = start[index]; place < stop; place += 1) {
      const other = WIDTH * across[place];
      const linked = weight[place];
      sum0 += linked * (own0 - direction[other]);
      sum1 += linked * (own1 - direction[other + 1]);
      sum2 += linked * (own2 - direction[other + 2]);
      sum3 += linked * (own3 - direction[other + 3]);
    }
    product[at] = sum0;
    product[at + 1] = sum1;
    product[at + 2] = sum2;
    product[at + 3] = sum3;
  }
}

/** How far each vector goes along its direction; a finished one may have none to go. */
function stepsOf({ direction, product, size, goal }: Block): Float64Array {
  const steps = new Float64Array(WIDTH);
  for (let place = 0; place < direction.length; place += 1) {
    steps[place & 3] += direction[place] * product[place];
  }
  return steps.map((curvature, k) => (size[k] > goal[k] ? size[k] / curvature : 0));
}

/** Takes the steps and measures what is left. */
function advance(block: Block, diagonal: Float64Array, steps: Float64Array): void {
  const { residual, product, size, keep } = block;
  const left = new Float64Array(WIDTH);
  for (let place = 0; place < residual.length; place += 1) {
    const rest = residual[place] - steps[place & 3] * product[place];
    residual[place] = rest;
    left[place & 3] += (rest * rest) / diagonal[place >> 2];
  }
  for (let k = 0; k < WIDTH; k += 1) {
    keep[k] = size[k] > 0 ? left[k] / size[k] : 0;
    size[k] = left[k];
  }
}
