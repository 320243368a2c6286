// Client for any provider with GoTrue's API: a Supabase project, a GoTrue server or the embedded
// provider. Only `fetch` differs between them.

import { decodeJwt, errors, jwtVerify } from "jose";
import type { JSONWebKeySet, JWTPayload } from "jose";

import type { Clock } from "#base/clock/clock.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { canonicalEmail } from "#data/credentials/canonical-email.ts";

import { BROWSER_AUDIENCE, isIssuedInFuture } from "./access-token.ts";
import { openCircuitBreaker } from "./circuit-breaker.ts";
import type { CircuitBreaker, OnReachabilityChange } from "./circuit-breaker.ts";
import { boundedText } from "./identity-context.ts";
import { AuthUnavailable, InvalidSession } from "./identity-provider.ts";
import type {
  Claims,
  ConsentDetails,
  IdentityProvider,
  Redirection,
  UserView,
} from "./identity-provider.ts";
import { openJwksCache } from "./jwks-cache.ts";
import type { JwksCache } from "./jwks-cache.ts";

export type GotrueOptions = {
  /** Base URL that GET /api returns to clients. */
  projectUrl: () => string;
  /** URL of the provider and the expected `iss` of its tokens. */
  root: () => string;
  publishableKey: string;
  /** Canonical URL of the MCP endpoint, the expected audience of app tokens. */
  resource: () => string;
  /** Issuer in account keys. Defaults to `root`. */
  issuerName?: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Pick<Clock, "now" | "wall" | "after">;
  /**
   * Logs advice for the operator about the provider's configuration. Called at most once per
   * message.
   */
  logAdvice: (text: string) => void;
  onReachabilityChange?: OnReachabilityChange;
};

const ALGORITHMS = ["ES256", "RS256"];
const TOLERANCE_S = 5;

const MISSING_KEYS_ADVICE =
  "The provider publishes no keys: switch the project to asymmetric signing keys.";
const WRONG_USER_ADVICE =
  "The provider returned a different user than the token's for GET /user: look for a cache in front of it.";
const MISSING_HOOK_ADVICE =
  "An app's token has the browser audience: install the provider's access token hook.";

export function openGotrue(inputOptions: GotrueOptions): IdentityProvider {
  const options = { ...inputOptions, logAdvice: adviseOnce(inputOptions.logAdvice) };
  const breaker = openCircuitBreaker(options.clock, options.onReachabilityChange);
  const call = providerCaller(options, breaker);
  const keys = openJwksCache(() => readKeys(options, call), options.clock);
  return {
    issuer: options.root,
    publicInfo: () => {
      return { project_url: options.projectUrl(), publishable_key: options.publishableKey };
    },
    verify: async (jwt, audienceKind) => {
      try {
        return await verify(options, keys, jwt, audienceKind);
      } catch (error) {
        // A provider without published keys signs with a shared secret. Reading the keys logs
        // advice for the operator.
        if (error instanceof errors.JOSEAlgNotAllowed) await keys.assertHasKeys();
        if (error instanceof errors.JOSEError) throw new InvalidSession(error.code);
        throw error;
      }
    },
    liveUser: async (jwt) => {
      const { status, body } = await call("GET", "/user", jwt);
      if (status === 401 || status === 403) return null;
      const user = toUser(assertLive(status, body));
      if (user.id !== decodeJwt(jwt).sub) {
        options.logAdvice(WRONG_USER_ADVICE);
        throw new AuthUnavailable(WRONG_USER_ADVICE);
      }
      return user;
    },
    authorization: async (id, jwt) => {
      if (!id.isWellFormed()) return null;
      const path = `/oauth/authorizations/${encodeURIComponent(id)}`;
      const { status, body } = await call("GET", path, jwt);
      return isExpiredAuthorization(status, body)
        ? null
        : toConsentDetails(assertLive(status, body));
    },
    decide: async (id, action, jwt) => {
      if (!id.isWellFormed()) return null;
      const path = `/oauth/authorizations/${encodeURIComponent(id)}/consent`;
      const { status, body } = await call("POST", path, jwt, { action });
      return isExpiredAuthorization(status, body) ? null : toRedirection(assertLive(status, body));
    },
    grants: async (jwt) => {
      const { status, body } = await call("GET", "/user/oauth/grants", jwt);
      return status === 404 ? [] : clientsIn(assertLive(status, body));
    },
    revokeGrant: async (clientId, jwt) => {
      const path = `/user/oauth/grants?client_id=${encodeURIComponent(clientId)}`;
      const response = await call("DELETE", path, jwt).catch(() => null);
      return response !== null && (response.status < 300 || response.status === 404);
    },
  };
}

/** Logs each message only once, because clients can trigger advice with invalid tokens. */
function adviseOnce(logAdvice: (text: string) => void): (text: string) => void {
  const adviceTexts = new Set<string>();
  return (text) => {
    if (!adviceTexts.has(text)) logAdvice(text);
    adviceTexts.add(text);
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Reply = { status: number; body: Fields };
type CallProvider = (method: string, path: string, jwt: string, body?: object) => Promise<Reply>;

/**
 * Calls the provider through the circuit breaker. Timeouts, connection errors, 429 and 5xx count as
 * failures. A response that is too large or isn't JSON fails only its own request.
 */
function providerCaller(
  { fetch, root, publishableKey }: GotrueOptions,
  breaker: CircuitBreaker,
): CallProvider {
  return async (method, path, jwt, requestBody) => {
    const { status, text } = await breaker(async (signal) => {
      const headers = {
        apikey: publishableKey,
        Authorization: `Bearer ${jwt}`,
        "X-Supabase-Api-Version": "2024-01-01",
        ...(requestBody && { "Content-Type": "application/json" }),
      };
      const body = requestBody === undefined ? {} : { body: JSON.stringify(requestBody) };
      const init = { method, headers, signal, redirect: "error", ...body } as const;
      const response = await fetch(root() + path, init);
      const { status } = response;
      if (status >= 500 || status === 429) {
        await response.body?.cancel();
        throw new AuthUnavailable(`provider responded with status ${status}`);
      }
      return { status, text: await textOf(response) };
    });
    if (text === null) throw new AuthUnavailable("provider response too large");
    return { status, body: fieldsOf(text) };
  };
}

/** Returns null and closes the connection if the response is too large. */
async function textOf({ body }: Response): Promise<string | null> {
  return body === null ? "" : boundedText(body, FIXED_LIMITS.provider_answer_bytes);
}

function fieldsOf(text: string): Fields {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Fields) : {};
  } catch (cause) {
    throw new AuthUnavailable("provider response isn't JSON", { cause });
  }
}

async function readKeys({ logAdvice, publishableKey }: GotrueOptions, call: CallProvider) {
  const { status, body } = await call("GET", "/.well-known/jwks.json", publishableKey);
  const { keys } = body as Partial<JSONWebKeySet>;
  if (status !== 200 || !Array.isArray(keys))
    throw new AuthUnavailable("provider returned no keys");
  if (keys.length > 0) return { keys };
  logAdvice(MISSING_KEYS_ADVICE);
  throw new AuthUnavailable(MISSING_KEYS_ADVICE);
}

async function verify(
  { root, resource, issuerName, clock, logAdvice }: GotrueOptions,
  keys: JwksCache,
  jwt: string,
  audienceKind: "browser" | "mcp",
): Promise<Claims> {
  const currentDate = clock.wall();
  const { payload } = await jwtVerify(jwt, keys.findKey, {
    issuer: root(),
    audience: [BROWSER_AUDIENCE, resource()],
    algorithms: ALGORITHMS,
    requiredClaims: ["sub", "exp", "iat", "session_id"],
    clockTolerance: TOLERANCE_S,
    currentDate,
  });
  const claims = toClaims(payload, issuerName ?? root());
  if (isIssuedInFuture(payload, currentDate)) throw new InvalidSession("issued in the future");
  const audience = audienceOf(payload);
  const isBrowserToken = audience === BROWSER_AUDIENCE;
  if (claims.clientId !== null && isBrowserToken) logAdvice(MISSING_HOOK_ADVICE);
  const isExpectedKind =
    audienceKind === "browser"
      ? isBrowserToken && claims.clientId === null
      : audience === resource() && claims.clientId !== null;
  if (!isExpectedKind) throw new InvalidSession("token has another audience");
  return claims;
}

/**
 * With an audience hook, the `aud` of GoTrue's first token after startup is a one-element array.
 */
function audienceOf({ aud }: JWTPayload): string | null {
  const [audience, ...extraAudiences] = [aud].flat();
  return audience === undefined || extraAudiences.length > 0 ? null : audience;
}

const textIn = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** Returns the address in canonical form, or in lower case if it has no canonical form. */
function emailIn(value: unknown): string | null {
  const text = textIn(value);
  return text && (canonicalEmail(text) ?? text.toLowerCase());
}

function toClaims(payload: JWTPayload, issuer: string): Claims {
  const { client_id: client, iat = 0, exp = 0, amr } = payload;
  const subject = textIn(payload.sub);
  if (subject === null) throw new InvalidSession("sub isn't a string");
  if (client !== undefined && client !== null && textIn(client) === null)
    throw new InvalidSession("client_id isn't a string");
  const entries = Array.isArray(amr) ? (amr as { timestamp?: unknown }[]) : [];
  const instants = entries.map(({ timestamp }) => timestamp).filter((at) => typeof at === "number");
  return {
    issuer,
    subject,
    sessionId: textIn(payload["session_id"]) ?? "",
    clientId: textIn(client),
    email: emailIn(payload["email"]),
    isAnonymous: payload["is_anonymous"] === true,
    issuedAt: iat,
    expiresAt: exp,
    signedInAt: instants.length === 0 ? 0 : Math.max(...instants),
  };
}

function isExpiredAuthorization(status: number, { code }: Fields): boolean {
  return status === 404 || (status === 400 && code === "validation_failed");
}

function assertLive(status: number, body: Fields): Fields {
  if (status === 401 || status === 403) throw new InvalidSession("session has ended");
  if (status !== 200) throw new AuthUnavailable(`provider responded with status ${status}`);
  return body;
}

function toUser(body: Fields): UserView {
  const id = textIn(body["id"]);
  if (id === null) throw unexpectedResponse();
  const { app_metadata: appMetadata, user_metadata: userMetadata } = body;
  const { providers } = (appMetadata ?? {}) as { providers?: unknown };
  const userNames = (userMetadata ?? {}) as Fields;
  return {
    id,
    email: emailIn(body["email"]),
    emailConfirmedAt: textIn(body["email_confirmed_at"]),
    providers: Array.isArray(providers)
      ? providers.filter((providerName) => typeof providerName === "string")
      : [],
    userName: textIn(userNames["user_name"]) ?? textIn(userNames["preferred_username"]),
    createdAt: textIn(body["created_at"]),
    lastSignInAt: textIn(body["last_sign_in_at"]),
  };
}

function clientsIn(body: Fields): string[] {
  if (!Array.isArray(body)) throw unexpectedResponse();
  return body.map((grant: { client?: { id?: unknown } } | null) => {
    const id = textIn(grant?.client?.id);
    if (id === null) throw unexpectedResponse();
    return id;
  });
}

const unexpectedResponse = () => new AuthUnavailable("unexpected provider response");

function toRedirection(body: Fields): Redirection {
  const redirectUrl = textIn(body["redirect_url"]);
  if (redirectUrl === null) throw unexpectedResponse();
  return { redirectUrl };
}

function toConsentDetails(body: Fields): ConsentDetails | Redirection {
  if (body["redirect_url"] !== undefined) return toRedirection(body);
  const { id, name, uri, logo_uri: logo } = (body["client"] ?? {}) as Fields;
  const clientId = textIn(id);
  const authorizationId = textIn(body["authorization_id"]);
  const redirectUri = textIn(body["redirect_uri"]);
  if (clientId === null || authorizationId === null || redirectUri === null)
    throw unexpectedResponse();
  return {
    authorizationId,
    redirectUri,
    client: { id: clientId, name: textIn(name) ?? "", uri: textIn(uri), logoUri: textIn(logo) },
    scopes: (textIn(body["scope"]) ?? "").split(" ").filter((scope) => scope !== ""),
  };
}
