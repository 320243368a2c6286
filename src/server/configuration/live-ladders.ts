import type { Clock } from "#base/clock/clock.ts";
import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import type { AccountId, LadderId } from "#core/ids/ids.ts";
import {
  hasSeasons,
  isEligibleForLadder,
  ladderRefusal,
  PUBLIC_LADDER,
} from "#core/ladder/ladder.ts";
import type { LadderDefinition, OwnerMembership } from "#core/ladder/ladder.ts";
import type { LiveLadders, OwnedQueueingBot } from "#core/ladder/live-ladders.ts";

type Membership = { accountId: AccountId; ladderId: LadderId };

export type StoredLadders = {
  ladders?: readonly LadderDefinition[];
  members?: readonly Membership[];
};

/** Returns the public ladder and all stored ladders, with their active members. */
export function openLadders(
  clock: Pick<Clock, "wall" | "now">,
  { ladders = [], members = [] }: StoredLadders = {},
): LiveLadders {
  const laddersById = new Map([PUBLIC_LADDER, ...ladders].map((ladder) => [ladder.id, ladder]));
  const activeMembers = new Map<LadderId, Set<AccountId>>();
  /** Monotonic time in µs when each membership last ended. */
  const membershipEndedAt = new Map<string, number>();
  const turnover = new Map<LadderId, number>();
  const byId = (id: LadderId) => laddersById.get(id) ?? null;
  const countTurnover = (id: LadderId) => void turnover.set(id, (turnover.get(id) ?? 0) + 1);

  function admit(accountId: AccountId, ladderId: LadderId): void {
    const members = activeMembers.getOrInsertComputed(ladderId, () => new Set());
    if (!members.has(accountId)) countTurnover(ladderId);
    members.add(accountId);
  }

  function membershipOf(
    { ownerId }: Pick<OwnedQueueingBot, "ownerId">,
    ladderId: LadderId,
  ): OwnerMembership {
    const accountId = accountIdOfOwner(ownerId);
    if (accountId === null) return "anonymous";
    const isMember = hasSeasons(ladderId) || activeMembers.get(ladderId)?.has(accountId) === true;
    return isMember ? "member" : "stranger";
  }

  const instantNow = cachedInstant(clock);
  for (const { accountId, ladderId } of members) admit(accountId, ladderId);
  return {
    list: () => [...laddersById.values()],
    byId,
    queueRefusal: (bot, ladderId) => {
      return ladderRefusal(byId(ladderId), instantNow(), bot, membershipOf(bot, ladderId));
    },
    isListed: (bot, ladderId) => {
      const ladder = byId(ladderId);
      return (
        ladder !== null && (bot.house || isEligibleForLadder(ladder, membershipOf(bot, ladderId)))
      );
    },
    membershipRevision: (ladderId) => turnover.get(ladderId) ?? 0,
    hasLeftSince: ({ ownerId }, ladderId, since) =>
      (membershipEndedAt.get(`${ladderId} ${ownerId}`) ?? -Infinity) >= since,
    upsert: (ladder) => void laddersById.set(ladder.id, ladder),
    remove: (ladderId) => void laddersById.delete(ladderId),
    addMember: admit,
    removeMember: (accountId, ladderId) => {
      if (activeMembers.get(ladderId)?.delete(accountId) !== true) return false;
      membershipEndedAt.set(`${ladderId} ${accountId}`, clock.now());
      countTurnover(ladderId);
      return true;
    },
  };
}

/** The time is cached because a wave reads it hundreds of times per millisecond. */
function cachedInstant(clock: Pick<Clock, "wall">): () => string {
  let [at, text] = [NaN, ""];
  return () => {
    const wall = clock.wall();
    if (wall.getTime() === at) return text;
    [at, text] = [wall.getTime(), wall.toISOString()];
    return text;
  };
}
