// Who has earned what in an event.

import type { AccountId } from "#core/words/ids.ts";

type Earned = {
  accountId: AccountId;
  achievementId: string;
  earnedAt: string;
  revokedAt: string | null;
};

export type RankedAccount = {
  rank: number;
  accountId: AccountId;
  /** Awards that are not revoked. */
  earned: number;
  lastEarnedAt: string | null;
  /** In the order of the achievements. */
  achievements: { id: string; earnedAt: string | null; revokedAt: string | null }[];
};

/** Ranks accounts by how many awards they hold, then by when they earned the last one. */
export function rankAccounts(
  achievementIds: readonly string[],
  accountIds: readonly AccountId[],
  awards: readonly Earned[],
): RankedAccount[] {
  const byAccount = Map.groupBy(awards, ({ accountId }) => accountId);
  const all = [...new Set([...accountIds, ...byAccount.keys()])];
  const ordered = all
    .map((accountId) => unranked(achievementIds, accountId, byAccount.get(accountId) ?? []))
    .toSorted((a, b) => compare(a, b) || (a.accountId < b.accountId ? -1 : 1));
  const ranked: RankedAccount[] = [];
  for (const [at, account] of ordered.entries()) {
    const before = ranked.at(-1);
    const isEqual = before !== undefined && compare(before, account) === 0;
    ranked.push({ ...account, rank: isEqual ? before.rank : at + 1 });
  }
  return ranked;
}

type Unranked = Omit<RankedAccount, "rank">;

function unranked(ids: readonly string[], accountId: AccountId, awards: Earned[]): Unranked {
  const held = awards.filter(({ revokedAt }) => revokedAt === null);
  const times = held.map(({ earnedAt }) => earnedAt).toSorted();
  return {
    accountId,
    earned: held.length,
    lastEarnedAt: times.at(-1) ?? null,
    achievements: ids.map((id) => {
      const award = awards.find(({ achievementId }) => achievementId === id);
      return { id, earnedAt: award?.earnedAt ?? null, revokedAt: award?.revokedAt ?? null };
    }),
  };
}

function compare(a: Unranked, b: Unranked): number {
  if (a.earned !== b.earned) return b.earned - a.earned;
  const [one, other] = [a.lastEarnedAt ?? "", b.lastEarnedAt ?? ""];
  return one === other ? 0 : one < other ? -1 : 1;
}
