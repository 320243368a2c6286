import type { FastifyReply, FastifyRequest } from "fastify";

import { isAdmin } from "#core/accounts/account.ts";
import { authenticateAdmin, authenticateBrowser } from "#core/accounts/authentication.ts";
import type { PersonCaller } from "#core/accounts/authentication.ts";
import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import { authenticateBearer } from "#data/credentials/authenticate-bearer.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";

import { findByBearer } from "./account-lookup.ts";
import type { BrowserSession, Caller, AccountLookupDeps, Registrant } from "./account-lookup.ts";
import { addAuthRecheck, withAuthRecheck } from "./recheck-auth.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set on routes behind `requireBot`. */
    bot: BotRecord | null;
    /** Set on routes behind `requireAccount`, `requireAdmin` or `requireKey`. */
    caller: Caller | null;
    /** Set on routes behind `requireRegistrant`. */
    registrant: Registrant | null;
  }
}

export function decorateAuth(app: App): void {
  app.decorateRequest("bot", null);
  app.decorateRequest("caller", null);
  app.decorateRequest("registrant", null);
  addAuthRecheck(app);
}

/** Returns a hook that admits active bots. Runs before the body is read. */
export function requireBot(deps: Pick<ApiDeps, "credentials" | "now">) {
  return withAuthRecheck(deps, async (request, reply) => {
    const authentication = await authenticateBearer(
      deps.credentials,
      request.headers.authorization,
    );
    if (authentication.kind === "refused")
      return reply.send(refuseWithCode(reply, authentication.code, authentication.text));
    request.bot = authentication.bot;
    return undefined;
  });
}

/** Returns a hook that admits signed-in browsers. Runs before the body is read. */
export function requireAccount(deps: ApiDeps) {
  return withAuthRecheck(deps, async (request, reply) => {
    const lookupDeps = accountLookupDeps(deps);
    if (lookupDeps === null) return reply.send(refuseWithCode(reply, "accounts_disabled"));
    if (isCrossOrigin(deps, request)) return reply.send(refuseCrossOrigin(reply));
    const credential = await findByBearer(lookupDeps, request.headers.authorization);
    return admitCaller(request, reply, authenticateBrowser(credential));
  });
}

/**
 * Returns a hook that admits admins by session or agent key. On a server without accounts it admits
 * no one.
 */
export function requireAdmin(deps: ApiDeps) {
  return withAuthRecheck(deps, async (request, reply) => {
    if (isCrossOrigin(deps, request)) return reply.send(refuseCrossOrigin(reply));
    const { authorization } = request.headers;
    const lookupDeps = accountLookupDeps(deps);
    const noCredential = { kind: authorization === undefined ? "none" : "unknown" } as const;
    const credential =
      lookupDeps === null ? noCredential : await findByBearer(lookupDeps, authorization);
    const emails = adminEmails(deps);
    return admitCaller(
      request,
      reply,
      authenticateAdmin(credential, ({ account }) => isAdmin(account, emails)),
    );
  });
}

/** Returns the dependencies of account lookups. Null on a server without accounts. */
export function accountLookupDeps({ accounts, ...deps }: ApiDeps): AccountLookupDeps | null {
  const { store, clock, newId, log } = deps;
  return accounts && { provider: accounts.provider, store, clock, newId, log };
}

export function adminEmails({ accounts }: Pick<ApiDeps, "accounts">): ReadonlySet<string> {
  return accounts?.adminEmails() ?? NO_EMAILS;
}

const NO_EMAILS: ReadonlySet<string> = new Set();

/** Sets the caller on the request, or sends the refusal. */
export function admitCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  person: PersonCaller<Caller, HttpCode>,
) {
  if (person.kind === "refused")
    return reply.send(refuseCredential(reply, person.code, person.text));
  request.caller = person.account;
  return undefined;
}

export function refuseCredential(reply: FastifyReply, code: HttpCode, text?: string): ErrorBody {
  if (code === "auth_unavailable") reply.header("Retry-After", RETRY_AFTER_S);
  return refuseWithCode(reply, code, text);
}

const RETRY_AFTER_S = 1;

export function isCrossOrigin(
  { settings }: Pick<ApiDeps, "settings">,
  { headers }: FastifyRequest,
): boolean {
  const { origin } = headers;
  return origin !== undefined && !settings.origins.includes(origin);
}

export const refuseCrossOrigin = (reply: FastifyReply) =>
  refuseWithStatus(reply, 403, "Pages on other sites can't use this address.");

/** Returns the value an authentication hook has set. Throws if the route has no such hook. */
export function assertAuthenticated<T extends object>(value: T | null): T {
  if (value === null) throw new Error("this route needs an authentication hook");
  return value;
}

/**
 * Returns the caller with its browser session. Throws if the route isn't behind `requireAccount`.
 */
export function assertSignedIn(caller: Caller | null): Caller & { session: BrowserSession } {
  const { session, ...callerFields } = assertAuthenticated(caller);
  return { ...callerFields, session: assertAuthenticated(session) };
}
