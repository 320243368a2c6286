// Token endpoint for apps (RFC 6749).

import { createHmac } from "node:crypto";

import {
  bearerOf,
  hasEmailScope,
  signAccessToken,
  signIdToken,
} from "#adapters/identity/access-token.ts";
import type { Bearer } from "#adapters/identity/access-token.ts";
import { matchesChallenge, bodyText } from "#adapters/identity/identity-context.ts";
import type { IdentityContext, IdentityServices } from "#adapters/identity/identity-context.ts";
import { isOAuthError, isIdentityError } from "#adapters/identity/identity-errors.ts";
import type { OAuthError } from "#adapters/identity/identity-errors.ts";
import { isFresh, LIFETIME_MS } from "#adapters/identity/identity-limits.ts";
import { okResponse } from "#adapters/identity/identity-response.ts";
import type { IdentityResponse } from "#adapters/identity/identity-response.ts";
import { newSessionRecord, providersOf } from "#adapters/identity/identity-views.ts";
import {
  exchangeRefreshToken,
  makeRefreshToken,
  parseRefreshToken,
} from "#adapters/identity/refresh-token.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { AuthorizationRecord, ClientRecord } from "#data/store/identity-grants.ts";

import { isSameResource } from "./authorize.ts";
import { authenticateClient } from "./client.ts";

const AUTH_METHOD = "oauth_provider/authorization_code";

export const INVALID_GRANT: OAuthError = {
  oauth: "invalid_grant",
  text: "The code or token is invalid, expired, revoked, already used or issued to another client.",
};

export async function exchangeAppToken(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("token", context.caller);
  if (limit !== null) return limit;
  const client = await authenticateClient(services, context);
  if (isOAuthError(client)) return client;
  switch (bodyText(context.body, "grant_type")) {
    case "authorization_code":
      return exchangeCode(services, context, client);
    case "refresh_token":
      return exchangeRefresh(services, context, client);
    case null:
    default:
      return { oauth: "unsupported_grant_type", text: "This grant_type isn't supported." };
  }
}

/** Tokens are issued only for the resource that the user consented to. */
function isWrongResource({ body }: IdentityContext, resource: string): boolean {
  const requested = [body["resource"] ?? []].flat();
  return requested.some(
    (resourceParam) =>
      typeof resourceParam !== "string" || !isSameResource(resourceParam, resource),
  );
}

const wrongResource = (resource: string): OAuthError => {
  return { oauth: "invalid_target", text: `Tokens are only issued for ${resource}.` };
};

async function exchangeCode(
  services: IdentityServices,
  context: IdentityContext,
  client: ClientRecord,
): Promise<IdentityResponse> {
  const { grants } = services.store;
  const codeHash = hashToken(bodyText(context.body, "code") ?? "");
  const id = sessionOfCode(services, codeHash);
  const authorization = await grants.byCode(codeHash);
  if (authorization === null) return endReusedCodeSession(services, id, client);
  if (!isUsable(authorization, context, client)) return INVALID_GRANT;
  if (isWrongResource(context, authorization.resource))
    return wrongResource(authorization.resource);
  const sessionClient = {
    id: client.id,
    scope: authorization.scope,
    resource: authorization.resource,
  };
  const session = {
    ...newSessionRecord(services, AUTH_METHOD, context.now),
    id,
    client: sessionClient,
  };
  const bearer = await grants.redeemCode(codeHash, session);
  return bearer === null
    ? INVALID_GRANT
    : tokensOf(services, bearer, authorization.nonce, context.now);
}

/**
 * Returns the session ID for a code. It is derived from the code, so a reused code can still be
 * linked to its session after the code is deleted.
 */
function sessionOfCode({ secrets }: IdentityServices, codeHash: string): string {
  const key = secrets.derive("sessions of codes");
  return uuidOf(createHmac("sha256", key).update(codeHash).digest());
}

function uuidOf(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  const boundaries = [8, 12, 16, 20, 32];
  return boundaries.map((end, at) => hex.slice(boundaries[at - 1] ?? 0, end)).join("-");
}

/** A reused code has leaked, so the session that it created is ended (RFC 6749, section 4.1.2). */
async function endReusedCodeSession(
  { store }: IdentityServices,
  sessionId: string,
  client: ClientRecord,
): Promise<IdentityResponse> {
  const owner = await store.identity.session(sessionId);
  if (owner?.session.client?.id === client.id) await store.identity.endSession(sessionId);
  return INVALID_GRANT;
}

function isUsable(
  authorization: AuthorizationRecord,
  context: IdentityContext,
  client: ClientRecord,
): boolean {
  const redirectUri = bodyText(context.body, "redirect_uri");
  return (
    authorization.clientId === client.id &&
    isFresh(authorization.createdAt, LIFETIME_MS.authorization, context.now) &&
    (redirectUri === null || redirectUri === authorization.redirectUri) &&
    matchesChallenge(authorization.challenge, bodyText(context.body, "code_verifier"))
  );
}

async function exchangeRefresh(
  services: IdentityServices,
  context: IdentityContext,
  client: ClientRecord,
): Promise<IdentityResponse> {
  const refreshToken = parseRefreshToken(services.secrets, bodyText(context.body, "refresh_token"));
  const owner = refreshToken && (await services.store.identity.session(refreshToken.sessionId));
  if (refreshToken === null || owner?.session.client?.id !== client.id) return INVALID_GRANT;
  const { resource } = owner.session.client;
  if (isWrongResource(context, resource)) return wrongResource(resource);
  const session = await exchangeRefreshToken(services, owner, refreshToken.counter, context.now);
  if (typeof session === "string") return INVALID_GRANT;
  return tokensOf(services, { user: owner.user, session }, null, context.now);
}

async function tokensOf(
  services: IdentityServices,
  bearer: Bearer,
  nonce: string | null,
  now: Date,
): Promise<IdentityResponse> {
  const { id: sessionId, counter, client } = bearer.session;
  const identities = await services.store.identity.identitiesOf(bearer.user.id);
  const scope = client?.scope ?? "";
  const isOpenId = scope.split(" ").includes("openid");
  return okResponse({
    access_token: await signAccessToken(services, bearer, providersOf(identities), now),
    token_type: "bearer",
    expires_in: FIXED_LIMITS.access_token_s,
    refresh_token: makeRefreshToken(services.secrets, { sessionId, counter }),
    scope,
    ...(isOpenId && { id_token: await signIdToken(services, bearer, nonce, now) }),
  });
}

export async function readUserInfo(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const bearer = await bearerOf(services, context);
  if (isIdentityError(bearer) || bearer.session.client === null)
    return { oauth: "invalid_token", text: "This isn't an app's token.", status: 401 };
  const { user, session } = bearer;
  const isConfirmed = user.emailConfirmedAt !== null;
  return okResponse({
    sub: user.id,
    ...(hasEmailScope(session) && { email: user.email, email_verified: isConfirmed }),
  });
}
