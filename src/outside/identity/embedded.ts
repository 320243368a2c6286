// The embedded identity provider: the addresses of GoTrue, as a function from Request to Response.

import { createHash, timingSafeEqual } from "node:crypto";

import { isMissingReference, isRejected, isStoreDown } from "#data/store/errors.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import {
  authorize,
  decide,
  listGrants,
  readAuthorization,
  revokeGrant,
} from "#outside/grants/authorize.ts";
import { registerClient } from "#outside/grants/client.ts";
import { readKeys, readMetadata } from "#outside/grants/metadata.ts";
import { BAD_GRANT, grantToken, readUserInfo } from "#outside/grants/program-token.ts";

import { bearerOf } from "./access-token.ts";
import { changeOwnUser, readUser, signOut } from "./account.ts";
import { ok, printAnswer } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { readBody } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { followLink, readInvite, verifyToken } from "./confirm.ts";
import { MOUNT, resourceOf, rootOf } from "./deps.ts";
import type { EmbeddedDeps } from "./deps.ts";
import { isRefused, refused } from "./errors.ts";
import type { IdentityRefusal } from "./errors.ts";
import { openGotrue } from "./gotrue.ts";
import { LIFETIME_MS, openLimits } from "./limits.ts";
import type { LimitedRoute } from "./limits.ts";
import { openSignUps } from "./mail.ts";
import type { IdentityProvider, SignUps } from "./provider.ts";
import { grantSession } from "./sign-in.ts";
import { recover, resend, signUp } from "./sign-up.ts";
import { openSocial } from "./social-profile.ts";
import { beginSocial, endSocial } from "./social.ts";

type Route = {
  handler: (parts: IdentityParts, ask: Ask) => IdentityAnswer | Promise<IdentityAnswer>;
  /** Answers without the publishable key: browsers and programs come here by themselves. */
  isOpen?: boolean;
  /** Scripts of any site may ask and read the answer. No cookie gives them anything. */
  isPublic?: boolean;
  takesForms?: boolean;
  /** The answer if the user is deleted while the request is handled. */
  whenDeleted?: IdentityAnswer;
  /** The limit that its handler counts for. Others are counted as reads and writes of the ladder. */
  limit?: LimitedRoute;
};

const forPrograms = { isOpen: true, isPublic: true };

/** By method and address below the mount; `*` is a part that names something. */
const ROUTES: Readonly<Record<string, Route>> = {
  "GET /health": { handler: () => ok({ name: "GoTrue", version: "embedded" }) },
  "GET /settings": { handler: readSettings },
  "POST /signup": { handler: signUp, limit: "signup" },
  "POST /resend": { handler: resend, limit: "resend" },
  "POST /recover": { handler: recover, limit: "recover" },
  "GET /verify": { handler: followLink, isOpen: true, limit: "verify" },
  "POST /verify": { handler: verifyToken, isOpen: true, limit: "verify" },
  /** Not GoTrue's: only our page calls it. */
  "POST /invite": { handler: readInvite, limit: "verify" },
  "POST /token": { handler: grantSession, limit: "token" },
  "GET /authorize": { handler: beginSocial, isOpen: true, limit: "authorize" },
  "GET /callback": { handler: endSocial, isOpen: true, limit: "authorize" },
  "GET /user": { handler: readUser },
  "PUT /user": { handler: changeOwnUser, limit: "user" },
  "POST /logout": { handler: signOut },
  "GET /user/oauth/grants": { handler: listGrants },
  "DELETE /user/oauth/grants": { handler: revokeGrant },
  "GET /.well-known/jwks.json": { handler: readKeys, ...forPrograms },
  "GET /.well-known/oauth-authorization-server": { handler: readMetadata, ...forPrograms },
  "GET /.well-known/openid-configuration": { handler: readMetadata, ...forPrograms },
  "POST /oauth/clients/register": { handler: registerClient, limit: "register", ...forPrograms },
  "GET /oauth/authorize": { handler: authorize, isOpen: true, limit: "authorize" },
  "GET /oauth/authorizations/*": { handler: readAuthorization },
  "POST /oauth/authorizations/*/consent": { handler: decide },
  "POST /oauth/token": {
    handler: grantToken,
    limit: "token",
    takesForms: true,
    whenDeleted: BAD_GRANT,
    ...forPrograms,
  },
  "GET /oauth/userinfo": { handler: readUserInfo, ...forPrograms },
};

/** Where RFC 8414 puts the metadata of an issuer with a path: clients look there first. */
const INSERTED = ["oauth-authorization-server", "openid-configuration"].map((name) => {
  return [`/.well-known/${name}${MOUNT}`, `/.well-known/${name}`] as const;
});

export type Embedded = {
  /** The seam, over this very module. */
  provider: IdentityProvider;
  /**
   * Answers a request for an address below the mount, or for one of `WELL_KNOWN`. `caller` is the
   * address that asks.
   */
  answer: (request: Request, caller: string) => Promise<Response>;
  /** Refuses a request whose body cannot be read, as `answer` would. */
  refuse: (request: Request, caller: string, code: BodyFault) => Response;
  /** Whether the provider limits requests of this kind by itself. */
  limits: (request: Pick<Request, "method" | "url">) => boolean;
  publishableKey: string;
  /** For operators. */
  signUps: SignUps;
  /** Forgets what nobody can use any more. */
  sweep: () => Promise<void>;
  /** Does at once what answered requests have left. Resolves when their emails are handed over. */
  settled: () => Promise<void>;
};

export type BodyFault = "request_too_large" | "unsupported_media_type" | "bad_json";

/** Addresses outside the mount that the provider answers too. */
export const WELL_KNOWN: readonly string[] = INSERTED.map(([path]) => path);

/** Opens the provider over what it takes from the outside. */
export function openEmbedded(deps: EmbeddedDeps): Embedded {
  const { afterAnswer, settled } = openAfterAnswer(deps);
  const sides = { limits: openLimits(deps), social: openSocial(deps) };
  const parts: IdentityParts = { ...deps, ...sides, afterAnswer };
  const publishableKey = `sb_publishable_${deps.secrets.derive("publishable key").toString("base64url")}`;
  const answerTo = (request: Request, caller: string) =>
    answer(parts, publishableKey, request, caller);
  return {
    provider: providerOf(deps, publishableKey, answerTo),
    publishableKey,
    signUps: openSignUps(parts),
    answer: answerTo,
    refuse: (request, caller, code) => {
      const { route } = find(request);
      const limit = route === undefined ? null : tooSoon(parts, route, caller);
      return printAnswer(limit ?? refused(code), request);
    },
    limits: (request) => find(request).route?.limit !== undefined,
    sweep: () => sweep(parts),
    settled,
  };
}

/** Milliseconds between an answer and the work that it leaves, which is at random in between. */
const DELAY_MS = { least: 500, most: 1500 };
const UINT16_MAX = 2 ** 16 - 1;

function randomDelayMs({ random }: EmbeddedDeps): number {
  const share = Buffer.from(random(2)).readUInt16BE() / UINT16_MAX;
  return DELAY_MS.least + share * (DELAY_MS.most - DELAY_MS.least);
}

/**
 * Runs the work of requests after their answers, each at a random time. Otherwise this work would
 * delay the caller's next request, which would tell whether an address has an account.
 */
function openAfterAnswer(deps: EmbeddedDeps) {
  const { clock, fault } = deps;
  const waiting = new Set<() => void>();
  const running = new Set<Promise<void>>();
  function afterAnswer(work: () => Promise<void>): void {
    const { promise, resolve: start } = Promise.withResolvers<void>();
    const cancel = clock.after(randomDelayMs(deps), start);
    waiting.add(start);
    const run = promise
      .finally(() => {
        cancel();
        waiting.delete(start);
      })
      .then(work)
      // Emails of a user who is deleted in the meantime are dropped.
      .catch((error: unknown) => void (isMissingReference(error) || fault(error)))
      .finally(() => running.delete(run));
    running.add(run);
  }
  const settled = async () => {
    for (const start of waiting) start();
    await Promise.all(running);
  };
  return { afterAnswer, settled };
}

/** Who asks when the ladder itself does. */
const OURSELVES = "the ladder";

function providerOf(
  { settings, clock }: EmbeddedDeps,
  publishableKey: string,
  answerTo: Embedded["answer"],
): IdentityProvider {
  return openGotrue({
    projectUrl: () => settings().baseUrl,
    root: () => rootOf(settings()),
    resource: () => resourceOf(settings()),
    publishableKey,
    issuerName: EMBEDDED_ISSUER,
    fetch: (url, init) => answerTo(new Request(url, init), OURSELVES),
    clock,
    advise: () => {},
  });
}

async function answer(
  parts: IdentityParts,
  key: string,
  request: Request,
  caller: string,
): Promise<Response> {
  const { url, name, id, route } = find(request);
  if (route === undefined) return answerUnmatched(request, name);
  if (route.isOpen !== true && !hasKey(request, url, key)) {
    const limit = tooSoon(parts, route, caller);
    return limit === null ? answerKeyless(request, url) : printAnswer(limit, request);
  }
  const body = await readBody(request, route.takesForms === true);
  const query = url.searchParams;
  const ask = { request, url, query, id, caller, now: parts.clock.wall() };
  const answered = isRefused(body)
    ? (tooSoon(parts, route, caller) ?? body)
    : await handle(parts, route, { ...ask, body });
  return opened(printAnswer(answered, request), route);
}

/** The route of a request, with what its address says. */
function find({ method, url: address }: Pick<Request, "method" | "url">) {
  const url = new URL(address);
  const path = pathOf(url);
  const { name, id } = nameOf(path);
  return { url, name, id, route: ROUTES[`${methodOf(method, path)} ${name}`] };
}

/** Counts a request that its handler does not see, so that no limit is passed by without a key. */
function tooSoon(
  { limits }: IdentityParts,
  { limit }: Route,
  caller: string,
): IdentityRefusal | null {
  return limit === undefined ? null : limits.address(limit, caller);
}

/** A HEAD is a GET only where a GET changes nothing: programs that look at mails use up no link. */
function methodOf(method: string, path: string): string {
  return method === "HEAD" && path.startsWith("/.well-known/") ? "GET" : method;
}

/** A fault of ours says nothing to the outside. */
async function handle(
  parts: IdentityParts,
  { handler, whenDeleted = refused("invalid_credentials") }: Route,
  ask: Ask,
): Promise<IdentityAnswer> {
  try {
    return await handler(parts, ask);
  } catch (error) {
    const isOver = await hasGone(parts, ask, error).catch(() => false);
    if (isOver) return refused("session_not_found");
    if (isMissingReference(error)) return whenDeleted;
    parts.fault(error);
    const code = isStoreDown(error) ? "store_unavailable" : "unexpected_failure";
    return { refused: code, retryAfterS: 1 };
  }
}

/**
 * Whether the person who asks has left since the request began. The store then refuses to write
 * what would be theirs, which is nobody's fault.
 */
async function hasGone(parts: IdentityParts, ask: Ask, error: unknown): Promise<boolean> {
  if (!isRejected(error)) return false;
  const bearer = await bearerOf(parts, ask);
  return isRefused(bearer) && bearer.refused === "session_not_found";
}

function pathOf({ pathname }: URL): string {
  const inserted = INSERTED.find(([path]) => path === pathname);
  if (inserted !== undefined) return inserted[1];
  return pathname.startsWith(`${MOUNT}/`) ? pathname.slice(MOUNT.length) : "";
}

const NAMING = /^(\/oauth\/authorizations\/)([\w-]{1,64})((?:\/consent)?)$/;

/** The address in the form of the table, and the part that names something. */
function nameOf(path: string): { name: string; id: string } {
  const [, before, id, after] = NAMING.exec(path) ?? [];
  return before === undefined
    ? { name: path, id: "" }
    : { name: `${before}*${after}`, id: id ?? "" };
}

const METHODS = ["GET", "POST", "PUT", "DELETE"];
const PREFLIGHT_MAX_AGE_S = 86_400;

function answerUnmatched(request: Request, name: string): Response {
  const methods = METHODS.filter((method) => ROUTES[`${method} ${name}`] !== undefined);
  if (methods.length === 0) return printAnswer(refused("not_found"), request);
  const isPublic = methods.some((method) => ROUTES[`${method} ${name}`]?.isPublic);
  if (request.method !== "OPTIONS" || !isPublic) {
    const response = printAnswer(refused("method_not_allowed"), request);
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

function opened(response: Response, { isPublic = false }: Route): Response {
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

/** What the gateway in front of GoTrue says. */
function answerKeyless(request: Request, url: URL): Response {
  const isAbsent = keyIn(request, url) === null;
  const message = isAbsent ? "No API key found in request" : "Invalid API key";
  return Response.json({ message }, { status: 401, headers: { "Cache-Control": "no-store" } });
}

function readSettings({ settings }: IdentityParts): IdentityAnswer {
  const { social, signupOpen, autoconfirm } = settings();
  const external = { email: true, ...Object.fromEntries(social.map(({ id }) => [id, true])) };
  return ok({
    external,
    disable_signup: !signupOpen,
    mailer_autoconfirm: autoconfirm,
    phone_autoconfirm: false,
    anonymous_users: false,
  });
}

async function sweep({ clock, store }: IdentityParts): Promise<void> {
  const ago = (ms: number) => new Date(clock.wall().getTime() - ms).toISOString();
  const { link, session, unconfirmed, authorization, unusedClient } = LIFETIME_MS;
  await store.identity.sweep({
    tokens: ago(link),
    sessions: ago(session),
    unconfirmed: ago(unconfirmed),
  });
  await store.grants.sweep({ authorizations: ago(authorization), clients: ago(unusedClient) });
}
