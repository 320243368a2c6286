// Operators suspend bots, let them play again, and ban them.

import { accountOf } from "#core/accounts/name.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import { BotStatusSchema } from "#core/resources/admin.ts";
import type { BotStatus } from "#core/words/bot-status.ts";
import { hashToken } from "#data/access/token.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { admitted } from "#web/auth/auth.ts";
import { aboutBot, actorOf, entryOf, ownerOf } from "#web/auth/entry.ts";
import { tellHolder } from "#web/auth/tell.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuse } from "#web/http/errors.ts";
import { answers, BotParams, presentBot } from "#web/http/query.ts";

import { credentials, operatorHooks, ReasonSchema } from "./operator.ts";

type Step = {
  verb: "suspend" | "activate" | "ban";
  about: string;
  from: readonly BotStatus[];
  to: BotStatus;
  kind: "bot.suspended" | "bot.activated" | "bot.banned";
  letter: "bot_suspended" | "bot_activated" | "bot_banned";
};

const STEPS: readonly Step[] = [
  {
    verb: "suspend",
    about: "Stops a bot until it is activated",
    from: ["active"],
    to: "suspended",
    kind: "bot.suspended",
    letter: "bot_suspended",
  },
  {
    verb: "activate",
    about: "Lets a suspended bot play again",
    from: ["suspended"],
    to: "active",
    kind: "bot.activated",
    letter: "bot_activated",
  },
  {
    verb: "ban",
    about: "Stops a bot for good",
    from: ["active", "suspended"],
    to: "banned",
    kind: "bot.banned",
    letter: "bot_banned",
  },
];

const REFUSES = ["no_such_bot", "bot_moderated", "bot_retired"] as const;

export function moderationRoutes(app: App, deps: ApiDeps): void {
  for (const step of STEPS) stepRoute(app, deps, step);
}

function stepRoute(app: App, deps: ApiDeps, step: Step): void {
  const schema = { params: BotParams, body: ReasonSchema, response: answers(BotStatusSchema) };
  const config = {
    endpoint: `admin_bot_${step.verb}`,
    about: step.about,
    credentials,
    refuses: step.to === "banned" ? ([...REFUSES, "house_bot"] as const) : REFUSES,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = `/api/admin/bots/:name/${step.verb}` as const;
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const bot = await presentBot(deps, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    if (bot.house && step.to === "banned") return refuse(reply, "house_bot");
    const { reason = null } = body;
    const actor = actorOf(admitted(caller));
    const detail = { from: bot.status, to: step.to };
    const more = { reason, detail, ...ownerOf(bot) };
    const note = entryOf(deps, actor, step.kind, aboutBot(bot), more);
    const moderated = await moderate(deps, bot, step, note);
    return "refused" in moderated ? refuse(reply, moderated.refused) : moderated;
  });
}

/** A bot that is as asked for already stays what it is, and nobody is told. */
async function moderate(
  deps: ApiDeps,
  { id, ownerId }: BotRecord,
  { from, to, letter }: Step,
  note: AuditEntry,
): Promise<{ name: string; status: BotStatus } | { refused: HttpCode }> {
  const { store, arena } = deps;
  const { reason, at } = note;
  const holder = await holderOf(deps, ownerId);
  const outcome = await store.bots.setStatus(id, { from, to, reason, at }, note);
  if (outcome === null) return { refused: "no_such_bot" };
  const { bot, isChanged } = outcome;
  if (!isChanged && bot.status !== to)
    return { refused: bot.status === "retired" ? "bot_retired" : "bot_moderated" };
  if (isChanged && to === "banned")
    await store.bots.rotateToken(id, hashToken(deps.newSecret("bot")));
  if (isChanged) arena.botChanged(bot);
  if (isChanged && holder !== null)
    tellHolder(deps, holder, { type: letter, bot: bot.name, reason, at });
  return { name: bot.name, status: bot.status };
}

/** Null for bots of the house and of owners without an account. */
function holderOf(
  { store }: ApiDeps,
  ownerId: BotRecord["ownerId"],
): Promise<AccountRecord | null> {
  const id = accountOf(ownerId);
  return id === null ? Promise.resolve(null) : store.accounts.byId(id);
}
