// In-memory registry of a running server's ladders and their active members. Routes that change the
// store must update the registry too.

import type { AccountId, BotId, LadderId, OwnerId } from "#core/ids/ids.ts";

import type { LadderDefinition, LadderRefusal } from "./ladder.ts";

export type OwnedQueueingBot = { id: BotId; name: string; house: boolean; ownerId: OwnerId };

export type LiveLadders = {
  /** Returns the default ladder first, then the other ladders by creation time. */
  list(): readonly LadderDefinition[];
  byId(ladderId: LadderId): LadderDefinition | null;
  queueRefusal(bot: OwnedQueueingBot, ladderId: LadderId): LadderRefusal | null;
  /**
   * Returns whether the ladder's leaderboard may list a bot. Bots of inactive members aren't
   * listed.
   */
  isListed(bot: OwnedQueueingBot, ladderId: LadderId): boolean;
  /** Returns a number that increases with every change to the ladder's active members. */
  membershipRevision(ladderId: LadderId): number;
  /**
   * Returns whether a membership of the bot's account has ended since a monotonic instant, in µs.
   */
  hasLeftSince(bot: { ownerId: OwnerId }, ladderId: LadderId, since: number): boolean;
  upsert(ladder: LadderDefinition): void;
  /** Removes a ladder. It must never have been used. */
  remove(ladderId: LadderId): void;
  addMember(accountId: AccountId, ladderId: LadderId): void;
  /** Ends an account's active membership. Returns whether the account was an active member. */
  removeMember(accountId: AccountId, ladderId: LadderId): boolean;
};
