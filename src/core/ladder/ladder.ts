// A ladder: its window, access and capacity.

import { MAP_NAMES } from "#core/engine/maps.ts";
import type { MapName } from "#core/engine/maps.ts";
import { HOUSE_BOTS, HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { LadderBounds } from "#core/limits/settings.ts";

/** Id of the default ladder, used when a request names none. */
export const DEFAULT_LADDER = "public";

/** How accounts join. */
export const LADDER_ACCESS_MODES = ["open", "approval", "invite", "password"] as const;

export const WINDOW_PHASES = ["upcoming", "open", "closed"] as const;
export type WindowPhase = (typeof WINDOW_PHASES)[number];

export type LadderDefinition = {
  id: LadderId;
  name: string;
  description: string;
  access: (typeof LADDER_ACCESS_MODES)[number];
  /** Whether the ladder is listed publicly; a hidden ladder is reachable by its id only. */
  visible: boolean;
  enabled: boolean;
  /** UTC instants with milliseconds; null for no bound. */
  opensAt: string | null;
  closesAt: string | null;
  /** At least one, in the order used to break ties. */
  maps: readonly MapName[];
  /** Short names of the house bots on this ladder. */
  house: readonly HouseKind[];
  /**
   * Concurrent matches in total and per owner, unless settings override them; null for the server's
   * bound only.
   */
  maxConcurrent: number | null;
  ownerConcurrency: number | null;
  /** When its final standings were written. From then on it's closed, whatever the clock says. */
  finishedAt?: string | null;
};

/** The default ladder: always exists and is open to all. */
export const PUBLIC_LADDER: LadderDefinition = {
  id: DEFAULT_LADDER,
  name: "Public",
  description: "Open to all bots, in monthly seasons.",
  access: "open",
  visible: true,
  enabled: true,
  opensAt: null,
  closesAt: null,
  maps: MAP_NAMES,
  house: HOUSE_KINDS,
  maxConcurrent: null,
  ownerConcurrency: null,
};

/** Returns whether a ladder has seasons; without them, all results count together. */
export const hasSeasons = (ladderId: LadderId): boolean => ladderId === PUBLIC_LADDER.id;

type Window = Pick<LadderDefinition, "opensAt" | "closesAt" | "finishedAt">;

/**
 * Returns the phase of a window at a UTC instant. The opening instant is inside, the closing one
 * isn't.
 */
export function phaseAt(
  { opensAt, closesAt, finishedAt = null }: Window,
  instant: string,
): WindowPhase {
  if (finishedAt !== null) return "closed";
  if (opensAt !== null && instant < opensAt) return "upcoming";
  return closesAt !== null && instant >= closesAt ? "closed" : "open";
}

/** Returns whether matches can start on the ladder at a UTC instant. */
function isOpenForPlay(ladder: LadderDefinition, instant: string): boolean {
  return ladder.enabled && phaseAt(ladder, instant) === "open";
}

/** A bot that queues on a ladder. */
export type QueueingBot = { id: BotId; name: string; house: boolean };

/** Membership of the bot's owner in the ladder; `anonymous` has no account. */
export type OwnerMembership = "member" | "stranger" | "anonymous";

/** Why a bot can't queue on a ladder. */
export type LadderRefusal = "unknown_ladder" | "ladder_closed" | "enrollment_required";

/** Returns the first reason why a bot can't queue on a ladder at a UTC instant; null if it can. */
export function ladderRefusal(
  ladder: LadderDefinition | null,
  instant: string,
  bot: QueueingBot,
  membership: OwnerMembership,
): LadderRefusal | null {
  if (ladder === null) return "unknown_ladder";
  if (!isOpenForPlay(ladder, instant)) return "ladder_closed";
  const isAllowed = bot.house
    ? listsHouseBot(ladder, bot)
    : isEligibleForLadder(ladder, membership);
  return isAllowed ? null : "enrollment_required";
}

/**
 * Returns whether a player's bot belongs to a ladder, which is required for playing on it and for
 * its leaderboard.
 */
export function isEligibleForLadder(
  { id, access }: LadderDefinition,
  membership: OwnerMembership,
): boolean {
  if (id === DEFAULT_LADDER) return true;
  return membership === "anonymous" ? access === "open" : membership === "member";
}

/** House bots without a short name can't be listed, so they're never excluded. */
function listsHouseBot({ house }: LadderDefinition, { name }: QueueingBot): boolean {
  const kind = HOUSE_BOTS.find((bot) => bot.name === name)?.short;
  return kind === undefined || house.includes(kind);
}

/**
 * Returns the concurrent matches on a ladder, in total and per owner: from settings, else the
 * ladder's own bound, capped by the server's.
 */
export function ladderCapacity(
  ladderBounds: LadderBounds,
  limits: Pick<Limits, "max_concurrent" | "owner_concurrency">,
  settingsBounds: LadderBounds,
): { maxConcurrent: number; ownerConcurrency: number } {
  const maxMatches = settingsBounds.maxConcurrent ?? ladderBounds.maxConcurrent ?? Infinity;
  const maxOwnerMatches =
    settingsBounds.ownerConcurrency ?? ladderBounds.ownerConcurrency ?? Infinity;
  return {
    maxConcurrent: Math.min(maxMatches, limits.max_concurrent),
    ownerConcurrency: Math.min(maxOwnerMatches, limits.owner_concurrency),
  };
}
