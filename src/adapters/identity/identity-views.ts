import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { IdentityRecord, NewSession, UserRecord } from "#data/store/identity.ts";

import { unixSeconds, signAccessToken } from "./access-token.ts";
import type { Bearer } from "./access-token.ts";
import type { IdentityServices } from "./identity-context.ts";
import { makeRefreshToken } from "./refresh-token.ts";

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
    ...optionalField("email_confirmed_at", user.emailConfirmedAt),
    ...optionalField("confirmed_at", user.emailConfirmedAt),
    phone: "",
    ...optionalField("confirmation_sent_at", user.confirmationSentAt),
    ...optionalField("recovery_sent_at", user.recoverySentAt),
    ...optionalField("new_email", user.newEmail),
    ...optionalField("last_sign_in_at", user.lastSignInAt),
    app_metadata: { provider: providers[0] ?? "email", providers },
    user_metadata: user.userData,
    identities: identities.map(identityView),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    is_anonymous: false,
  };
}

/**
 * Returns a user without email and profile, in the format that client libraries expect. Used for
 * apps without the email scope.
 */
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

const optionalField = (name: string, value: string | null): object =>
  value === null ? {} : { [name]: value };

function identityView(identity: IdentityRecord): object {
  const { id, userId, provider, subject, email, createdAt, lastSignInAt } = identity;
  return {
    identity_id: id,
    id: subject,
    user_id: userId,
    identity_data: { sub: subject, ...optionalField("email", email) },
    provider,
    ...optionalField("email", email),
    created_at: createdAt,
    last_sign_in_at: lastSignInAt,
    updated_at: lastSignInAt,
  };
}

/**
 * Returns a new browser session without its user, which the store sets when it consumes the code or
 * token.
 */
export function newSessionRecord(
  { newId }: Pick<IdentityServices, "newId">,
  method: string,
  now: Date,
): NewSession {
  const at = now.toISOString();
  const timestamps = { refreshedAt: at, createdAt: at };
  return { id: newId(), client: null, counter: 0, parent: -1, method, ...timestamps };
}

/**
 * Creates a session for a user whose password matched this hash. Returns null if the password has
 * changed since.
 */
export async function signInByPassword(
  services: IdentityServices,
  { id: userId, passwordHash }: UserRecord,
  now: Date,
): Promise<object | null> {
  const session = { ...newSessionRecord(services, "password", now), userId };
  const user = await services.store.identity.addSession(session, passwordHash);
  return user && sessionView(services, { user, session }, now);
}

export async function sessionView(
  services: IdentityServices,
  bearer: Bearer,
  now: Date,
): Promise<object> {
  const identities = await services.store.identity.identitiesOf(bearer.user.id);
  const access = await signAccessToken(services, bearer, providersOf(identities), now);
  const { id: sessionId, counter } = bearer.session;
  return {
    access_token: access,
    token_type: "bearer",
    expires_in: FIXED_LIMITS.access_token_s,
    expires_at: unixSeconds(now) + FIXED_LIMITS.access_token_s,
    refresh_token: makeRefreshToken(services.secrets, { sessionId, counter }),
    // Not part of GoTrue. Pages ask users with neither a password nor a social sign-in to set a
    // password.
    needs_password:
      bearer.user.passwordHash === null && identities.every(({ provider }) => provider === "email"),
    user: userView(bearer.user, identities),
  };
}
