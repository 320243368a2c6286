import { createMutex } from "#base/util/mutex.ts";
import type { AccountId, LadderId } from "#core/ids/ids.ts";
import { HOUR_S } from "#core/limits/limit-row.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { ApiDeps } from "#web/http/deps.ts";

export type LadderMutex = {
  /**
   * Runs one change at a time. Store and memory then change in the same order, and nothing changes
   * between a decision and its write.
   */
  run: <T>(job: () => Promise<T>) => Promise<T>;
  passwordAttempts: PasswordAttempts;
};

export type LadderDeps = ApiDeps & { mutex: LadderMutex };

export type PasswordAttempts = {
  /**
   * Counts an attempt. If the result has `waitS`, the attempt exceeds the limit and can be repeated
   * after that many seconds.
   */
  count: (
    accountId: AccountId,
    ladderId: LadderId,
  ) => { attemptNumber: number } | { waitS: number };
  /** Removes the last attempt. Call this if the attempt couldn't be checked. */
  undo: (accountId: AccountId, ladderId: LadderId) => void;
};

export function openLadderMutex({ now }: Pick<ApiDeps, "now">): LadderMutex {
  return { run: createMutex(), passwordAttempts: openPasswordAttempts(now) };
}

const HOUR_US = HOUR_S * 1_000_000;
/**
 * Maximum number of tracked pairs of an account and a ladder. The least recently counted pair is
 * dropped first.
 */
const MAX_ENTRIES = 50_000;

/** `now` is monotonic, in µs. */
export function openPasswordAttempts(
  now: () => number,
  maxEntries = MAX_ENTRIES,
): PasswordAttempts {
  /**
   * Times of attempts in the hour before the latest attempt. Ordered by when each pair was last
   * counted.
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
