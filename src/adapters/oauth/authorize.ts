import { browserBearerOf } from "#adapters/identity/access-token.ts";
import type { Bearer } from "#adapters/identity/access-token.ts";
import { challengeOf, randomText, bodyText } from "#adapters/identity/identity-context.ts";
import type { IdentityContext, IdentityServices } from "#adapters/identity/identity-context.ts";
import { resourceOf, rootOf } from "#adapters/identity/identity-deps.ts";
import { isOAuthError, isIdentityError, refused } from "#adapters/identity/identity-errors.ts";
import type { IdentityError, OAuthError } from "#adapters/identity/identity-errors.ts";
import { isFresh, LIFETIME_MS } from "#adapters/identity/identity-limits.ts";
import { okResponse, redirectResponse } from "#adapters/identity/identity-response.ts";
import type { IdentityResponse } from "#adapters/identity/identity-response.ts";
import { isLoopback } from "#adapters/identity/redirect-target.ts";
import { isStorable } from "#data/credentials/storable-text.ts";
import { hashToken } from "#data/credentials/token.ts";
import type {
  AllowedRedirect,
  AuthorizationRecord,
  ClientRecord,
  ConsentRecord,
} from "#data/store/identity-grants.ts";

import { isOwnUrl } from "./client-metadata.ts";
import { findClient, isRegistered } from "./client.ts";
import { SCOPES, DEFAULT_SCOPE } from "./server-metadata.ts";

const CONSENT_PATH = "/account/authorize";
const ID_BYTES = 24;
const CODE_BYTES = 32;
const PARAMETER_CHARS = 2048;

/**
 * Starts an authorization. The browser is never redirected to the client before consent, not even
 * with an error, because anyone can register a client with any redirect URI (RFC 9700, section
 * 4.11.2).
 */
export async function authorize(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("authorize", context.caller);
  if (limit !== null)
    return acceptsPages(context)
      ? redirectResponse(consentPage(services, { refused: limit.refused }))
      : limit;
  const response = await startAuthorization(services, context);
  const showsErrorPage = isOAuthError(response) && acceptsPages(context);
  return showsErrorPage
    ? redirectResponse(consentPage(services, { refused: response.oauth }))
    : response;
}

const acceptsPages = ({ request }: IdentityContext): boolean =>
  request.headers.get("accept")?.includes("text/html") === true;

function consentPage({ settings }: IdentityServices, query: Record<string, string>): string {
  return `${settings().baseUrl}${CONSENT_PATH}?${new URLSearchParams(query)}`;
}

async function startAuthorization(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const client = await findClient(services, context.query.get("client_id") ?? "", context.now);
  if (isOAuthError(client)) return client;
  const redirectUri = context.query.get("redirect_uri") ?? "";
  if (!isRegistered(client, redirectUri))
    return { oauth: "invalid_request", text: "This redirect_uri isn't registered for the client." };
  if (isOwnUrl(services.settings(), redirectUri))
    return { oauth: "invalid_request", text: "The redirect_uri is a URL of this server." };
  const state = context.query.get("state");
  const params = readRequest(services, context.query);
  if (isOAuthError(params)) return params;
  const id = randomText(services, ID_BYTES);
  const recordFields = { clientId: client.id, redirectUri, state, userId: null, codeHash: null };
  const createdAt = context.now.toISOString();
  await services.store.grants.addAuthorization({
    hash: hashToken(id),
    ...recordFields,
    ...params,
    createdAt,
  });
  return redirectResponse(consentPage(services, { authorization_id: id }));
}

type AuthorizationParams = Pick<AuthorizationRecord, "scope" | "nonce" | "resource" | "challenge">;

function readRequest(
  { settings }: IdentityServices,
  query: URLSearchParams,
): AuthorizationParams | OAuthError {
  const invalid = (text: string): OAuthError => ({ oauth: "invalid_request", text });
  const hasLongValue = [...query.values()].some((value) => value.length > PARAMETER_CHARS);
  if (hasLongValue) return invalid("A parameter is too long.");
  if (![...query.values()].every(isStorable))
    return invalid("A parameter contains a NUL character.");
  if (query.get("response_type") !== "code")
    return { oauth: "unsupported_response_type", text: "response_type must be 'code'." };
  const challenge = challengeOf({
    challenge: query.get("code_challenge"),
    method: query.get("code_challenge_method"),
  });
  if (typeof challenge !== "string")
    return invalid("A code_challenge with code_challenge_method S256 is required.");
  const resource = resourceOf(settings());
  if (query.getAll("resource").some((requested) => !isSameResource(requested, resource)))
    return { oauth: "invalid_target", text: `Tokens are only issued for ${resource}.` };
  const scope = scopeOf(query.get("scope"));
  return { scope, nonce: query.get("nonce"), resource, challenge };
}

/** RFC 8707 compares URLs exactly, but a trailing slash is tolerated. */
export function isSameResource(requested: string, resource: string): boolean {
  return requested === resource || requested === `${resource}/`;
}

/** Returns the known scopes of the request, or the default scopes if it has none. */
function scopeOf(text: string | null): string {
  const requested = new Set(text?.split(" "));
  const knownScopes = SCOPES.filter((scope) => requested.has(scope));
  return knownScopes.length === 0 ? DEFAULT_SCOPE : knownScopes.join(" ");
}

/**
 * Returns the client's redirect URL with the fields, the request's state and our issuer (RFC 9207).
 */
function clientRedirect(
  { settings }: Pick<IdentityServices, "settings">,
  { redirectUri, state }: Pick<AuthorizationRecord, "redirectUri" | "state">,
  fields: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  const params = { ...fields, ...(state !== null && { state }), iss: rootOf(settings()) };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Returns an authorization request, or the redirect if the user's consent already covers it. The
 * first user to read the request claims it, and only that user can decide.
 */
export async function readAuthorization(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const result = await findOwnAuthorization(services, context, (hash, userId) =>
    services.store.grants.claim(hash, userId),
  );
  if (isIdentityError(result)) return result;
  const { authorization, client, bearer } = result;
  const { user } = bearer;
  const consent = await services.store.grants.consent(user.id, client.id);
  if (consent !== null && covers(consent, authorization))
    return approve(services, result, consent.grantedAt);
  return okResponse({
    authorization_id: context.id,
    redirect_uri: authorization.redirectUri,
    client: clientView(client),
    user: { id: user.id, email: user.email ?? "" },
    scope: authorization.scope,
  });
}

/**
 * Returns whether the user has already allowed these scopes for exactly this redirect URI. A client
 * can invent everything on the consent page except the redirect host, so consent to one redirect
 * URI doesn't cover another.
 */
function covers({ redirects }: ConsentRecord, { redirectUri, scope }: AuthorizationRecord) {
  const allowed = redirects.find(
    (authorization) => authorization.redirectUri === redirectUri,
  )?.scopes;
  return identifiesClient(redirectUri) && scope.split(" ").every((word) => allowed?.includes(word));
}

/**
 * Returns whether the redirect URI identifies the client. Any local app can listen on a loopback
 * port or claim a private scheme, so those redirect URIs require consent every time (RFC 8252,
 * section 8.6).
 */
function identifiesClient(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return url.protocol === "https:" && !isLoopback(url);
}

/** Records the decision. Only the user who claimed the request can decide, and only once. */
export async function decide(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const action = bodyText(context.body, "action");
  if (action !== "approve" && action !== "deny")
    return refused("validation_failed", "action must be 'approve' or 'deny'.");
  const result = await findOwnAuthorization(services, context, (hash) =>
    services.store.grants.authorization(hash),
  );
  if (isIdentityError(result)) return result;
  const { authorization, bearer } = result;
  if (action === "approve") return approve(services, result, context.now.toISOString());
  if (!(await services.store.grants.deny(authorization.hash, bearer.user.id)))
    return refused("oauth_authorization_not_found");
  const fields = { error: "access_denied", error_description: "The user denied access." };
  return okResponse({ redirect_url: clientRedirect(services, authorization, fields) });
}

type OwnAuthorization = {
  authorization: AuthorizationRecord;
  client: ClientRecord;
  bearer: Bearer;
};

async function findOwnAuthorization(
  services: IdentityServices,
  context: IdentityContext,
  findRecord: (hash: string, userId: string) => Promise<AuthorizationRecord | null>,
): Promise<OwnAuthorization | IdentityError> {
  const bearer = await browserBearerOf(services, context);
  if (isIdentityError(bearer)) return bearer;
  if (isCrossOrigin(services, context))
    return refused("validation_failed", "The request comes from another site.");
  const { id: userId } = bearer.user;
  const authorization = await findRecord(hashToken(context.id), userId);
  const belongsToUser =
    authorization !== null && authorization.userId === userId && authorization.codeHash === null;
  if (!belongsToUser || !isFresh(authorization.createdAt, LIFETIME_MS.authorization, context.now))
    return refused("oauth_authorization_not_found");
  const client = await services.store.grants.client(authorization.clientId);
  return client === null
    ? refused("oauth_authorization_not_found")
    : { authorization, client, bearer };
}

function isCrossOrigin({ settings }: IdentityServices, { request }: IdentityContext): boolean {
  const origin = request.headers.get("origin");
  const { baseUrl, redirectOrigins } = settings();
  return origin !== null && origin !== new URL(baseUrl).origin && !redirectOrigins.includes(origin);
}

async function approve(
  services: IdentityServices,
  { authorization, client, bearer: { session } }: OwnAuthorization,
  grantedAt: string,
): Promise<IdentityResponse> {
  const { grants } = services.store;
  const userId = authorization.userId ?? "";
  const previousConsent = await grants.consent(userId, client.id);
  const scopes = union(previousConsent?.scopes, authorization.scope.split(" "));
  const redirects = allowedRedirects(previousConsent?.redirects ?? [], authorization, client);
  const code = randomText(services, CODE_BYTES);
  const consent = { userId, clientId: client.id, scopes, redirects, grantedAt };
  if (!(await grants.approve(authorization.hash, hashToken(code), consent, session.id)))
    return refused("oauth_authorization_not_found");
  return okResponse({ redirect_url: clientRedirect(services, authorization, { code }) });
}

const union = (some: readonly string[] = [], more: readonly string[]): string[] => [
  ...new Set([...some, ...more]),
];

/**
 * Adds the redirect URI and drops URIs that the client no longer registers, which keeps the list
 * short.
 */
function allowedRedirects(
  previousConsent: readonly AllowedRedirect[],
  { redirectUri, scope }: AuthorizationRecord,
  client: ClientRecord,
): AllowedRedirect[] {
  const same = previousConsent.find((authorization) => authorization.redirectUri === redirectUri);
  const others = previousConsent.filter(
    (authorization) =>
      authorization !== same && client.redirectUris.includes(authorization.redirectUri),
  );
  if (!identifiesClient(redirectUri)) return others;
  return [...others, { redirectUri, scopes: union(same?.scopes, scope.split(" ")) }];
}

function clientView({ id, name, uri, logoUri }: ClientRecord): object {
  return { id, name, uri: uri ?? "", logo_uri: logoUri ?? "" };
}

export async function listGrants(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const bearer = await browserBearerOf(services, context);
  if (isIdentityError(bearer)) return bearer;
  const grants = await services.store.grants.list(bearer.user.id);
  return okResponse(
    grants.map(({ client, scopes, grantedAt }) => {
      return { client: clientView(client), scopes, granted_at: grantedAt };
    }),
  );
}

export async function revokeGrant(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const bearer = await browserBearerOf(services, context);
  if (isIdentityError(bearer)) return bearer;
  const clientId = context.query.get("client_id") ?? "";
  const isRevoked = await services.store.grants.revoke(bearer.user.id, clientId);
  return isRevoked ? { status: 204 } : refused("oauth_consent_not_found");
}
