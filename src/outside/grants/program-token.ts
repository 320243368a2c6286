// Tokens of programs, in the words of RFC 6749.

import { createHmac } from "node:crypto";

import { FIXED } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import type { AuthorizationRecord, ClientRecord } from "#data/store/identity-grants.ts";
import {
  bearerOf,
  showsAddress,
  signAccessToken,
  signIdToken,
} from "#outside/identity/access-token.ts";
import type { Bearer } from "#outside/identity/access-token.ts";
import { ok } from "#outside/identity/answer.ts";
import type { IdentityAnswer } from "#outside/identity/answer.ts";
import { fitsChallenge, textOf } from "#outside/identity/ask.ts";
import type { Ask, IdentityParts } from "#outside/identity/ask.ts";
import { isOAuthRefused, isRefused } from "#outside/identity/errors.ts";
import type { OAuthRefusal } from "#outside/identity/errors.ts";
import { isGood, LIFETIME_MS } from "#outside/identity/limits.ts";
import {
  exchangeRefreshToken,
  makeRefreshToken,
  parseRefreshToken,
} from "#outside/identity/refresh-token.ts";
import { newSession, providersOf } from "#outside/identity/views.ts";

import { isSame } from "./authorize.ts";
import { authenticateClient } from "./client.ts";

/** How `amr` names a program. */
const METHOD = "oauth_provider/authorization_code";

export const BAD_GRANT: OAuthRefusal = {
  oauth: "invalid_grant",
  text: "The code or token is unknown, expired, revoked, used, or another client's.",
};

export async function grantToken(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("token", ask.caller);
  if (limit !== null) return limit;
  const client = await authenticateClient(parts, ask);
  if (isOAuthRefused(client)) return client;
  switch (textOf(ask.body, "grant_type")) {
    case "authorization_code":
      return byCode(parts, ask, client);
    case "refresh_token":
      return byRefreshToken(parts, ask, client);
    case null:
    default:
      return { oauth: "unsupported_grant_type", text: "This grant_type is not supported." };
  }
}

/** A token is for the resource that the person consented to. */
function isForeignTarget({ body }: Ask, resource: string): boolean {
  const wanted = [body["resource"] ?? []].flat();
  return wanted.some((one) => typeof one !== "string" || !isSame(one, resource));
}

const foreignTarget = (resource: string): OAuthRefusal => {
  return { oauth: "invalid_target", text: `Tokens are given for ${resource} alone.` };
};

async function byCode(
  parts: IdentityParts,
  ask: Ask,
  client: ClientRecord,
): Promise<IdentityAnswer> {
  const { grants } = parts.store;
  const codeHash = hashToken(textOf(ask.body, "code") ?? "");
  const id = sessionOfCode(parts, codeHash);
  const one = await grants.byCode(codeHash);
  if (one === null) return refuseReuse(parts, id, client);
  if (!isUsable(one, ask, client)) return BAD_GRANT;
  if (isForeignTarget(ask, one.resource)) return foreignTarget(one.resource);
  const acting = { id: client.id, scope: one.scope, resource: one.resource };
  const session = { ...newSession(parts, METHOD, ask.now), id, client: acting };
  const bearer = await grants.redeemCode(codeHash, session);
  return bearer === null ? BAD_GRANT : tokensOf(parts, bearer, one.nonce, ask.now);
}

/** The session that a code gives: the code is forgotten with its use, and yet known again. */
function sessionOfCode({ secrets }: IdentityParts, codeHash: string): string {
  const key = secrets.derive("sessions of codes");
  return uuidOf(createHmac("sha256", key).update(codeHash).digest());
}

/** A UUID of bits of our own choice (RFC 9562, version 8). */
function uuidOf(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  const ends = [8, 12, 16, 20, 32];
  return ends.map((end, at) => hex.slice(ends[at - 1] ?? 0, end)).join("-");
}

/** A code that comes twice was seen by somebody else: its tokens end (RFC 6749, 4.1.2). */
async function refuseReuse(
  { store }: IdentityParts,
  sessionId: string,
  client: ClientRecord,
): Promise<IdentityAnswer> {
  const owner = await store.identity.session(sessionId);
  if (owner?.session.client?.id === client.id) await store.identity.endSession(sessionId);
  return BAD_GRANT;
}

function isUsable(one: AuthorizationRecord, ask: Ask, client: ClientRecord): boolean {
  const redirectUri = textOf(ask.body, "redirect_uri");
  return (
    one.clientId === client.id &&
    isGood(one.createdAt, LIFETIME_MS.authorization, ask.now) &&
    (redirectUri === null || redirectUri === one.redirectUri) &&
    fitsChallenge(one.challenge, textOf(ask.body, "code_verifier"))
  );
}

async function byRefreshToken(
  parts: IdentityParts,
  ask: Ask,
  client: ClientRecord,
): Promise<IdentityAnswer> {
  const parsed = parseRefreshToken(parts.secrets, textOf(ask.body, "refresh_token"));
  const owner = parsed && (await parts.store.identity.session(parsed.sessionId));
  if (parsed === null || owner?.session.client?.id !== client.id) return BAD_GRANT;
  const { resource } = owner.session.client;
  if (isForeignTarget(ask, resource)) return foreignTarget(resource);
  const session = await exchangeRefreshToken(parts, owner, parsed.counter, ask.now);
  if (typeof session === "string") return BAD_GRANT;
  return tokensOf(parts, { user: owner.user, session }, null, ask.now);
}

async function tokensOf(
  parts: IdentityParts,
  bearer: Bearer,
  nonce: string | null,
  now: Date,
): Promise<IdentityAnswer> {
  const { id: sessionId, counter, client } = bearer.session;
  const identities = await parts.store.identity.identitiesOf(bearer.user.id);
  const scope = client?.scope ?? "";
  const isOpenId = scope.split(" ").includes("openid");
  return ok({
    access_token: await signAccessToken(parts, bearer, providersOf(identities), now),
    token_type: "bearer",
    expires_in: FIXED.access_token_s,
    refresh_token: makeRefreshToken(parts.secrets, { sessionId, counter }),
    scope,
    ...(isOpenId && { id_token: await signIdToken(parts, bearer, nonce, now) }),
  });
}

/** What a program may know of its user. */
export async function readUserInfo(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const bearer = await bearerOf(parts, ask);
  if (isRefused(bearer) || bearer.session.client === null)
    return { oauth: "invalid_token", text: "The token is not a program's.", status: 401 };
  const { user, session } = bearer;
  const isConfirmed = user.emailConfirmedAt !== null;
  return ok({
    sub: user.id,
    ...(showsAddress(session) && { email: user.email, email_verified: isConfirmed }),
  });
}
