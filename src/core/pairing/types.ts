// Glossary of pairing: inputs and decisions of a wave.

import type { MatchId } from "#core/ids/ids.ts";

import type { Matchups } from "./matchups.ts";

/** A bot in the queue of one ladder. Times are seconds before the snapshot. */
export type WaitingBot = {
  bot: string;
  /** Equal for bots of the same owner, null for a bot without one. */
  owner: string | null;
  house: boolean;
  version: string;
  /** Unrounded points of the version in the competition, and its rated games there. */
  rating: number;
  games: number;
  /** The rating of the bot's previous version on the ladder; null if there is none. */
  formerRating: number | null;
  /** Ranked matches started in the last hour. */
  recentGames: number;
  /** Ranked matches as fighter A minus those as fighter B. */
  seatSurplus: number;
  waitSeconds: number;
  /** Since the start of the bot's last match; Infinity if there is none. */
  sinceStartSeconds: number;
  /** The opponent of its last match, or null. */
  lastOpponent: string | null;
  /** By opponent, since the end of their last match; only those within the hold matter. */
  sinceMeetingSeconds: ReadonlyMap<string, number>;
};

/** The matches of one owner, excluding house bots. */
export type OwnerLoad = {
  running: number;
  /** Matches that its daily quota and the ladder's own bound still allow; Infinity for no bound. */
  startsLeft: number;
};

/** A snapshot of one ladder's queue: plain data that can be sent to a worker. */
export type QueueSnapshot = {
  /** Bots that may start: connected, not moderated, inside their own quotas. */
  bots: readonly WaitingBot[];
  /** By the bots' `owner`. A missing owner has nothing running and no quota. */
  owners: ReadonlyMap<string, OwnerLoad>;
  /** Requested pairs, oldest request first: they take precedence over all others. */
  requested: readonly (readonly [string, string])[];
  /** Rated results of version pairs in the competition, without human and voided games. */
  matchups: Matchups;
  /** Configured maps; at least one. */
  maps: readonly string[];
  numbers: PairingParameters;
};

/** A match that a wave may start, and the seed it will use. */
export type PlannedStart = {
  matchId: MatchId;
  /** 0 to 2^32 - 1. It also breaks ties of map and seat. */
  seed: number;
};

/** The limits that restrict pairs; passed with each wave. */
export type PairingParameters = {
  /** How long two bots that just met must both wait before they meet again. */
  rematchHoldSeconds: number;
  /** The rating window in points: its start, its growth by the wait, and its cap. */
  windowStart: number;
  windowPerSecond: number;
  windowCap: number;
  /** From this wait on, a bot has priority, and its own wait widens its windows. */
  priorityWaitSeconds: number;
  /** Rated games after which a version is settled: as many as a rank requires. */
  settledGames: number;
};

export type WaveLimits = {
  /** Concurrent matches per owner. */
  ownerConcurrency: number;
  /** Minimum time between two match starts of one bot. */
  matchIntervalSeconds: number;
  /** Matches with a house bot that may start; Infinity if all waiting house bots may play. */
  houseStarts: number;
};

/**
 * Why a pair may play: inside the rating window; an established matchup beyond it; requested; or as
 * discovery: reserved, left over and within the cap, or after waiting too long.
 */
export type PairingGround =
  | "window"
  | "established"
  | "reserved"
  | "addition"
  | "patience"
  | "requested";

/** The terms that add up to the weight of a pair, in thousandths of an even match. */
export const WEIGHT_TERMS = [
  "quality",
  "waiting",
  "priority",
  "fewerGames",
  "settling",
  "information",
  "contradiction",
] as const;
export type WeightTerms = Record<(typeof WEIGHT_TERMS)[number], number>;

/** A match to start. Pairs of values have seat A first. */
export type PlannedPairing = PlannedStart & {
  bots: readonly [string, string];
  versions: readonly [string, string];
  map: string;
  /**
   * The wait with which this start competes with other ladders for scarce capacity: the waits of
   * the wave's pairs, longest first, even if a heavier pair takes the start. The first has the wait
   * of the bot that has waited longest and could have been paired. A requested pair has its own
   * wait.
   */
  claimSeconds: number;
  /** The maps that the versions had played least, in the ladder's order; the seed picked one. */
  tiedMaps: readonly string[];
  ground: PairingGround;
  /** Whether the pair bypassed the rating filters: any ground but `window` and `established`. */
  discovery: boolean;
  /** Rating gap in points, and the window that was open to them. */
  gap: number;
  window: number;
  /** The share of points expected of seat A, 0 to 1, and the match quality averaged over maps. */
  expected: number;
  quality: number;
  terms: WeightTerms;
  /** The sum of the terms. */
  weight: number;
};

/** The part of a pairing that is stored with its match; the rest follows from the match itself. */
export type PairingReasons = Omit<
  PlannedPairing,
  keyof PlannedStart | "bots" | "versions" | "map" | "claimSeconds"
>;

/** Assessment of a pair before it is weighed; `expected` is the share of the first bot. */
export type PairAssessment = {
  gap: number;
  games: number;
  expected: number;
  quality: number;
  contradicting: boolean;
};
