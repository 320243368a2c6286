// In-memory registry of the ladders of a running server and their members. Routes that change the
// store update it too.

import type { AccountId, BotId, LadderId, OwnerId } from "#core/ids/ids.ts";

import type { LadderDefinition, LadderRefusal } from "./ladder.ts";

/** A bot that queues, with its owner. */
export type OwnedQueueingBot = { id: BotId; name: string; house: boolean; ownerId: OwnerId };

export type LiveLadders = {
  /** The default ladder first, the others in order of creation. */
  list(): readonly LadderDefinition[];
  byId(ladderId: LadderId): LadderDefinition | null;
  /** Returns why a bot can't queue now; null if it can. */
  queueRefusal(bot: OwnedQueueingBot, ladderId: LadderId): LadderRefusal | null;
  /**
   * Returns whether the ladder's leaderboard lists a bot. Bots of accounts that aren't active
   * members aren't listed.
   */
  isListed(bot: OwnedQueueingBot, ladderId: LadderId): boolean;
  /** Incremented by every change of the ladder's active members. */
  membershipRevision(ladderId: LadderId): number;
  /** Whether a membership of the bot's account ended at this monotonic instant (µs) or later. */
  hasLeftSince(bot: { ownerId: OwnerId }, ladderId: LadderId, since: number): boolean;
  /** Adds or replaces a ladder. */
  upsert(ladder: LadderDefinition): void;
  /** Removes a ladder that was never used. */
  remove(ladderId: LadderId): void;
  /** Marks an account as an active member. */
  addMember(accountId: AccountId, ladderId: LadderId): void;
  /** Ends an account's active membership. Returns whether it was an active member. */
  removeMember(accountId: AccountId, ladderId: LadderId): boolean;
};
