// Users and sessions in the words of GoTrue.

import { FIXED } from "#core/words/limits.ts";
import type { IdentityRecord, UserRecord } from "#data/store/identity.ts";

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

/** Begins a session of a user who has just shown who they are. */
export async function beginSession(
  parts: IdentityParts,
  user: UserRecord,
  method: string,
  now: Date,
): Promise<object> {
  const at = now.toISOString();
  const times = { refreshedAt: at, createdAt: at };
  const id = parts.newId();
  const session = { id, userId: user.id, client: null, counter: 0, method, ...times };
  await parts.store.identity.addSession(session);
  const changed = await parts.store.identity.changeUser(user.id, { lastSignInAt: at });
  const known = changed === null || changed === "email_taken" ? user : changed;
  return sessionView(parts, { user: known, session }, now);
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
    user: userView(bearer.user, identities),
  };
}
