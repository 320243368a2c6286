// Why a queue starts no match. Pure: the caller describes the queue as it is now.

import { heldBack } from "./rules.ts";
import type { Meeting } from "./rules.ts";
import type { PairingNumbers } from "./types.ts";

/** Why one bot cannot be paired now. */
export type BotHold =
  | "hourly_quota"
  | "owner_daily_quota"
  | "owner_concurrency"
  | "match_interval"
  | "practice"
  | "being_deleted";

/** Why a ladder starts no match, in the order in which the reasons are checked. */
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

/** A bot in the queue. `hold` is null for a bot that may be paired. */
export type QueuedBot = Meeting & {
  /** Equal for bots of one owner. */
  owner: string;
  house: boolean;
  hold: BotHold | null;
};

export type QueueFacts = {
  bots: readonly QueuedBot[];
  /** Matches the ladder may run at once, within the server's limit, and how many more fit now. */
  capacity: { max: number; room: number };
  /** Matches with a house bot that still fit. */
  houseRoom: number;
  isDraining: boolean;
  /** Whether results wait for the store, which stops all starts. */
  isUnsaved: boolean;
  numbers: Pick<PairingNumbers, "rematchHoldSeconds">;
  /** Wait in seconds below which bots are only waiting for the next wave. */
  graceSeconds: number;
};

/** Returns why no match starts, or null if a pair may start in the next wave. */
export function pairingBlock(facts: QueueFacts): PairingBlock | null {
  return serverBlock(facts) ?? holdBlock(facts) ?? pairBlock(facts);
}

function serverBlock({ isDraining, isUnsaved, bots, capacity }: QueueFacts): PairingBlock | null {
  if (isDraining) return "draining";
  if (isUnsaved) return "results_unsaved";
  if (bots.every(({ house }) => house)) return "nobody_waiting";
  if (capacity.max <= 0) return "capacity_zero";
  return capacity.room <= 0 ? "capacity_full" : null;
}

const QUOTAS: ReadonlySet<BotHold> = new Set(["hourly_quota", "owner_daily_quota"]);

function holdBlock({ bots }: QueueFacts): PairingBlock | null {
  const players = bots.filter(({ house }) => !house);
  const holds = players.flatMap(({ hold }) => hold ?? []);
  if (holds.length < players.length) return null;
  if (holds.every((hold) => QUOTAS.has(hold))) return "quota";
  if (holds.every((hold) => hold === "owner_concurrency")) return "owner_concurrency";
  return "all_held";
}

function pairBlock(facts: QueueFacts): PairingBlock | null {
  const { bots, houseRoom, numbers, graceSeconds } = facts;
  const free = bots.filter(({ hold }) => hold === null);
  const players = free.filter(({ house }) => !house);
  const house = free.filter((bot) => bot.house);
  const owners = new Set(players.map(({ owner }) => owner));
  if (owners.size === 1 && house.length === 0)
    return players.length === 1 ? "one_bot" : "one_owner";
  if (owners.size === 1 && houseRoom <= 0) return "house_capacity";
  const opponents = houseRoom > 0 ? [...players, ...house] : players;
  const mayMeet = players.some((one) =>
    opponents.some((other) => one.owner !== other.owner && !heldBack(numbers, one, other)),
  );
  if (!mayMeet) return "rematch_hold";
  const longest = Math.max(...players.map(({ waitSeconds }) => waitSeconds));
  return longest < graceSeconds ? null : "rating_window";
}
