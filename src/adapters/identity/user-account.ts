import { SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { SessionSelection, UserChanges, UserRecord } from "#data/store/identity.ts";

import { bearerOf, browserBearerOf, hasEmailScope } from "./access-token.ts";
import type { Bearer } from "./access-token.ts";
import { emailOf, bodyText } from "./identity-context.ts";
import type { IdentityContext, IdentityServices } from "./identity-context.ts";
import { sendEmailChange, sendSecurityNotice } from "./identity-emails.ts";
import { isIdentityError, refused } from "./identity-errors.ts";
import type { IdentityError } from "./identity-errors.ts";
import { isFresh } from "./identity-limits.ts";
import { okResponse } from "./identity-response.ts";
import type { IdentityResponse } from "./identity-response.ts";
import { bareUserView, userView } from "./identity-views.ts";
import { HASHER_BUSY, readMailRequest, readPassword, readUserData } from "./sign-up.ts";

async function userResponse(
  { store }: IdentityServices,
  user: UserRecord,
): Promise<IdentityResponse> {
  return okResponse(userView(user, await store.identity.identitiesOf(user.id)));
}

/** Apps call this too, to check whether their session is still valid. */
export async function readUser(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const bearer = await bearerOf(services, context);
  if (isIdentityError(bearer)) return bearer;
  const { user, session } = bearer;
  return hasEmailScope(session) ? userResponse(services, user) : okResponse(bareUserView(user));
}

export async function changeOwnUser(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("user", context.caller);
  if (limit !== null) return limit;
  const bearer = await browserBearerOf(services, context);
  if (isIdentityError(bearer)) return bearer;
  const { body } = context;
  if (body["app_metadata"] !== undefined) return refused("not_admin");
  const newUserData = readUserData(body["data"], bearer.user.userData);
  if (isIdentityError(newUserData)) return newUserData;
  const reauthenticationError = await checkReauthentication(services, context, bearer);
  if (reauthenticationError !== null) return reauthenticationError;
  const email = readNewEmail(services, context, bearer.user);
  if (email !== null) return email;
  const password = await readNewPassword(services, context, bearer.user);
  if (isIdentityError(password)) return password;
  const changes = { userData: newUserData.data, ...password, updatedAt: context.now.toISOString() };
  const user = await applyChanges(services, context, bearer, changes);
  return "refused" in user ? user : userResponse(services, user);
}

/**
 * Setting a password ends other sessions. A new address takes effect only after confirmation by
 * email.
 */
async function applyChanges(
  services: IdentityServices,
  context: IdentityContext,
  { user, session }: Bearer,
  changes: UserChanges,
): Promise<UserRecord | IdentityError> {
  const { identity } = services.store;
  const isNewPassword = changes.passwordHash !== undefined;
  const sessionGuard = { session: session.id };
  const changeOptions = isNewPassword
    ? { ...sessionGuard, ends: { except: session.id } }
    : sessionGuard;
  const changedUser = await identity.changeUser(user.id, changes, changeOptions);
  if (changedUser === null || changedUser === "email_taken") return refused("session_not_found");
  if (isNewPassword) services.limits.passwords.forgetUser(user.id);
  if (isNewPassword && user.email !== null)
    sendSecurityNotice(services, user.email, "password_changed");
  const to = context.body["email"] === undefined ? null : emailOf(context.body);
  if (to === null || to === user.email) return changedUser;
  const request = readMailRequest(services, context, "email_change", to);
  if (isIdentityError(request)) return request;
  const pending = await identity.changeUser(user.id, { newEmail: to }, sessionGuard);
  if (pending === null || pending === "email_taken") return refused("session_not_found");
  await sendEmailChange(services, pending, request);
  return pending;
}

/**
 * Returns an error if the address is invalid or over its email limit, otherwise null. Doesn't
 * reveal whether the address has an account.
 */
function readNewEmail(
  services: IdentityServices,
  context: IdentityContext,
  user: UserRecord,
): IdentityError | null {
  if (context.body["email"] === undefined) return null;
  const email = emailOf(context.body);
  if (email === null) return refused("validation_failed", "Unable to validate email address");
  return email === user.email ? null : services.limits.mail(email, "email_change", context.caller);
}

async function readNewPassword(
  services: IdentityServices,
  context: IdentityContext,
  user: UserRecord,
): Promise<{ passwordHash?: string } | IdentityError> {
  if (context.body["password"] === undefined) return {};
  const password = readPassword(bodyText(context.body, "password"));
  if (typeof password !== "string") return password;
  const currentHash = user.passwordHash;
  const isSame =
    currentHash !== null && (await services.hasher.verify(password, currentHash, context.caller));
  if (isSame === null) return HASHER_BUSY;
  if (isSame) return refused("same_password");
  const passwordHash = await services.hasher.hash(password, context.caller);
  return passwordHash === null ? HASHER_BUSY : { passwordHash };
}

/**
 * Returns null if the caller sent the current password or, for a password or address change, signed
 * in recently. A session alone isn't proof of identity, because it could be stolen.
 */
async function checkReauthentication(
  services: IdentityServices,
  context: IdentityContext,
  { user, session }: Bearer,
): Promise<IdentityError | null> {
  const { password, email, current_password: current } = context.body;
  if (current !== undefined && current !== null)
    return checkCurrentPassword(services, context, user);
  if (password === undefined && email === undefined) return null;
  const isRecent = isFresh(
    session.createdAt,
    FIXED_LIMITS.recent_sign_in_s * SECOND_MS,
    context.now,
  );
  return isRecent ? null : refused("reauthentication_needed");
}

async function checkCurrentPassword(
  services: IdentityServices,
  context: IdentityContext,
  user: UserRecord,
): Promise<IdentityError | null> {
  const currentPassword = bodyText(context.body, "current_password");
  if (currentPassword === null)
    return refused("validation_failed", "current_password must be a string.");
  const rateLimit = services.limits.passwords.begin(context.caller, user.id, user.id);
  if (rateLimit !== null) return rateLimit;
  const isCorrect = await services.hasher.verify(
    currentPassword,
    user.passwordHash,
    context.caller,
  );
  if (isCorrect === null) {
    services.limits.passwords.undo(context.caller, user.id);
    return HASHER_BUSY;
  }
  if (!isCorrect) return refused("invalid_credentials");
  services.limits.passwords.succeed(context.caller, user.id);
  return null;
}

export async function signOut(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const bearer = await browserBearerOf(services, context);
  if (isIdentityError(bearer)) return bearer;
  const { session } = bearer;
  switch (context.query.get("scope") ?? "global") {
    case "global":
      return endSessions(services, bearer, "all");
    case "others":
      return endSessions(services, bearer, { except: session.id });
    case "local":
      await services.store.identity.endSession(session.id);
      return { status: 204 };
    default:
      return refused("validation_failed", "scope must be 'global', 'local' or 'others'.");
  }
}

/**
 * Refuses if the calling session has ended in the meantime. Otherwise a stolen session could end
 * the owner's new session.
 */
async function endSessions(
  { store }: IdentityServices,
  { user, session }: Bearer,
  ends: SessionSelection,
): Promise<IdentityResponse> {
  const updatedUser = await store.identity.changeUser(user.id, {}, { ends, session: session.id });
  return updatedUser === null ? refused("session_not_found") : { status: 204 };
}
