// Access tokens of the embedded provider: signed, short-lived, and only good while their session is.

import { jwtVerify, SignJWT } from "jose";
import type { JWTPayload } from "jose";
import { errors } from "jose";

import { FIXED } from "#core/words/limits.ts";
import type { SessionRecord, UserRecord } from "#data/store/identity.ts";

import type { Ask, IdentityParts } from "./ask.ts";
import { resourceOf, rootOf } from "./deps.ts";
import { refused } from "./errors.ts";
import type { IdentityRefusal } from "./errors.ts";
import { SIGNING_ALGORITHM } from "./secrets.ts";

/** The audience of tokens that browsers hold. */
export const BROWSER_AUDIENCE = "authenticated";
const TOLERANCE_S = 5;

export const seconds = (instant: string | Date): number =>
  Math.floor(new Date(instant).getTime() / 1000);

/** Who asks, as their token and the store say. */
export type Bearer = { user: UserRecord; session: SessionRecord };

/** Whether a token tells of its user's address, and of what else is known of them. */
export const showsAddress = ({ client }: SessionRecord): boolean =>
  client === null || client.scope.split(" ").includes("email");

export async function signAccessToken(
  { secrets, settings }: Pick<IdentityParts, "secrets" | "settings">,
  { user, session }: Bearer,
  providers: readonly string[],
  now: Date,
): Promise<string> {
  const { client } = session;
  const issued = seconds(now);
  const amr = [{ method: session.method, timestamp: seconds(session.createdAt) }];
  const claims = {
    iss: rootOf(settings()),
    sub: user.id,
    aud: client === null ? BROWSER_AUDIENCE : client.resource,
    exp: issued + FIXED.access_token_s,
    iat: issued,
    ...(showsAddress(session) && {
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
  const { kid, key } = secrets.signing();
  const header = { alg: SIGNING_ALGORITHM, kid, typ: "JWT" };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

/** The token of an OpenID client about its user. */
export async function signIdToken(
  { secrets, settings }: Pick<IdentityParts, "secrets" | "settings">,
  { user, session }: Bearer,
  nonce: string | null,
  now: Date,
): Promise<string> {
  const issued = seconds(now);
  const claims = {
    iss: rootOf(settings()),
    sub: user.id,
    aud: session.client?.id ?? "",
    exp: issued + FIXED.access_token_s,
    iat: issued,
    auth_time: seconds(session.createdAt),
    ...(nonce !== null && { nonce }),
    ...(showsAddress(session) && {
      email: user.email,
      email_verified: user.emailConfirmedAt !== null,
    }),
  };
  const { kid, key } = secrets.signing();
  const header = { alg: SIGNING_ALGORITHM, kid, typ: "JWT" };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/** Who asks, whatever their token is for; or why they are nobody. */
export async function bearerOf(parts: IdentityParts, ask: Ask): Promise<Bearer | IdentityRefusal> {
  const header = ask.request.headers.get("authorization");
  if (header === null) return refused("no_authorization");
  const payload = await payloadOf(parts, BEARER.exec(header)?.[1] ?? "", ask.now);
  if (payload === null) return refused("bad_jwt");
  const { session_id: sessionId, sub, client_id: clientId = null } = payload;
  const owner = await parts.store.identity.session(String(sessionId));
  if (owner === null) return refused("session_not_found");
  const isTheirs = owner.user.id === sub && (owner.session.client?.id ?? null) === clientId;
  return isTheirs ? owner : refused("bad_jwt");
}

/** Who asks, if they sit at a browser: programs may do nothing for their users here. */
export async function browserOf(parts: IdentityParts, ask: Ask): Promise<Bearer | IdentityRefusal> {
  const bearer = await bearerOf(parts, ask);
  if ("refused" in bearer || bearer.session.client === null) return bearer;
  return refused("bad_jwt", "The token of a program cannot be used here.");
}

/** What a token of ours says; null if it is none, or not good at this moment. */
async function payloadOf(
  { secrets, settings }: IdentityParts,
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
    return isOfTheFuture(payload, now) ? null : payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function keyOf({ published }: IdentityParts["secrets"], kid: string | undefined) {
  const key = published().find((one) => one.kid === kid);
  if (key === undefined) throw new errors.JWKSNoMatchingKey();
  return key;
}

/** Whether a token was made by a clock that ran ahead further than a token lasts. */
export function isOfTheFuture({ iat = 0 }: JWTPayload, now: Date): boolean {
  return iat > seconds(now) + FIXED.access_token_s + TOLERANCE_S;
}
