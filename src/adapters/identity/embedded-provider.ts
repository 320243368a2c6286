// Embedded identity provider: implements GoTrue's API as a function from Request to Response.

import { createHash, timingSafeEqual } from "node:crypto";

import { INVALID_GRANT, exchangeAppToken, readUserInfo } from "#adapters/oauth/app-token.ts";
import {
  authorize,
  decide,
  listGrants,
  readAuthorization,
  revokeGrant,
} from "#adapters/oauth/authorize.ts";
import { registerClient } from "#adapters/oauth/client.ts";
import { readKeys, readMetadata } from "#adapters/oauth/server-metadata.ts";
import { isMissingReference, isRejected, isStoreDown } from "#data/store/errors.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";

import { bearerOf } from "./access-token.ts";
import { followLink, readInvite, verifyToken } from "./email-verification.ts";
import { openGotrue } from "./gotrue.ts";
import { readBody } from "./identity-context.ts";
import type { IdentityContext, IdentityServices } from "./identity-context.ts";
import { MOUNT, resourceOf, rootOf } from "./identity-deps.ts";
import type { EmbeddedDeps } from "./identity-deps.ts";
import { openSignUps } from "./identity-emails.ts";
import { isIdentityError, refused } from "./identity-errors.ts";
import type { IdentityError } from "./identity-errors.ts";
import { LIFETIME_MS, openIdentityLimits } from "./identity-limits.ts";
import type { LimitedRoute } from "./identity-limits.ts";
import type { IdentityProvider, SignUps } from "./identity-provider.ts";
import { okResponse, toHttpResponse } from "./identity-response.ts";
import type { IdentityResponse } from "./identity-response.ts";
import { grantSession } from "./sign-in.ts";
import { recover, resend, signUp } from "./sign-up.ts";
import { openSocialSignIn } from "./social-profile.ts";
import { startSocialSignIn, finishSocialSignIn } from "./social-sign-in.ts";
import { changeOwnUser, readUser, signOut } from "./user-account.ts";

type Route = {
  handler: (
    services: IdentityServices,
    context: IdentityContext,
  ) => IdentityResponse | Promise<IdentityResponse>;
  /** Works without the publishable key, because browsers or apps call the route directly. */
  isKeyless?: boolean;
  /** Allows cross-origin calls from any site. This is safe because the provider sets no cookies. */
  isPublic?: boolean;
  acceptsForms?: boolean;
  responseIfDeleted?: IdentityResponse;
  /**
   * The rate limit that the handler applies. Routes without one count toward the server's general
   * read and write limits.
   */
  limit?: LimitedRoute;
};

const appRoute = { isKeyless: true, isPublic: true };

/** Keyed by method and path below the mount. `*` stands for the variable path segment. */
const ROUTES: Readonly<Record<string, Route>> = {
  "GET /health": { handler: () => okResponse({ name: "GoTrue", version: "embedded" }) },
  "GET /settings": { handler: readSettings },
  "POST /signup": { handler: signUp, limit: "signup" },
  "POST /resend": { handler: resend, limit: "resend" },
  "POST /recover": { handler: recover, limit: "recover" },
  "GET /verify": { handler: followLink, isKeyless: true, limit: "verify" },
  "POST /verify": { handler: verifyToken, isKeyless: true, limit: "verify" },
  /** Not part of GoTrue. Only our account page calls this route. */
  "POST /invite": { handler: readInvite, limit: "verify" },
  "POST /token": { handler: grantSession, limit: "token" },
  "GET /authorize": { handler: startSocialSignIn, isKeyless: true, limit: "authorize" },
  "GET /callback": { handler: finishSocialSignIn, isKeyless: true, limit: "authorize" },
  "GET /user": { handler: readUser },
  "PUT /user": { handler: changeOwnUser, limit: "user" },
  "POST /logout": { handler: signOut },
  "GET /user/oauth/grants": { handler: listGrants },
  "DELETE /user/oauth/grants": { handler: revokeGrant },
  "GET /.well-known/jwks.json": { handler: readKeys, ...appRoute },
  "GET /.well-known/oauth-authorization-server": { handler: readMetadata, ...appRoute },
  "GET /.well-known/openid-configuration": { handler: readMetadata, ...appRoute },
  "POST /oauth/clients/register": { handler: registerClient, limit: "register", ...appRoute },
  "GET /oauth/authorize": { handler: authorize, isKeyless: true, limit: "authorize" },
  "GET /oauth/authorizations/*": { handler: readAuthorization },
  "POST /oauth/authorizations/*/consent": { handler: decide },
  "POST /oauth/token": {
    handler: exchangeAppToken,
    limit: "token",
    acceptsForms: true,
    responseIfDeleted: INVALID_GRANT,
    ...appRoute,
  },
  "GET /oauth/userinfo": { handler: readUserInfo, ...appRoute },
};

/** Clients try the RFC 8414 metadata path for an issuer with a path first. */
const WELL_KNOWN_ALIASES = ["oauth-authorization-server", "openid-configuration"].map((name) => {
  return [`/.well-known/${name}${MOUNT}`, `/.well-known/${name}`] as const;
});

export type EmbeddedProvider = {
  provider: IdentityProvider;
  respond: (request: Request, caller: string) => Promise<Response>;
  /**
   * Returns the error response for a request whose body can't be read, in the same format as
   * `respond`.
   */
  respondBodyError: (request: Request, caller: string, code: BodyErrorCode) => Response;
  isRateLimited: (request: Pick<Request, "method" | "url">) => boolean;
  publishableKey: string;
  signUps: SignUps;
  sweep: () => Promise<void>;
  /**
   * Runs all deferred work immediately. Resolves when the work is done and its emails have been
   * handed to the mailer.
   */
  whenIdle: () => Promise<void>;
};

export type BodyErrorCode = "request_too_large" | "unsupported_media_type" | "bad_json";

export const WELL_KNOWN: readonly string[] = WELL_KNOWN_ALIASES.map(([path]) => path);

export function openEmbeddedProvider(deps: EmbeddedDeps): EmbeddedProvider {
  const { afterAnswer: afterResponse, settled: whenIdle } = openAfterResponse(deps);
  const extraServices = { limits: openIdentityLimits(deps), social: openSocialSignIn(deps) };
  const services: IdentityServices = { ...deps, ...extraServices, afterResponse };
  const publishableKey = `sb_publishable_${deps.secrets.derive("publishable key").toString("base64url")}`;
  const respondTo = (request: Request, caller: string) =>
    handleRequest(services, publishableKey, request, caller);
  return {
    provider: providerOf(deps, publishableKey, respondTo),
    publishableKey,
    signUps: openSignUps(services),
    respond: respondTo,
    respondBodyError: (request, caller, code) => {
      const { route } = findRoute(request);
      const limit = route === undefined ? null : rateLimitError(services, route, caller);
      return toHttpResponse(limit ?? refused(code), request);
    },
    isRateLimited: (request) => findRoute(request).route?.limit !== undefined,
    sweep: () => sweep(services),
    whenIdle,
  };
}

/** Bounds of the random delay between a response and its deferred work, in milliseconds. */
const DELAY_MS = { least: 500, most: 1500 };
const UINT16_MAX = 2 ** 16 - 1;

function randomDelayMs({ random }: EmbeddedDeps): number {
  const share = Buffer.from(random(2)).readUInt16BE() / UINT16_MAX;
  return DELAY_MS.least + share * (DELAY_MS.most - DELAY_MS.least);
}

/**
 * Runs deferred work at a random time after the response. Without the delay, the work would slow
 * down the caller's next request, and its response time would reveal whether an address has an
 * account.
 */
function openAfterResponse(deps: EmbeddedDeps) {
  const { clock, onError } = deps;
  const waiting = new Set<() => void>();
  const pendingTasks = new Set<Promise<void>>();
  function afterResponse(work: () => Promise<void>): void {
    const { promise, resolve: start } = Promise.withResolvers<void>();
    const cancel = clock.after(randomDelayMs(deps), start);
    waiting.add(start);
    const pendingWork = promise
      .finally(() => {
        cancel();
        waiting.delete(start);
      })
      .then(work)
      // The user was deleted in the meantime, so the email is dropped.
      .catch((error: unknown) => void (isMissingReference(error) || onError(error)))
      .finally(() => pendingTasks.delete(pendingWork));
    pendingTasks.add(pendingWork);
  }
  const whenIdle = async () => {
    for (const start of waiting) start();
    await Promise.all(pendingTasks);
  };
  return { afterAnswer: afterResponse, settled: whenIdle };
}

const INTERNAL_CALLER = "the ladder";

function providerOf(
  { settings, clock }: EmbeddedDeps,
  publishableKey: string,
  respondTo: EmbeddedProvider["respond"],
): IdentityProvider {
  return openGotrue({
    projectUrl: () => settings().baseUrl,
    root: () => rootOf(settings()),
    resource: () => resourceOf(settings()),
    publishableKey,
    issuerName: EMBEDDED_ISSUER,
    fetch: (url, init) => respondTo(new Request(url, init), INTERNAL_CALLER),
    clock,
    logAdvice: () => {},
  });
}

async function handleRequest(
  services: IdentityServices,
  key: string,
  request: Request,
  caller: string,
): Promise<Response> {
  const { url, name, id, route } = findRoute(request);
  if (route === undefined) return respondUnmatched(request, name);
  if (route.isKeyless !== true && !hasKey(request, url, key)) {
    const limit = rateLimitError(services, route, caller);
    return limit === null ? respondWithoutKey(request, url) : toHttpResponse(limit, request);
  }
  const body = await readBody(request, route.acceptsForms === true);
  const query = url.searchParams;
  const context = { request, url, query, id, caller, now: services.clock.wall() };
  const response = isIdentityError(body)
    ? (rateLimitError(services, route, caller) ?? body)
    : await runHandler(services, route, { ...context, body });
  return withCorsHeaders(toHttpResponse(response, request), route);
}

function findRoute({ method, url: address }: Pick<Request, "method" | "url">) {
  const url = new URL(address);
  const path = pathOf(url);
  const { name, id } = nameOf(path);
  return { url, name, id, route: ROUTES[`${methodOf(method, path)} ${name}`] };
}

/** Counts rejected requests too, so that omitting the key doesn't bypass a rate limit. */
function rateLimitError(
  { limits }: IdentityServices,
  { limit }: Route,
  caller: string,
): IdentityError | null {
  return limit === undefined ? null : limits.address(limit, caller);
}

/**
 * Treats HEAD as GET only for metadata, which has no side effects. Otherwise mail scanners would
 * consume links.
 */
function methodOf(method: string, path: string): string {
  return method === "HEAD" && path.startsWith("/.well-known/") ? "GET" : method;
}

/** Runs the route's handler. Responses to internal errors contain no details. */
async function runHandler(
  services: IdentityServices,
  { handler, responseIfDeleted = refused("invalid_credentials") }: Route,
  context: IdentityContext,
): Promise<IdentityResponse> {
  try {
    return await handler(services, context);
  } catch (error) {
    const hasSessionEnded = await isSessionGone(services, context, error).catch(() => false);
    if (hasSessionEnded) return refused("session_not_found");
    if (isMissingReference(error)) return responseIfDeleted;
    services.onError(error);
    const code = isStoreDown(error) ? "store_unavailable" : "unexpected_failure";
    return { refused: code, retryAfterS: 1 };
  }
}

/**
 * Returns whether the store rejected the write because the caller was deleted during the request.
 * That isn't an internal error.
 */
async function isSessionGone(
  services: IdentityServices,
  context: IdentityContext,
  error: unknown,
): Promise<boolean> {
  if (!isRejected(error)) return false;
  const bearer = await bearerOf(services, context);
  return isIdentityError(bearer) && bearer.refused === "session_not_found";
}

function pathOf({ pathname }: URL): string {
  const alias = WELL_KNOWN_ALIASES.find(([path]) => path === pathname);
  if (alias !== undefined) return alias[1];
  return pathname.startsWith(`${MOUNT}/`) ? pathname.slice(MOUNT.length) : "";
}

const AUTHORIZATION_PATH = /^(\/oauth\/authorizations\/)([\w-]{1,64})((?:\/consent)?)$/;

function nameOf(path: string): { name: string; id: string } {
  const [, before, id, after] = AUTHORIZATION_PATH.exec(path) ?? [];
  return before === undefined
    ? { name: path, id: "" }
    : { name: `${before}*${after}`, id: id ?? "" };
}

const METHODS = ["GET", "POST", "PUT", "DELETE"];
const PREFLIGHT_MAX_AGE_S = 86_400;

function respondUnmatched(request: Request, name: string): Response {
  const methods = METHODS.filter((method) => ROUTES[`${method} ${name}`] !== undefined);
  if (methods.length === 0) return toHttpResponse(refused("not_found"), request);
  const isPublic = methods.some((method) => ROUTES[`${method} ${name}`]?.isPublic);
  if (request.method !== "OPTIONS" || !isPublic) {
    const response = toHttpResponse(refused("method_not_allowed"), request);
    response.headers.set("Allow", methods.join(", "));
    return response;
  }
  const headers = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_S),
  };
  return new Response(null, { status: 204, headers });
}

function withCorsHeaders(response: Response, { isPublic = false }: Route): Response {
  if (isPublic) {
    response.headers.set("Access-Control-Allow-Origin", "*");
    response.headers.set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After");
  }
  return response;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const keyIn = (request: Request, url: URL): string | null =>
  request.headers.get("apikey") ?? url.searchParams.get("apikey");

function hasKey(request: Request, url: URL, key: string): boolean {
  return timingSafeEqual(digest(keyIn(request, url) ?? ""), digest(key));
}

function respondWithoutKey(request: Request, url: URL): Response {
  const isAbsent = keyIn(request, url) === null;
  const message = isAbsent ? "No API key found in request" : "Invalid API key";
  return Response.json({ message }, { status: 401, headers: { "Cache-Control": "no-store" } });
}

function readSettings({ settings }: IdentityServices): IdentityResponse {
  const { social, signupOpen, autoconfirm } = settings();
  const external = { email: true, ...Object.fromEntries(social.map(({ id }) => [id, true])) };
  return okResponse({
    external,
    disable_signup: !signupOpen,
    mailer_autoconfirm: autoconfirm,
    phone_autoconfirm: false,
    anonymous_users: false,
  });
}

async function sweep({ clock, store }: IdentityServices): Promise<void> {
  const instantAgo = (ms: number) => new Date(clock.wall().getTime() - ms).toISOString();
  const { link, session, unconfirmed, authorization, unusedClient } = LIFETIME_MS;
  await store.identity.sweep({
    tokens: instantAgo(link),
    sessions: instantAgo(session),
    unconfirmed: instantAgo(unconfirmed),
  });
  await store.grants.sweep({
    authorizations: instantAgo(authorization),
    clients: instantAgo(unusedClient),
  });
}
