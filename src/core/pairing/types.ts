import type { MatchId } from "#core/ids/ids.ts";

import type { Matchups } from "./matchups.ts";

/** A bot in a ladder's queue. Times are in seconds before the snapshot. */
export type WaitingBot = {
  bot: string;
  /** Equal for bots with the same owner. Null for a bot without an owner. */
  owner: string | null;
  house: boolean;
  version: string;
  /** The version's unrounded rating in points and its number of rated games, in the competition. */
  rating: number;
  games: number;
  /** Rating of the bot's previous version on the ladder, or null. */
  formerRating: number | null;
  recentGames: number;
  /** Ranked matches as fighter A minus ranked matches as fighter B. */
  seatSurplus: number;
  waitSeconds: number;
  /** Time since the bot's last match started, or Infinity. */
  sinceStartSeconds: number;
  lastOpponent: string | null;
  /**
   * Time since the end of the last match against an opponent. Only needs entries within the rematch
   * hold.
   */
  sinceMeetingSeconds: ReadonlyMap<string, number>;
};

/** An owner's matches. House bots don't count. */
export type OwnerLoad = {
  running: number;
  /**
   * Matches that the owner's daily quota and the ladder's limit still allow. Infinity for no limit.
   */
  startsLeft: number;
};

/** State of one ladder's queue as plain data, which can be sent to a worker. */
export type QueueSnapshot = {
  /** Bots that may start: connected, not blocked by moderation and within their own quotas. */
  bots: readonly WaitingBot[];
  /** Keyed by a bot's `owner`. A missing owner has no running matches and no quota. */
  owners: ReadonlyMap<string, OwnerLoad>;
  /** Requested pairs, oldest first. They take precedence over all other pairs. */
  requested: readonly (readonly [string, string])[];
  /** Rated results of version pairs in the competition. Excludes human and voided matches. */
  matchups: Matchups;
  /** The ladder's maps, at least one. */
  maps: readonly string[];
  numbers: PairingParameters;
};

export type PlannedStart = {
  matchId: MatchId;
  /** 0 to 2^32 - 1. Also breaks ties between maps and seats. */
  seed: number;
};

/** Limits that decide which pairs may play. Passed with each wave. */
export type PairingParameters = {
  /** How long two bots that have just met must both wait before they meet again. */
  rematchHoldSeconds: number;
  /** The rating window in points: initial size, growth per second of waiting, and cap. */
  windowStart: number;
  windowPerSecond: number;
  windowCap: number;
  /** After this wait, a bot has priority and its own wait determines its windows. */
  priorityWaitSeconds: number;
  /**
   * Rated games after which a version's rating is settled. Equals the number required for a rank.
   */
  settledGames: number;
};

export type WaveLimits = {
  ownerConcurrency: number;
  matchIntervalSeconds: number;
  /** How many matches with a house bot may start. Infinity if all waiting house bots may play. */
  houseStarts: number;
};

/**
 * Why a pair may play: inside the rating window, an established matchup, requested, or discovery.
 * Discovery pairs have a reserved start (`reserved`), were left over within the cap (`addition`) or
 * have waited too long (`patience`).
 */
export type PairingGround =
  | "window"
  | "established"
  | "reserved"
  | "addition"
  | "patience"
  | "requested";

/** Terms of a pair's weight, in thousandths of an even match. The weight is their sum. */
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

export type PlannedPairing = PlannedStart & {
  bots: readonly [string, string];
  versions: readonly [string, string];
  map: string;
  /**
   * The wait, in seconds, with which this start competes with other ladders for scarce capacity. A
   * requested pair uses its own wait. The first other start uses the wait of the longest-waiting
   * bot that could be paired. Later starts use the waits of the wave's pairs, longest first, even
   * if a heavier pair gets the start.
   */
  claimSeconds: number;
  /**
   * Maps that the versions had played least often, in the ladder's order. The seed picked one of
   * them.
   */
  tiedMaps: readonly string[];
  ground: PairingGround;
  /**
   * Whether the pair bypassed the rating filters: every ground except `window` and `established`.
   */
  discovery: boolean;
  /** Rating gap in points, and the window that applied to the pair. */
  gap: number;
  window: number;
  /** Expected share of points for seat A, 0 to 1, and the mean match quality over the maps. */
  expected: number;
  quality: number;
  terms: WeightTerms;
  weight: number;
};

/** The part of a pairing that is stored with its match. The rest is part of the match itself. */
export type PairingReasons = Omit<
  PlannedPairing,
  keyof PlannedStart | "bots" | "versions" | "map" | "claimSeconds"
>;

/** Assessment of a pair before weighing. `expected` is the first bot's share of points. */
export type PairAssessment = {
  gap: number;
  games: number;
  expected: number;
  quality: number;
  contradicting: boolean;
};
