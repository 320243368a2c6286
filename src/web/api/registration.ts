import { Type } from "typebox";

import { REGISTRANT_REFUSALS } from "#core/accounts/asker.ts";
import { BOT_NAME_PATTERN } from "#core/accounts/name.ts";
import { DeletedBotSchema, RegisteredBotSchema } from "#core/resources/bot.ts";
import { ownBot } from "#web/account/account-bot.ts";
import { refuseDaily } from "#web/account/daily-limit.ts";
import { endBot } from "#web/account/end-bot.ts";
import { NEW_BOT_REFUSALS, registerBot } from "#web/account/new-bot.ts";
import { admitted } from "#web/auth/auth.ts";
import { requireKey, requireRegistrant } from "#web/auth/registrant.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refusals, refuse } from "#web/http/errors.ts";
import { answers, BotParams } from "#web/http/query.ts";

const RegistrationSchema = Type.Object({
  name: Type.String({ pattern: BOT_NAME_PATTERN, description: "unique without regard to case" }),
  owner: Type.Optional(
    Type.String({ description: "without an account; absent: the bot owns itself" }),
  ),
});

export function registrationRoutes(app: App, deps: ApiDeps): void {
  creationRoute(app, deps);
  deletionRoute(app, deps);
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
    refuses: [
      ...REGISTRANT_REFUSALS,
      ...NEW_BOT_REFUSALS,
      "invalid_registration_key",
      "invalid_handle",
    ] as const,
    fieldCodes: { name: "invalid_bot" } as const,
  };
  const onRequest = requireRegistrant(deps);
  app.post("/api/bots", { schema, config, onRequest }, async ({ body, registrant }, reply) => {
    const made = await registerBot(deps, admitted(registrant), body);
    if ("limit" in made) return refuseDaily(reply, made);
    if ("refused" in made) return refuse(reply, made.refused, made.text);
    reply.code(201).header("Location", `/api/bots/${made.bot.name}`);
    return made.bot;
  });
}

/** Only an agent key deletes a bot here, and without accounts there are none. */
function deletionRoute(app: App, deps: ApiDeps): void {
  const schema = { params: BotParams, response: answers(DeletedBotSchema) };
  const config = {
    endpoint: "delete_bot",
    about: "Deletes a bot that never played",
    credentials: ["AgentBearer", "OwnerKey"] as const,
    refuses: [
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
    const bot = await ownBot(deps, caller, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const ending = await endBot(deps, admitted(caller), bot, { retires: false });
    if ("refused" in ending) return refuse(reply, ending.refused);
    return { name: bot.name, outcome: ending.outcome };
  });
}
