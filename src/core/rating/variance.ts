import { anchorMean } from "./fit.ts";
import { dot, ITERATIONS_PER_UNKNOWN, solve } from "./information.ts";
import type { Fit } from "./types.ts";
import type { Information } from "./types.ts";

// Exact variances by conjugate gradients, four at a time: the pairs are read once for all four. The
// solution itself is not needed, only its product with the right side, which is the sum of what
// each step gains; so its error is the square of the residual's (Hestenes and Stiefel 1952).

/** Vectors solved for together; the value of vector k for a version is at 4 index + k. */
const WIDTH = 4;

/** Relative accuracy of a solution; it enters a variance only squared. */
const TOLERANCE = 1e-3;

type Block = {
  readonly residual: Float64Array;
  readonly direction: Float64Array;
  readonly product: Float64Array;
  /** Per vector: the residual's preconditioned square, and where the solution may end. */
  readonly size: Float64Array;
  readonly goal: Float64Array;
  /** How much of the last direction the next one keeps, and how far to go along it. */
  readonly keep: Float64Array;
  readonly step: Float64Array;
};

/** The constrained variances of some versions, in squared natural units. */
export function variancesOf(fit: Fit, indices: readonly number[]): number[] {
  if (2 * indices.length <= WIDTH) return indices.map((index) => varianceOf(fit, index));
  const variances: number[] = [];
  for (let from = 0; from < indices.length; from += WIDTH) {
    variances.push(...blockVariances(fit, indices.slice(from, from + WIDTH)));
  }
  return variances;
}

/** Faster for one or two versions, each alone. */
function varianceOf(fit: Fit, index: number): number {
  const right = new Float64Array(fit.information.diagonal.length);
  placeRight(fit, index, right, 1, 0);
  return dot(right, solve(fit.information, right, TOLERANCE));
}

function blockVariances(fit: Fit, indices: readonly number[]): Float64Array {
  const { information } = fit;
  const block = createBlock(fit, indices);
  const gained = new Float64Array(WIDTH);
  let left = ITERATIONS_PER_UNKNOWN * information.diagonal.length;
  while (unfinished(block) && left > 0) {
    turn(block, information.scale);
    multiply(information, block);
    measure(block);
    for (let k = 0; k < WIDTH; k += 1) gained[k]! += block.step[k]! * block.size[k]!;
    advance(block, information.scale);
    left -= 1;
  }
  return gained.subarray(0, indices.length);
}

/**
 * The right side of a version, e_i - s a, at every `width` places from `offset`. The constrained
 * variance is the quadratic form of the inverse there, least at s = response_i / (a' response), so
 * errors of s enter squared as well.
 */
function placeRight(
  { anchors, anchorResponse }: Fit,
  index: number,
  right: Float64Array,
  width: number,
  offset: number,
): void {
  const share = anchorResponse[index]! / anchorMean(anchorResponse, anchors) / anchors.length;
  right[width * index + offset] = 1;
  for (const anchor of anchors) right[width * anchor + offset]! -= share;
}

function createBlock(fit: Fit, indices: readonly number[]): Block {
  const { information } = fit;
  const length = WIDTH * information.diagonal.length;
  const residual = new Float64Array(length);
  for (const [k, index] of indices.entries()) placeRight(fit, index, residual, WIDTH, k);
  const block = {
    residual,
    direction: new Float64Array(length),
    product: new Float64Array(length),
    size: new Float64Array(WIDTH),
    goal: new Float64Array(WIDTH),
    keep: new Float64Array(WIDTH),
    step: new Float64Array(WIDTH),
  };
  advance(block, information.scale);
  block.keep.fill(0);
  for (let k = 0; k < WIDTH; k += 1) block.goal[k] = TOLERANCE ** 2 * block.size[k]!;
  return block;
}

function unfinished({ size, goal }: Block): boolean {
  for (let k = 0; k < WIDTH; k += 1) if (size[k]! > goal[k]!) return true;
  return false;
}

// The innermost loops, written out for all four vectors so that their sums stay in registers.

/** The next directions: the preconditioned residuals plus what keeps them conjugate to the last. */
function turn({ residual, direction, keep }: Block, scale: Float64Array): void {
  const [keep0, keep1, keep2, keep3] = keep;
  for (let index = 0, at = 0; index < scale.length; index += 1, at += WIDTH) {
    const own = scale[index]!;
    direction[at] = residual[at]! * own + keep0! * direction[at]!;
    direction[at + 1] = residual[at + 1]! * own + keep1! * direction[at + 1]!;
    direction[at + 2] = residual[at + 2]! * own + keep2! * direction[at + 2]!;
    direction[at + 3] = residual[at + 3]! * own + keep3! * direction[at + 3]!;
  }
}

/** Multiplies the information by the directions. */
function multiply({ pairs, weight, prior }: Information, { direction, product }: Block): void {
  const { first, second, count } = pairs;
  for (let index = 0, at = 0; index < prior.length; index += 1, at += WIDTH) {
    const own = prior[index]!;
    product[at] = own * direction[at]!;
    product[at + 1] = own * direction[at + 1]!;
    product[at + 2] = own * direction[at + 2]!;
    product[at + 3] = own * direction[at + 3]!;
  }
  for (let pair = 0; pair < count; pair += 1) {
    const one = WIDTH * first[pair]!;
    const other = WIDTH * second[pair]!;
    const linked = weight[pair]!;
    const flow0 = linked * (direction[one]! - direction[other]!);
    const flow1 = linked * (direction[one + 1]! - direction[other + 1]!);
    const flow2 = linked * (direction[one + 2]! - direction[other + 2]!);
    const flow3 = linked * (direction[one + 3]! - direction[other + 3]!);
    product[one]! += flow0;
    product[one + 1]! += flow1;
    product[one + 2]! += flow2;
    product[one + 3]! += flow3;
    product[other]! -= flow0;
    product[other + 1]! -= flow1;
    product[other + 2]! -= flow2;
    product[other + 3]! -= flow3;
  }
}

/** How far each vector goes along its direction; a finished one goes nowhere. */
function measure({ direction, product, size, goal, step }: Block): void {
  let curve0 = 0;
  let curve1 = 0;
  let curve2 = 0;
  let curve3 = 0;
  for (let at = 0; at < product.length; at += WIDTH) {
    curve0 += direction[at]! * product[at]!;
    curve1 += direction[at + 1]! * product[at + 1]!;
    curve2 += direction[at + 2]! * product[at + 2]!;
    curve3 += direction[at + 3]! * product[at + 3]!;
  }
  for (const [k, curvature] of [curve0, curve1, curve2, curve3].entries()) {
    step[k] = size[k]! > goal[k]! ? size[k]! / curvature : 0;
  }
}

/** Takes the steps and measures what is left. */
function advance(block: Block, scale: Float64Array): void {
  const { residual, product } = block;
  const [step0, step1, step2, step3] = block.step;
  let left0 = 0;
  let left1 = 0;
  let left2 = 0;
  let left3 = 0;
  for (let index = 0, at = 0; index < scale.length; index += 1, at += WIDTH) {
    const own = scale[index]!;
    const rest0 = residual[at]! - step0! * product[at]!;
    const rest1 = residual[at + 1]! - step1! * product[at + 1]!;
    const rest2 = residual[at + 2]! - step2! * product[at + 2]!;
    const rest3 = residual[at + 3]! - step3! * product[at + 3]!;
    residual[at] = rest0;
    residual[at + 1] = rest1;
    residual[at + 2] = rest2;
    residual[at + 3] = rest3;
    left0 += rest0 * rest0 * own;
    left1 += rest1 * rest1 * own;
    left2 += rest2 * rest2 * own;
    left3 += rest3 * rest3 * own;
  }
  setSizes(block, [left0, left1, left2, left3]);
}

function setSizes({ size, keep }: Block, left: readonly number[]): void {
  for (let k = 0; k < WIDTH; k += 1) {
    keep[k] = size[k]! > 0 ? left[k]! / size[k]! : 0;
    size[k] = left[k]!;
  }
}
