// The ladders of a running server, and whom each of them takes. Everything is in memory: sockets and
// waves ask it, and the routes that change the store tell it.

import type { AccountId, BotId, LadderId, OwnerId } from "#core/words/ids.ts";

import type { LadderDefinition, LadderRefusal } from "./ladder.ts";

/** A bot that asks to play, with its owner. */
export type OwnedEntrant = { id: BotId; name: string; house: boolean; ownerId: OwnerId };

export type Ladders = {
  /** The default one first, the others in the order in which they were made. */
  all(): readonly LadderDefinition[];
  byId(ladderId: LadderId): LadderDefinition | null;
  /** Why a bot may not queue there now; null when it may. */
  admits(bot: OwnedEntrant, ladderId: LadderId): LadderRefusal | null;
  /** Whether the ladder's board lists a bot: those of accounts that are no active members are off. */
  lists(bot: OwnedEntrant, ladderId: LadderId): boolean;
  /** Counts the changes of who is an active member of the ladder. */
  turnover(ladderId: LadderId): number;
  /** Whether a membership of the bot's account ended there at this monotonic instant (µs) or later. */
  hasLeftSince(bot: { ownerId: OwnerId }, ladderId: LadderId, since: number): boolean;
  /** A ladder is like this from now on; one of a new id begins. */
  put(ladder: LadderDefinition): void;
  /** A ladder that was never used is gone. */
  drop(ladderId: LadderId): void;
  /** An account is an active member from now on. */
  admit(accountId: AccountId, ladderId: LadderId): void;
  /** An account is no active member any more; whether it was one. */
  dismiss(accountId: AccountId, ladderId: LadderId): boolean;
};
