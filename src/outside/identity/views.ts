// Users and sessions in the words of GoTrue.

import { FIXED } from "#core/words/limits.ts";
import type { IdentityRecord, NewSession, UserRecord } from "#data/store/identity.ts";

import { seconds, signAccessToken } from "./access-token.ts";
import type { Bearer } from "./access-token.ts";
import type { IdentityParts } from "./ask.ts";
import { makeRefreshToken } from "./refresh-token.ts";

/** Names of the ways in which somebody signs in, oldest first. */
export function providersOf(identities: readonly IdentityRecord[]): string[] {
  return [...new Set(identities.map(({ provider }) => provider))];
}

export function userView(user: UserRecord, identities: readonly IdentityRecord[]): object {
  const providers = providersOf(identities);
  return {
    id: user.id,
    aud: "authenticated",
    role: "authenticated",
    email: user.email ?? "",
    ...given("email_confirmed_at", user.emailConfirmedAt),
    ...given("confirmed_at", user.emailConfirmedAt),
    phone: "",
    ...given("confirmation_sent_at", user.confirmationSentAt),
    ...given("recovery_sent_at", user.recoverySentAt),
    ...given("new_email", user.newEmail),
    ...given("last_sign_in_at", user.lastSignInAt),
    app_metadata: { provider: providers[0] ?? "email", providers },
    user_metadata: user.userData,
    identities: identities.map(identityView),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    is_anonymous: false,
  };
}

/** A user for a program that may not know their address, in the shape that client libraries know. */
export function bareUserView({ id, createdAt }: UserRecord): object {
  return {
    id,
    aud: "authenticated",
    role: "authenticated",
    app_metadata: {},
    user_metadata: {},
    created_at: createdAt,
    is_anonymous: false,
  };
}

const given = (name: string, value: string | null): object =>
  value === null ? {} : { [name]: value };

function identityView(one: IdentityRecord): object {
  const { id, userId, provider, subject, email, createdAt, lastSignInAt } = one;
  return {
    identity_id: id,
    id: subject,
    user_id: userId,
    identity_data: { sub: subject, ...given("email", email) },
    provider,
    ...given("email", email),
    created_at: createdAt,
    last_sign_in_at: lastSignInAt,
    updated_at: lastSignInAt,
  };
}

/** A browser session that begins now; its user follows from the proof. */
export function newSession(
  { newId }: Pick<IdentityParts, "newId">,
  method: string,
  now: Date,
): NewSession {
  const at = now.toISOString();
  const times = { refreshedAt: at, createdAt: at };
  return { id: newId(), client: null, counter: 0, parent: -1, method, ...times };
}

/** Signs in a user by the password whose hash they have. Null if that has changed since. */
export async function signInByPassword(
  parts: IdentityParts,
  { id: userId, passwordHash }: UserRecord,
  now: Date,
): Promise<object | null> {
  const session = { ...newSession(parts, "password", now), userId };
  const user = await parts.store.identity.addSession(session, passwordHash);
  return user && sessionView(parts, { user, session }, now);
}

/** A session with fresh tokens, as browsers keep it. */
export async function sessionView(
  parts: IdentityParts,
  bearer: Bearer,
  now: Date,
): Promise<object> {
  const identities = await parts.store.identity.identitiesOf(bearer.user.id);
  const access = await signAccessToken(parts, bearer, providersOf(identities), now);
  const { id: sessionId, counter } = bearer.session;
  return {
    access_token: access,
    token_type: "bearer",
    expires_in: FIXED.access_token_s,
    expires_at: seconds(now) + FIXED.access_token_s,
    refresh_token: makeRefreshToken(parts.secrets, { sessionId, counter }),
    // Not in GoTrue: pages ask a user who could not sign in again to choose a password.
    needs_password:
      bearer.user.passwordHash === null && identities.every(({ provider }) => provider === "email"),
    user: userView(bearer.user, identities),
  };
}
