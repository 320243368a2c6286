import { MAP_NAMES } from "#core/engine/maps.ts";
import type { MapName } from "#core/engine/maps.ts";
import { HOUSE_BOTS, HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { LadderBounds } from "#core/limits/settings.ts";

export const DEFAULT_LADDER = "public";

export const LADDER_ACCESS_MODES = ["open", "approval", "invite", "password"] as const;

export const WINDOW_PHASES = ["upcoming", "open", "closed"] as const;
export type WindowPhase = (typeof WINDOW_PHASES)[number];

export type LadderDefinition = {
  id: LadderId;
  name: string;
  description: string;
  access: (typeof LADDER_ACCESS_MODES)[number];
  /** Whether the ladder is listed publicly. Hidden ladders are reachable by id only. */
  visible: boolean;
  enabled: boolean;
  /** UTC instants with milliseconds. Null for no limit. */
  opensAt: string | null;
  closesAt: string | null;
  /** At least one map. The order breaks ties. */
  maps: readonly MapName[];
  house: readonly HouseKind[];
  /**
   * Maximum concurrent matches, in total and per owner. Settings override them. Null applies only
   * the server's limit.
   */
  maxConcurrent: number | null;
  ownerConcurrency: number | null;
  /**
   * When the final standings were written. The ladder is closed from then on, whatever its window.
   */
  finishedAt?: string | null;
};

/** The default ladder, which always exists and is open to everyone. */
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

export const hasSeasons = (ladderId: LadderId): boolean => ladderId === PUBLIC_LADDER.id;

type Window = Pick<LadderDefinition, "opensAt" | "closesAt" | "finishedAt">;

/**
 * Returns the phase of a window at a UTC instant. The window includes its opening instant but not
 * its closing one.
 */
export function phaseAt(
  { opensAt, closesAt, finishedAt = null }: Window,
  instant: string,
): WindowPhase {
  if (finishedAt !== null) return "closed";
  if (opensAt !== null && instant < opensAt) return "upcoming";
  return closesAt !== null && instant >= closesAt ? "closed" : "open";
}

function isOpenForPlay(ladder: LadderDefinition, instant: string): boolean {
  return ladder.enabled && phaseAt(ladder, instant) === "open";
}

export type QueueingBot = { id: BotId; name: string; house: boolean };

/**
 * Whether the bot's owner is a member of the ladder. `anonymous` means that the bot has no account.
 */
export type OwnerMembership = "member" | "stranger" | "anonymous";

export type LadderRefusal = "unknown_ladder" | "ladder_closed" | "enrollment_required";

/**
 * Returns the first reason why a bot can't queue on a ladder at a UTC instant, or null if it can.
 */
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
 * Returns whether a player's bot belongs to a ladder, so that it may play there and appear on the
 * leaderboard.
 */
export function isEligibleForLadder(
  { id, access }: LadderDefinition,
  membership: OwnerMembership,
): boolean {
  if (id === DEFAULT_LADDER) return true;
  return membership === "anonymous" ? access === "open" : membership === "member";
}

/** House bots without a short name can't be listed in the ladder, so they may always play. */
function listsHouseBot({ house }: LadderDefinition, { name }: QueueingBot): boolean {
  const kind = HOUSE_BOTS.find((bot) => bot.name === name)?.short;
  return kind === undefined || house.includes(kind);
}

/**
 * Returns the maximum concurrent matches on a ladder, in total and per owner. Settings override the
 * ladder's own limits. The server's limits apply on top.
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
