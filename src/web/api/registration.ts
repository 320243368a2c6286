import { Type } from "typebox";

import { REGISTRANT_REFUSALS } from "#core/accounts/authentication.ts";
import { BOT_NAME_PATTERN } from "#core/accounts/name-rules.ts";
import { DeletedBotSchema, RegisteredBotSchema } from "#core/api/bot.ts";
import { findOwnBot } from "#web/account/account-bot.ts";
import { refuseDailyLimit } from "#web/account/daily-limit.ts";
import { deleteOrRetireBot } from "#web/account/delete-or-retire-bot.ts";
import { NEW_BOT_REFUSALS, registerNewBot } from "#web/account/register-bot.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import { requireKey, requireRegistrant } from "#web/auth/registrant.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { errorResponses, refuseWithCode } from "#web/http/errors.ts";
import { okResponses, BotParams } from "#web/http/route-params.ts";

const RegistrationSchema = Type.Object({
  name: Type.String({ pattern: BOT_NAME_PATTERN, description: "unique, case-insensitive" }),
  owner: Type.Optional(
    Type.String({ description: "without an account; default: the bot owns itself" }),
  ),
});

export function registrationRoutes(app: App, deps: ApiDeps): void {
  creationRoute(app, deps);
  deletionRoute(app, deps);
}

function creationRoute(app: App, deps: ApiDeps): void {
  const schema = {
    body: RegistrationSchema,
    response: { 201: RegisteredBotSchema, ...errorResponses },
  };
  const config = {
    endpoint: "register_bot",
    summary: "Registers a bot",
    credentials: ["AccountBearer", "OwnerKey", "none"] as const,
    ...(deps.settings.registrationKeyHash !== null && { alsoRequires: "RegistrationKey" as const }),
    errorCodes: [
      ...REGISTRANT_REFUSALS,
      ...NEW_BOT_REFUSALS,
      "invalid_registration_key",
      "invalid_handle",
    ] as const,
    fieldCodes: { name: "invalid_bot" } as const,
  };
  const onRequest = requireRegistrant(deps);
  app.post("/api/bots", { schema, config, onRequest }, async ({ body, registrant }, reply) => {
    const registration = await registerNewBot(deps, assertAuthenticated(registrant), body);
    if ("limit" in registration) return refuseDailyLimit(reply, registration);
    if ("refused" in registration)
      return refuseWithCode(reply, registration.refused, registration.text);
    reply.code(201).header("Location", `/api/bots/${registration.bot.name}`);
    return registration.bot;
  });
}

/** Requires an agent key, and therefore a server with accounts. */
function deletionRoute(app: App, deps: ApiDeps): void {
  const schema = { params: BotParams, response: okResponses(DeletedBotSchema) };
  const config = {
    endpoint: "delete_bot",
    summary: "Deletes a bot that has never played",
    credentials: ["AgentBearer", "OwnerKey"] as const,
    errorCodes: [
      "invalid_owner_key",
      "account_banned",
      "no_such_bot",
      "bot_moderated",
      "bot_in_match",
      "bot_has_played",
    ] as const,
  };
  const options = { schema, config, onRequest: requireKey(deps) };
  app.delete("/api/bots/:name", options, async ({ params, caller }, reply) => {
    const bot = await findOwnBot(deps, caller, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const result = await deleteOrRetireBot(deps, assertAuthenticated(caller), bot, {
      retires: false,
    });
    if ("refused" in result) return refuseWithCode(reply, result.refused);
    return { name: bot.name, outcome: result.outcome };
  });
}
