import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import { BotStatusSchema } from "#core/api/admin.ts";
import type { BotStatus } from "#core/ids/bot-status.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { sendAccountEmail } from "#web/auth/account-email.ts";
import { botSubject, auditActor, newAuditEntry, auditOwner } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithCode } from "#web/http/errors.ts";
import { okResponses, BotParams, findCurrentBot } from "#web/http/route-params.ts";

import { credentials, operatorHooks, ReasonSchema } from "./admin-route.ts";

type Step = {
  verb: "suspend" | "activate" | "ban";
  summary: string;
  from: readonly BotStatus[];
  to: BotStatus;
  kind: "bot.suspended" | "bot.activated" | "bot.banned";
  emailType: "bot_suspended" | "bot_activated" | "bot_banned";
};

const MODERATION_STEPS: readonly Step[] = [
  {
    verb: "suspend",
    summary: "Suspends a bot until it is reactivated",
    from: ["active"],
    to: "suspended",
    kind: "bot.suspended",
    emailType: "bot_suspended",
  },
  {
    verb: "activate",
    summary: "Reactivates a suspended bot",
    from: ["suspended"],
    to: "active",
    kind: "bot.activated",
    emailType: "bot_activated",
  },
  {
    verb: "ban",
    summary: "Permanently bans a bot",
    from: ["active", "suspended"],
    to: "banned",
    kind: "bot.banned",
    emailType: "bot_banned",
  },
];

const ERROR_CODES = ["no_such_bot", "bot_moderated", "bot_retired"] as const;

export function moderationRoutes(app: App, deps: ApiDeps): void {
  for (const step of MODERATION_STEPS) moderationRoute(app, deps, step);
}

function moderationRoute(app: App, deps: ApiDeps, step: Step): void {
  const schema = { params: BotParams, body: ReasonSchema, response: okResponses(BotStatusSchema) };
  const config = {
    endpoint: `admin_bot_${step.verb}`,
    summary: step.summary,
    credentials,
    errorCodes: step.to === "banned" ? ([...ERROR_CODES, "house_bot"] as const) : ERROR_CODES,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = `/api/admin/bots/:name/${step.verb}` as const;
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const bot = await findCurrentBot(deps, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    if (bot.house && step.to === "banned") return refuseWithCode(reply, "house_bot");
    const { reason = null } = body;
    const actor = auditActor(assertAuthenticated(caller));
    const detail = { from: bot.status, to: step.to };
    const details = { reason, detail, ...auditOwner(bot) };
    const auditEntry = newAuditEntry(deps, actor, step.kind, botSubject(bot), details);
    const result = await moderate(deps, bot, step, auditEntry);
    return "refused" in result ? refuseWithCode(reply, result.refused) : result;
  });
}

/**
 * Changes a bot's status. If the bot already has the status, nothing changes and no notification is
 * sent.
 */
async function moderate(
  deps: ApiDeps,
  { id, ownerId }: BotRecord,
  { from, to, emailType }: Step,
  auditEntry: AuditEntry,
): Promise<{ name: string; status: BotStatus } | { refused: HttpCode }> {
  const { store, arena } = deps;
  const { reason, at } = auditEntry;
  const ownerAccount = await findOwnerAccount(deps, ownerId);
  const outcome = await store.bots.setStatus(id, { from, to, reason, at }, auditEntry);
  if (outcome === null) return { refused: "no_such_bot" };
  const { bot, isChanged } = outcome;
  if (!isChanged && bot.status !== to)
    return { refused: bot.status === "retired" ? "bot_retired" : "bot_moderated" };
  if (isChanged && to === "banned")
    await store.bots.rotateToken(id, hashToken(deps.newSecret("bot")));
  if (isChanged) arena.onBotChanged(bot);
  if (isChanged && ownerAccount !== null)
    sendAccountEmail(deps, ownerAccount, { type: emailType, bot: bot.name, reason, at });
  return { name: bot.name, status: bot.status };
}

function findOwnerAccount(
  { store }: ApiDeps,
  ownerId: BotRecord["ownerId"],
): Promise<AccountRecord | null> {
  const id = accountIdOfOwner(ownerId);
  return id === null ? Promise.resolve(null) : store.accounts.byId(id);
}
