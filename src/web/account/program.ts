// Programs at the MCP endpoint: what one asks for, the answer to it, and taking it back.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { OneOf } from "#core/protocol/schema-fight.ts";
import {
  AuthorizationSchema,
  RedirectionSchema,
  RevokedProgramSchema,
} from "#core/resources/account.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import { isStorable } from "#data/access/storable.ts";
import { AuthUnavailable, InvalidSession } from "#outside/identity/provider.ts";
import type { ConsentDetails, IdentityProvider, Redirection } from "#outside/identity/provider.ts";
import { refusePerson, requireAccount, signedIn } from "#web/auth/auth.ts";
import { aboutAccount, actorOf, entryOf } from "#web/auth/entry.ts";
import type { BrowserSession, Caller } from "#web/auth/people.ts";
import { tellHolder } from "#web/auth/tell.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

/** For every route here. */
const credentials = ["Browser"] as const;

const authorization_id = Type.String({ description: "as it came with the browser" });

export function programRoutes(app: App, deps: ApiDeps): void {
  questionRoute(app, deps);
  answerRoute(app, deps);
  revocationRoute(app, deps);
}

/** The same as what the caller is told of the provider elsewhere. */
async function asking<T>(
  reply: FastifyReply,
  ask: () => Promise<T | ErrorBody>,
): Promise<T | ErrorBody> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof InvalidSession) return refusePerson(reply, "invalid_session");
    if (error instanceof AuthUnavailable) return refusePerson(reply, "auth_unavailable");
    throw error;
  }
}

/** Routes behind `requireAccount` are reached only where there is a provider. */
function providerOf({ accounts }: ApiDeps): IdentityProvider {
  if (accounts === null) throw new Error("there are no accounts");
  return accounts.provider;
}

/**
 * What a program asks for. A provider lets a program in again by itself, also one that is out here:
 * after an operator's sign-out, or if the provider could not be told. It would come to a refusal
 * again and again, so what it may do there is taken back before its question is read.
 */
async function askedOf(
  deps: ApiDeps,
  caller: Caller & { session: BrowserSession },
  id: string,
): Promise<ConsentDetails | Redirection | null> {
  const provider = providerOf(deps);
  const isEnded = await endLapsed(deps, caller);
  const asked = await provider.authorization(id, caller.session.jwt);
  if (isEnded || asked === null || !("redirectUrl" in asked)) return asked;
  throw new AuthUnavailable("it could not take back what a program may do");
}

/** Whether the provider lets nobody in by itself whom the account does not. */
async function endLapsed(
  deps: ApiDeps,
  { account, session: { jwt } }: Caller & { session: BrowserSession },
): Promise<boolean> {
  const provider = providerOf(deps);
  // The provider first: `approve` adds a program here before the provider does.
  const granted = await provider.grants(jwt);
  if (granted.length === 0) return true;
  const programs = await deps.store.programs.list(account.id);
  const letIn = new Set(programs.map(({ clientId }) => clientId));
  const lapsed = granted.filter((clientId) => !letIn.has(clientId));
  const ended = await Promise.all(lapsed.map((clientId) => provider.revokeGrant(clientId, jwt)));
  return ended.every(Boolean);
}

function questionRoute(app: App, deps: ApiDeps): void {
  const querystring = Type.Object({ authorization_id });
  const schema = { querystring, response: answers(AuthorizationSchema) };
  const about = "What a program asks of the account";
  const config = { endpoint: "account_mcp_question", about, credentials, refuses: [404] as const };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.get("/api/account/mcp/authorization", options, ({ query, caller }, reply) =>
    asking(reply, async () => {
      const asked = await askedOf(deps, signedIn(caller), query.authorization_id);
      return asked === null ? missing(reply, "authorization") : toQuestion(asked);
    }),
  );
}

function toQuestion(asked: ConsentDetails | Redirection) {
  if ("redirectUrl" in asked) return { redirect_url: asked.redirectUrl };
  const { authorizationId, client, redirectUri, scopes } = asked;
  return {
    authorization_id: authorizationId,
    client: {
      client_id: client.id,
      name: client.name,
      uri: client.uri,
      logo_uri: client.logoUri,
    },
    callback: redirectUri,
    scopes: [...scopes],
  };
}

const AnswerSchema = Type.Object({
  authorization_id,
  action: OneOf(["approve", "deny"]),
});

function answerRoute(app: App, deps: ApiDeps): void {
  const schema = { body: AnswerSchema, response: answers(RedirectionSchema) };
  const about = "Lets a program in, or does not";
  const config = { endpoint: "account_mcp_answer", about, credentials, refuses: [404] as const };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post("/api/account/mcp/authorization", options, ({ body, caller }, reply) =>
    asking(reply, async () => {
      const decided = await decide(deps, signedIn(caller), body);
      return decided ? { redirect_url: decided.redirectUrl } : missing(reply, "authorization");
    }),
  );
}

type Answer = { authorization_id: string; action: "approve" | "deny" };

/** The ladder lets a program in before the provider does, and takes that back if it does not. */
async function decide(
  deps: ApiDeps,
  caller: Caller & { session: BrowserSession },
  { authorization_id: id, action }: Answer,
): Promise<Redirection | null> {
  const provider = providerOf(deps);
  const { jwt } = caller.session;
  const asked = await askedOf(deps, caller, id);
  if (asked === null || "redirectUrl" in asked) return asked;
  if (action === "deny") {
    const decided = await provider.decide(id, action, jwt);
    if (decided !== null) await deps.store.audit.add([noteOf(deps, caller, "mcp.denied", asked)]);
    return decided;
  }
  return approve(deps, caller, asked);
}

async function approve(
  deps: ApiDeps,
  caller: Caller & { session: BrowserSession },
  asked: ConsentDetails,
): Promise<Redirection | null> {
  const { programs } = deps.store;
  const { id: accountId } = caller.account;
  const { id: clientId, name } = asked.client;
  const isKnown = (await programs.find(accountId, clientId)) !== null;
  const note = noteOf(deps, caller, "mcp.approved", asked);
  const program = { clientId, name, created: note.at, lastUsed: null };
  if (!(await programs.allow(accountId, program, note, caller.session.claims)))
    throw new InvalidSession("the session ended before its approval was stored");
  let decided: Redirection | null = null;
  try {
    const { jwt } = caller.session;
    decided = await providerOf(deps).decide(asked.authorizationId, "approve", jwt);
    if (decided !== null && !isKnown)
      tellHolder(deps, caller.account, { type: "new_program", program: name, at: note.at });
    return decided;
  } finally {
    if (decided === null && !isKnown && !(await isGranted(deps, caller, clientId)))
      await programs.revoke(accountId, clientId, noteOf(deps, caller, "mcp.revoked", asked));
  }
}

/** Whether the provider has the consent, because a concurrent request of the person approved it. */
async function isGranted(
  deps: ApiDeps,
  { session: { jwt } }: Caller & { session: BrowserSession },
  clientId: string,
): Promise<boolean> {
  const none: string[] = [];
  const granted = await providerOf(deps)
    .grants(jwt)
    .catch(() => none);
  return granted.includes(clientId);
}

type ProgramKind = "mcp.approved" | "mcp.denied" | "mcp.revoked";

function noteOf(
  deps: ApiDeps,
  caller: Caller,
  kind: ProgramKind,
  { client }: { client: Pick<ConsentDetails["client"], "id" | "name"> },
) {
  const detail = { client_id: client.id, name: client.name };
  return entryOf(deps, actorOf(caller), kind, aboutAccount(caller.account), { detail });
}

function revocationRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ client_id: Type.String({ description: "id of the program" }) }),
    response: answers(RevokedProgramSchema),
  };
  const about = "Takes back what a program was let do";
  const config = { endpoint: "account_mcp_client", about, credentials, refuses: [404] as const };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account/mcp/clients/:client_id", options, async ({ params, caller }, reply) => {
    const person = signedIn(caller);
    const { id } = person.account;
    const { client_id } = params;
    const program = isStorable(client_id) ? await deps.store.programs.find(id, client_id) : null;
    if (program === null) return missing(reply, "program");
    const client = { id: program.clientId, name: program.name };
    const note = noteOf(deps, person, "mcp.revoked", { client });
    if (!(await deps.store.programs.revoke(id, program.clientId, note)))
      return missing(reply, "program");
    const { jwt } = person.session;
    const isTold = await providerOf(deps)
      .revokeGrant(program.clientId, jwt)
      .catch(() => false);
    return { revoked: true as const, oauth_revoked: isTold };
  });
}
