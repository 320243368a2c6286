import type { Results } from "#core/ids/results.ts";

export type Score = 0 | 0.5 | 1;

/**
 * Results of the first `count` pairs, each from the perspective of `first`. The arrays have spare
 * capacity.
 */
export type PairCounts = {
  count: number;
  first: Int32Array;
  second: Int32Array;
  wins: Int32Array;
  losses: Int32Array;
  draws: Int32Array;
};

/**
 * All rated games of a ladder or season, as counts. Ratings don't depend on the order of games, so
 * it isn't stored. Code outside this folder may only read `versions`.
 */
export type CompetitionResults = {
  /** Version ids. The index of an id identifies the version in all other fields. */
  readonly versions: string[];
  readonly indices: Map<string, number>;
  readonly tallies: Results[];
  pairs: PairCounts;
  /** By version, the index in `pairs` by opponent. Stored for both versions of a pair. */
  readonly opponents: Map<number, number>[];
  /** Ids of the versions whose mean rating is `CENTRE`, including ones that haven't played. */
  anchors: readonly string[];
  /** Strengths at the last fit, in natural units. The next fit starts from these. */
  strengths: Float64Array;
  /** Buffers for fits. Null after a version is added or the pair arrays grow. */
  information: Information | null;
  fit: Fit | null;
  anchorResponse: Float64Array;
  /** Last exact variance in squared natural units. NaN until computed. */
  readonly variances: number[];
  /** Last exact variance, excluding the anchors' effect, divided by the estimated variance. */
  readonly varianceRatios: number[];
  /** Belief propagation messages, from which variances are estimated between exact computations. */
  readonly beliefs: Beliefs;
  lastRefreshed: number;
};

/**
 * Fisher information of all strengths: the Laplacian of the pairs, each weighted with its games
 * times p(1 - p), plus a positive diagonal from the prior. Never stored as a matrix.
 */
export type Information = {
  readonly pairs: PairCounts;
  /** Indexed by pair. */
  readonly weight: Float64Array;
  readonly prior: Float64Array;
  /**
   * The full diagonal (the prior plus the weights of all of a version's pairs), and its inverse.
   */
  readonly diagonal: Float64Array;
  readonly scale: Float64Array;
  priorTotal: number;
};

export type Fit = {
  /** The next fit overwrites it. */
  readonly information: Information;
  /** Indices of the versions whose mean is the centre. Empty if no anchor has played. */
  readonly anchors: readonly number[];
  /** Inverse information times the anchors' weights. All zero without anchors. */
  readonly anchorResponse: Float64Array;
  readonly gradient: Float64Array;
  /** 1 if the version's cached variance is exact for this fit. */
  readonly exactFlags: Uint8Array;
  estimates: Float64Array | null;
  readonly steps: number;
};

/** Information that a pair adds to each of its two versions, indexed by pair. */
export type Beliefs = { toFirst: Float64Array; toSecond: Float64Array };
