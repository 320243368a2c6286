import type { AccountId } from "#core/ids/ids.ts";

type AwardEntry = {
  accountId: AccountId;
  achievementId: string;
  earnedAt: string;
  revokedAt: string | null;
};

export type RankedAccount = {
  rank: number;
  accountId: AccountId;
  /** Number of awards that aren't revoked. */
  earned: number;
  lastEarnedAt: string | null;
  /** In the event's order. */
  achievements: { id: string; earnedAt: string | null; revokedAt: string | null }[];
};

/** Ranks accounts by number of awards, then by the time of the last one. Ties share a rank. */
export function rankAccounts(
  achievementIds: readonly string[],
  accountIds: readonly AccountId[],
  awards: readonly AwardEntry[],
): RankedAccount[] {
  const byAccount = Map.groupBy(awards, ({ accountId }) => accountId);
  const allAccountIds = [...new Set([...accountIds, ...byAccount.keys()])];
  const sortedAccounts = allAccountIds
    .map((accountId) =>
      toUnrankedAccount(achievementIds, accountId, byAccount.get(accountId) ?? []),
    )
    .toSorted((a, b) => compareAccounts(a, b) || (a.accountId < b.accountId ? -1 : 1));
  const rankedAccounts: RankedAccount[] = [];
  for (const [index, account] of sortedAccounts.entries()) {
    const previous = rankedAccounts.at(-1);
    const isTied = previous !== undefined && compareAccounts(previous, account) === 0;
    rankedAccounts.push({ ...account, rank: isTied ? previous.rank : index + 1 });
  }
  return rankedAccounts;
}

type UnrankedAccount = Omit<RankedAccount, "rank">;

function toUnrankedAccount(
  ids: readonly string[],
  accountId: AccountId,
  awards: AwardEntry[],
): UnrankedAccount {
  const activeAwards = awards.filter(({ revokedAt }) => revokedAt === null);
  const times = activeAwards.map(({ earnedAt }) => earnedAt).toSorted();
  return {
    accountId,
    earned: activeAwards.length,
    lastEarnedAt: times.at(-1) ?? null,
    achievements: ids.map((id) => {
      const award = awards.find(({ achievementId }) => achievementId === id);
      return { id, earnedAt: award?.earnedAt ?? null, revokedAt: award?.revokedAt ?? null };
    }),
  };
}

function compareAccounts(a: UnrankedAccount, b: UnrankedAccount): number {
  if (a.earned !== b.earned) return b.earned - a.earned;
  const [aTime, bTime] = [a.lastEarnedAt ?? "", b.lastEarnedAt ?? ""];
  return aTime === bTime ? 0 : aTime < bTime ? -1 : 1;
}
