import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { ownerNameError } from "./name-rules.ts";

/** Shared with the JSON Schema. ASCII only, so that lowercasing is unambiguous. */
export const HANDLE_PATTERN = `^[A-Za-z0-9][A-Za-z0-9._-]{${FIXED_LIMITS.handle_min - 1},${FIXED_LIMITS.handle_max - 1}}$`;

const handleRegex = new RegExp(HANDLE_PATTERN);

export const DELETED_OWNER = "deleted";

export const ROLES = ["player", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Categories of optional email besides announcements. An account can turn off each category. */
export const EMAIL_PREFERENCES = [
  "onboarding",
  "achievements",
  "bot_health",
  "event_reminders",
  "weekly_digest",
  "admin_warnings",
] as const;
type EmailPreferences = Readonly<Record<(typeof EMAIL_PREFERENCES)[number], boolean>>;

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

/** Returns whether a handle is well formed. Accepts reserved words, because lookups use it too. */
export function isHandle(text: string): boolean {
  return handleRegex.test(text);
}

/** Returns whether an account may use this handle. Doesn't check whether another account has it. */
export function isAllowedHandle(text: string): boolean {
  return isHandle(text) && ownerNameError(text) === null;
}

/** Returns the form in which handles are compared. */
export function handleKey(handle: string): string {
  return handle.toLowerCase();
}

const MAX_SUGGESTIONS = 20;

/**
 * Suggests handles, best first. Takes the local part of the email address or the user's name at the
 * identity provider, removes characters that handles can't contain, and then appends numbers.
 * Returns an empty list if no allowed characters remain.
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

export type AdminCriteria = {
  role: Role;
  email: string | null;
  emailConfirmedAt: string | null;
  /**
   * Whether the account signs in with this address, so that confirming the address proves
   * ownership.
   */
  signsInWithEmail: boolean;
};

/**
 * Returns whether `adminEmails`, the operator's list in lower case, contains the account's
 * confirmed address.
 */
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

export function isAdmin(account: AdminCriteria, adminEmails: ReadonlySet<string>): boolean {
  return account.role === "admin" || isConfiguredAdmin(account, adminEmails);
}

/**
 * Returns whether a sign-in is still valid after a sign-out of all sessions. Both times are whole
 * seconds since 1970. A sign-in in the same second is valid.
 */
export function isAfterSignOut(signedInAt: number, signedOutAt: number | null): boolean {
  return signedOutAt === null || signedInAt >= signedOutAt;
}
