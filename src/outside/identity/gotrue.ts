// The one client of any provider that speaks like GoTrue: a Supabase project, a GoTrue server, or
// the embedded provider in this process. They differ in the fetch that they are reached by.

import { decodeJwt, errors, jwtVerify } from "jose";
import type { JSONWebKeySet, JWTPayload } from "jose";

import type { Clock } from "#base/clock/clock.ts";
import { FIXED } from "#core/words/limits.ts";
import { canonicalEmail } from "#data/access/canonical-email.ts";

import { BROWSER_AUDIENCE, isOfTheFuture } from "./access-token.ts";
import { boundedText } from "./ask.ts";
import { openBreaker } from "./breaker.ts";
import type { Breaker, OnReach } from "./breaker.ts";
import { openKeySet } from "./key-set.ts";
import type { KeySet } from "./key-set.ts";
import { AuthUnavailable, InvalidSession } from "./provider.ts";
import type {
  Claims,
  ConsentDetails,
  IdentityProvider,
  Redirection,
  UserView,
} from "./provider.ts";

export type GotrueOptions = {
  /** What GET /api tells clients. */
  projectUrl: () => string;
  /** Where the provider answers, and the `iss` of its tokens. */
  root: () => string;
  publishableKey: string;
  /** The canonical address of the MCP endpoint: the audience of programs' tokens. */
  resource: () => string;
  /** Names the provider in the keys of accounts, if not by its root. */
  issuerName?: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Pick<Clock, "now" | "wall" | "after">;
  /** Tells the operator what to change at the provider; each thing is said once. */
  advise: (text: string) => void;
  /** Tells that the provider can't be reached, and that it can again. */
  onReach?: OnReach;
};

const ALGORITHMS = ["ES256", "RS256"];
const TOLERANCE_S = 5;

const NO_KEYS = "The provider publishes no keys: switch the project to asymmetric signing keys.";
const OTHER_USER =
  "The provider answered GET /user with another user than the token's: look for a cache in front of it.";
const NO_HOOK =
  "A program's token has the audience of browsers: install the access token hook of the provider.";

/** Opens the client. Nothing is asked until something is needed. */
export function openGotrue(given: GotrueOptions): IdentityProvider {
  const options = { ...given, advise: once(given.advise) };
  const breaker = openBreaker(options.clock, options.onReach);
  const call = caller(options, breaker);
  const keys = openKeySet(() => readKeys(options, call), options.clock);
  return {
    issuer: options.root,
    publicInfo: () => {
      return { project_url: options.projectUrl(), publishable_key: options.publishableKey };
    },
    verify: async (jwt, want) => {
      try {
        return await verify(options, keys, jwt, want);
      } catch (error) {
        // A shared secret signs where nobody publishes keys, and the operator has to know.
        if (error instanceof errors.JOSEAlgNotAllowed) await keys.assertAny();
        if (error instanceof errors.JOSEError) throw new InvalidSession(error.code);
        throw error;
      }
    },
    live: async (jwt) => {
      const { status, body } = await call("GET", "/user", jwt);
      if (status === 401 || status === 403) return null;
      const user = toUser(assertLive(status, body));
      if (user.id !== decodeJwt(jwt).sub) {
        options.advise(OTHER_USER);
        throw new AuthUnavailable(OTHER_USER);
      }
      return user;
    },
    authorization: async (id, jwt) => {
      if (!id.isWellFormed()) return null;
      const path = `/oauth/authorizations/${encodeURIComponent(id)}`;
      const { status, body } = await call("GET", path, jwt);
      return isOver(status, body) ? null : toDetails(assertLive(status, body));
    },
    decide: async (id, action, jwt) => {
      if (!id.isWellFormed()) return null;
      const path = `/oauth/authorizations/${encodeURIComponent(id)}/consent`;
      const { status, body } = await call("POST", path, jwt, { action });
      return isOver(status, body) ? null : toRedirection(assertLive(status, body));
    },
    grants: async (jwt) => {
      const { status, body } = await call("GET", "/user/oauth/grants", jwt);
      return status === 404 ? [] : clientsIn(assertLive(status, body));
    },
    revokeGrant: async (clientId, jwt) => {
      const path = `/user/oauth/grants?client_id=${encodeURIComponent(clientId)}`;
      const ended = await call("DELETE", path, jwt).catch(() => null);
      return ended !== null && (ended.status < 300 || ended.status === 404);
    },
  };
}

/** Strangers' tokens must not fill the log. */
function once(advise: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) advise(text);
    said.add(text);
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Reply = { status: number; body: Fields };
type Call = (method: string, path: string, jwt: string, body?: object) => Promise<Reply>;

/**
 * Calls the provider. Only faults that concern everybody count for the breaker: no answer in time,
 * a broken connection, 429 and 5xx. An answer that is too large or no JSON fails its request alone.
 */
function caller({ fetch, root, publishableKey }: GotrueOptions, breaker: Breaker): Call {
  return async (method, path, jwt, sent) => {
    const { status, text } = await breaker(async (signal) => {
      const headers = {
        apikey: publishableKey,
        Authorization: `Bearer ${jwt}`,
        "X-Supabase-Api-Version": "2024-01-01",
        ...(sent && { "Content-Type": "application/json" }),
      };
      const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
      const init = { method, headers, signal, redirect: "error", ...body } as const;
      const response = await fetch(root() + path, init);
      const { status } = response;
      if (status >= 500 || status === 429) {
        await response.body?.cancel();
        throw new AuthUnavailable(`the provider answered ${status}`);
      }
      return { status, text: await textOf(response) };
    });
    if (text === null) throw new AuthUnavailable("the provider's answer is too large");
    return { status, body: fieldsOf(text) };
  };
}

/** Null if the answer is too large; its connection is closed. */
async function textOf({ body }: Response): Promise<string | null> {
  return body === null ? "" : boundedText(body, FIXED.provider_answer_bytes);
}

function fieldsOf(text: string): Fields {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Fields) : {};
  } catch (cause) {
    throw new AuthUnavailable("the provider's answer is no JSON", { cause });
  }
}

async function readKeys({ advise, publishableKey }: GotrueOptions, call: Call) {
  const { status, body } = await call("GET", "/.well-known/jwks.json", publishableKey);
  const { keys } = body as Partial<JSONWebKeySet>;
  if (status !== 200 || !Array.isArray(keys)) throw new AuthUnavailable("no keys were answered");
  if (keys.length > 0) return { keys };
  advise(NO_KEYS);
  throw new AuthUnavailable(NO_KEYS);
}

async function verify(
  { root, resource, issuerName, clock, advise }: GotrueOptions,
  keys: KeySet,
  jwt: string,
  want: "browser" | "mcp",
): Promise<Claims> {
  const currentDate = clock.wall();
  const { payload } = await jwtVerify(jwt, keys.find, {
    issuer: root(),
    audience: [BROWSER_AUDIENCE, resource()],
    algorithms: ALGORITHMS,
    requiredClaims: ["sub", "exp", "iat", "session_id"],
    clockTolerance: TOLERANCE_S,
    currentDate,
  });
  const claims = toClaims(payload, issuerName ?? root());
  if (isOfTheFuture(payload, currentDate)) throw new InvalidSession("made in the future");
  const audience = audienceOf(payload);
  const isBrowsers = audience === BROWSER_AUDIENCE;
  if (claims.clientId !== null && isBrowsers) advise(NO_HOOK);
  const fits =
    want === "browser"
      ? isBrowsers && claims.clientId === null
      : audience === resource() && claims.clientId !== null;
  if (!fits) throw new InvalidSession("the token is for something else");
  return claims;
}

/** GoTrue with a hook makes the first token after its start with a list of one. */
function audienceOf({ aud }: JWTPayload): string | null {
  const [only, ...others] = [aud].flat();
  return only === undefined || others.length > 0 ? null : only;
}

const textIn = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** In its canonical spelling, as far as it has one. */
function emailIn(value: unknown): string | null {
  const text = textIn(value);
  return text && (canonicalEmail(text) ?? text.toLowerCase());
}

function toClaims(payload: JWTPayload, issuer: string): Claims {
  const { client_id: client, iat = 0, exp = 0, amr } = payload;
  const subject = textIn(payload.sub);
  if (subject === null) throw new InvalidSession("sub is not a text");
  if (client !== undefined && client !== null && textIn(client) === null)
    throw new InvalidSession("client_id is not a text");
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

/** Whether there is no such authorization for this person, or it was decided before. */
function isOver(status: number, { code }: Fields): boolean {
  return status === 404 || (status === 400 && code === "validation_failed");
}

function assertLive(status: number, body: Fields): Fields {
  if (status === 401 || status === 403) throw new InvalidSession("the session has ended");
  if (status !== 200) throw new AuthUnavailable(`the provider answered ${status}`);
  return body;
}

function toUser(body: Fields): UserView {
  const id = textIn(body["id"]);
  if (id === null) throw strange();
  const { app_metadata: app, user_metadata: own } = body;
  const { providers } = (app ?? {}) as { providers?: unknown };
  const names = (own ?? {}) as Fields;
  return {
    id,
    email: emailIn(body["email"]),
    emailConfirmedAt: textIn(body["email_confirmed_at"]),
    providers: Array.isArray(providers) ? providers.filter((one) => typeof one === "string") : [],
    userName: textIn(names["user_name"]) ?? textIn(names["preferred_username"]),
    createdAt: textIn(body["created_at"]),
    lastSignInAt: textIn(body["last_sign_in_at"]),
  };
}

function clientsIn(body: Fields): string[] {
  if (!Array.isArray(body)) throw strange();
  return body.map((grant: { client?: { id?: unknown } } | null) => {
    const id = textIn(grant?.client?.id);
    if (id === null) throw strange();
    return id;
  });
}

const strange = () => new AuthUnavailable("the provider answered something else");

function toRedirection(body: Fields): Redirection {
  const redirectUrl = textIn(body["redirect_url"]);
  if (redirectUrl === null) throw strange();
  return { redirectUrl };
}

function toDetails(body: Fields): ConsentDetails | Redirection {
  if (body["redirect_url"] !== undefined) return toRedirection(body);
  const { id, name, uri, logo_uri: logo } = (body["client"] ?? {}) as Fields;
  const clientId = textIn(id);
  const authorizationId = textIn(body["authorization_id"]);
  const redirectUri = textIn(body["redirect_uri"]);
  if (clientId === null || authorizationId === null || redirectUri === null) throw strange();
  return {
    authorizationId,
    redirectUri,
    client: { id: clientId, name: textIn(name) ?? "", uri: textIn(uri), logoUri: textIn(logo) },
    scopes: (textIn(body["scope"]) ?? "").split(" ").filter((scope) => scope !== ""),
  };
}
