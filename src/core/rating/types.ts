// What ratings are computed from and leave behind: the glossary of this room.

import type { Results } from "#core/words/results.ts";

/** What the first of two versions took from one game. */
export type Score = 0 | 0.5 | 1;

/** Counts of the `count` pairs that met, with room for more; results are those of `first`. */
export type PairCounts = {
  count: number;
  first: Int32Array;
  second: Int32Array;
  wins: Int32Array;
  losses: Int32Array;
  draws: Int32Array;
};

/**
 * All rated games of one ladder (and season) as counts; the order of games is not kept because
 * ratings do not depend on it. Treat it as opaque outside this room, `versions` excepted.
 */
export type CompetitionResults = {
  /** Version ids; the place of an id is its index everywhere else. */
  readonly versions: string[];
  readonly indices: Map<string, number>;
  readonly tallies: Results[];
  pairs: PairCounts;
  /** For each version, the place in `pairs` by opponent; both directions are kept. */
  readonly opponents: Map<number, number>[];
  /** Versions that may hold the scale. */
  anchors: readonly string[];
  /** Natural units by index at the last fit; where the next one starts. */
  strengths: Float64Array;
  /** What fits write to and read; null once there are new versions, or more room for pairs. */
  information: Information | null;
  /** What the last fit left, null once counts or anchors have changed. */
  fit: Fit | null;
  /** The last solution for the anchors' direction, where the next one starts. */
  anchorResponse: Float64Array;
  /** By index, the last exact variance in squares of natural units; NaN before the first one. */
  readonly variances: number[];
  /** By index, that variance, but for the anchors' effect, as a multiple of the believed one. */
  readonly varianceRatios: number[];
  /** What carries the variances on from game to game. */
  readonly beliefs: Beliefs;
  /** The index whose remembered deviation was refreshed last, in rotation. */
  lastRefreshed: number;
};

/**
 * The Fisher information of all strengths: the Laplacian of the pairs, each weighing its games
 * times p(1 - p), plus a positive diagonal from the prior. Never stored as a matrix.
 */
export type Information = {
  readonly pairs: PairCounts;
  /** By place of the pair. */
  readonly weight: Float64Array;
  readonly prior: Float64Array;
  /** The whole diagonal, the prior and the weights of all pairs of a version, and its inverse. */
  readonly diagonal: Float64Array;
  readonly scale: Float64Array;
  /** The prior of all versions together. */
  wholePrior: number;
};

/** What a fit leaves for standard errors. */
export type Fit = {
  /** Overwritten by the next fit. */
  readonly information: Information;
  /** Indices of the versions whose mean is the centre; empty while no anchor has played. */
  readonly anchors: readonly number[];
  /** The information's inverse times the anchors' mean; all zero without anchors. */
  readonly anchorResponse: Float64Array;
  /** What is left of the gradient, without the force that holds the anchors. */
  readonly gradient: Float64Array;
  /** By index, 1 where the remembered variance is exact for this very fit. */
  readonly exact: Uint8Array;
  /** By index, the variances that the beliefs give; null until they are asked for. */
  believed: Float64Array | null;
  /** Newton steps that it took. */
  readonly steps: number;
};

/** Information that a pair tells each of its two versions, by place of the pair. */
export type Beliefs = { toFirst: Float64Array; toSecond: Float64Array };
