import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { ownerNameError } from "./name-rules.ts";

/** Also the pattern in the JSON Schema. ASCII only, so lower case is unique. */
export const HANDLE_PATTERN = `^[A-Za-z0-9][A-Za-z0-9._-]{${FIXED_LIMITS.handle_min - 1},${FIXED_LIMITS.handle_max - 1}}$`;

const handleRegex = new RegExp(HANDLE_PATTERN);

/** Owner of the bots of deleted accounts. */
export const DELETED_OWNER = "deleted";

export const ROLES = ["player", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Optional email categories that an account can turn off, besides announcements. */
export const EMAIL_PREFERENCES = [
  "onboarding",
  "achievements",
  "bot_health",
  "event_reminders",
  "weekly_digest",
  "admin_warnings",
] as const;
type EmailPreferences = Readonly<Record<(typeof EMAIL_PREFERENCES)[number], boolean>>;

/** Email settings of an account: which optional categories it receives. */
export type EmailSettings = { announcements: boolean; preferences: EmailPreferences };

export const DEFAULT_EMAIL_SETTINGS: EmailSettings = {
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

/** Returns whether a handle is well formed. For lookups, so reserved words pass. */
export function isHandle(text: string): boolean {
  return handleRegex.test(text);
}

/** Returns whether an account may take this handle, if it's available. */
export function isAllowedHandle(text: string): boolean {
  return isHandle(text) && ownerNameError(text) === null;
}

/** Returns the form in which handles are compared. */
export function handleKey(handle: string): string {
  return handle.toLowerCase();
}

/** Maximum number of handles suggested to a new account. */
const MAX_SUGGESTIONS = 20;

/**
 * Suggests handles, best first: the local part of the email address or the name at the provider,
 * cut to the allowed characters, then with a number. Returns an empty list if no allowed characters
 * remain.
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
  const candidates = Array.from({ length: MAX_SUGGESTIONS }, (_, index) => {
    const suffix = index === 0 ? "" : `-${index + 1}`;
    return stem.slice(0, FIXED_LIMITS.handle_max - suffix.length) + suffix;
  });
  return candidates.filter(isAllowedHandle);
}

/** The facts that decide whether an account is an admin. */
export type AdminCriteria = {
  role: Role;
  email: string | null;
  emailConfirmedAt: string | null;
  /** Whether the account signs in with this address, so that confirming it proves ownership. */
  signsInWithEmail: boolean;
};

/** Whether the operator lists this account's address (in lower case) as an admin's. */
export function isConfiguredAdmin(
  { email, emailConfirmedAt, signsInWithEmail }: AdminCriteria,
  adminEmails: ReadonlySet<string>,
): boolean {
  return (
    email !== null &&
    emailConfirmedAt !== null &&
    signsInWithEmail &&
    adminEmails.has(email.toLowerCase())
  );
}

/** Returns whether an account has admin permissions. */
export function isAdmin(account: AdminCriteria, adminEmails: ReadonlySet<string>): boolean {
  return account.role === "admin" || isConfiguredAdmin(account, adminEmails);
}

/**
 * Returns whether a sign-in is still valid after a sign-out of all sessions. Both times are whole
 * seconds since 1970; a sign-in in the same second is valid.
 */
export function isAfterSignOut(signedInAt: number, signedOutAt: number | null): boolean {
  return signedOutAt === null || signedInAt >= signedOutAt;
}
