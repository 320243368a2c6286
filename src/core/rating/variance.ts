import type { Block, Kernels } from "./block.ts";
import { anchorMean } from "./fit.ts";
import { FOURS } from "./fours.ts";
import { ITERATIONS_PER_UNKNOWN } from "./information.ts";
import { TWOS } from "./twos.ts";
import type { Fit } from "./types.ts";

// Exact variances by conjugate gradients. The solution itself is not needed, only its product with
// the right side, which is the sum of what each step gains; so its error is the square of the
// residual's (Hestenes and Stiefel 1952).

/** Relative accuracy of a solution whose deviation is shown. */
const SHOWN_TOLERANCE = 1e-3;

/**
 * Of one that a recount must find again, even where only the prior holds groups together: what a
 * whole group shares is a small part of the right side and a large part of the solution.
 */
const KEPT_TOLERANCE = 1e-6;

/** The constrained variances of some versions, in squared natural units; quick, to be shown. */
export function variancesOf(fit: Fit, indices: readonly number[]): number[] {
  const asked = { fit, indices, kernels: FOURS, tolerance: SHOWN_TOLERANCE, withShort: false };
  return solvedInBlocks(asked).map(({ variance }) => variance);
}

export type Column = {
  /** Constrained, in squared natural units. */
  variance: number;
  /** Natural units by which the fit's strength is still too low. */
  short: number;
};

/**
 * Of a few versions, far more exactly. A column of the covariance times the gradient that the fit
 * has left is one more Newton step of that strength, for next to nothing.
 */
export function exactColumns(fit: Fit, indices: readonly number[]): Column[] {
  return solvedInBlocks({
    fit,
    indices,
    kernels: TWOS,
    tolerance: KEPT_TOLERANCE,
    withShort: true,
  });
}

type Asked = {
  fit: Fit;
  indices: readonly number[];
  kernels: Kernels;
  tolerance: number;
  /** Otherwise `short` stays zero; it takes a tenth of the time. */
  withShort: boolean;
};

function solvedInBlocks(asked: Asked): Column[] {
  const { fit, indices, kernels } = asked;
  const columns: Column[] = [];
  for (let from = 0; from < indices.length; from += kernels.width) {
    const block = createBlock(fit, indices.slice(from, from + kernels.width), kernels);
    columns.push(...solvedBlock(block, asked));
  }
  return columns.slice(0, indices.length);
}

function solvedBlock(block: Block, { fit, kernels, tolerance, withShort }: Asked): Column[] {
  const { information, gradient } = fit;
  const columns = Array.from(block.size, () => ({ variance: 0, short: 0 }));
  for (const [k, size] of block.size.entries()) block.goal[k] = tolerance ** 2 * size;
  let left = ITERATIONS_PER_UNKNOWN * information.diagonal.length;
  while (unfinished(block) && left > 0) {
    kernels.turn(block, information.scale);
    kernels.multiply(information, block);
    kernels.measure(block);
    for (const [k, column] of columns.entries()) {
      column.variance += block.step[k]! * block.size[k]!;
      if (!withShort) continue;
      column.short += block.step[k]! * alongVector(block.direction, gradient, kernels.width, k);
    }
    kernels.advance(block, information.scale);
    left -= 1;
  }
  return columns;
}

function alongVector(
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

function createBlock(fit: Fit, indices: readonly number[], { width, advance }: Kernels): Block {
  const { information } = fit;
  const length = width * information.diagonal.length;
  const residual = new Float64Array(length);
  for (const [k, index] of indices.entries()) placeRight(fit, index, residual, width, k);
  const block = {
    residual,
    direction: new Float64Array(length),
    product: new Float64Array(length),
    size: new Float64Array(width),
    goal: new Float64Array(width),
    keep: new Float64Array(width),
    step: new Float64Array(width),
  };
  advance(block, information.scale);
  block.keep.fill(0);
  return block;
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

function unfinished({ size, goal }: Block): boolean {
  return size.some((left, k) => left > goal[k]!);
}
