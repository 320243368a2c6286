// Decides whether an email is sent, from the facts right before sending.

import { instantToMs } from "#base/util/instant.ts";
import { HOUR_MS } from "#base/util/time.ts";
import type { EmailSettings } from "#core/accounts/account.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { acceptsEmail } from "./delivery.ts";
import type { MailCategory } from "./delivery.ts";
import type { EmailNotification } from "./email-notification.ts";

/** Reasons for skipping an email. */
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
 * How often the mail server refused the mailbox since its address was confirmed at this instant.
 */
export type MailboxRefusals = { confirmedAt: string; count: number };

/** The current state of the recipient. */
export type EmailRecipient = {
  email: string | null;
  emailConfirmedAt: string | null;
  bannedAt: string | null;
  mail: EmailSettings;
  refusals: MailboxRefusals | null;
};

/** Returns null if the email should be sent. */
export function skipReason(recipient: EmailRecipient, category: MailCategory): SkipReason | null {
  const { email, emailConfirmedAt, bannedAt, mail } = recipient;
  if (bannedAt !== null) return "banned";
  if (email === null || emailConfirmedAt === null) return "no_address";
  if (!acceptsEmail(mail, category)) return "opted_out";
  return refusalCount(recipient) >= FIXED_LIMITS.mail_refusals ? "refused_before" : null;
}

/**
 * Returns whether an email is too old to be useful, so that email pending during a long stop or an
 * incident isn't sent all at once. Announcements are never too late.
 */
export function isTooLate(notice: EmailNotification, due: string, at: string): boolean {
  if (notice.kind === "announcement") return false;
  if (notice.kind === "event_opens" || notice.kind === "event_closes") return at >= notice.data.at;
  return instantToMs(at) > instantToMs(due) + FIXED_LIMITS.mail_late_h * HOUR_MS;
}

/** Confirming an address again resets the count. */
export function refusalCount({
  emailConfirmedAt,
  refusals,
}: Pick<EmailRecipient, "emailConfirmedAt" | "refusals">): number {
  return refusals !== null && refusals.confirmedAt === emailConfirmedAt ? refusals.count : 0;
}
