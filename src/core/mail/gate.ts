// Whether a letter goes out: decided just before it is sent, from what holds then.

import type { MailChoice } from "#core/accounts/account.ts";
import { FIXED } from "#core/words/limits.ts";

import { wantsMail } from "./delivery.ts";
import type { MailCategory } from "./delivery.ts";

/** Why a letter is skipped, in our own words. */
const SKIPS = ["banned", "no_address", "opted_out", "refused_before"] as const;
export type Skip = (typeof SKIPS)[number];

/** How often the mailbox was refused, while its address was confirmed at this instant. */
export type Refusals = { confirmedAt: string; count: number };

/** Whom a letter is for, as they are now. */
export type MailReader = {
  email: string | null;
  emailConfirmedAt: string | null;
  bannedAt: string | null;
  mail: MailChoice;
  refusals: Refusals | null;
};

/** Null if the letter goes out. */
export function skipOf(reader: MailReader, category: MailCategory): Skip | null {
  const { email, emailConfirmedAt, bannedAt, mail } = reader;
  if (bannedAt !== null) return "banned";
  if (email === null || emailConfirmedAt === null) return "no_address";
  if (!wantsMail(mail, category)) return "opted_out";
  return refusedSoFar(reader) >= FIXED.mail_refusals ? "refused_before" : null;
}

/** An address that was confirmed again starts from none. */
export function refusedSoFar({
  emailConfirmedAt,
  refusals,
}: Pick<MailReader, "emailConfirmedAt" | "refusals">): number {
  return refusals !== null && refusals.confirmedAt === emailConfirmedAt ? refusals.count : 0;
}
