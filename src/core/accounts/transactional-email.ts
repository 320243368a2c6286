// Types and data of transactional emails, excluding their wording. Recipients can't turn these
// emails off.

import { HOUR_MS, MINUTE_MS } from "#base/util/time.ts";

/** The disk is full, or the store doesn't respond. */
export type StoreAlarm = "disk_full" | "store_away";

/**
 * A step that proves access to the mailbox, by link or 6-digit code. `linkHours` and `codeMinutes`
 * state how much longer the link and code are valid. If there is no code, the email contains only
 * the link.
 */
type ConfirmationStep = {
  link: string;
  code: string | null;
  linkHours: number;
  codeMinutes: number;
};

/** `at` is a UTC instant. */
type Occurrence = { at: string };

/** `reason` is the operator's text, if any. */
type ModerationDecision = Occurrence & { reason: string | null };

/** One variant per type, all with the same data. */
type EmailVariant<T extends string, Facts> = T extends string ? { type: T } & Facts : never;

/** Emails from the built-in identity provider. An external provider sends its own. */
export type IdentityEmail =
  | EmailVariant<"signup" | "recovery", ConfirmationStep>
  /** `handle` is null if the account has no handle yet. */
  | EmailVariant<"email_change", ConfirmationStep & { handle: string | null }>
  /**
   * Sent to the owner of an address that someone used to sign up again, or that the account with
   * this handle tried to switch to.
   */
  | EmailVariant<
      "email_in_use",
      Occurrence & { attempt: "signup" | "email_change"; handle: string | null }
    >
  /** `email_changed` goes to the account's previous address. */
  | EmailVariant<"email_changed" | "password_changed", Occurrence>
  /** A refresh token was used twice. `app` is the name of the OAuth client, or null. */
  | EmailVariant<"session_ended", Occurrence & { app: string | null }>;

export type AccountEmail =
  | EmailVariant<"new_key", Occurrence & { label: string }>
  /** The account authorized an app for the MCP endpoint. */
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

/** Emails that a person is waiting for or needs immediately. All other emails confirm a change. */
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

export type SenderInfo = {
  /** Public, without a trailing slash. */
  baseUrl: string;
  contact: string | null;
};

export type RenderedEmail = { subject: string; text: string; html: string };

export type RenderTransactionalEmail = (
  email: TransactionalEmail,
  sender: SenderInfo,
) => RenderedEmail;

/** Queues an email for immediate delivery. Never throws or blocks. */
export type SendTransactionalEmail<L extends TransactionalEmail = TransactionalEmail> = (
  to: string,
  email: L,
) => void;

/**
 * Returns the email as it should read after `ageMs` milliseconds: with the remaining time reduced,
 * and without an expired code.
 */
export function emailAtAge(email: TransactionalEmail, ageMs: number): TransactionalEmail {
  if (!("link" in email) || ageMs < MINUTE_MS) return email;
  const linkHours = Math.floor(email.linkHours - ageMs / HOUR_MS);
  const codeMinutes = Math.floor(email.codeMinutes - ageMs / MINUTE_MS);
  return { ...email, linkHours, codeMinutes, code: codeMinutes > 0 ? email.code : null };
}
