// Whether a letter goes out: decided just before it is sent, from what holds then.

import { msOf } from "#base/units/instant.ts";
import { HOUR_MS } from "#base/units/time.ts";
import type { MailChoice } from "#core/accounts/account.ts";
import { FIXED } from "#core/words/limits.ts";

import { wantsMail } from "./delivery.ts";
import type { MailCategory } from "./delivery.ts";
import type { MailNotice } from "./notice.ts";

/** Why a letter is skipped, in our own words. */
const SKIPS = [
  "banned",
  "no_address",
  "opted_out",
  "refused_before",
  "too_late",
  "has_played",
] as const;
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

/**
 * Whether a letter comes too late to be of use: what was pending over a long stop, or while an
 * incident was open, does not go out all at once. An announcement is never late.
 */
export function isLate(notice: MailNotice, due: string, at: string): boolean {
  if (notice.kind === "announcement") return false;
  if (notice.kind === "event_opens" || notice.kind === "event_closes") return at >= notice.data.at;
  return msOf(at) > msOf(due) + FIXED.mail_late_h * HOUR_MS;
}

/** An address that was confirmed again starts from none. */
export function refusedSoFar({
  emailConfirmedAt,
  refusals,
}: Pick<MailReader, "emailConfirmedAt" | "refusals">): number {
  return refusals !== null && refusals.confirmedAt === emailConfirmedAt ? refusals.count : 0;
}
