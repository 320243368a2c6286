// The bots of an account: a new one, another name, token or picture, a claim, and their end.

import { Type } from "typebox";

import { BOT_NAME_PATTERN, botNameFault } from "#core/accounts/name.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import {
  BotAvatarSchema,
  BotNameSchema,
  BotTokenSchema,
  ClaimedBotSchema,
} from "#core/resources/account.ts";
import { DeletedBotSchema, RegisteredBotSchema } from "#core/resources/bot.ts";
import { Avatar } from "#core/resources/common.ts";
import { hashToken } from "#data/access/token.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { admitted, requireAccount, signedIn } from "#web/auth/auth.ts";
import { aboutBot, actorOf, entryOf, ownerOf, personOf } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refusals, refuse } from "#web/http/errors.ts";
import { answers, BotParams, presentBot } from "#web/http/query.ts";

import { givenUpNow } from "./account.ts";
import { countChange, refuseDaily } from "./daily-limit.ts";
import { endBot } from "./end-bot.ts";
import { NEW_BOT_REFUSALS, registerBot, reservedText } from "./new-bot.ts";

/** For every route here. */
const credentials = ["Browser"] as const;

const NameSchema = Type.Object({
  name: Type.String({ pattern: BOT_NAME_PATTERN, description: "unique without regard to case" }),
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

/** The caller's bot of this present name, or null. */
export async function ownBot(
  deps: ApiDeps,
  caller: Caller | null,
  name: string,
): Promise<BotRecord | null> {
  const bot = await presentBot(deps, name);
  return bot?.ownerId === admitted(caller).account.id ? bot : null;
}

/** Why a bot cannot be changed; null when it can. */
export function stateRefusal({ status }: BotRecord): "bot_moderated" | "bot_retired" | null {
  if (status === "active") return null;
  return status === "retired" ? "bot_retired" : "bot_moderated";
}

function creationRoute(app: App, deps: ApiDeps): void {
  const schema = { body: NameSchema, response: { 201: RegisteredBotSchema, ...refusals } };
  const config = {
    endpoint: "account_bots",
    about: "Registers a bot for the account",
    credentials,
    refuses: NEW_BOT_REFUSALS,
    fieldCodes,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post("/api/account/bots", options, async ({ body, caller }, reply) => {
    const registrant = { kind: "account", caller: admitted(caller) } as const;
    const made = await registerBot(deps, registrant, body);
    if ("limit" in made) return refuseDaily(reply, made);
    if ("refused" in made) return refuse(reply, made.refused, made.text);
    reply.code(201).header("Location", `/api/bots/${made.bot.name}`);
    return made.bot;
  });
}

function renameRoute(app: App, deps: ApiDeps): void {
  const schema = { params: BotParams, body: NameSchema, response: answers(BotNameSchema) };
  const config = {
    endpoint: "account_bot_name",
    about: "Gives a bot another name",
    credentials,
    refuses: [
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
    const fault = botNameFault(name);
    if (fault !== null)
      return refuse(reply, "invalid_bot", reservedText(fault, `The name ${name}`));
    const bot = await ownBot(deps, caller, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const refusal = stateRefusal(bot) ?? (isPlaying(deps, bot) ? "bot_in_match" : null);
    if (refusal !== null) return refuse(reply, refusal);
    const person = admitted(caller);
    const over = bot.name === name ? null : await countChange(deps, person.account.id, "rename");
    if (over !== null) return refuseDaily(reply, over);
    const renamed = await rename(deps, person, bot, name);
    if (renamed === "name_taken") return refuse(reply, "invalid_bot", `The name ${name} is taken.`);
    return renamed === null ? refuse(reply, "no_such_bot") : { name: renamed.name };
  });
}

const isPlaying = ({ arena }: ApiDeps, { id }: BotRecord): boolean =>
  arena.online().some(({ botId, state }) => botId === id && state === "playing");

async function rename(deps: ApiDeps, caller: Caller, bot: BotRecord, name: string) {
  if (bot.name === name) return bot;
  const detail = { from: bot.name, to: name };
  const about = aboutBot({ ...bot, name });
  const note = entryOf(deps, actorOf(caller), "bot.renamed", about, {
    detail,
    ...ownerOf(bot),
  });
  const renamed = await deps.store.bots.rename(bot.id, name, givenUpNow(deps), note);
  if (renamed !== null && renamed !== "name_taken") deps.arena.botChanged(renamed);
  return renamed;
}

function tokenRoute(app: App, deps: ApiDeps): void {
  const schema = { params: BotParams, response: answers(BotTokenSchema) };
  const config = {
    endpoint: "account_bot_token",
    about: "Replaces a bot's token",
    credentials,
    refuses: ["no_such_bot", "bot_moderated", "bot_retired", "rate_limited"] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post("/api/account/bots/:name/token", options, async ({ params, caller }, reply) => {
    const bot = await ownBot(deps, caller, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const refusal = stateRefusal(bot);
    if (refusal !== null) return refuse(reply, refusal);
    const person = admitted(caller);
    const over = await countChange(deps, person.account.id, "token");
    if (over !== null) return refuseDaily(reply, over);
    const token = deps.newSecret("bot");
    const audit = entryOf(deps, actorOf(person), "bot.rotated", aboutBot(bot), ownerOf(bot));
    await deps.store.bots.rotateToken(bot.id, hashToken(token), { audit });
    deps.arena.tokenRotated(bot.id);
    return { name: bot.name, token };
  });
}

function avatarRoute(app: App, deps: ApiDeps): void {
  const body = Type.Object({ avatar: Avatar });
  const schema = { params: BotParams, body, response: answers(BotAvatarSchema) };
  const config = {
    endpoint: "account_bot_avatar",
    about: "Gives a bot another picture",
    credentials,
    refuses: ["unknown_avatar", "no_such_bot"] as const,
    fieldCodes: { avatar: "unknown_avatar" } as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.put("/api/account/bots/:name/avatar", options, async ({ params, body, caller }, reply) => {
    const bot = await ownBot(deps, caller, params.name);
    const changed = bot && (await deps.store.bots.setAvatar(bot.id, body.avatar));
    if (changed === null) return refuse(reply, "no_such_bot");
    deps.arena.botChanged(changed);
    return { name: changed.name, avatar: changed.avatar };
  });
}

function endRoute(app: App, deps: ApiDeps): void {
  const schema = { params: BotParams, response: answers(DeletedBotSchema) };
  const config = {
    endpoint: "account_bot_end",
    about: "Deletes a bot that never played, or retires it",
    credentials,
    refuses: ["no_such_bot", "bot_moderated", "bot_in_match"] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account/bots/:name", options, async ({ params, caller }, reply) => {
    const bot = await ownBot(deps, caller, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const ending = await endBot(deps, admitted(caller), bot, { retires: true });
    if ("refused" in ending) return refuse(reply, ending.refused);
    return { name: bot.name, outcome: ending.outcome };
  });
}

const ClaimSchema = Type.Object({
  token: Type.String({ description: "the token of a bot without an account" }),
});

function claimRoute(app: App, deps: ApiDeps): void {
  const schema = { body: ClaimSchema, response: answers(ClaimedBotSchema) };
  const config = {
    endpoint: "account_claim",
    about: "Takes over a bot that belongs to no account",
    credentials,
    refuses: [
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
    const claimed = await claim(deps, signedIn(caller), body.token);
    if ("refused" in claimed) return refuse(reply, claimed.refused);
    return { name: claimed.name, owner: claimed.owner };
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
  const found = await store.bots.byToken(hashToken(token));
  if (found === null || found.stale) return { refused: "invalid_token" };
  const { bot } = found;
  const note = entryOf(deps, actorOf(caller), "bot.claimed", aboutBot(bot), {
    detail: { from: bot.owner, to: handle },
    person: personOf(caller.account),
  });
  const most = maxBots ?? limits().bots_per_owner;
  const result = await store.bots.claim(bot.id, id, most, note);
  if (result === null) return { refused: "invalid_token" };
  if (!("bot" in result)) return { refused: CLAIM_REFUSALS[result.outcome] };
  arena.botChanged(result.bot);
  return result.bot;
}
