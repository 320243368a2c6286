// The glossary of rating: what ratings are computed from, and what a fit leaves behind.

import type { Results } from "#core/words/results.ts";

/** Points that the first of two versions took from one game. */
export type Score = 0 | 0.5 | 1;

/** Counts of the `count` pairs that have met, with room for more; results are those of `first`. */
export type PairCounts = {
  count: number;
  first: Int32Array;
  second: Int32Array;
  wins: Int32Array;
  losses: Int32Array;
  draws: Int32Array;
};

/**
 * All rated games of one ladder (and season) as counts. The order of games is not kept because
 * ratings do not depend on it. Treat it as opaque outside this room, except `versions`.
 */
export type CompetitionResults = {
  /** Version ids; the place of an id is its index everywhere else. */
  readonly versions: string[];
  readonly indices: Map<string, number>;
  readonly tallies: Results[];
  pairs: PairCounts;
  /** For each version, the place in `pairs` by opponent; both directions are kept. */
  readonly opponents: Map<number, number>[];
  /** Versions that may anchor the scale. */
  anchors: readonly string[];
  /** In natural units, by index, at the last fit; the next fit starts here. */
  strengths: Float64Array;
  /** The buffers of fits; null after new versions or more room for pairs. */
  information: Information | null;
  /** The result of the last fit; null once counts or anchors have changed. */
  fit: Fit | null;
  /** The last solution for the anchors' direction; the next one starts here. */
  anchorResponse: Float64Array;
  /** By index, the last exact variance in squared natural units; NaN before the first one. */
  readonly variances: number[];
  /** By index, that variance without the anchors' effect, as a multiple of the believed one. */
  readonly varianceRatios: number[];
  /** What carries the variances on from game to game. */
  readonly beliefs: Beliefs;
  /** The index that was refreshed last in the rotation. */
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
  /**
   * The whole diagonal, which is the prior plus the weights of all pairs of a version; and its
   * inverse.
   */
  readonly diagonal: Float64Array;
  readonly scale: Float64Array;
  /** The sum of all versions' priors. */
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
  /** The gradient left over, without the force that holds the anchors. */
  readonly gradient: Float64Array;
  /** By index, 1 if the remembered variance is exact for this very fit. */
  readonly exact: Uint8Array;
  /** By index, the believed variances; null until needed. */
  believed: Float64Array | null;
  /** Newton steps taken. */
  readonly steps: number;
};

/** Information that a pair tells each of its two versions, by place of the pair. */
export type Beliefs = { toFirst: Float64Array; toSecond: Float64Array };
