import type { FastifyReply, FastifyRequest } from "fastify";

import { authenticateAgentKey, authenticateRegistrant } from "#core/accounts/authentication.ts";
import type { PersonCaller, PersonCredential } from "#core/accounts/authentication.ts";
import { secretKindOf } from "#core/accounts/secret-prefix.ts";
import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import { hashToken, matchesTokenHash } from "#data/credentials/token.ts";
import type { ApiDeps, ApiSettings } from "#web/http/deps.ts";
import { refuseWithCode } from "#web/http/errors.ts";

import { findByBearer, findByAgentKey } from "./account-lookup.ts";
import type { Caller, Registrant } from "./account-lookup.ts";
import { admitCaller, accountLookupDeps, refuseCredential } from "./auth-hooks.ts";
import { withAuthRecheck } from "./recheck-auth.ts";

type RegistrantResult = Registrant | { kind: "refused"; code: HttpCode; text?: string };

/** Returns a hook that admits anyone who may register a bot. Runs before the body is read. */
export function requireRegistrant(deps: ApiDeps) {
  return withAuthRecheck(deps, async (request, reply) => {
    reply.header("vary", "Authorization, X-Owner-Key");
    const result = await registrantOf(deps, request);
    if (result.kind === "refused") return reply.send(refuseRegistrant(deps, reply, result));
    if (!hasRegistrationKey(deps.settings, request))
      return reply.send(refuseWithCode(reply, "invalid_registration_key"));
    request.registrant = result;
    return undefined;
  });
}

async function registrantOf(deps: ApiDeps, { headers }: FastifyRequest): Promise<RegistrantResult> {
  const { authorization, "x-owner-key": ownerKey } = headers;
  if (ownerKey !== undefined) return byOwnerKey(deps, String(ownerKey));
  if (authorization === undefined && deps.settings.anonymous) return { kind: "anybody" };
  const lookupDeps = accountLookupDeps(deps);
  if (lookupDeps === null) {
    const text = authorization === undefined ? NO_ACCOUNTS : NO_CREDENTIALS;
    return { kind: "refused", code: "authentication_required", text };
  }
  return toRegistrant(authenticateRegistrant(await findByBearer(lookupDeps, authorization)));
}

async function byOwnerKey(deps: ApiDeps, text: string): Promise<RegistrantResult> {
  if (secretKindOf(text) !== "owner_key")
    return toRegistrant(authenticateAgentKey(await findAgentKey(deps, text)));
  const owner = deps.settings.anonymous ? await deps.store.owners.byKey(hashToken(text)) : null;
  return owner ? { kind: "owner", owner } : { kind: "refused", code: "invalid_owner_key" };
}

function toRegistrant(person: PersonCaller<Caller, HttpCode>): RegistrantResult {
  return person.kind === "refused" ? person : { kind: "account", caller: person.account };
}

/** Finds the account of an agent key. On a server without accounts, all keys are unknown. */
async function findAgentKey(deps: ApiDeps, text: string): Promise<PersonCredential<Caller>> {
  const isAgentKey = deps.accounts !== null && secretKindOf(text) === "agent_key";
  return isAgentKey ? findByAgentKey(deps, text) : { kind: "unknown" };
}

/** Returns a hook that admits agent keys, as a bearer token or in X-Owner-Key. */
export function requireKey(deps: ApiDeps) {
  return withAuthRecheck(deps, async (request, reply) => {
    reply.header("vary", "Authorization, X-Owner-Key");
    const { authorization = "", "x-owner-key": ownerKey } = request.headers;
    const text = ownerKey ?? authorization.replace(/^Bearer +/i, "").trimEnd();
    return admitCaller(
      request,
      reply,
      authenticateAgentKey(await findAgentKey(deps, String(text))),
    );
  });
}

function refuseRegistrant(
  { settings }: ApiDeps,
  reply: FastifyReply,
  { code, text }: { code: HttpCode; text?: string },
): ErrorBody {
  const refusal = refuseCredential(reply, code, text);
  if (code !== "authentication_required") return refusal;
  return { ...refusal, account_url: `${settings.baseUrl}/account` };
}

/**
 * Returns whether the request has the registration key. Always true if the server doesn't require
 * one.
 */
function hasRegistrationKey(
  { registrationKeyHash }: ApiSettings,
  { headers }: FastifyRequest,
): boolean {
  if (registrationKeyHash === null) return true;
  const registrationKey = headers["x-registration-key"];
  return (
    typeof registrationKey === "string" && matchesTokenHash(registrationKeyHash, registrationKey)
  );
}

const NO_ACCOUNTS = "Registering a bot requires an account, but this server has none.";
const NO_CREDENTIALS =
  "This server has no accounts, so no credential is valid. Register without one.";
