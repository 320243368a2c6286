// Letters of the first lane that wait: those that somebody waits for go before those that only tell,
// and take their place when all are taken.

import { isUrgent } from "#core/accounts/letter.ts";
import type { Letter } from "#core/accounts/letter.ts";
import { FIXED } from "#core/words/limits.ts";

export type WaitingLetter = {
  /** A UUID: the same in the Message-ID of each attempt. */
  readonly id: string;
  readonly to: string;
  readonly letter: Letter;
  readonly at: Date;
  /** Failed ones so far. */
  attempts: number;
  /** After a permanent refusal: how many other emails had been sent by then. Otherwise null. */
  sentBefore: number | null;
};

export type LetterQueue = {
  /** The letter that there is no room for, this or another one; null if there is room for all. */
  add: (one: WaitingLetter) => Letter | null;
  next: () => WaitingLetter | undefined;
  size: () => number;
  /** How many failed before. */
  retrying: () => number;
  /** All that waited; none does any more. */
  empty: () => WaitingLetter[];
};

export function openLetterQueue(): LetterQueue {
  const urgent: WaitingLetter[] = [];
  const news: WaitingLetter[] = [];
  return {
    add: (one) => {
      const isFull = urgent.length + news.length >= FIXED.mails_waiting;
      const lost = isFull ? ((isUrgent(one.letter) ? news.pop() : undefined) ?? one) : null;
      if (lost !== one) (isUrgent(one.letter) ? urgent : news).push(one);
      return lost?.letter ?? null;
    },
    next: () => urgent.shift() ?? news.shift(),
    size: () => urgent.length + news.length,
    retrying: () => [...urgent, ...news].filter(({ attempts }) => attempts > 0).length,
    empty: () => [...urgent.splice(0), ...news.splice(0)],
  };
}
