// Serialises changes to ladders and members, and limits attempts with passwords and invitations.

import { createMutex } from "#base/util/mutex.ts";
import type { AccountId, LadderId } from "#core/ids/ids.ts";
import { HOUR_S } from "#core/limits/limit-row.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { ApiDeps } from "#web/http/deps.ts";

export type LadderMutex = {
  /**
   * Runs one change at a time, so that store and memory change in the same order, and nothing
   * changes between a decision and its write.
   */
  run: <T>(job: () => Promise<T>) => Promise<T>;
  passwordAttempts: PasswordAttempts;
};

export type LadderDeps = ApiDeps & { mutex: LadderMutex };

/** Password and invitation attempts, per account and ladder. */
export type PasswordAttempts = {
  /**
   * Counts an attempt. With `waitS`, it exceeds the limit and can be repeated after that many
   * seconds.
   */
  count: (
    accountId: AccountId,
    ladderId: LadderId,
  ) => { attemptNumber: number } | { waitS: number };
  /** Removes the last attempt, if it could not be checked. */
  undo: (accountId: AccountId, ladderId: LadderId) => void;
};

export function openLadderMutex({ now }: Pick<ApiDeps, "now">): LadderMutex {
  return { run: createMutex(), passwordAttempts: openPasswordAttempts(now) };
}

const HOUR_US = HOUR_S * 1_000_000;
/** Max tracked pairs of account and ladder; the oldest are dropped. */
const MAX_ENTRIES = 50_000;

/** `now` is monotonic, in µs. */
export function openPasswordAttempts(
  now: () => number,
  maxEntries = MAX_ENTRIES,
): PasswordAttempts {
  /**
   * Times of the attempts within an hour of the latest one; the most recently counted pair is last.
   */
  const attemptTimes = new Map<string, number[]>();
  const keyOf = (accountId: AccountId, ladderId: LadderId) => `${ladderId} ${accountId}`;
  return {
    count: (accountId, ladderId) => {
      const [key, at] = [keyOf(accountId, ladderId), now()];
      const recentAttempts = (attemptTimes.get(key) ?? []).filter((time) => time > at - HOUR_US);
      const [first = at] = recentAttempts;
      if (recentAttempts.length >= FIXED_LIMITS.enrollment_guesses)
        return { waitS: Math.ceil((first + HOUR_US - at) / 1_000_000) };
      attemptTimes.delete(key);
      attemptTimes.set(key, [...recentAttempts, at]);
      const [oldest] = attemptTimes.keys();
      if (attemptTimes.size > maxEntries && oldest !== undefined) attemptTimes.delete(oldest);
      return { attemptNumber: recentAttempts.length + 1 };
    },
    undo: (accountId, ladderId) => void attemptTimes.get(keyOf(accountId, ladderId))?.pop(),
  };
}
