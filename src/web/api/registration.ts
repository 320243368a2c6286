import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";

import { BOT_NAME_PATTERN, botNameFault, ownerFault } from "#core/accounts/name.ts";
import type { NameFault } from "#core/accounts/name.ts";
import { DeletedBotSchema, RegisteredBotSchema } from "#core/resources/bot.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import { SYSTEM } from "#core/words/audit.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { newBot } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { hashToken, isTokenOf } from "#data/store/token.ts";
import type { ApiDeps, ApiSettings, App } from "#web/http/deps.ts";
import { refusals, refuse } from "#web/http/errors.ts";
import { answers, BotParams } from "#web/http/query.ts";

const RegistrationSchema = Type.Object({
  name: Type.String({ pattern: BOT_NAME_PATTERN, description: "unique without regard to case" }),
  owner: Type.Optional(
    Type.String({ description: "in anonymous local mode; absent: the bot owns itself" }),
  ),
});

const REFUSALS = [
  "invalid_bot",
  "invalid_handle",
  "invalid_owner_key",
  "authentication_required",
  "invalid_registration_key",
  "bot_limit",
] as const;

const NOTE =
  "Keep the token: it is shown this once. Connect to bot_endpoint with the header 'Authorization: Bearer <token>' and send a queue message.";

export function registrationRoutes(app: App, deps: ApiDeps): void {
  creationRoute(app, deps);
  deletionRoute(app);
}

function creationRoute(app: App, deps: ApiDeps): void {
  const schema = {
    body: RegistrationSchema,
    response: { 201: RegisteredBotSchema, ...refusals },
  };
  const config = {
    endpoint: "register_bot",
    about: "Registers a bot",
    credentials: ["AccountBearer", "OwnerKey", "none"] as const,
    ...(deps.settings.registrationKeyHash !== null && { needsToo: "RegistrationKey" as const }),
    refuses: REFUSALS,
    fieldCodes: { name: "invalid_bot" } as const,
  };
  const onRequest = requireRegistrant(deps);
  app.post("/api/bots", { schema, config, onRequest }, async ({ body }, reply) => {
    const { name, owner = name } = body;
    const nameFault = botNameFault(name);
    if (nameFault !== null)
      return refuse(reply, "invalid_bot", reservedText(nameFault, `The name ${name}`));
    const fault = body.owner === undefined ? null : ownerFault(owner);
    if (fault !== null)
      return refuse(reply, "invalid_handle", reservedText(fault, `The owner's name ${owner}`));
    const token = deps.newToken();
    const { store, limits, newId, clock } = deps;
    const created = clock().toISOString();
    const bot = newBot({ id: newId(), name, owner, house: false, created, accountId: null });
    const note = registered(bot, newId());
    const outcome = await store.bots.add(bot, hashToken(token), limits().bots_per_owner, note);
    if (outcome === "bot_limit") return refuse(reply, "bot_limit");
    if (outcome === "name_taken") return refuse(reply, "invalid_bot", `The name ${name} is taken.`);
    reply.code(201).header("Location", `/api/bots/${name}`);
    return { name, token, bot_endpoint: deps.settings.botEndpoint, note: NOTE };
  });
}

/** Of other faults the text of the code says enough. */
const reservedText = (fault: NameFault, what: string): string | undefined =>
  fault === "reserved" ? `${what} is reserved for this server. Choose another one.` : undefined;

/**
 * Without accounts no account credential can be right: a request that carries one is meant for
 * another server. The registration key is checked last: it is needed in addition to a credential
 * and replaces none.
 */
function requireRegistrant({ settings }: ApiDeps) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { authorization, "x-owner-key": ownerKey } = request.headers;
    if (ownerKey !== undefined) return reply.send(refuse(reply, "invalid_owner_key", NO_KEYS));
    if (!settings.anonymous) return reply.send(askForAccount(reply, settings.baseUrl));
    if (authorization !== undefined)
      return reply.send(askForAccount(reply, settings.baseUrl, NO_CREDENTIALS));
    if (knowsKey(settings, request)) return undefined;
    return reply.send(refuse(reply, "invalid_registration_key"));
  };
}

/** True if the ladder asks for none. */
function knowsKey({ registrationKeyHash }: ApiSettings, { headers }: FastifyRequest): boolean {
  if (registrationKeyHash === null) return true;
  const sent = headers["x-registration-key"];
  return typeof sent === "string" && isTokenOf(registrationKeyHash, sent);
}

function askForAccount(reply: FastifyReply, baseUrl: string, text?: string): ErrorBody {
  const refusal = refuse(reply, "authentication_required", text);
  return { ...refusal, account_url: `${baseUrl}/account` };
}

const NO_KEYS = "No agent key is valid here: this server has no accounts yet.";
const NO_CREDENTIALS =
  "No credential is valid here: this server has no accounts yet. Register without any; account_url is where accounts will be made.";

/** Only an agent key deletes a bot, and without accounts there are none. */
function deletionRoute(app: App): void {
  const schema = { params: BotParams, response: answers(DeletedBotSchema) };
  const config = {
    endpoint: "delete_bot",
    about: "Deletes a bot that never played, or retires it",
    credentials: ["AgentBearer", "OwnerKey"] as const,
    refuses: ["invalid_owner_key"] as const,
  };
  app.delete("/api/bots/:name", { schema, config }, async (_request, reply) =>
    refuse(reply, "invalid_owner_key", NO_KEYS),
  );
}

/** Registered without an account, by nobody in particular. */
function registered(bot: BotRecord, id: string): AuditEntry {
  return {
    id,
    at: bot.created,
    kind: "bot.registered",
    actor: SYSTEM,
    subject: { kind: "bot", id: bot.id, name: bot.name },
    reason: null,
    detail: { owner: bot.owner },
  };
}
