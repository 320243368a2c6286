// Solves several right-hand sides together by conjugate gradients, so that the pairs are read once
// for all of them. The innermost loops are written out for each width so that their sums stay in
// registers.

import type { Information } from "./types.ts";

/** The value of vector k for a version is at `width` times its index, plus k. */
export type SolverBlock = {
  readonly residual: Float64Array;
  readonly direction: Float64Array;
  readonly product: Float64Array;
  /**
   * Per vector: the residual's preconditioned square, and the square at which the solution is
   * accurate enough.
   */
  readonly size: Float64Array;
  readonly goal: Float64Array;
  /** Share of the last direction that the next one keeps, and the step length along it. */
  readonly beta: Float64Array;
  readonly step: Float64Array;
};

/** One iteration for all vectors, part by part. */
export type SolverKernels = {
  readonly width: number;
  /**
   * Computes the next directions: the preconditioned residuals plus the part that keeps them
   * conjugate to the last.
   */
  readonly updateDirections: (block: SolverBlock, scale: Float64Array) => void;
  /** Multiplies the information by the directions. */
  readonly multiply: (information: Information, block: SolverBlock) => void;
  /** Computes the step lengths; a finished vector's step is zero. */
  readonly updateSteps: (block: SolverBlock) => void;
  /** Takes the steps and computes the residuals. */
  readonly advance: (block: SolverBlock, scale: Float64Array) => void;
};

export function setSteps({ size, goal, step }: SolverBlock, curvatures: readonly number[]): void {
  for (const [k, curvature] of curvatures.entries())
    step[k] = size[k]! > goal[k]! ? size[k]! / curvature : 0;
}

export function updateSizes({ size, beta }: SolverBlock, residuals: readonly number[]): void {
  for (const [k, nextSize] of residuals.entries()) {
    beta[k] = size[k]! > 0 ? nextSize / size[k]! : 0;
    size[k] = nextSize;
  }
}
