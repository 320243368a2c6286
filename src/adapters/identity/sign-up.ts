import { normalizePassword } from "#core/accounts/password-normalization.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { IdentityRecord, PendingSignUp, UserRecord } from "#data/store/identity.ts";

import { challengeOf, emailOf, bodyText } from "./identity-context.ts";
import type { IdentityContext, IdentityServices } from "./identity-context.ts";
import { sendEmailChange, sendEmailInUse, sendTokenEmail } from "./identity-emails.ts";
import type { MailRequest } from "./identity-emails.ts";
import { isIdentityError, refused } from "./identity-errors.ts";
import type { IdentityError } from "./identity-errors.ts";
import { LIFETIME_MS } from "./identity-limits.ts";
import { okResponse } from "./identity-response.ts";
import type { IdentityResponse } from "./identity-response.ts";
import { signInByPassword, userView } from "./identity-views.ts";
import { mailTarget } from "./redirect-target.ts";

/** Limits user metadata, because every token contains it. */
const USER_DATA_BYTES = 2048;

export const HASHER_BUSY: IdentityError = { refused: "over_request_rate_limit", retryAfterS: 1 };

/**
 * Returns the same response after the same work for a new address, an unconfirmed address and an
 * existing account. The password is stored with the token in this sign-up's email. See
 * `PendingSignUp`.
 */
export async function signUp(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("signup", context.caller);
  if (limit !== null) return limit;
  const { signupOpen, autoconfirm } = services.settings();
  if (!signupOpen) return refused("signup_disabled");
  const signUpRequest = readSignUp(services, context);
  if (isIdentityError(signUpRequest)) return signUpRequest;
  const { email, password, data, request } = signUpRequest;
  const mailLimit = autoconfirm ? null : services.limits.mail(email, "signup", context.caller);
  if (mailLimit !== null) return mailLimit;
  const passwordHash = await services.hasher.hash(password, context.caller);
  if (passwordHash === null) return HASHER_BUSY;
  const at = context.now.toISOString();
  const user = newUser(services, { email, at, passwordHash: null });
  const identity = emailIdentity(services, user, email);
  const signUp = { passwordHash, userData: data };
  if (autoconfirm)
    return signUpAutoconfirmed(
      services,
      { ...user, ...signUp, emailConfirmedAt: at },
      identity,
      context.now,
    );
  // Rejects if the store is unreachable. The deferred work couldn't report that to the caller.
  await services.store.identity.userByEmail(email);
  services.afterResponse(() => sendSignUpEmail(services, user, identity, { ...request, signUp }));
  return okResponse(userView({ ...user, userData: data, confirmationSentAt: at }, [identity]));
}

async function sendSignUpEmail(
  services: IdentityServices,
  user: UserRecord,
  emailIdentityRecord: IdentityRecord,
  request: MailRequest & { purpose: "signup"; signUp: PendingSignUp },
): Promise<void> {
  const { identity } = services.store;
  const outcome = await identity.addUser(user, emailIdentityRecord);
  const addressOwner = outcome === "added" ? user : await identity.userByEmail(request.to);
  // The account was deleted in the meantime, so the address is free for another sign-up.
  if (addressOwner === null) return;
  if (addressOwner.emailConfirmedAt === null) await sendTokenEmail(services, addressOwner, request);
  else sendEmailInUse(services, request.to, "signup", await services.handleOf(addressOwner.id));
}

async function signUpAutoconfirmed(
  services: IdentityServices,
  user: UserRecord,
  identity: IdentityRecord,
  now: Date,
): Promise<IdentityResponse> {
  const outcome = await services.store.identity.addUser(user, identity);
  if (outcome === "email_taken") return refused("user_already_exists");
  const session = await signInByPassword(services, user, now);
  return session === null ? refused("user_already_exists") : okResponse(session);
}

type NewUser = { email: string | null; at: string; passwordHash: string | null };

export function newUser(
  { newId }: IdentityServices,
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

function emailIdentity(
  { newId }: IdentityServices,
  user: UserRecord,
  email: string,
): IdentityRecord {
  const times = { createdAt: user.createdAt, lastSignInAt: user.createdAt };
  return { id: newId(), userId: user.id, provider: "email", subject: user.id, email, ...times };
}

type SignUpRequest = {
  email: string;
  password: string;
  data: UserRecord["userData"];
  request: MailRequest & { purpose: "signup" };
};

function readSignUp(
  services: IdentityServices,
  context: IdentityContext,
): SignUpRequest | IdentityError {
  const email = emailOf(context.body);
  if (email === null) return refused("validation_failed", "Unable to validate email address");
  const password = readPassword(bodyText(context.body, "password"));
  if (typeof password !== "string") return password;
  const userDataResult = readUserData(context.body["data"], {});
  if (isIdentityError(userDataResult)) return userDataResult;
  const request = readMailRequest(services, context, "signup", email);
  return isIdentityError(request) ? request : { email, password, ...userDataResult, request };
}

/** Returns the password, or an error if it is missing, too weak or too long. */
export function readPassword(password: string | null): string | IdentityError {
  if (password === null) return refused("validation_failed", "Signup requires a valid password");
  const bytes = Buffer.byteLength(normalizePassword(password));
  if (bytes < FIXED_LIMITS.password_bytes_min || /^[\s\p{C}]*$/u.test(password))
    return refused("weak_password");
  if (bytes > FIXED_LIMITS.password_bytes_max) {
    const text = `Password cannot be longer than ${FIXED_LIMITS.password_bytes_max} bytes`;
    return refused("validation_failed", text);
  }
  return password;
}

/** Merges new user metadata into the previous metadata. A null value deletes its key. */
export function readUserData(
  data: unknown,
  previous: UserRecord["userData"],
): { data: UserRecord["userData"] } | IdentityError {
  if (data === undefined || data === null) return { data: previous };
  if (typeof data !== "object" || Array.isArray(data))
    return refused("validation_failed", "data must be an object.");
  const entries = Object.entries({ ...previous, ...data }).filter(([, value]) => value !== null);
  const mergedData = Object.fromEntries(entries);
  if (Buffer.byteLength(JSON.stringify(mergedData)) <= USER_DATA_BYTES) return { data: mergedData };
  return refused("validation_failed", `data must be up to ${USER_DATA_BYTES} bytes.`);
}

export function readMailRequest<P extends MailRequest["purpose"]>(
  services: IdentityServices,
  context: IdentityContext,
  purpose: P,
  to: string,
): (MailRequest & { purpose: P }) | IdentityError {
  const challenge = challengeOf({
    challenge: bodyText(context.body, "code_challenge"),
    method: bodyText(context.body, "code_challenge_method"),
  });
  if (challenge !== null && typeof challenge !== "string") return challenge;
  const redirectTo = mailTarget(services, context.query.get("redirect_to"));
  return { purpose, to, challenge, redirectTo, caller: context.caller, signUp: null };
}

/**
 * Emails a password reset link if the address has an account. The response doesn't reveal whether
 * it does.
 */
export async function recover(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("recover", context.caller);
  if (limit !== null) return limit;
  return respondThenSendEmail(services, context, "recovery", async (request) => {
    const user = await services.store.identity.userByEmail(request.to);
    if (user !== null) await sendTokenEmail(services, user, request);
  });
}

/** Resends a pending email. The response doesn't reveal whether there was one. */
export async function resend(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("resend", context.caller);
  if (limit !== null) return limit;
  const type = bodyText(context.body, "type");
  if (type === "signup")
    // The resent email has no password, because a sign-up's password is bound to the challenge of
    // its own request.
    return respondThenSendEmail(services, context, type, async (request) => {
      const user = await services.store.identity.userByEmail(request.to);
      if (user?.emailConfirmedAt === null) await sendTokenEmail(services, user, request);
    });
  if (type !== "email_change") return refused("validation_failed", "This type can't be resent.");
  return respondThenSendEmail(services, context, type, async (request) =>
    resendEmailChange(services, context, request),
  );
}

/** Resends the email only while the previous link is valid. */
async function resendEmailChange(
  services: IdentityServices,
  context: IdentityContext,
  request: MailRequest,
): Promise<void> {
  const { identity } = services.store;
  const user = await identity.userByEmail(request.to);
  if (user === null || user.newEmail === null) return;
  const after = new Date(context.now.getTime() - LIFETIME_MS.link).toISOString();
  const pendingToken = await identity.pendingToken(user.id, "email_change", user.newEmail, after);
  if (pendingToken === null) return;
  // The request counted toward the limit of the account's current address. This email goes to the
  // new address.
  if (services.limits.mail(user.newEmail, "email_change", context.caller) !== null) return;
  await sendEmailChange(services, user, { ...request, to: user.newEmail });
}

function respondThenSendEmail<P extends MailRequest["purpose"]>(
  services: IdentityServices,
  context: IdentityContext,
  purpose: P,
  sendEmail: (request: MailRequest & { purpose: P }) => Promise<void>,
): IdentityResponse {
  const email = emailOf(context.body);
  if (email === null) return refused("validation_failed", "Unable to validate email address");
  const request = readMailRequest(services, context, purpose, email);
  if (isIdentityError(request)) return request;
  const mailLimit = services.limits.mail(email, purpose, context.caller);
  if (mailLimit !== null) return mailLimit;
  services.afterResponse(() => sendEmail(request));
  return okResponse({});
}
