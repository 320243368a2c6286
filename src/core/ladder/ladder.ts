// What a ladder is: when it is open, whom it takes, how much is played on it at once.

import { MAP_NAMES } from "#core/engine/maps.ts";
import type { MapName } from "#core/engine/maps.ts";
import { HOUSE_BOTS, HOUSE_KINDS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { Limits } from "#core/words/limits.ts";
import type { LadderBounds } from "#core/words/settings.ts";

/** The ladder everybody plays on, and the one meant where a request names none. */
export const DEFAULT_LADDER = "public";

/** How an account gets in. */
export const ACCESSES = ["open", "approval", "invite", "password"] as const;

export const PHASES = ["upcoming", "open", "closed"] as const;
export type Phase = (typeof PHASES)[number];

export type LadderDefinition = {
  id: LadderId;
  name: string;
  description: string;
  access: (typeof ACCESSES)[number];
  /** Listed for everybody; a hidden ladder exists for those who know its id. */
  visible: boolean;
  enabled: boolean;
  /** UTC instants with milliseconds; null for no bound. */
  opensAt: string | null;
  closesAt: string | null;
  /** At least one, in the order for ties. */
  maps: readonly MapName[];
  /** Short names of the house bots that play on it. */
  house: readonly HouseKind[];
  /**
   * Matches at once, in all and of one owner, unless settings say otherwise; null for no bound but
   * the server's.
   */
  maxConcurrent: number | null;
  ownerConcurrency: number | null;
  /** When its final standings were written: whatever the clock says, it is closed from then on. */
  finishedAt?: string | null;
};

/** The default ladder: always there, open to everybody. */
export const PUBLIC: LadderDefinition = {
  id: DEFAULT_LADDER,
  name: "Public",
  description: "Everybody against everybody, in seasons of a month.",
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

/** Whether results on a ladder count in seasons; elsewhere all of them count together. */
export const hasSeasons = (ladderId: LadderId): boolean => ladderId === PUBLIC.id;

type Window = Pick<LadderDefinition, "opensAt" | "closesAt" | "finishedAt">;

/** Where its window stands at a UTC instant; the first instant is in it, the last is not. */
export function phaseAt({ opensAt, closesAt, finishedAt = null }: Window, instant: string): Phase {
  if (finishedAt !== null) return "closed";
  if (opensAt !== null && instant < opensAt) return "upcoming";
  return closesAt !== null && instant >= closesAt ? "closed" : "open";
}

/** Whether matches start on it at a UTC instant. */
function isPlayed(ladder: LadderDefinition, instant: string): boolean {
  return ladder.enabled && phaseAt(ladder, instant) === "open";
}

/** A bot that asks to play on a ladder. */
export type Entrant = { id: BotId; name: string; house: boolean };

/** How the owner of a player's bot stands to a ladder; `anonymous` has no account. */
export type Tie = "member" | "stranger" | "anonymous";

/** Why a bot may not queue on a ladder. */
export type LadderRefusal = "unknown_ladder" | "ladder_closed" | "enrollment_required";

/** The first reason why a bot may not queue on a ladder at a UTC instant; null when it may. */
export function ladderRefusal(
  ladder: LadderDefinition | null,
  instant: string,
  bot: Entrant,
  tie: Tie,
): LadderRefusal | null {
  if (ladder === null) return "unknown_ladder";
  if (!isPlayed(ladder, instant)) return "ladder_closed";
  const isWelcome = bot.house ? lists(ladder, bot) : isTaken(ladder, tie);
  return isWelcome ? null : "enrollment_required";
}

/** Whether a player's bot belongs to a ladder: there it may play, and only then its board lists it. */
export function isTaken({ id, access }: LadderDefinition, tie: Tie): boolean {
  if (id === DEFAULT_LADDER) return true;
  return tie === "anonymous" ? access === "open" : tie === "member";
}

/** A house bot that has no short name is on no list, and is left out by none. */
function lists({ house }: LadderDefinition, { name }: Entrant): boolean {
  const kind = HOUSE_BOTS.find((bot) => bot.name === name)?.short;
  return kind === undefined || house.includes(kind);
}

/**
 * Matches at once on a ladder, and of one owner there: what settings say of it, else its own bound,
 * and never more than the server's.
 */
export function capacityOf(
  own: LadderBounds,
  limits: Pick<Limits, "max_concurrent" | "owner_concurrency">,
  set: LadderBounds,
): { maxConcurrent: number; ownerConcurrency: number } {
  const most = set.maxConcurrent ?? own.maxConcurrent ?? Infinity;
  const mostOfOwner = set.ownerConcurrency ?? own.ownerConcurrency ?? Infinity;
  return {
    maxConcurrent: Math.min(most, limits.max_concurrent),
    ownerConcurrency: Math.min(mostOfOwner, limits.owner_concurrency),
  };
}
