// Determines why a queue starts no match. Pure: the caller passes the state of the queue.

import { isOnRematchHold } from "./rules.ts";
import type { RematchFacts } from "./rules.ts";
import type { PairingParameters } from "./types.ts";

export type BotHold =
  | "hourly_quota"
  | "owner_daily_quota"
  | "owner_concurrency"
  | "match_interval"
  | "practice"
  | "being_deleted";

/** Why a ladder starts no match. The first reason that applies is reported. */
export const PAIRING_BLOCKS = [
  "draining",
  "results_unsaved",
  "nobody_waiting",
  "capacity_zero",
  "capacity_full",
  "quota",
  "owner_concurrency",
  "all_held",
  "one_bot",
  "one_owner",
  "house_capacity",
  "rematch_hold",
  "rating_window",
] as const;
export type PairingBlock = (typeof PAIRING_BLOCKS)[number];

export type QueuedBot = RematchFacts & {
  /** Equal for bots with the same owner. */
  owner: string;
  house: boolean;
  hold: BotHold | null;
};

export type QueueState = {
  bots: readonly QueuedBot[];
  /**
   * Maximum concurrent matches on the ladder, within the server's limit, and how many can still
   * start.
   */
  capacity: { max: number; available: number };
  houseStartsAvailable: number;
  isDraining: boolean;
  /** Whether some results haven't been stored yet, which blocks all starts. */
  hasUnsavedResults: boolean;
  numbers: Pick<PairingParameters, "rematchHoldSeconds">;
  /** Bots that have waited less than this, in seconds, are only waiting for the next wave. */
  graceSeconds: number;
};

/** Returns why no match starts, or null if a pair can start in the next wave. */
export function pairingBlock(queue: QueueState): PairingBlock | null {
  return serverBlock(queue) ?? holdBlock(queue) ?? pairBlock(queue);
}

function serverBlock({
  isDraining,
  hasUnsavedResults,
  bots,
  capacity,
}: QueueState): PairingBlock | null {
  if (isDraining) return "draining";
  if (hasUnsavedResults) return "results_unsaved";
  if (bots.every(({ house }) => house)) return "nobody_waiting";
  if (capacity.max <= 0) return "capacity_zero";
  return capacity.available <= 0 ? "capacity_full" : null;
}

const QUOTA_HOLDS: ReadonlySet<BotHold> = new Set(["hourly_quota", "owner_daily_quota"]);

function holdBlock({ bots }: QueueState): PairingBlock | null {
  const players = bots.filter(({ house }) => !house);
  const holds = players.flatMap(({ hold }) => hold ?? []);
  if (holds.length < players.length) return null;
  if (holds.every((hold) => QUOTA_HOLDS.has(hold))) return "quota";
  if (holds.every((hold) => hold === "owner_concurrency")) return "owner_concurrency";
  return "all_held";
}

function pairBlock(queue: QueueState): PairingBlock | null {
  const { bots, houseStartsAvailable, numbers, graceSeconds } = queue;
  const freeBots = bots.filter(({ hold }) => hold === null);
  const players = freeBots.filter(({ house }) => !house);
  const house = freeBots.filter((bot) => bot.house);
  const owners = new Set(players.map(({ owner }) => owner));
  if (owners.size === 1 && house.length === 0)
    return players.length === 1 ? "one_bot" : "one_owner";
  if (owners.size === 1 && houseStartsAvailable <= 0) return "house_capacity";
  const opponents = houseStartsAvailable > 0 ? [...players, ...house] : players;
  const canMeet = players.some((player) =>
    opponents.some(
      (opponent) => player.owner !== opponent.owner && !isOnRematchHold(numbers, player, opponent),
    ),
  );
  if (!canMeet) return "rematch_hold";
  const longestWait = Math.max(...players.map(({ waitSeconds }) => waitSeconds));
  return longestWait < graceSeconds ? null : "rating_window";
}
