// How a program asks, and a person decides, whether it may act for them.

import { isStorable } from "#data/access/storable.ts";
import { hashToken } from "#data/access/token.ts";
import type {
  AllowedRedirect,
  AuthorizationRecord,
  ClientRecord,
  ConsentRecord,
} from "#data/store/identity-grants.ts";
import { browserOf } from "#outside/identity/access-token.ts";
import type { Bearer } from "#outside/identity/access-token.ts";
import { isLoopback } from "#outside/identity/address.ts";
import { ok, redirect } from "#outside/identity/answer.ts";
import type { IdentityAnswer } from "#outside/identity/answer.ts";
import { challengeOf, randomText, textOf } from "#outside/identity/ask.ts";
import type { Ask, IdentityParts } from "#outside/identity/ask.ts";
import { resourceOf, rootOf } from "#outside/identity/deps.ts";
import { isOAuthRefused, isRefused, refused } from "#outside/identity/errors.ts";
import type { IdentityRefusal, OAuthRefusal } from "#outside/identity/errors.ts";
import { isGood, LIFETIME_MS } from "#outside/identity/limits.ts";

import { isOwnUrl } from "./client-facts.ts";
import { findClient, isRegistered } from "./client.ts";
import { SCOPES, USUAL_SCOPE } from "./metadata.ts";

/** The page of the ladder on which people decide. */
const CONSENT_PATH = "/account/authorize";
const ID_BYTES = 24;
const CODE_BYTES = 32;
const PARAMETER_CHARS = 2048;

/**
 * Begins an authorization. Anybody registers clients with any address, so nobody is led to one
 * before a person was asked (RFC 9700, 4.11.2): not even with an error.
 */
export async function authorize(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("authorize", ask.caller);
  if (limit !== null)
    return acceptsPages(ask) ? redirect(consentPage(parts, { refused: limit.refused })) : limit;
  const answer = await begin(parts, ask);
  const isShown = isOAuthRefused(answer) && acceptsPages(ask);
  return isShown ? redirect(consentPage(parts, { refused: answer.oauth })) : answer;
}

const acceptsPages = ({ request }: Ask): boolean =>
  request.headers.get("accept")?.includes("text/html") === true;

function consentPage({ settings }: IdentityParts, query: Record<string, string>): string {
  return `${settings().baseUrl}${CONSENT_PATH}?${new URLSearchParams(query)}`;
}

async function begin(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const client = await findClient(parts, ask.query.get("client_id") ?? "", ask.now);
  if (isOAuthRefused(client)) return client;
  const redirectUri = ask.query.get("redirect_uri") ?? "";
  if (!isRegistered(client, redirectUri))
    return { oauth: "invalid_request", text: "The client did not register this redirect_uri." };
  if (isOwnUrl(parts.settings(), redirectUri))
    return { oauth: "invalid_request", text: "The redirect_uri is a URL of this server." };
  const state = ask.query.get("state");
  const read = readRequest(parts, ask.query);
  if (isOAuthRefused(read)) return read;
  const id = randomText(parts, ID_BYTES);
  const made = { clientId: client.id, redirectUri, state, userId: null, codeHash: null };
  const createdAt = ask.now.toISOString();
  await parts.store.grants.addAuthorization({ hash: hashToken(id), ...made, ...read, createdAt });
  return redirect(consentPage(parts, { authorization_id: id }));
}

type Wanted = Pick<AuthorizationRecord, "scope" | "nonce" | "resource" | "challenge">;

function readRequest({ settings }: IdentityParts, query: URLSearchParams): Wanted | OAuthRefusal {
  const invalid = (text: string): OAuthRefusal => ({ oauth: "invalid_request", text });
  const isLong = [...query.values()].some((value) => value.length > PARAMETER_CHARS);
  if (isLong) return invalid("A parameter is too long.");
  if (![...query.values()].every(isStorable)) return invalid("A parameter contains NUL.");
  if (query.get("response_type") !== "code")
    return { oauth: "unsupported_response_type", text: "response_type must be code." };
  const challenge = challengeOf({
    challenge: query.get("code_challenge"),
    method: query.get("code_challenge_method"),
  });
  if (typeof challenge !== "string") return invalid("A code_challenge made by S256 is needed.");
  const resource = resourceOf(settings());
  if (query.getAll("resource").some((wanted) => !isSame(wanted, resource)))
    return { oauth: "invalid_target", text: `Tokens are given for ${resource} alone.` };
  const scope = scopeOf(query.get("scope"));
  return { scope, nonce: query.get("nonce"), resource, challenge };
}

/** RFC 8707 compares addresses; one that ends in a slash is meant to be the same. */
export function isSame(wanted: string, resource: string): boolean {
  return wanted === resource || wanted === `${resource}/`;
}

/** Those of the scopes that we know; the usual ones if none is asked for. */
function scopeOf(text: string | null): string {
  const wanted = new Set(text?.split(" "));
  const known = SCOPES.filter((scope) => wanted.has(scope));
  return known.length === 0 ? USUAL_SCOPE : known.join(" ");
}

/** The way back to the client: with its state, and with who answers (RFC 9207). */
function backTo(
  { settings }: Pick<IdentityParts, "settings">,
  { redirectUri, state }: Pick<AuthorizationRecord, "redirectUri" | "state">,
  fields: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  const all = { ...fields, ...(state !== null && { state }), iss: rootOf(settings()) };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

/** Shows a person what a program asks for. The first who looks is the one who decides. */
export async function readAuthorization(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const found = await findOwn(parts, ask, (hash, userId) => parts.store.grants.claim(hash, userId));
  if (isRefused(found)) return found;
  const { one, client, bearer } = found;
  const { user } = bearer;
  const consent = await parts.store.grants.consent(user.id, client.id);
  if (consent !== null && covers(consent, one)) return approve(parts, found, consent.grantedAt);
  return ok({
    authorization_id: ask.id,
    redirect_uri: one.redirectUri,
    client: clientView(client),
    user: { id: user.id, email: user.email ?? "" },
    scope: one.scope,
  });
}

/**
 * Whether the person already allowed these scopes for exactly this redirect URI. The host on the
 * consent page is the only fact about a client that it can't make up, so consent to one redirect
 * says nothing about another.
 */
function covers({ redirects }: ConsentRecord, { redirectUri, scope }: AuthorizationRecord) {
  const allowed = redirects.find((one) => one.redirectUri === redirectUri)?.scopes;
  return provesClient(redirectUri) && scope.split(" ").every((word) => allowed?.includes(word));
}

/**
 * Whether the redirect shows which client is asking. Any program on the machine can listen on a
 * loopback port or claim a private scheme, so those need consent each time (RFC 8252, section 8.6).
 */
function provesClient(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return url.protocol === "https:" && !isLoopback(url);
}

/** Only the person who looked at it can decide, and once. */
export async function decide(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const action = textOf(ask.body, "action");
  if (action !== "approve" && action !== "deny")
    return refused("validation_failed", "action is approve or deny.");
  const found = await findOwn(parts, ask, (hash) => parts.store.grants.authorization(hash));
  if (isRefused(found)) return found;
  const { one, bearer } = found;
  if (action === "approve") return approve(parts, found, ask.now.toISOString());
  if (!(await parts.store.grants.deny(one.hash, bearer.user.id)))
    return refused("oauth_authorization_not_found");
  const fields = { error: "access_denied", error_description: "The user said no." };
  return ok({ redirect_url: backTo(parts, one, fields) });
}

type Own = {
  one: AuthorizationRecord;
  client: ClientRecord;
  bearer: Bearer;
};

/** An authorization of the person who asks, and the client that began it. */
async function findOwn(
  parts: IdentityParts,
  ask: Ask,
  find: (hash: string, userId: string) => Promise<AuthorizationRecord | null>,
): Promise<Own | IdentityRefusal> {
  const bearer = await browserOf(parts, ask);
  if (isRefused(bearer)) return bearer;
  if (isForeign(parts, ask)) return refused("validation_failed", "The request is of another site.");
  const { id: userId } = bearer.user;
  const one = await find(hashToken(ask.id), userId);
  const isTheirs = one !== null && one.userId === userId && one.codeHash === null;
  if (!isTheirs || !isGood(one.createdAt, LIFETIME_MS.authorization, ask.now))
    return refused("oauth_authorization_not_found");
  const client = await parts.store.grants.client(one.clientId);
  return client === null ? refused("oauth_authorization_not_found") : { one, client, bearer };
}

function isForeign({ settings }: IdentityParts, { request }: Ask): boolean {
  const origin = request.headers.get("origin");
  const { baseUrl, redirectOrigins } = settings();
  return origin !== null && origin !== new URL(baseUrl).origin && !redirectOrigins.includes(origin);
}

/** Gives the code and stores the consent, added to what was allowed before. */
async function approve(
  parts: IdentityParts,
  { one, client, bearer: { session } }: Own,
  grantedAt: string,
): Promise<IdentityAnswer> {
  const { grants } = parts.store;
  const userId = one.userId ?? "";
  const before = await grants.consent(userId, client.id);
  const scopes = union(before?.scopes, one.scope.split(" "));
  const redirects = allowedRedirects(before?.redirects ?? [], one, client);
  const code = randomText(parts, CODE_BYTES);
  const consent = { userId, clientId: client.id, scopes, redirects, grantedAt };
  if (!(await grants.approve(one.hash, hashToken(code), consent, session.id)))
    return refused("oauth_authorization_not_found");
  return ok({ redirect_url: backTo(parts, one, { code }) });
}

const union = (some: readonly string[] = [], more: readonly string[]): string[] => [
  ...new Set([...some, ...more]),
];

/** Drops redirect URIs that the client no longer registers, so the list stays short. */
function allowedRedirects(
  before: readonly AllowedRedirect[],
  { redirectUri, scope }: AuthorizationRecord,
  client: ClientRecord,
): AllowedRedirect[] {
  const same = before.find((one) => one.redirectUri === redirectUri);
  const others = before.filter(
    (one) => one !== same && client.redirectUris.includes(one.redirectUri),
  );
  if (!provesClient(redirectUri)) return others;
  return [...others, { redirectUri, scopes: union(same?.scopes, scope.split(" ")) }];
}

function clientView({ id, name, uri, logoUri }: ClientRecord): object {
  return { id, name, uri: uri ?? "", logo_uri: logoUri ?? "" };
}

/** What a person allowed, and to whom. */
export async function listGrants(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const bearer = await browserOf(parts, ask);
  if (isRefused(bearer)) return bearer;
  const grants = await parts.store.grants.list(bearer.user.id);
  return ok(
    grants.map(({ client, scopes, grantedAt }) => {
      return { client: clientView(client), scopes, granted_at: grantedAt };
    }),
  );
}

/** Takes back what was allowed: the program's sessions end with it. */
export async function revokeGrant(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const bearer = await browserOf(parts, ask);
  if (isRefused(bearer)) return bearer;
  const clientId = ask.query.get("client_id") ?? "";
  const isDone = await parts.store.grants.revoke(bearer.user.id, clientId);
  return isDone ? { status: 204 } : refused("oauth_consent_not_found");
}
