// Who asks: a bot by its token, a person in a browser or by an agent key, an admin.

import type { FastifyReply, FastifyRequest } from "fastify";

import { isAdmin } from "#core/accounts/account.ts";
import { adminAsker, browserAsker } from "#core/accounts/asker.ts";
import type { Person } from "#core/accounts/asker.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import { whoAsks } from "#data/access/credentials.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuse, refuseWith } from "#web/http/errors.ts";

import { askAgainLater, whileBodyComes } from "./ask-again.ts";
import { findByBearer } from "./people.ts";
import type { BrowserSession, Caller, PeopleDeps, Registrant } from "./people.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The bot that asks, on routes behind `requireBot`. */
    bot: BotRecord | null;
    /** The person who asks, on routes behind `requireAccount`, `requireAdmin` or `requireKey`. */
    caller: Caller | null;
    /** Who registers a bot, on routes behind `requireRegistrant`. */
    registrant: Registrant | null;
  }
}

/** Prepares requests to carry who asks. */
export function decorateAuth(app: App): void {
  app.decorateRequest("bot", null);
  app.decorateRequest("caller", null);
  app.decorateRequest("registrant", null);
  askAgainLater(app);
}

/** A hook that lets active bots through, before the body is read. */
export function requireBot(deps: Pick<ApiDeps, "credentials" | "now">) {
  return whileBodyComes(deps, async (request, reply) => {
    const asker = await whoAsks(deps.credentials, request.headers.authorization);
    if (asker.kind === "refused") return reply.send(refuse(reply, asker.code, asker.text));
    request.bot = asker.bot;
    return undefined;
  });
}

/** A hook that lets people through whose browser is signed in, before the body is read. */
export function requireAccount(deps: ApiDeps) {
  return whileBodyComes(deps, async (request, reply) => {
    const people = peopleOf(deps);
    if (people === null) return reply.send(refuse(reply, "accounts_disabled"));
    if (isForeign(deps, request)) return reply.send(refuseForeign(reply));
    const found = await findByBearer(people, request.headers.authorization);
    return admit(request, reply, browserAsker(found));
  });
}

/** The same for admins, who may also use an agent key. Without accounts nobody is an admin. */
export function requireAdmin(deps: ApiDeps) {
  return whileBodyComes(deps, async (request, reply) => {
    if (isForeign(deps, request)) return reply.send(refuseForeign(reply));
    const { authorization } = request.headers;
    const people = peopleOf(deps);
    const nobody = { kind: authorization === undefined ? "none" : "unknown" } as const;
    const found = people === null ? nobody : await findByBearer(people, authorization);
    const emails = adminEmails(deps);
    return admit(
      request,
      reply,
      adminAsker(found, ({ account }) => isAdmin(account, emails)),
    );
  });
}

/** What is needed to look people up; null on a server without accounts. */
export function peopleOf({ accounts, ...deps }: ApiDeps): PeopleDeps | null {
  const { store, clock, newId, log } = deps;
  return accounts && { provider: accounts.provider, store, clock, newId, log };
}

/** Addresses of configured admins, in lower case. */
export function adminEmails({ accounts }: Pick<ApiDeps, "accounts">): ReadonlySet<string> {
  return accounts?.adminEmails() ?? NO_EMAILS;
}

const NO_EMAILS: ReadonlySet<string> = new Set();

/** Lets a person through, or refuses. */
export function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  person: Person<Caller, HttpCode>,
) {
  if (person.kind === "refused") return reply.send(refusePerson(reply, person.code, person.text));
  request.caller = person.account;
  return undefined;
}

/** What somebody is told whose credential does not let them in. */
export function refusePerson(reply: FastifyReply, code: HttpCode, text?: string): ErrorBody {
  if (code === "auth_unavailable") reply.header("Retry-After", RETRY_AFTER_S);
  return refuse(reply, code, text);
}

/** Seconds after which the identity provider may answer again. */
const RETRY_AFTER_S = 1;

/** Whether a page of another site sent the request. */
export function isForeign(
  { settings }: Pick<ApiDeps, "settings">,
  { headers }: FastifyRequest,
): boolean {
  const { origin } = headers;
  return origin !== undefined && !settings.origins.includes(origin);
}

export const refuseForeign = (reply: FastifyReply) =>
  refuseWith(reply, 403, "A page of another site may not use this address.");

/** The bot that `requireBot` let through. */
export function admitted<T extends object>(asker: T | null): T {
  if (asker === null) throw new Error("this route needs a hook that says who asks");
  return asker;
}

/** The person that `requireAccount` let through, with their session. */
export function signedIn(caller: Caller | null): Caller & { session: BrowserSession } {
  const { session, ...known } = admitted(caller);
  return { ...known, session: admitted(session) };
}
