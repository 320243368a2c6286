// What signed-in people ask about themselves and change.

import { SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";
import type { EndOf, UserChanges, UserRecord } from "#data/store/identity.ts";

import { bearerOf, browserOf, showsAddress } from "./access-token.ts";
import type { Bearer } from "./access-token.ts";
import { ok } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { emailOf, textOf } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { isRefused, refused } from "./errors.ts";
import type { IdentityRefusal } from "./errors.ts";
import { isGood } from "./limits.ts";
import { mailChange, mailNews } from "./mail.ts";
import { BUSY, readMailRequest, readPassword, readUserData } from "./sign-up.ts";
import { bareUserView, userView } from "./views.ts";

async function answerUser({ store }: IdentityParts, user: UserRecord): Promise<IdentityAnswer> {
  return ok(userView(user, await store.identity.identitiesOf(user.id)));
}

/** Also answers programs: whether their session goes on is asked here. */
export async function readUser(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const bearer = await bearerOf(parts, ask);
  if (isRefused(bearer)) return bearer;
  const { user, session } = bearer;
  return showsAddress(session) ? answerUser(parts, user) : ok(bareUserView(user));
}

export async function changeOwnUser(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("user", ask.caller);
  if (limit !== null) return limit;
  const bearer = await browserOf(parts, ask);
  if (isRefused(bearer)) return bearer;
  const { body } = ask;
  if (body["app_metadata"] !== undefined) return refused("not_admin");
  const read = readUserData(body["data"], bearer.user.userData);
  if (isRefused(read)) return read;
  const unsure = await doubtAbout(parts, ask, bearer);
  if (unsure !== null) return unsure;
  const email = readNewEmail(parts, ask, bearer.user);
  if (email !== null) return email;
  const password = await readNewPassword(parts, ask, bearer.user);
  if (isRefused(password)) return password;
  const changes = { userData: read.data, ...password, updatedAt: ask.now.toISOString() };
  const user = await change(parts, ask, bearer, changes);
  return "refused" in user ? user : answerUser(parts, user);
}

/** A new password ends the other sessions; a new address waits for its mail. */
async function change(
  parts: IdentityParts,
  ask: Ask,
  { user, session }: Bearer,
  changes: UserChanges,
): Promise<UserRecord | IdentityRefusal> {
  const { identity } = parts.store;
  const isNewPassword = changes.passwordHash !== undefined;
  const asking = { session: session.id };
  const terms = isNewPassword ? { ...asking, ends: { except: session.id } } : asking;
  const changed = await identity.changeUser(user.id, changes, terms);
  if (changed === null || changed === "email_taken") return refused("session_not_found");
  if (isNewPassword) parts.limits.passwords.forget(user.id);
  if (isNewPassword && user.email !== null) mailNews(parts, user.email, "password_changed");
  const to = ask.body["email"] === undefined ? null : emailOf(ask.body);
  if (to === null || to === user.email) return changed;
  const request = readMailRequest(parts, ask, "email_change", to);
  if (isRefused(request)) return request;
  const pending = await identity.changeUser(user.id, { newEmail: to }, asking);
  if (pending === null || pending === "email_taken") return refused("session_not_found");
  await mailChange(parts, pending, request);
  return pending;
}

/** Null if the address may be asked for. Whether it has an account is not said. */
function readNewEmail(parts: IdentityParts, ask: Ask, user: UserRecord): IdentityRefusal | null {
  if (ask.body["email"] === undefined) return null;
  const email = emailOf(ask.body);
  if (email === null) return refused("validation_failed", "Unable to validate email address");
  return email === user.email ? null : parts.limits.mail(email, "email_change", ask.caller);
}

async function readNewPassword(
  parts: IdentityParts,
  ask: Ask,
  user: UserRecord,
): Promise<{ passwordHash?: string } | IdentityRefusal> {
  if (ask.body["password"] === undefined) return {};
  const password = readPassword(textOf(ask.body, "password"));
  if (typeof password !== "string") return password;
  const before = user.passwordHash;
  const isSame = before !== null && (await parts.hasher.verify(password, before, ask.caller));
  if (isSame === null) return BUSY;
  if (isSame) return refused("same_password");
  const passwordHash = await parts.hasher.hash(password, ask.caller);
  return passwordHash === null ? BUSY : { passwordHash };
}

/**
 * Null if the person who asks has shown who they are: by the present password, or by a sign-in a
 * moment ago where a password or an address is to change. A session alone may be stolen.
 */
async function doubtAbout(
  parts: IdentityParts,
  ask: Ask,
  { user, session }: Bearer,
): Promise<IdentityRefusal | null> {
  const { password, email, current_password: current } = ask.body;
  if (current !== undefined && current !== null) return wrongPassword(parts, ask, user);
  if (password === undefined && email === undefined) return null;
  const isRecent = isGood(session.createdAt, FIXED.recent_sign_in_s * SECOND_MS, ask.now);
  return isRecent ? null : refused("reauthentication_needed");
}

async function wrongPassword(
  parts: IdentityParts,
  ask: Ask,
  user: UserRecord,
): Promise<IdentityRefusal | null> {
  const given = textOf(ask.body, "current_password");
  if (given === null) return refused("validation_failed", "current_password must be a text.");
  const tooMany = parts.limits.passwords.begin(ask.caller, user.id, user.id);
  if (tooMany !== null) return tooMany;
  const isRight = await parts.hasher.verify(given, user.passwordHash, ask.caller);
  if (isRight === null) {
    parts.limits.passwords.takeBack(ask.caller, user.id);
    return BUSY;
  }
  if (!isRight) return refused("invalid_credentials");
  parts.limits.passwords.succeed(ask.caller, user.id);
  return null;
}

export async function signOut(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const bearer = await browserOf(parts, ask);
  if (isRefused(bearer)) return bearer;
  const { session } = bearer;
  switch (ask.query.get("scope") ?? "global") {
    case "global":
      return endSessions(parts, bearer, "all");
    case "others":
      return endSessions(parts, bearer, { except: session.id });
    case "local":
      await parts.store.identity.endSession(session.id);
      return { status: 204 };
    default:
      return refused("validation_failed", "scope is global, local or others.");
  }
}

/** Refused if the session that asks ended meanwhile: a stolen one must not end its owner's next. */
async function endSessions(
  { store }: IdentityParts,
  { user, session }: Bearer,
  ends: EndOf,
): Promise<IdentityAnswer> {
  const done = await store.identity.changeUser(user.id, {}, { ends, session: session.id });
  return done === null ? refused("session_not_found") : { status: 204 };
}
