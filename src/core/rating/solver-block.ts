// Solves several right-hand sides together by conjugate gradients, so that the pairs are read once
// for all of them. Each width has its own innermost loops, which keep their sums in registers.

import type { Information } from "./types.ts";

/** The value of vector k for a version has index `width` * version + k. */
export type SolverBlock = {
  readonly residual: Float64Array;
  readonly direction: Float64Array;
  readonly product: Float64Array;
  /**
   * Per vector: the preconditioned square of the residual, and the value at which the solution is
   * accurate enough.
   */
  readonly size: Float64Array;
  readonly goal: Float64Array;
  /**
   * Per vector: the factor by which the last direction is added to the next one, and the step
   * length.
   */
  readonly beta: Float64Array;
  readonly step: Float64Array;
};

export type SolverKernels = {
  readonly width: number;
  readonly updateDirections: (block: SolverBlock, scale: Float64Array) => void;
  readonly multiply: (information: Information, block: SolverBlock) => void;
  /** Computes the step lengths. The step of a finished vector is 0. */
  readonly updateSteps: (block: SolverBlock) => void;
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
