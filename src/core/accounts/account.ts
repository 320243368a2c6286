// Accounts: their handles, what their owner may choose, and who is an admin.

import { FIXED } from "#core/words/limits.ts";

import { ownerFault } from "./name.ts";

/** Also the pattern in the JSON Schema. ASCII only, so lower case is unique. */
export const HANDLE_PATTERN = `^[A-Za-z0-9][A-Za-z0-9._-]{${FIXED.handle_min - 1},${FIXED.handle_max - 1}}$`;

const handlePattern = new RegExp(HANDLE_PATTERN);

/** Whom the bots belong to that somebody left behind. */
export const LEFT_OWNER = "deleted";

export const ROLES = ["player", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Mail that can be refused, in addition to announcements. */
export const EMAIL_PREFERENCES = [
  "onboarding",
  "achievements",
  "bot_health",
  "event_reminders",
  "weekly_digest",
  "admin_warnings",
] as const;
type EmailPreferences = Readonly<Record<(typeof EMAIL_PREFERENCES)[number], boolean>>;

/** Which mail somebody wants. */
export type MailChoice = { announcements: boolean; preferences: EmailPreferences };

export const DEFAULT_MAIL: MailChoice = {
  announcements: true,
  preferences: {
    onboarding: true,
    achievements: true,
    bot_health: true,
    event_reminders: true,
    weekly_digest: false,
    admin_warnings: true,
  },
};

/** Whether an account could have this handle. For look-ups, so reserved words count. */
export function isHandle(text: string): boolean {
  return handlePattern.test(text);
}

/** Whether an account may take this handle, provided nobody has it. */
export function isFreeHandle(text: string): boolean {
  return isHandle(text) && ownerFault(text) === null;
}

/** The form in which handles are compared. */
export function handleKey(handle: string): string {
  return handle.toLowerCase();
}

/** Handles that are tried for somebody who has not chosen one. */
const SUGGESTIONS = 20;

/**
 * What somebody's handle could be, the best first: the local part of their address or their name at
 * the provider, cut to what a handle may be, then with a number. None if nothing is left of it.
 */
export function handleSuggestions({
  email,
  userName,
}: {
  email: string | null;
  userName: string | null;
}): string[] {
  const text = email?.split("@", 1)[0] ?? userName ?? "";
  const stem = text.replaceAll(/[^A-Za-z0-9._-]/g, "").replace(/^[._-]+/, "");
  if (stem === "") return [];
  const numbered = Array.from({ length: SUGGESTIONS }, (_, at) => {
    const suffix = at === 0 ? "" : `-${at + 1}`;
    return stem.slice(0, FIXED.handle_max - suffix.length) + suffix;
  });
  return numbered.filter(isFreeHandle);
}

/** What says whether an account is an admin. */
export type AdminFacts = {
  role: Role;
  email: string | null;
  emailConfirmedAt: string | null;
  /** Whether the address is how they sign in, so that confirming it proves that it is theirs. */
  emailSignsIn: boolean;
};

/** Whether the operator named this account's address, in lower case, as that of an admin. */
export function isConfiguredAdmin(
  { email, emailConfirmedAt, emailSignsIn }: AdminFacts,
  adminEmails: ReadonlySet<string>,
): boolean {
  return (
    email !== null &&
    emailConfirmedAt !== null &&
    emailSignsIn &&
    adminEmails.has(email.toLowerCase())
  );
}

/** Whether an account may do what admins may. */
export function isAdmin(account: AdminFacts, adminEmails: ReadonlySet<string>): boolean {
  return account.role === "admin" || isConfiguredAdmin(account, adminEmails);
}

/**
 * Whether a sign-in counts after a sign-out that ended all before it; both in whole seconds since
 * 1970. The same second counts.
 */
export function outlastsSignOut(signedInAt: number, signedOutAt: number | null): boolean {
  return signedOutAt === null || signedInAt >= signedOutAt;
}
