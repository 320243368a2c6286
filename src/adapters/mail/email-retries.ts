// Holds failed transactional emails in memory until their next attempt. Capacity is limited.

import type { Clock } from "#base/clock/clock.ts";
import { isUrgentEmail } from "#core/accounts/transactional-email.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { QueuedEmail } from "./email-queue.ts";

export type EmailRetries = {
  /** Returns false if there is no room. */
  add: (email: QueuedEmail, delayMs: number) => boolean;
  size: () => number;
  drain: () => QueuedEmail[];
};

export function openEmailRetries(
  { after }: Pick<Clock, "after">,
  onDue: (email: QueuedEmail) => void,
): EmailRetries {
  const timers = new Map<QueuedEmail, () => void>();
  return {
    add: (email, delayMs) => {
      if (timers.size >= capacityFor(email)) return false;
      const retry = () => {
        timers.delete(email);
        onDue(email);
      };
      timers.set(email, after(delayMs, retry));
      return true;
    },
    size: () => timers.size,
    drain: () => {
      const emails = [...timers.keys()].toSorted((a, b) => a.at.getTime() - b.at.getTime());
      for (const cancel of timers.values()) cancel();
      timers.clear();
      return emails;
    },
  };
}

/** Half of the capacity is reserved for urgent emails. */
const capacityFor = ({ content }: QueuedEmail): number =>
  isUrgentEmail(content) ? FIXED_LIMITS.mails_waiting : FIXED_LIMITS.mails_waiting / 2;
