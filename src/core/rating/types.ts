// Glossary of rating: inputs of the ratings, and results of a fit.

import type { Results } from "#core/ids/results.ts";

/** Points that the first of two versions took from one game. */
export type Score = 0 | 0.5 | 1;

/** Counts of the `count` pairs that have met, with spare capacity; results are those of `first`. */
export type PairCounts = {
  count: number;
  first: Int32Array;
  second: Int32Array;
  wins: Int32Array;
  losses: Int32Array;
  draws: Int32Array;
};

/**
 * All rated games of one ladder (and season) as counts. The order of games isn't stored because
 * ratings don't depend on it. Opaque outside this folder, except `versions`.
 */
export type CompetitionResults = {
  /** Version ids; the index of an id here identifies it everywhere else. */
  readonly versions: string[];
  readonly indices: Map<string, number>;
  readonly tallies: Results[];
  pairs: PairCounts;
  /** For each version, the index in `pairs` by opponent; both directions are stored. */
  readonly opponents: Map<number, number>[];
  /** Versions that may anchor the scale. */
  anchors: readonly string[];
  /** In natural units, by index, at the last fit; the next fit starts here. */
  strengths: Float64Array;
  /** The buffers of fits; null after new versions or more capacity for pairs. */
  information: Information | null;
  /** The result of the last fit; null once counts or anchors have changed. */
  fit: Fit | null;
  /** The last solution for the anchors' direction; the next one starts here. */
  anchorResponse: Float64Array;
  /** By index, the last exact variance in squared natural units; NaN before the first one. */
  readonly variances: number[];
  /** By index, that variance without the anchors' effect, as a multiple of the estimated one. */
  readonly varianceRatios: number[];
  /** Belief state that carries the variances from game to game. */
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
  /** By index of the pair. */
  readonly weight: Float64Array;
  readonly prior: Float64Array;
  /**
   * The full diagonal, which is the prior plus the weights of all pairs of a version; and its
   * inverse.
   */
  readonly diagonal: Float64Array;
  readonly scale: Float64Array;
  /** The sum of all versions' priors. */
  priorTotal: number;
};

/** Results of a fit that standard errors need. */
export type Fit = {
  /** Overwritten by the next fit. */
  readonly information: Information;
  /** Indices of the versions whose mean is the centre; empty while no anchor has played. */
  readonly anchors: readonly number[];
  /** The information's inverse times the anchors' mean; all zero without anchors. */
  readonly anchorResponse: Float64Array;
  /** The remaining gradient, without the force that holds the anchors. */
  readonly gradient: Float64Array;
  /** By index, 1 if the cached variance is exact for this very fit. */
  readonly exactFlags: Uint8Array;
  /** By index, the estimated variances; null until needed. */
  estimates: Float64Array | null;
  /** Newton steps taken. */
  readonly steps: number;
};

/** Information that a pair adds to each of its two versions, by index of the pair. */
export type Beliefs = { toFirst: Float64Array; toSecond: Float64Array };
