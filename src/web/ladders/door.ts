// What all changes of ladders and members share: their order, and how often people may guess.

import { oneAtATime } from "#base/units/one-at-a-time.ts";
import type { AccountId, LadderId } from "#core/words/ids.ts";
import { HOUR_S } from "#core/words/limit-row.ts";
import { FIXED } from "#core/words/limits.ts";
import type { ApiDeps } from "#web/http/deps.ts";

export type LadderDoor = {
  /**
   * Runs one change at a time, so that what the store keeps and what is in memory change in the
   * same order, and nothing changes between a decision and its write.
   */
  inTurn: <T>(job: () => Promise<T>) => Promise<T>;
  guesses: Guesses;
};

export type LadderDeps = ApiDeps & { door: LadderDoor };

/** The guesses of one account on one ladder. */
export type Guesses = {
  /** Counts one; with `waitS`, it is one too many, and may be made after that many seconds. */
  count: (accountId: AccountId, ladderId: LadderId) => { nth: number } | { waitS: number };
  /** Takes the last one back, which nobody has looked at. */
  takeBack: (accountId: AccountId, ladderId: LadderId) => void;
};

export function openDoor({ now }: Pick<ApiDeps, "now">): LadderDoor {
  return { inTurn: oneAtATime(), guesses: openGuesses(now) };
}

const HOUR_US = HOUR_S * 1_000_000;
/** Accounts and ladders whose guesses are remembered; beyond, the oldest are forgotten. */
const REMEMBERED = 50_000;

/** `now` is monotonic, in µs. */
export function openGuesses(now: () => number, remembered = REMEMBERED): Guesses {
  /** When they were made, in the hour before the last one. Counted last comes last. */
  const made = new Map<string, number[]>();
  const keyOf = (accountId: AccountId, ladderId: LadderId) => `${ladderId} ${accountId}`;
  return {
    count: (accountId, ladderId) => {
      const [key, at] = [keyOf(accountId, ladderId), now()];
      const recent = (made.get(key) ?? []).filter((one) => one > at - HOUR_US);
      const [first = at] = recent;
      if (recent.length >= FIXED.enrollment_guesses)
        return { waitS: Math.ceil((first + HOUR_US - at) / 1_000_000) };
      made.delete(key);
      made.set(key, [...recent, at]);
      const [oldest] = made.keys();
      if (made.size > remembered && oldest !== undefined) made.delete(oldest);
      return { nth: recent.length + 1 };
    },
    takeBack: (accountId, ladderId) => void made.get(keyOf(accountId, ladderId))?.pop(),
  };
}
