// Registers a bot. Every registration route calls this.

import { botNameError, ownerNameError } from "#core/accounts/name-rules.ts";
import type { NameError } from "#core/accounts/name-rules.ts";
import type { RegisteredBot } from "#core/api/bot.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import { hashToken } from "#data/credentials/token.ts";
import { newBot } from "#data/store/bot.ts";
import type { AddBotOutcome } from "#data/store/bot.ts";
import type { Registrant } from "#web/auth/account-lookup.ts";
import { botSubject, auditActor, newAuditEntry, auditOwner } from "#web/auth/audit-entry.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { dailyLimit } from "./daily-limit.ts";
import type { DailyLimit } from "./daily-limit.ts";

/** `owner` is the display name for a registrant without an account. */
type BotRequest = { name: string; owner?: string | undefined };

type Registration = { bot: RegisteredBot } | { refused: HttpCode; text?: string } | DailyLimit;

export const NEW_BOT_REFUSALS = [
  "registration_closed",
  "handle_required",
  "invalid_bot",
  "bot_limit",
  "rate_limited",
] as const satisfies readonly HttpCode[];

const KEEP_TOKEN_NOTE =
  "Save the token now: it won't be shown again. Connect to bot_endpoint with the header 'Authorization: Bearer <token>' and send a queue message.";

export async function registerNewBot(
  deps: ApiDeps,
  registrant: Registrant,
  { name, owner: text }: BotRequest,
): Promise<Registration> {
  if (!deps.limits().registration_open) return { refused: "registration_closed" };
  const ownership = ownerFor(deps, registrant, text ?? name);
  if (ownership === null) return { refused: "handle_required" };
  const nameError = botNameError(name);
  if (nameError !== null) return refuseName("invalid_bot", nameError, `The name ${name}`);
  if (text !== undefined && registrant.kind === "anybody") {
    const ownerError = ownerNameError(text);
    if (ownerError !== null)
      return refuseName("invalid_handle", ownerError, `The owner's name ${text}`);
  }
  const { store, newId, clock } = deps;
  const { limit, actor, ...owner } = ownership;
  const created = clock().toISOString();
  const bot = newBot({ id: newId(), name, ...owner, house: false, created });
  const token = deps.newSecret("bot");
  const details = { detail: { owner: bot.owner }, ...auditOwner(bot) };
  const auditEntry = newAuditEntry(deps, actor, "bot.registered", botSubject(bot), details);
  const outcome = await store.bots.add(bot, hashToken(token), limit, auditEntry);
  if (outcome === "daily_limit") return dailyLimit("new_bots_per_day", new Date(created));
  if (outcome !== "added") return refusalOf(outcome, bot);
  return { bot: { name, token, bot_endpoint: deps.settings.botEndpoint, note: KEEP_TOKEN_NOTE } };
}

/** Returns the error text for a reserved name. Other name errors use the code's default text. */
export const reservedNameText = (nameError: NameError, subject: string): string | undefined =>
  nameError === "reserved"
    ? `${subject} is reserved for this server. Choose a different one.`
    : undefined;

function refuseName(refused: HttpCode, nameError: NameError, subject: string): Registration {
  const text = reservedNameText(nameError, subject);
  return { refused, ...(text !== undefined && { text }) };
}

function ownerFor({ limits }: ApiDeps, registrant: Registrant, text: string) {
  const { bots_per_owner } = limits();
  switch (registrant.kind) {
    case "account": {
      const { caller } = registrant;
      const { id: accountId, handle, maxBots } = caller.account;
      if (handle === null) return null;
      return {
        owner: handle,
        accountId,
        limit: maxBots ?? bots_per_owner,
        actor: auditActor(caller),
      };
    }
    case "owner": {
      const { name: owner, maxBots: limit } = registrant.owner;
      const actor = { kind: "owner_key", id: null, name: owner } as const;
      return { owner, accountId: null, limit, actor };
    }
    case "anybody":
      return { owner: text, accountId: null, limit: bots_per_owner, actor: SYSTEM_ACTOR };
  }
}

type Refusal = Exclude<AddBotOutcome, "added" | "daily_limit">;

function refusalOf(
  outcome: Refusal,
  { name, owner }: { name: string; owner: string },
): Registration {
  switch (outcome) {
    case "no_handle":
      return { refused: "handle_required" };
    case "bot_limit":
      return { refused: "bot_limit" };
    case "name_taken":
      return { refused: "invalid_bot", text: `The name ${name} is taken.` };
    case "owner_taken":
      return { refused: "invalid_handle", text: `${owner} is the handle of an account.` };
  }
}
