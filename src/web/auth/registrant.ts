// Who registers a bot, and who deletes one: routes that take more than one kind of credential.

import type { FastifyReply, FastifyRequest } from "fastify";

import { keyAsker, registrantAsker } from "#core/accounts/asker.ts";
import type { Person, PersonFound } from "#core/accounts/asker.ts";
import { secretKind } from "#core/accounts/secret.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import { hashToken, isTokenOf } from "#data/access/token.ts";
import type { ApiDeps, ApiSettings } from "#web/http/deps.ts";
import { refuse } from "#web/http/errors.ts";

import { whileBodyComes } from "./ask-again.ts";
import { admit, peopleOf, refusePerson } from "./auth.ts";
import { findByBearer, findByKey } from "./people.ts";
import type { Caller, Registrant } from "./people.ts";

type Admission = Registrant | { kind: "refused"; code: HttpCode; text?: string };

/** A hook that lets through those who may register a bot, before the body is read. */
export function requireRegistrant(deps: ApiDeps) {
  return whileBodyComes(deps, async (request, reply) => {
    reply.header("vary", "Authorization, X-Owner-Key");
    const admission = await registrantOf(deps, request);
    if (admission.kind === "refused") return reply.send(turnedAway(deps, reply, admission));
    if (!knowsKey(deps.settings, request))
      return reply.send(refuse(reply, "invalid_registration_key"));
    request.registrant = admission;
    return undefined;
  });
}

/** With X-Owner-Key no other header is read. */
async function registrantOf(deps: ApiDeps, { headers }: FastifyRequest): Promise<Admission> {
  const { authorization, "x-owner-key": ownerKey } = headers;
  if (ownerKey !== undefined) return byOwnerKey(deps, String(ownerKey));
  if (authorization === undefined && deps.settings.anonymous) return { kind: "anybody" };
  const people = peopleOf(deps);
  if (people === null) {
    const text = authorization === undefined ? NO_ACCOUNTS : NO_CREDENTIALS;
    return { kind: "refused", code: "authentication_required", text };
  }
  return toRegistrant(registrantAsker(await findByBearer(people, authorization)));
}

async function byOwnerKey(deps: ApiDeps, text: string): Promise<Admission> {
  if (secretKind(text) !== "owner_key") return toRegistrant(keyAsker(await keyOf(deps, text)));
  const owner = deps.settings.anonymous ? await deps.store.owners.byKey(hashToken(text)) : null;
  return owner ? { kind: "owner", owner } : { kind: "refused", code: "invalid_owner_key" };
}

function toRegistrant(person: Person<Caller, HttpCode>): Admission {
  return person.kind === "refused" ? person : { kind: "account", caller: person.account };
}

/** Whose agent key a text is; on a server without accounts nobody's. */
async function keyOf(deps: ApiDeps, text: string): Promise<PersonFound<Caller>> {
  const isKey = deps.accounts !== null && secretKind(text) === "agent_key";
  return isKey ? findByKey(deps, text) : { kind: "unknown" };
}

/** A hook that lets agent keys through, as a bearer token or in X-Owner-Key. */
export function requireKey(deps: ApiDeps) {
  return whileBodyComes(deps, async (request, reply) => {
    reply.header("vary", "Authorization, X-Owner-Key");
    const { authorization = "", "x-owner-key": ownerKey } = request.headers;
    const text = ownerKey ?? authorization.replace(/^Bearer +/i, "").trimEnd();
    return admit(request, reply, keyAsker(await keyOf(deps, String(text))));
  });
}

function turnedAway(
  { settings }: ApiDeps,
  reply: FastifyReply,
  { code, text }: { code: HttpCode; text?: string },
): ErrorBody {
  const refusal = refusePerson(reply, code, text);
  if (code !== "authentication_required") return refusal;
  return { ...refusal, account_url: `${settings.baseUrl}/account` };
}

/** True if the ladder asks for none. */
function knowsKey({ registrationKeyHash }: ApiSettings, { headers }: FastifyRequest): boolean {
  if (registrationKeyHash === null) return true;
  const sent = headers["x-registration-key"];
  return typeof sent === "string" && isTokenOf(registrationKeyHash, sent);
}

const NO_ACCOUNTS = "Registering a bot needs an account here, and this server has none.";
const NO_CREDENTIALS =
  "No credential is valid here: this server has no accounts. Register without any.";
