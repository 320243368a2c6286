// Signing up, and the mails that people ask for before they have a session.

import { passwordForm } from "#core/accounts/password.ts";
import { FIXED } from "#core/words/limits.ts";
import type { IdentityRecord, PendingSignUp, UserRecord } from "#data/store/identity.ts";

import { mailTarget } from "./address.ts";
import { ok } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { challengeOf, emailOf, textOf } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { isRefused, refused } from "./errors.ts";
import type { IdentityRefusal } from "./errors.ts";
import { LIFETIME_MS } from "./limits.ts";
import { mailChange, mailInUse, mailToken } from "./mail.ts";
import type { MailRequest } from "./mail.ts";
import { signInByPassword, userView } from "./views.ts";

/** What people may write about themselves: it travels in every token. */
const USER_DATA_BYTES = 2048;

export const BUSY: IdentityRefusal = { refused: "over_request_rate_limit", retryAfterS: 1 };

/**
 * Answers alike, and after the same work, whether the address is new, waits for its mail, or has an
 * account. The password is kept with the token of this sign-up's own email: see `PendingSignUp`.
 */
export async function signUp(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("signup", ask.caller);
  if (limit !== null) return limit;
  const { signupOpen, autoconfirm } = parts.settings();
  if (!signupOpen) return refused("signup_disabled");
  const wanted = readSignUp(parts, ask);
  if (isRefused(wanted)) return wanted;
  const { email, password, data, request } = wanted;
  const tooSoon = autoconfirm ? null : parts.limits.mail(email, "signup", ask.caller);
  if (tooSoon !== null) return tooSoon;
  const passwordHash = await parts.hasher.hash(password, ask.caller);
  if (passwordHash === null) return BUSY;
  const at = ask.now.toISOString();
  const user = newUser(parts, { email, at, passwordHash: null });
  const identity = emailIdentity(parts, user, email);
  const signUp = { passwordHash, userData: data };
  if (autoconfirm)
    return signUpAtOnce(parts, { ...user, ...signUp, emailConfirmedAt: at }, identity, ask.now);
  // Fails if the store does not answer.
  await parts.store.identity.userByEmail(email);
  parts.afterAnswer(() => mailSignUp(parts, user, identity, { ...request, signUp }));
  return ok(userView({ ...user, userData: data, confirmationSentAt: at }, [identity]));
}

async function mailSignUp(
  parts: IdentityParts,
  user: UserRecord,
  way: IdentityRecord,
  request: MailRequest & { purpose: "signup"; signUp: PendingSignUp },
): Promise<void> {
  const { identity } = parts.store;
  const outcome = await identity.addUser(user, way);
  const holder = outcome === "added" ? user : await identity.userByEmail(request.to);
  // Deleted in the meantime: the person can sign up again.
  if (holder === null) return;
  if (holder.emailConfirmedAt === null) await mailToken(parts, holder, request);
  else mailInUse(parts, request.to, "signup", await parts.handleOf(holder.id));
}

async function signUpAtOnce(
  parts: IdentityParts,
  user: UserRecord,
  identity: IdentityRecord,
  now: Date,
): Promise<IdentityAnswer> {
  const outcome = await parts.store.identity.addUser(user, identity);
  if (outcome === "email_taken") return refused("user_already_exists");
  const session = await signInByPassword(parts, user, now);
  return session === null ? refused("user_already_exists") : ok(session);
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
  request: MailRequest & { purpose: "signup" };
};

function readSignUp(parts: IdentityParts, ask: Ask): SignUp | IdentityRefusal {
  const email = emailOf(ask.body);
  if (email === null) return refused("validation_failed", "Unable to validate email address");
  const password = readPassword(textOf(ask.body, "password"));
  if (typeof password !== "string") return password;
  const read = readUserData(ask.body["data"], {});
  if (isRefused(read)) return read;
  const request = readMailRequest(parts, ask, "signup", email);
  return isRefused(request) ? request : { email, password, ...read, request };
}

/** A password that may be chosen. */
export function readPassword(password: string | null): string | IdentityRefusal {
  if (password === null) return refused("validation_failed", "Signup requires a valid password");
  const bytes = Buffer.byteLength(passwordForm(password));
  if (bytes < FIXED.password_bytes_min || /^[\s\p{C}]*$/u.test(password))
    return refused("weak_password");
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

export function readMailRequest<P extends MailRequest["purpose"]>(
  parts: IdentityParts,
  ask: Ask,
  purpose: P,
  to: string,
): (MailRequest & { purpose: P }) | IdentityRefusal {
  const challenge = challengeOf({
    challenge: textOf(ask.body, "code_challenge"),
    method: textOf(ask.body, "code_challenge_method"),
  });
  if (challenge !== null && typeof challenge !== "string") return challenge;
  const redirectTo = mailTarget(parts, ask.query.get("redirect_to"));
  return { purpose, to, challenge, redirectTo, caller: ask.caller, signUp: null };
}

/** Mails a link for a new password, if there is such a user; nobody is told. */
export async function recover(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("recover", ask.caller);
  if (limit !== null) return limit;
  return mailQuietly(parts, ask, "recovery", async (request) => {
    const user = await parts.store.identity.userByEmail(request.to);
    if (user !== null) await mailToken(parts, user, request);
  });
}

/** Mails once more what a user waits for; nobody is told whether somebody does. */
export async function resend(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("resend", ask.caller);
  if (limit !== null) return limit;
  const type = textOf(ask.body, "type");
  if (type === "signup")
    // It brings no password: that of a sign-up goes with the challenge of the same request only.
    return mailQuietly(parts, ask, type, async (request) => {
      const user = await parts.store.identity.userByEmail(request.to);
      if (user?.emailConfirmedAt === null) await mailToken(parts, user, request);
    });
  if (type !== "email_change") return refused("validation_failed", "This type is not mailed.");
  return mailQuietly(parts, ask, type, async (request) => resendChange(parts, ask, request));
}

/** Only while the mail of before could still be used. */
async function resendChange(parts: IdentityParts, ask: Ask, request: MailRequest): Promise<void> {
  const { identity } = parts.store;
  const user = await identity.userByEmail(request.to);
  if (user === null || user.newEmail === null) return;
  const after = new Date(ask.now.getTime() - LIFETIME_MS.link).toISOString();
  const before = await identity.pendingToken(user.id, "email_change", user.newEmail, after);
  if (before === null) return;
  // The request was counted for the account's own mailbox; this email goes to another one.
  if (parts.limits.mail(user.newEmail, "email_change", ask.caller) !== null) return;
  await mailChange(parts, user, { ...request, to: user.newEmail });
}

function mailQuietly<P extends MailRequest["purpose"]>(
  parts: IdentityParts,
  ask: Ask,
  purpose: P,
  work: (request: MailRequest & { purpose: P }) => Promise<void>,
): IdentityAnswer {
  const email = emailOf(ask.body);
  if (email === null) return refused("validation_failed", "Unable to validate email address");
  const request = readMailRequest(parts, ask, purpose, email);
  if (isRefused(request)) return request;
  const tooSoon = parts.limits.mail(email, purpose, ask.caller);
  if (tooSoon !== null) return tooSoon;
  parts.afterAnswer(() => work(request));
  return ok({});
}
