// Decides right before sending whether an email is skipped.

import { instantToMs } from "#base/util/instant.ts";
import { HOUR_MS } from "#base/util/time.ts";
import type { EmailSettings } from "#core/accounts/account.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { acceptsEmail } from "./delivery.ts";
import type { MailCategory } from "./delivery.ts";
import type { EmailNotification } from "./email-notification.ts";

const SKIP_REASONS = [
  "banned",
  "no_address",
  "opted_out",
  "refused_before",
  "too_late",
  "has_played",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * Number of times that the mail server refused the mailbox after its address was confirmed at
 * `confirmedAt`.
 */
export type MailboxRefusals = { confirmedAt: string; count: number };

export type EmailRecipient = {
  email: string | null;
  emailConfirmedAt: string | null;
  bannedAt: string | null;
  mail: EmailSettings;
  refusals: MailboxRefusals | null;
};

/** Returns why an email must be skipped, or null if it should be sent. */
export function skipReason(recipient: EmailRecipient, category: MailCategory): SkipReason | null {
  const { email, emailConfirmedAt, bannedAt, mail } = recipient;
  if (bannedAt !== null) return "banned";
  if (email === null || emailConfirmedAt === null) return "no_address";
  if (!acceptsEmail(mail, category)) return "opted_out";
  return refusalCount(recipient) >= FIXED_LIMITS.mail_refusals ? "refused_before" : null;
}

/**
 * Returns whether an email is too old to be useful. Keeps a backlog from being sent after a long
 * outage or incident. Announcements are never too late.
 */
export function isTooLate(notice: EmailNotification, due: string, at: string): boolean {
  if (notice.kind === "announcement") return false;
  if (notice.kind === "event_opens" || notice.kind === "event_closes") return at >= notice.data.at;
  return instantToMs(at) > instantToMs(due) + FIXED_LIMITS.mail_late_h * HOUR_MS;
}

/** Returns the number of refusals since the address was last confirmed. */
export function refusalCount({
  emailConfirmedAt,
  refusals,
}: Pick<EmailRecipient, "emailConfirmedAt" | "refusals">): number {
  return refusals !== null && refusals.confirmedAt === emailConfirmedAt ? refusals.count : 0;
}
