// Transactional emails that failed and wait for their next attempt, in memory and bounded.

import type { Clock } from "#base/clock/clock.ts";
import { isUrgent } from "#core/accounts/letter.ts";
import { FIXED } from "#core/words/limits.ts";

import type { WaitingLetter } from "./letter-queue.ts";

export type Retries = {
  /** Returns false if there is no room. */
  add: (email: WaitingLetter, delayMs: number) => boolean;
  size: () => number;
  /** Removes and returns all, the oldest first. */
  empty: () => WaitingLetter[];
};

export function openRetries(
  { after }: Pick<Clock, "after">,
  isDue: (email: WaitingLetter) => void,
): Retries {
  const timers = new Map<WaitingLetter, () => void>();
  return {
    add: (email, delayMs) => {
      if (timers.size >= roomFor(email)) return false;
      const start = () => {
        timers.delete(email);
        isDue(email);
      };
      timers.set(email, after(delayMs, start));
      return true;
    },
    size: () => timers.size,
    empty: () => {
      const emails = [...timers.keys()].toSorted((a, b) => a.at.getTime() - b.at.getTime());
      for (const cancel of timers.values()) cancel();
      timers.clear();
      return emails;
    },
  };
}

/** The second half is for emails that a person waits for. */
const roomFor = ({ letter }: WaitingLetter): number =>
  isUrgent(letter) ? FIXED.mails_waiting : FIXED.mails_waiting / 2;
