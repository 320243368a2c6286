import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { AuthUnavailable, InvalidSession } from "#adapters/identity/identity-provider.ts";
import type {
  ConsentDetails,
  IdentityProvider,
  Redirection,
} from "#adapters/identity/identity-provider.ts";
import { AuthorizationSchema, RedirectionSchema, RevokedAppSchema } from "#core/api/account.ts";
import type { ErrorBody } from "#core/api/common-schemas.ts";
import { OneOf } from "#core/protocol/schema-fight.ts";
import { isStorable } from "#data/credentials/storable-text.ts";
import { sendAccountEmail } from "#web/auth/account-email.ts";
import type { BrowserSession, Caller } from "#web/auth/account-lookup.ts";
import { accountSubject, auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { refuseCredential, requireAccount, assertSignedIn } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

const credentials = ["Browser"] as const;

const authorization_id = Type.String({ description: "the id passed by the browser redirect" });

export function connectedAppRoutes(app: App, deps: ApiDeps): void {
  consentRequestRoute(app, deps);
  decisionRoute(app, deps);
  revocationRoute(app, deps);
}

/** Maps provider errors to the responses that authentication returns for the same errors. */
async function withProviderErrors<T>(
  reply: FastifyReply,
  request: () => Promise<T | ErrorBody>,
): Promise<T | ErrorBody> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof InvalidSession) return refuseCredential(reply, "invalid_session");
    if (error instanceof AuthUnavailable) return refuseCredential(reply, "auth_unavailable");
    throw error;
  }
}

function requireProvider({ accounts }: ApiDeps): IdentityProvider {
  if (accounts === null) throw new Error("accounts are disabled");
  return accounts.provider;
}

/**
 * Reads an authorization request. First revokes any grants at the provider that the account has
 * already revoked here. Otherwise the provider would approve the app without asking, and the ladder
 * would reject its tokens over and over. Stale grants remain after an operator signs the account
 * out, or when revoking at the provider failed.
 */
async function loadConsentRequest(
  deps: ApiDeps,
  caller: Caller & { session: BrowserSession },
  id: string,
): Promise<ConsentDetails | Redirection | null> {
  const provider = requireProvider(deps);
  const isCleanedUp = await revokeLapsedGrants(deps, caller);
  const consentRequest = await provider.authorization(id, caller.session.jwt);
  if (isCleanedUp || consentRequest === null || !("redirectUrl" in consentRequest))
    return consentRequest;
  throw new AuthUnavailable("could not revoke a stale grant at the provider");
}

/**
 * Revokes provider grants that the account no longer has. Returns false if revoking any of them
 * failed.
 */
async function revokeLapsedGrants(
  deps: ApiDeps,
  { account, session: { jwt } }: Caller & { session: BrowserSession },
): Promise<boolean> {
  const provider = requireProvider(deps);
  // Read the provider first, because `approve` adds an app here before it adds the grant there.
  const grantedClientIds = await provider.grants(jwt);
  if (grantedClientIds.length === 0) return true;
  const connectedApps = await deps.store.apps.list(account.id);
  const approvedClientIds = new Set(connectedApps.map(({ clientId }) => clientId));
  const lapsedClientIds = grantedClientIds.filter((clientId) => !approvedClientIds.has(clientId));
  const revocations = await Promise.all(
    lapsedClientIds.map((clientId) => provider.revokeGrant(clientId, jwt)),
  );
  return revocations.every(Boolean);
}

function consentRequestRoute(app: App, deps: ApiDeps): void {
  const querystring = Type.Object({ authorization_id });
  const schema = { querystring, response: okResponses(AuthorizationSchema) };
  const summary = "Details of an authorization request";
  const config = {
    endpoint: "account_mcp_question",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.get("/api/account/mcp/authorization", options, ({ query, caller }, reply) =>
    withProviderErrors(reply, async () => {
      const consentRequest = await loadConsentRequest(
        deps,
        assertSignedIn(caller),
        query.authorization_id,
      );
      return consentRequest === null
        ? refuseNotFound(reply, "authorization")
        : toAuthorization(consentRequest);
    }),
  );
}

function toAuthorization(consentRequest: ConsentDetails | Redirection) {
  if ("redirectUrl" in consentRequest) return { redirect_url: consentRequest.redirectUrl };
  const { authorizationId, client, redirectUri, scopes } = consentRequest;
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

const DecisionSchema = Type.Object({
  authorization_id,
  action: OneOf(["approve", "deny"]),
});

function decisionRoute(app: App, deps: ApiDeps): void {
  const schema = { body: DecisionSchema, response: okResponses(RedirectionSchema) };
  const summary = "Approves or denies an authorization request";
  const config = {
    endpoint: "account_mcp_answer",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post("/api/account/mcp/authorization", options, ({ body, caller }, reply) =>
    withProviderErrors(reply, async () => {
      const redirection = await decide(deps, assertSignedIn(caller), body);
      return redirection
        ? { redirect_url: redirection.redirectUrl }
        : refuseNotFound(reply, "authorization");
    }),
  );
}

type Decision = { authorization_id: string; action: "approve" | "deny" };

/** Stores the approval here before the provider does, and removes it if the provider refuses. */
async function decide(
  deps: ApiDeps,
  caller: Caller & { session: BrowserSession },
  { authorization_id: id, action }: Decision,
): Promise<Redirection | null> {
  const provider = requireProvider(deps);
  const { jwt } = caller.session;
  const consentRequest = await loadConsentRequest(deps, caller, id);
  if (consentRequest === null || "redirectUrl" in consentRequest) return consentRequest;
  if (action === "deny") {
    const redirection = await provider.decide(id, action, jwt);
    if (redirection !== null)
      await deps.store.audit.add([appAuditEntry(deps, caller, "mcp.denied", consentRequest)]);
    return redirection;
  }
  return approve(deps, caller, consentRequest);
}

async function approve(
  deps: ApiDeps,
  caller: Caller & { session: BrowserSession },
  consentRequest: ConsentDetails,
): Promise<Redirection | null> {
  const { apps: connectedApps } = deps.store;
  const { id: accountId } = caller.account;
  const { id: clientId, name } = consentRequest.client;
  const isAlreadyApproved = (await connectedApps.find(accountId, clientId)) !== null;
  const auditEntry = appAuditEntry(deps, caller, "mcp.approved", consentRequest);
  const connectedApp = { clientId, name, created: auditEntry.at, lastUsed: null };
  if (!(await connectedApps.authorize(accountId, connectedApp, auditEntry, caller.session.claims)))
    throw new InvalidSession("the session ended before its approval was stored");
  let redirection: Redirection | null = null;
  try {
    const { jwt } = caller.session;
    redirection = await requireProvider(deps).decide(
      consentRequest.authorizationId,
      "approve",
      jwt,
    );
    if (redirection !== null && !isAlreadyApproved)
      sendAccountEmail(deps, caller.account, { type: "new_program", app: name, at: auditEntry.at });
    return redirection;
  } finally {
    if (redirection === null && !isAlreadyApproved && !(await isGranted(deps, caller, clientId)))
      await connectedApps.revoke(
        accountId,
        clientId,
        appAuditEntry(deps, caller, "mcp.revoked", consentRequest),
      );
  }
}

/**
 * Checks the provider for the grant, which a concurrent request may have added. Returns whether it
 * exists.
 */
async function isGranted(
  deps: ApiDeps,
  { session: { jwt } }: Caller & { session: BrowserSession },
  clientId: string,
): Promise<boolean> {
  const noGrants: string[] = [];
  const grantedClientIds = await requireProvider(deps)
    .grants(jwt)
    .catch(() => noGrants);
  return grantedClientIds.includes(clientId);
}

type AppAuditKind = "mcp.approved" | "mcp.denied" | "mcp.revoked";

function appAuditEntry(
  deps: ApiDeps,
  caller: Caller,
  kind: AppAuditKind,
  { client }: { client: Pick<ConsentDetails["client"], "id" | "name"> },
) {
  const detail = { client_id: client.id, name: client.name };
  return newAuditEntry(deps, auditActor(caller), kind, accountSubject(caller.account), { detail });
}

function revocationRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ client_id: Type.String({ description: "client id of the app" }) }),
    response: okResponses(RevokedAppSchema),
  };
  const summary = "Revokes an app's access";
  const config = {
    endpoint: "account_mcp_client",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account/mcp/clients/:client_id", options, async ({ params, caller }, reply) => {
    const person = assertSignedIn(caller);
    const { id } = person.account;
    const { client_id } = params;
    const connectedApp = isStorable(client_id) ? await deps.store.apps.find(id, client_id) : null;
    if (connectedApp === null) return refuseNotFound(reply, "program");
    const client = { id: connectedApp.clientId, name: connectedApp.name };
    const auditEntry = appAuditEntry(deps, person, "mcp.revoked", { client });
    if (!(await deps.store.apps.revoke(id, connectedApp.clientId, auditEntry)))
      return refuseNotFound(reply, "program");
    const { jwt } = person.session;
    const isRevokedAtProvider = await requireProvider(deps)
      .revokeGrant(connectedApp.clientId, jwt)
      .catch(() => false);
    return { revoked: true as const, oauth_revoked: isRevokedAtProvider };
  });
}
