// Priority queue of transactional emails: urgent ones go first and displace notices when it is
// full.

import { isUrgentEmail } from "#core/accounts/transactional-email.ts";
import type { TransactionalEmail } from "#core/accounts/transactional-email.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

export type QueuedEmail = {
  /** A UUID: the same in the Message-ID of each attempt. */
  readonly id: string;
  readonly to: string;
  readonly content: TransactionalEmail;
  readonly at: Date;
  /** Failed attempts so far. */
  attempts: number;
  /** After a permanent refusal: how many other emails had been sent by then. Otherwise null. */
  sentBefore: number | null;
};

export type EmailQueue = {
  /** Returns the email dropped for lack of room, which may be this one; null if there is room. */
  add: (email: QueuedEmail) => TransactionalEmail | null;
  next: () => QueuedEmail | undefined;
  size: () => number;
  /** Failed attempts before. */
  retrying: () => number;
  /** Removes and returns all waiting emails. */
  drain: () => QueuedEmail[];
};

export function openEmailQueue(): EmailQueue {
  const urgent: QueuedEmail[] = [];
  const lowPriority: QueuedEmail[] = [];
  return {
    add: (email) => {
      const isFull = urgent.length + lowPriority.length >= FIXED_LIMITS.mails_waiting;
      const droppedEmail = isFull
        ? ((isUrgentEmail(email.content) ? lowPriority.pop() : undefined) ?? email)
        : null;
      if (droppedEmail !== email) (isUrgentEmail(email.content) ? urgent : lowPriority).push(email);
      return droppedEmail?.content ?? null;
    },
    next: () => urgent.shift() ?? lowPriority.shift(),
    size: () => urgent.length + lowPriority.length,
    retrying: () => [...urgent, ...lowPriority].filter(({ attempts }) => attempts > 0).length,
    drain: () => [...urgent.splice(0), ...lowPriority.splice(0)],
  };
}
