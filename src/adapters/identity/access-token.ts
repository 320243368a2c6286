// Access tokens issued by the embedded provider. A token is signed, short-lived and valid only
// while its session exists.

import { jwtVerify, SignJWT } from "jose";
import type { JWTPayload } from "jose";
import { errors } from "jose";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { SessionRecord, UserRecord } from "#data/store/identity.ts";

import type { IdentityContext, IdentityServices } from "./identity-context.ts";
import { resourceOf, rootOf } from "./identity-deps.ts";
import { refused } from "./identity-errors.ts";
import type { IdentityError } from "./identity-errors.ts";
import { SIGNING_ALGORITHM } from "./secrets.ts";

export const BROWSER_AUDIENCE = "authenticated";
const TOLERANCE_S = 5;

export const unixSeconds = (instant: string | Date): number =>
  Math.floor(new Date(instant).getTime() / 1000);

export type Bearer = { user: UserRecord; session: SessionRecord };

export const hasEmailScope = ({ client }: SessionRecord): boolean =>
  client === null || client.scope.split(" ").includes("email");

export async function signAccessToken(
  { secrets, settings }: Pick<IdentityServices, "secrets" | "settings">,
  { user, session }: Bearer,
  providers: readonly string[],
  now: Date,
): Promise<string> {
  const { client } = session;
  const issuedAt = unixSeconds(now);
  const amr = [{ method: session.method, timestamp: unixSeconds(session.createdAt) }];
  const claims = {
    iss: rootOf(settings()),
    sub: user.id,
    aud: client === null ? BROWSER_AUDIENCE : client.resource,
    exp: issuedAt + FIXED_LIMITS.access_token_s,
    iat: issuedAt,
    ...(hasEmailScope(session) && {
      email: user.email ?? "",
      phone: "",
      app_metadata: { provider: providers[0] ?? "email", providers },
      user_metadata: user.userData,
    }),
    role: BROWSER_AUDIENCE,
    aal: "aal1",
    amr,
    session_id: session.id,
    is_anonymous: false,
    ...(client && { client_id: client.id, scope: client.scope }),
  };
  const { kid, key } = secrets.signingKey();
  const header = { alg: SIGNING_ALGORITHM, kid, typ: "JWT" };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

export async function signIdToken(
  { secrets, settings }: Pick<IdentityServices, "secrets" | "settings">,
  { user, session }: Bearer,
  nonce: string | null,
  now: Date,
): Promise<string> {
  const issuedAt = unixSeconds(now);
  const claims = {
    iss: rootOf(settings()),
    sub: user.id,
    aud: session.client?.id ?? "",
    exp: issuedAt + FIXED_LIMITS.access_token_s,
    iat: issuedAt,
    auth_time: unixSeconds(session.createdAt),
    ...(nonce !== null && { nonce }),
    ...(hasEmailScope(session) && {
      email: user.email,
      email_verified: user.emailConfirmedAt !== null,
    }),
  };
  const { kid, key } = secrets.signingKey();
  const header = { alg: SIGNING_ALGORITHM, kid, typ: "JWT" };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/**
 * Authenticates any valid token from a browser or an app. Returns an error if the token is invalid
 * or its session has ended.
 */
export async function bearerOf(
  services: IdentityServices,
  context: IdentityContext,
): Promise<Bearer | IdentityError> {
  const header = context.request.headers.get("authorization");
  if (header === null) return refused("no_authorization");
  const payload = await payloadOf(services, BEARER.exec(header)?.[1] ?? "", context.now);
  if (payload === null) return refused("bad_jwt");
  const { session_id: sessionId, sub, client_id: clientId = null } = payload;
  const owner = await services.store.identity.session(String(sessionId));
  if (owner === null) return refused("session_not_found");
  const belongsToUser = owner.user.id === sub && (owner.session.client?.id ?? null) === clientId;
  return belongsToUser ? owner : refused("bad_jwt");
}

/**
 * Authenticates a browser session. Returns an error for app tokens, because apps can't change users
 * through this API.
 */
export async function browserBearerOf(
  services: IdentityServices,
  context: IdentityContext,
): Promise<Bearer | IdentityError> {
  const bearer = await bearerOf(services, context);
  if ("refused" in bearer || bearer.session.client === null) return bearer;
  return refused("bad_jwt", "An app's token can't be used here.");
}

async function payloadOf(
  { secrets, settings }: IdentityServices,
  jwt: string,
  now: Date,
): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(jwt, (header) => keyOf(secrets, header.kid), {
      issuer: rootOf(settings()),
      audience: [BROWSER_AUDIENCE, resourceOf(settings())],
      algorithms: [SIGNING_ALGORITHM],
      requiredClaims: ["sub", "exp", "iat", "session_id"],
      clockTolerance: TOLERANCE_S,
      currentDate: now,
    });
    return isIssuedInFuture(payload, now) ? null : payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function keyOf({ publishedKeys }: IdentityServices["secrets"], kid: string | undefined) {
  const key = publishedKeys().find((publishedKey) => publishedKey.kid === kid);
  if (key === undefined) throw new errors.JWKSNoMatchingKey();
  return key;
}

/**
 * Returns whether the token's `iat` is too far in the future. Such a token was issued while the
 * clock was fast, so it expires too late.
 */
export function isIssuedInFuture({ iat = 0 }: JWTPayload, now: Date): boolean {
  return iat > unixSeconds(now) + FIXED_LIMITS.access_token_s + TOLERANCE_S;
}
