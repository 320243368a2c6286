import { anchorMean } from "./fit.ts";
import { ITERATIONS_PER_UNKNOWN } from "./information-matrix.ts";
import type { SolverBlock, SolverKernels } from "./solver-block.ts";
import { KERNELS_2 } from "./solver-kernels-2.ts";
import { KERNELS_4 } from "./solver-kernels-4.ts";
import type { Fit } from "./types.ts";

// Exact variances by conjugate gradients. Only the product of the solution with the right-hand side
// is needed, which is the sum of the gains of all steps. Its error is the square of the residual's
// (Hestenes and Stiefel 1952).

const DISPLAY_TOLERANCE = 1e-3;

/**
 * Relative accuracy for values that a recount must reproduce, even if only the prior connects
 * groups. The common part of a group is small in the right-hand side but large in the solution.
 */
const STORED_TOLERANCE = 1e-6;

/**
 * Returns the constrained variances of some versions in squared natural units. Fast and accurate
 * enough for display.
 */
export function approximateVariances(fit: Fit, indices: readonly number[]): number[] {
  const request = {
    fit,
    indices,
    kernels: KERNELS_4,
    tolerance: DISPLAY_TOLERANCE,
    withCorrection: false,
  };
  return solveInBlocks(request).map(({ variance }) => variance);
}

export type VarianceColumn = {
  variance: number;
  /** Natural units to add to the fit's strength. */
  correction: number;
};

/**
 * Returns highly accurate variances of a few versions, with corrections to their strengths. A
 * covariance column times the remaining gradient is one more Newton step for that strength, at
 * almost no cost.
 */
export function exactVarianceColumns(fit: Fit, indices: readonly number[]): VarianceColumn[] {
  return solveInBlocks({
    fit,
    indices,
    kernels: KERNELS_2,
    tolerance: STORED_TOLERANCE,
    withCorrection: true,
  });
}

type VarianceRequest = {
  fit: Fit;
  indices: readonly number[];
  kernels: SolverKernels;
  tolerance: number;
  /** Without it, `correction` stays 0. Computing it takes a tenth of the time. */
  withCorrection: boolean;
};

function solveInBlocks(request: VarianceRequest): VarianceColumn[] {
  const { fit, indices, kernels } = request;
  const columns: VarianceColumn[] = [];
  for (let from = 0; from < indices.length; from += kernels.width) {
    const block = createBlock(fit, indices.slice(from, from + kernels.width), kernels);
    columns.push(...solveBlock(block, request));
  }
  return columns.slice(0, indices.length);
}

function solveBlock(
  block: SolverBlock,
  { fit, kernels, tolerance, withCorrection }: VarianceRequest,
): VarianceColumn[] {
  const { information, gradient } = fit;
  const columns = Array.from(block.size, () => ({ variance: 0, correction: 0 }));
  for (const [k, size] of block.size.entries()) block.goal[k] = tolerance ** 2 * size;
  let iterationsLeft = ITERATIONS_PER_UNKNOWN * information.diagonal.length;
  while (isUnfinished(block) && iterationsLeft > 0) {
    kernels.updateDirections(block, information.scale);
    kernels.multiply(information, block);
    kernels.updateSteps(block);
    for (const [k, column] of columns.entries()) {
      column.variance += block.step[k]! * block.size[k]!;
      if (!withCorrection) continue;
      column.correction += block.step[k]! * dotColumn(block.direction, gradient, kernels.width, k);
    }
    kernels.advance(block, information.scale);
    iterationsLeft -= 1;
  }
  return columns;
}

function dotColumn(
  direction: Float64Array,
  vector: Float64Array,
  width: number,
  k: number,
): number {
  let sum = 0;
  for (let index = 0, at = k; index < vector.length; index += 1, at += width)
    sum += direction[at]! * vector[index]!;
  return sum;
}

function createBlock(
  fit: Fit,
  indices: readonly number[],
  { width, advance }: SolverKernels,
): SolverBlock {
  const { information } = fit;
  const length = width * information.diagonal.length;
  const residual = new Float64Array(length);
  for (const [k, index] of indices.entries()) fillRhs(fit, index, residual, width, k);
  const block = {
    residual,
    direction: new Float64Array(length),
    product: new Float64Array(length),
    size: new Float64Array(width),
    goal: new Float64Array(width),
    beta: new Float64Array(width),
    step: new Float64Array(width),
  };
  advance(block, information.scale);
  block.beta.fill(0);
  return block;
}

/**
 * Writes a version's right-hand side, e_i - s a, at every `width`-th entry from `offset`. The
 * constrained variance is the quadratic form of the inverse at this vector. It is minimal at s =
 * response_i / (a' response), so errors of s enter squared.
 */
function fillRhs(
  { anchors, anchorResponse }: Fit,
  index: number,
  rhs: Float64Array,
  width: number,
  offset: number,
): void {
  const share = anchorResponse[index]! / anchorMean(anchorResponse, anchors) / anchors.length;
  rhs[width * index + offset] = 1;
  for (const anchor of anchors) rhs[width * anchor + offset]! -= share;
}

function isUnfinished({ size, goal }: SolverBlock): boolean {
  return size.some((left, k) => left > goal[k]!);
}
