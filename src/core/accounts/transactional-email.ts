// Transactional emails, which can't be turned off: their types and data, without the wording.

import { HOUR_MS, MINUTE_MS } from "#base/util/time.ts";

/** A full disk, or a store that doesn't respond. */
export type StoreAlarm = "disk_full" | "store_away";

/**
 * A step that only the holder of the mailbox can complete, by link or 6-digit code. `linkHours` and
 * `codeMinutes` are the remaining validity; without a code, there's only the link.
 */
type ConfirmationStep = {
  link: string;
  code: string | null;
  linkHours: number;
  codeMinutes: number;
};

/** An event on the account at a UTC instant. */
type Occurrence = { at: string };

/** `reason` is the operator's own text, if any. */
type ModerationDecision = Occurrence & { reason: string | null };

/** An email of each of these types, all with the same data. */
type EmailVariant<T extends string, Facts> = T extends string ? { type: T } & Facts : never;

/** Emails of the built-in identity provider. An external provider sends its own. */
export type IdentityEmail =
  | EmailVariant<"signup" | "recovery", ConfirmationStep>
  /** `handle` belongs to the account that changes its address; null if it has none yet. */
  | EmailVariant<"email_change", ConfirmationStep & { handle: string | null }>
  /**
   * Sent to the holder of an address that someone used to sign up again, or to change the address
   * of the account with that handle.
   */
  | EmailVariant<
      "email_in_use",
      Occurrence & { attempt: "signup" | "email_change"; handle: string | null }
    >
  /** The first of these goes to the account's previous address. */
  | EmailVariant<"email_changed" | "password_changed", Occurrence>
  /** A refresh token was used twice. `app` is the name of the OAuth client, if any. */
  | EmailVariant<"session_ended", Occurrence & { app: string | null }>;

/** Emails of the ladder about an account. */
export type AccountEmail =
  | EmailVariant<"new_key", Occurrence & { label: string }>
  /** The account authorized an app at the MCP endpoint. */
  | EmailVariant<"new_program", Occurrence & { app: string }>
  | EmailVariant<
      "bot_suspended" | "bot_activated" | "bot_banned",
      ModerationDecision & { bot: string }
    >
  | EmailVariant<"account_banned" | "account_unbanned" | "account_removed", ModerationDecision>;

/**
 * Emails to admins that skip the queue, because the problem they report may block all other email.
 */
export type OperatorEmail = EmailVariant<StoreAlarm | "mail_stopped", Occurrence>;

export type TransactionalEmail = IdentityEmail | AccountEmail | OperatorEmail;
export type TransactionalEmailType = TransactionalEmail["type"];

/** Emails that someone is waiting for or needs immediately. All others only confirm a change. */
const URGENT_EMAIL_TYPES: ReadonlySet<TransactionalEmailType> = new Set<TransactionalEmailType>([
  "signup",
  "recovery",
  "email_change",
  "disk_full",
  "store_away",
  "mail_stopped",
]);
export const isUrgentEmail = ({ type }: TransactionalEmail): boolean =>
  URGENT_EMAIL_TYPES.has(type);

export type TransactionalEmailOf<T extends TransactionalEmailType> = Extract<
  TransactionalEmail,
  { type: T }
>;

/** Details of the ladder that appear in every email. */
export type SenderInfo = {
  /** Public base URL without a trailing slash. */
  baseUrl: string;
  /** The operator's contact details, in the operator's own words; null if not set. */
  contact: string | null;
};

/** A rendered email: the same content as text and HTML. */
export type RenderedEmail = { subject: string; text: string; html: string };

export type RenderTransactionalEmail = (
  email: TransactionalEmail,
  sender: SenderInfo,
) => RenderedEmail;

/** Queues an email for immediate delivery. Never throws and never blocks. */
export type SendTransactionalEmail<L extends TransactionalEmail = TransactionalEmail> = (
  to: string,
  email: L,
) => void;

/**
 * Returns the email for an attempt at that age: the remaining time is reduced and an expired code
 * removed.
 */
export function emailAtAge(email: TransactionalEmail, ageMs: number): TransactionalEmail {
  if (!("link" in email) || ageMs < MINUTE_MS) return email;
  const linkHours = Math.floor(email.linkHours - ageMs / HOUR_MS);
  const codeMinutes = Math.floor(email.codeMinutes - ageMs / MINUTE_MS);
  return { ...email, linkHours, codeMinutes, code: codeMinutes > 0 ? email.code : null };
}
