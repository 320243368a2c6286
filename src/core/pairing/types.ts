// The glossary of pairing: what a wave is told, and what it decides.

import type { MatchId } from "#core/words/ids.ts";

import type { Matchups } from "./matchups.ts";

/** A bot in the queue of one ladder. Times are seconds before the snapshot. */
export type WaitingBot = {
  bot: string;
  /** Equal for bots of one owner; null for a bot without one. */
  owner: string | null;
  house: boolean;
  version: string;
  /** Unrounded points of the version in the ladder's scope, and its rated games there. */
  rating: number;
  games: number;
  /** The rating that the bot's version before this one has on the ladder; null for a first one. */
  formerRating: number | null;
  /** Ranked matches started in the last hour. */
  recentGames: number;
  /** Ranked matches as fighter A less those as fighter B. */
  seatSurplus: number;
  waitSeconds: number;
  /** Since the bot's last match start; Infinity for none. */
  sinceStartSeconds: number;
  /** The bot it met in its last match, null for none. */
  lastOpponent: string | null;
  /** By opponent, since the end of their last match; those within the hold matter. */
  sinceMeetingSeconds: ReadonlyMap<string, number>;
};

/** What the matches of one owner leave free. House bots are not counted. */
export type OwnerLoad = {
  running: number;
  /** Matches that its daily quota and the ladder's own bound still allow; Infinity for no bound. */
  startsLeft: number;
};

/** The queue of one ladder at one instant; plain data that a worker can be sent. */
export type Snapshot = {
  /** Bots that may start: connected, not moderated, inside their own quotas. */
  bots: readonly WaitingBot[];
  /** By the bots' `owner`; an owner that is absent has nothing running and no quota. */
  owners: ReadonlyMap<string, OwnerLoad>;
  /** Rated results of version pairs in the scope, without human and voided games. */
  matchups: Matchups;
  /** Configured maps; at least one. */
  maps: readonly string[];
  numbers: PairingNumbers;
};

/** A match that a wave may start, and what it will be fought by. */
export type Start = {
  matchId: MatchId;
  /** 0 to 2^32 - 1. It also settles where map and seat are even. */
  seed: number;
};

/** The numbers of the table of limits that say who may meet whom; they come with each wave. */
export type PairingNumbers = {
  /** How long two bots that just met must both wait before they meet again. */
  rematchHoldSeconds: number;
  /** The rating window, in points, its growth by the wait, and its end. */
  windowStart: number;
  windowPerSecond: number;
  windowCap: number;
  /** From this wait on a bot comes first, and its own wait widens its windows. */
  priorityWaitSeconds: number;
  /** Rated games after which a version is settled: those of a ranked one. */
  settledGames: number;
};

export type WaveLimits = {
  /** Matches at once per owner. */
  ownerConcurrency: number;
  /** Least time between two match starts of one bot. */
  matchIntervalSeconds: number;
};

/**
 * Why a pair may play: inside the rating window; an established matchup beyond it; or as discovery,
 * reserved, or left over by the others: within the cap, or owed to one that has waited too long.
 */
export type Ground = "window" | "established" | "reserved" | "addition" | "patience";

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

/** A match to be started. Where there are two of something, seat A comes first. */
export type Pairing = Start & {
  bots: readonly [string, string];
  versions: readonly [string, string];
  map: string;
  /** The maps that the versions had played least, in the ladder's order; the seed took one. */
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

/** What is kept of a pairing with its match; the match itself tells the rest. */
export type Reasons = Omit<Pairing, keyof Start | "bots" | "versions" | "map">;

/** What is known of a pair before it is weighed; `expected` is the share of the first. */
export type Assessment = {
  gap: number;
  window: number;
  shorterWaitSeconds: number;
  longerWaitSeconds: number;
  games: number;
  expected: number;
  quality: number;
  contradicting: boolean;
};
