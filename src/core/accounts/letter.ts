// Mail of the first lane, which nobody can refuse: what each letter is about, without its words.

import { HOUR_MS, MINUTE_MS } from "#base/units/time.ts";

/** A full disk, or a store that does not answer. */
export type Alarm = "disk_full" | "store_away";

/**
 * A step that only the holder of the mailbox can take, by link or by six digits. `linkHours` and
 * `codeMinutes` are how long both still work; without a code there is only the link.
 */
type Step = { link: string; code: string | null; linkHours: number; codeMinutes: number };

/** Something that was done, at a UTC instant. */
type News = { at: string };

/** `reason` is the operator's own words, if there are any. */
type Moderation = News & { reason: string | null };

/** One letter for each of these types, with the same facts. */
type Each<T extends string, Facts> = T extends string ? { type: T } & Facts : never;

/** Letters of the identity provider. An outside provider sends its own. */
export type IdentityLetter =
  | Each<"signup" | "recovery", Step>
  /** `handle` belongs to the account that would move; null before it has one. */
  | Each<"email_change", Step & { handle: string | null }>
  /**
   * To the holder of an address: someone tried to sign up with it, or to move the account with that
   * handle to it.
   */
  | Each<"email_in_use", News & { attempt: "signup" | "email_change"; handle: string | null }>
  /** The first of them to the address that no longer is the account's. */
  | Each<"email_changed" | "password_changed", News>
  /** A used refresh token was presented again. `app` is the name of the OAuth client, if any. */
  | Each<"session_ended", News & { app: string | null }>;

/** Letters of the ladder about an account. */
export type AccountLetter =
  | Each<"new_key", News & { label: string }>
  /** A program at the MCP endpoint was let in. */
  | Each<"new_program", News & { program: string }>
  | Each<"bot_suspended" | "bot_activated" | "bot_banned", Moderation & { bot: string }>
  | Each<"account_banned" | "account_unbanned" | "account_removed", Moderation>;

/** Letters to admins that must not wait: what they tell of may keep all other mail from them. */
export type OperatorLetter = Each<Alarm | "mail_stopped", News>;

export type Letter = IdentityLetter | AccountLetter | OperatorLetter;
export type LetterType = Letter["type"];

/** Somebody waits for these, or must have them at once. All others only tell what was done. */
const URGENT: ReadonlySet<LetterType> = new Set<LetterType>([
  "signup",
  "recovery",
  "email_change",
  "disk_full",
  "store_away",
  "mail_stopped",
]);
export const isUrgent = ({ type }: Letter): boolean => URGENT.has(type);

export type LetterOf<T extends LetterType> = Extract<Letter, { type: T }>;

/** What every letter says of the ladder that it comes from. */
export type Sender = {
  /** The public address, without a trailing slash. */
  baseUrl: string;
  /** How people reach the operator, in the operator's own words; null if they say nothing. */
  contact: string | null;
};

/** A letter in words, twice the same ones. */
export type WrittenLetter = { subject: string; text: string; html: string };

export type WriteLetter = (letter: Letter, sender: Sender) => WrittenLetter;

/** Hands a letter over at once. It never fails, and nobody waits for it. */
export type SendLetter<L extends Letter = Letter> = (to: string, letter: L) => void;

/** Returns the letter for an attempt at that age: less time is left, and an expired code is removed. */
export function letterAfter(letter: Letter, ageMs: number): Letter {
  if (!("link" in letter) || ageMs < MINUTE_MS) return letter;
  const linkHours = Math.floor(letter.linkHours - ageMs / HOUR_MS);
  const codeMinutes = Math.floor(letter.codeMinutes - ageMs / MINUTE_MS);
  return { ...letter, linkHours, codeMinutes, code: codeMinutes > 0 ? letter.code : null };
}
