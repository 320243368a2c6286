// Several right sides solved together by conjugate gradients, so that the pairs are read once for
// all of them. The innermost loops are written out for each width so that their sums stay in
// registers.

import type { Information } from "./types.ts";

/** The value of vector k for a version is at `width` times its index, plus k. */
export type Block = {
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

/** One iteration for all vectors, part by part. */
export type Kernels = {
  readonly width: number;
  /** The next directions: the preconditioned residuals plus what keeps them conjugate to the last. */
  readonly turn: (block: Block, scale: Float64Array) => void;
  /** Multiplies the information by the directions. */
  readonly multiply: (information: Information, block: Block) => void;
  /** How far each vector goes along its direction; a finished one goes nowhere. */
  readonly measure: (block: Block) => void;
  /** Takes the steps and measures what is left. */
  readonly advance: (block: Block, scale: Float64Array) => void;
};

export function setSteps({ size, goal, step }: Block, curvatures: readonly number[]): void {
  for (const [k, curvature] of curvatures.entries())
    step[k] = size[k]! > goal[k]! ? size[k]! / curvature : 0;
}

export function setSizes({ size, keep }: Block, left: readonly number[]): void {
  for (const [k, next] of left.entries()) {
    keep[k] = size[k]! > 0 ? next / size[k]! : 0;
    size[k] = next;
  }
}
