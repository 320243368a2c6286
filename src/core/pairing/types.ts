// The glossary of pairing: what a wave is given, and what it decides.

import type { MatchId } from "#core/words/ids.ts";

import type { Matchups } from "./matchups.ts";

/** A bot in the queue of one ladder. Times are seconds before the snapshot. */
export type WaitingBot = {
  bot: string;
  /** Equal for bots of one owner, null for a bot without one. */
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
  /** The bot it met in its last match, or null. */
  lastOpponent: string | null;
  /** By opponent, since the end of their last match; only those within the hold matter. */
  sinceMeetingSeconds: ReadonlyMap<string, number>;
};

/** The matches of one owner. House bots are not counted. */
export type OwnerLoad = {
  running: number;
  /** Matches that its daily quota and the ladder's own bound still allow; Infinity for no bound. */
  startsLeft: number;
};

/** The queue of one ladder at one instant: plain data that can be sent to a worker. */
export type Snapshot = {
  /** Bots that may start: connected, not moderated, inside their own quotas. */
  bots: readonly WaitingBot[];
  /** By the bots' `owner`. A missing owner has nothing running and no quota. */
  owners: ReadonlyMap<string, OwnerLoad>;
  /** Pairs that somebody asked for, the oldest wish first: they come before all others. */
  requested: readonly (readonly [string, string])[];
  /** Rated results of version pairs in the competition, without human and voided games. */
  matchups: Matchups;
  /** Configured maps; at least one. */
  maps: readonly string[];
  numbers: PairingNumbers;
};

/** A match that a wave may start, and the seed it will use. */
export type Start = {
  matchId: MatchId;
  /** 0 to 2^32 - 1. It also breaks ties of map and seat. */
  seed: number;
};

/** The limits that say who may meet whom; they come with each wave. */
export type PairingNumbers = {
  /** How long two bots that just met must both wait before they meet again. */
  rematchHoldSeconds: number;
  /** The rating window in points: its start, its growth by the wait, and its cap. */
  windowStart: number;
  windowPerSecond: number;
  windowCap: number;
  /** From this wait on, a bot comes first, and its own wait widens its windows. */
  priorityWaitSeconds: number;
  /** Rated games after which a version is settled: as many as it takes to be ranked. */
  settledGames: number;
};

export type WaveLimits = {
  /** Concurrent matches per owner. */
  ownerConcurrency: number;
  /** Least time between two match starts of one bot. */
  matchIntervalSeconds: number;
  /** Matches with a house bot that may start; Infinity if all house bots that wait may play. */
  houseStarts: number;
};

/**
 * Why a pair may play: inside the rating window; an established matchup beyond it; as discovery:
 * reserved, left over and within the cap, or owed to a bot that has waited too long; or because
 * somebody asked for it.
 */
export type Ground = "window" | "established" | "reserved" | "addition" | "patience" | "requested";

/** The reasons that add up to the weight of a pair, in thousandths of an even fight. */
export const TERMS = [
  "quality",
  "waiting",
  "priority",
  "fewerGames",
  "settling",
  "information",
  "contradiction",
] as const;
export type Terms = Record<(typeof TERMS)[number], number>;

/** A match to start. Pairs of values have seat A first. */
export type Pairing = Start & {
  bots: readonly [string, string];
  versions: readonly [string, string];
  map: string;
  /**
   * With what wait this start competes with those of other ladders for room that is short: that of
   * the pairs of the wave, longest first, even if a heavier pair takes the start. The first has the
   * wait of the bot that has waited longest and could have been paired. A requested pair has its
   * own wait.
   */
  claimSeconds: number;
  /** The maps that the versions had played least, in the ladder's order; the seed picked one. */
  tiedMaps: readonly string[];
  ground: Ground;
  /** Whether the pair bypassed the rating filters: any ground but `window` and `established`. */
  discovery: boolean;
  /** Points between the two, and the window that was open to them. */
  gap: number;
  window: number;
  /** The share of points expected of seat A, 0 to 1, and the openness averaged over maps. */
  expected: number;
  quality: number;
  terms: Terms;
  /** The sum of the terms. */
  weight: number;
};

/** What is stored of a pairing with its match; the rest is known from the match itself. */
export type Reasons = Omit<Pairing, keyof Start | "bots" | "versions" | "map" | "claimSeconds">;

/** What is known about a pair before it is weighed; `expected` is the share of the first bot. */
export type Assessment = {
  gap: number;
  games: number;
  expected: number;
  quality: number;
  contradicting: boolean;
};
