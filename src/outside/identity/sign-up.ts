// Signing up, and the mails that people ask for before they have a session.

import { passwordForm } from "#core/accounts/password.ts";
import { FIXED } from "#core/words/limits.ts";
import type { IdentityRecord, UserRecord } from "#data/store/identity.ts";

import { ok } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { challengeOf, emailOf, textOf } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { isRefused, refused } from "./errors.ts";
import type { IdentityRefusal } from "./errors.ts";
import { LIFETIME_MS } from "./limits.ts";
import { mailToken } from "./mail.ts";
import type { MailRequest } from "./mail.ts";
import { beginSession, userView } from "./views.ts";

/** What people may write about themselves: it travels in every token. */
const USER_DATA_BYTES = 2048;

export const BUSY: IdentityRefusal = { refused: "over_request_rate_limit", retryAfterS: 1 };

/** Answers alike whether the address is new, waits for its mail, or has an account. */
export async function signUp(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("signup", ask.caller);
  if (limit !== null) return limit;
  const { signupOpen, autoconfirm } = parts.settings();
  if (!signupOpen) return refused("signup_disabled");
  const wanted = readSignUp(ask);
  if (isRefused(wanted)) return wanted;
  const { email, password, data, request } = wanted;
  const tooSoon = autoconfirm ? null : parts.limits.mail(email, "signup");
  if (tooSoon !== null) return tooSoon;
  const passwordHash = await parts.hasher.hash(password);
  if (passwordHash === null) return BUSY;
  const at = ask.now.toISOString();
  const user = newUser(parts, { email, at, passwordHash, userData: data });
  const identity = emailIdentity(parts, user, email);
  if (autoconfirm) return signUpAtOnce(parts, { ...user, emailConfirmedAt: at }, identity, ask.now);
  const outcome = await parts.store.identity.addUser(user, identity);
  const waiting = outcome === "added" ? user : await replacePassword(parts, user);
  if (waiting !== null) await mailToken(parts, waiting, request);
  return ok(userView({ ...user, confirmationSentAt: at }, [identity]));
}

async function signUpAtOnce(
  parts: IdentityParts,
  user: UserRecord,
  identity: IdentityRecord,
  now: Date,
): Promise<IdentityAnswer> {
  const outcome = await parts.store.identity.addUser(user, identity);
  if (outcome === "email_taken") return refused("user_already_exists");
  return ok(await beginSession(parts, user, "password", now));
}

/**
 * An unconfirmed address gets the password of its latest sign-up, together with that sign-up's
 * mail: a link never confirms a password that somebody else chose before. Null once confirmed.
 */
async function replacePassword(parts: IdentityParts, next: UserRecord): Promise<UserRecord | null> {
  const { identity } = parts.store;
  const known = await identity.userByEmail(next.email ?? "");
  if (known === null || known.emailConfirmedAt !== null) return null;
  const { passwordHash, userData, updatedAt } = next;
  return identity.replaceSignUp(known.id, { passwordHash, userData, updatedAt });
}

type NewUser = { email: string | null; at: string; passwordHash: string | null };

/** A user whose address nobody has confirmed yet. */
export function newUser(
  { newId }: IdentityParts,
  { email, at, passwordHash, userData = {} }: NewUser & { userData?: UserRecord["userData"] },
): UserRecord {
  return {
    id: newId(),
    email,
    emailConfirmedAt: null,
    newEmail: null,
    passwordHash,
    userData,
    confirmationSentAt: null,
    recoverySentAt: null,
    lastSignInAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

function emailIdentity({ newId }: IdentityParts, user: UserRecord, email: string): IdentityRecord {
  const times = { createdAt: user.createdAt, lastSignInAt: user.createdAt };
  return { id: newId(), userId: user.id, provider: "email", subject: user.id, email, ...times };
}

type SignUp = {
  email: string;
  password: string;
  data: UserRecord["userData"];
  request: MailRequest;
};

function readSignUp(ask: Ask): SignUp | IdentityRefusal {
  const email = emailOf(ask.body);
  if (email === null) return refused("validation_failed", "Unable to validate email address");
  const password = readPassword(textOf(ask.body, "password"));
  if (typeof password !== "string") return password;
  const read = readUserData(ask.body["data"], {});
  if (isRefused(read)) return read;
  const request = readMailRequest(ask, "signup", email);
  return isRefused(request) ? request : { email, password, ...read, request };
}

/** A password that may be chosen. */
export function readPassword(password: string | null): string | IdentityRefusal {
  if (password === null) return refused("validation_failed", "Signup requires a valid password");
  const bytes = Buffer.byteLength(passwordForm(password));
  if (bytes < FIXED.password_bytes_min) return refused("weak_password");
  if (bytes > FIXED.password_bytes_max) {
    const text = `Password cannot be longer than ${FIXED.password_bytes_max} bytes`;
    return refused("validation_failed", text);
  }
  return password;
}

/** What people say of themselves, put on top of what they said before; null takes a key away. */
export function readUserData(
  data: unknown,
  before: UserRecord["userData"],
): { data: UserRecord["userData"] } | IdentityRefusal {
  if (data === undefined || data === null) return { data: before };
  if (typeof data !== "object" || Array.isArray(data))
    return refused("validation_failed", "data must be an object.");
  const merged = Object.entries({ ...before, ...data }).filter(([, value]) => value !== null);
  const next = Object.fromEntries(merged);
  if (Buffer.byteLength(JSON.stringify(next)) <= USER_DATA_BYTES) return { data: next };
  return refused("validation_failed", `data must take at most ${USER_DATA_BYTES} bytes.`);
}

export function readMailRequest(
  ask: Ask,
  purpose: MailRequest["purpose"],
  to: string,
): MailRequest | IdentityRefusal {
  const challenge = challengeOf({
    challenge: textOf(ask.body, "code_challenge"),
    method: textOf(ask.body, "code_challenge_method"),
  });
  if (challenge !== null && typeof challenge !== "string") return challenge;
  return { purpose, to, challenge, redirectTo: ask.query.get("redirect_to") };
}

/** Mails a link for a new password, if there is such a user; nobody is told. */
export async function recover(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("recover", ask.caller);
  if (limit !== null) return limit;
  return mailQuietly(parts, ask, "recovery", async (email) => {
    const user = await parts.store.identity.userByEmail(email);
    return user && { user, to: email };
  });
}

/** Mails once more what a user waits for; nobody is told whether somebody does. */
export async function resend(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("resend", ask.caller);
  if (limit !== null) return limit;
  const type = textOf(ask.body, "type");
  if (type === "signup")
    return mailQuietly(parts, ask, type, async (email) => {
      const user = await parts.store.identity.userByEmail(email);
      return user?.emailConfirmedAt === null ? { user, to: email } : null;
    });
  if (type !== "email_change") return refused("validation_failed", "This type is not mailed.");
  return mailQuietly(parts, ask, type, async (email) => {
    const user = await parts.store.identity.userByEmail(email);
    if (user === null || user.newEmail === null) return null;
    // Only while the mail of before could still be used.
    const after = new Date(ask.now.getTime() - LIFETIME_MS.link).toISOString();
    const before = await parts.store.identity.pendingToken(user.id, type, after);
    return before?.email === user.newEmail ? { user, to: user.newEmail } : null;
  });
}

/** The mail is made after the answer, so the time until it says nothing either. */
function mailQuietly(
  parts: IdentityParts,
  ask: Ask,
  purpose: MailRequest["purpose"],
  find: (email: string) => Promise<{ user: UserRecord; to: string } | null>,
): IdentityAnswer {
  const email = emailOf(ask.body);
  if (email === null) return refused("validation_failed", "Unable to validate email address");
  const request = readMailRequest(ask, purpose, email);
  if (isRefused(request)) return request;
  const tooSoon = parts.limits.mail(email, purpose);
  if (tooSoon !== null) return tooSoon;
  const work = async () => {
    const found = await find(email);
    if (found !== null) await mailToken(parts, found.user, { ...request, to: found.to });
  };
  work().catch(parts.fault);
  return ok({});
}
