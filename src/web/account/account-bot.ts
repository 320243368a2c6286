import { Type } from "typebox";

import { BOT_NAME_PATTERN, botNameError } from "#core/accounts/name-rules.ts";
import {
  BotAvatarSchema,
  BotNameSchema,
  BotTokenSchema,
  ClaimedBotSchema,
} from "#core/api/account.ts";
import { DeletedBotSchema, RegisteredBotSchema } from "#core/api/bot.ts";
import { AvatarSchema } from "#core/api/common-schemas.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import {
  botSubject,
  auditActor,
  newAuditEntry,
  auditOwner,
  auditPerson,
} from "#web/auth/audit-entry.ts";
import { assertAuthenticated, requireAccount, assertSignedIn } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { errorResponses, refuseWithCode } from "#web/http/errors.ts";
import { okResponses, BotParams, findCurrentBot } from "#web/http/route-params.ts";

import { formerNameReservation } from "./account.ts";
import { countDailyChange, refuseDailyLimit } from "./daily-limit.ts";
import { deleteOrRetireBot } from "./delete-or-retire-bot.ts";
import { NEW_BOT_REFUSALS, registerNewBot, reservedNameText } from "./register-bot.ts";

const credentials = ["Browser"] as const;

const NameSchema = Type.Object({
  name: Type.String({ pattern: BOT_NAME_PATTERN, description: "unique, case-insensitive" }),
});
const fieldCodes = { name: "invalid_bot" } as const;

export function accountBotRoutes(app: App, deps: ApiDeps): void {
  creationRoute(app, deps);
  renameRoute(app, deps);
  tokenRoute(app, deps);
  avatarRoute(app, deps);
  endRoute(app, deps);
  claimRoute(app, deps);
}

/** Returns the caller's bot with this current name. Returns null if the caller owns no such bot. */
export async function findOwnBot(
  deps: ApiDeps,
  caller: Caller | null,
  name: string,
): Promise<BotRecord | null> {
  const bot = await findCurrentBot(deps, name);
  return bot?.ownerId === assertAuthenticated(caller).account.id ? bot : null;
}

/** Returns the error code if the bot's status forbids changes, otherwise null. */
export function stateRefusal({ status }: BotRecord): "bot_moderated" | "bot_retired" | null {
  if (status === "active") return null;
  return status === "retired" ? "bot_retired" : "bot_moderated";
}

function creationRoute(app: App, deps: ApiDeps): void {
  const schema = { body: NameSchema, response: { 201: RegisteredBotSchema, ...errorResponses } };
  const config = {
    endpoint: "account_bots",
    summary: "Registers a bot for the account",
    credentials,
    errorCodes: NEW_BOT_REFUSALS,
    fieldCodes,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post("/api/account/bots", options, async ({ body, caller }, reply) => {
    const registrant = { kind: "account", caller: assertAuthenticated(caller) } as const;
    const registration = await registerNewBot(deps, registrant, body);
    if ("limit" in registration) return refuseDailyLimit(reply, registration);
    if ("refused" in registration)
      return refuseWithCode(reply, registration.refused, registration.text);
    reply.code(201).header("Location", `/api/bots/${registration.bot.name}`);
    return registration.bot;
  });
}

function renameRoute(app: App, deps: ApiDeps): void {
  const schema = { params: BotParams, body: NameSchema, response: okResponses(BotNameSchema) };
  const config = {
    endpoint: "account_bot_name",
    summary: "Renames a bot",
    credentials,
    errorCodes: [
      "invalid_bot",
      "no_such_bot",
      "bot_moderated",
      "bot_retired",
      "bot_in_match",
      "rate_limited",
    ] as const,
    fieldCodes,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.put("/api/account/bots/:name/name", options, async ({ params, body, caller }, reply) => {
    const { name } = body;
    const fault = botNameError(name);
    if (fault !== null)
      return refuseWithCode(reply, "invalid_bot", reservedNameText(fault, `The name ${name}`));
    const bot = await findOwnBot(deps, caller, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const refusal = stateRefusal(bot) ?? (isPlaying(deps, bot) ? "bot_in_match" : null);
    if (refusal !== null) return refuseWithCode(reply, refusal);
    const person = assertAuthenticated(caller);
    const dailyLimitHit =
      bot.name === name ? null : await countDailyChange(deps, person.account.id, "rename");
    if (dailyLimitHit !== null) return refuseDailyLimit(reply, dailyLimitHit);
    const renamedBot = await rename(deps, person, bot, name);
    if (renamedBot === "name_taken")
      return refuseWithCode(reply, "invalid_bot", `The name ${name} is taken.`);
    return renamedBot === null ? refuseWithCode(reply, "no_such_bot") : { name: renamedBot.name };
  });
}

const isPlaying = ({ arena }: ApiDeps, { id }: BotRecord): boolean =>
  arena.onlineBots().some(({ botId, state }) => botId === id && state === "playing");

async function rename(deps: ApiDeps, caller: Caller, bot: BotRecord, name: string) {
  if (bot.name === name) return bot;
  const detail = { from: bot.name, to: name };
  const subject = botSubject({ ...bot, name });
  const auditEntry = newAuditEntry(deps, auditActor(caller), "bot.renamed", subject, {
    detail,
    ...auditOwner(bot),
  });
  const renamedBot = await deps.store.bots.rename(
    bot.id,
    name,
    formerNameReservation(deps),
    auditEntry,
  );
  if (renamedBot !== null && renamedBot !== "name_taken") deps.arena.onBotChanged(renamedBot);
  return renamedBot;
}

function tokenRoute(app: App, deps: ApiDeps): void {
  const schema = { params: BotParams, response: okResponses(BotTokenSchema) };
  const config = {
    endpoint: "account_bot_token",
    summary: "Replaces a bot's token",
    credentials,
    errorCodes: ["no_such_bot", "bot_moderated", "bot_retired", "rate_limited"] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post("/api/account/bots/:name/token", options, async ({ params, caller }, reply) => {
    const bot = await findOwnBot(deps, caller, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const refusal = stateRefusal(bot);
    if (refusal !== null) return refuseWithCode(reply, refusal);
    const person = assertAuthenticated(caller);
    const dailyLimitHit = await countDailyChange(deps, person.account.id, "token");
    if (dailyLimitHit !== null) return refuseDailyLimit(reply, dailyLimitHit);
    const token = deps.newSecret("bot");
    const audit = newAuditEntry(
      deps,
      auditActor(person),
      "bot.rotated",
      botSubject(bot),
      auditOwner(bot),
    );
    await deps.store.bots.rotateToken(bot.id, hashToken(token), { audit });
    deps.arena.onTokenRotated(bot.id);
    return { name: bot.name, token };
  });
}

function avatarRoute(app: App, deps: ApiDeps): void {
  const body = Type.Object({ avatar: AvatarSchema });
  const schema = { params: BotParams, body, response: okResponses(BotAvatarSchema) };
  const config = {
    endpoint: "account_bot_avatar",
    summary: "Changes a bot's avatar",
    credentials,
    errorCodes: ["unknown_avatar", "no_such_bot"] as const,
    fieldCodes: { avatar: "unknown_avatar" } as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.put("/api/account/bots/:name/avatar", options, async ({ params, body, caller }, reply) => {
    const bot = await findOwnBot(deps, caller, params.name);
    const updatedBot = bot && (await deps.store.bots.setAvatar(bot.id, body.avatar));
    if (updatedBot === null) return refuseWithCode(reply, "no_such_bot");
    deps.arena.onBotChanged(updatedBot);
    return { name: updatedBot.name, avatar: updatedBot.avatar };
  });
}

function endRoute(app: App, deps: ApiDeps): void {
  const schema = { params: BotParams, response: okResponses(DeletedBotSchema) };
  const config = {
    endpoint: "account_bot_end",
    summary: "Deletes a bot that has never played, or retires it",
    credentials,
    errorCodes: ["no_such_bot", "bot_moderated", "bot_in_match"] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account/bots/:name", options, async ({ params, caller }, reply) => {
    const bot = await findOwnBot(deps, caller, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const result = await deleteOrRetireBot(deps, assertAuthenticated(caller), bot, {
      retires: true,
    });
    if ("refused" in result) return refuseWithCode(reply, result.refused);
    return { name: bot.name, outcome: result.outcome };
  });
}

const ClaimSchema = Type.Object({
  token: Type.String({ description: "token for a bot without an account" }),
});

function claimRoute(app: App, deps: ApiDeps): void {
  const schema = { body: ClaimSchema, response: okResponses(ClaimedBotSchema) };
  const config = {
    endpoint: "account_claim",
    summary: "Claims a bot that has no account",
    credentials,
    errorCodes: [
      "invalid_token",
      "handle_required",
      "already_claimed",
      "bot_moderated",
      "bot_retired",
      "bot_limit",
    ] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post("/api/account/claim", options, async ({ body, caller }, reply) => {
    const claimResult = await claim(deps, assertSignedIn(caller), body.token);
    if ("refused" in claimResult) return refuseWithCode(reply, claimResult.refused);
    return { name: claimResult.name, owner: claimResult.owner };
  });
}

const CLAIM_REFUSALS = {
  no_handle: "handle_required",
  already_claimed: "already_claimed",
  bot_limit: "bot_limit",
  moderated: "bot_moderated",
  retired: "bot_retired",
} as const;

async function claim(
  deps: ApiDeps,
  caller: Caller,
  token: string,
): Promise<BotRecord | { refused: HttpCode }> {
  const { store, arena, limits } = deps;
  const { id, handle, maxBots } = caller.account;
  if (handle === null) return { refused: "handle_required" };
  const tokenOwner = await store.bots.byToken(hashToken(token));
  if (tokenOwner === null || tokenOwner.stale) return { refused: "invalid_token" };
  const { bot } = tokenOwner;
  const auditEntry = newAuditEntry(deps, auditActor(caller), "bot.claimed", botSubject(bot), {
    detail: { from: bot.owner, to: handle },
    person: auditPerson(caller.account),
  });
  const botLimit = maxBots ?? limits().bots_per_owner;
  const result = await store.bots.claim(bot.id, id, botLimit, auditEntry);
  if (result === null) return { refused: "invalid_token" };
  if (!("bot" in result)) return { refused: CLAIM_REFUSALS[result.outcome] };
  arena.onBotChanged(result.bot);
  return result.bot;
}
