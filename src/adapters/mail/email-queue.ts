// Priority queue for transactional email. Urgent emails are sent first and replace notices when the
// queue is full.

import { isUrgentEmail } from "#core/accounts/transactional-email.ts";
import type { TransactionalEmail } from "#core/accounts/transactional-email.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

export type QueuedEmail = {
  /** A UUID, used in the Message-ID of every attempt. */
  readonly id: string;
  readonly to: string;
  readonly content: TransactionalEmail;
  readonly at: Date;
  attempts: number;
  /**
   * If the last attempt was permanently refused, the number of emails sent until then. Otherwise
   * null.
   */
  sentBefore: number | null;
};

export type EmailQueue = {
  /**
   * Adds an email. If the queue is full, drops a notice or the new email itself and returns the
   * dropped content.
   */
  add: (email: QueuedEmail) => TransactionalEmail | null;
  next: () => QueuedEmail | undefined;
  size: () => number;
  retrying: () => number;
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
