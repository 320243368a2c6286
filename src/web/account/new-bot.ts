// Registering a bot, whoever does it and by whichever address.

import { botNameFault, ownerFault } from "#core/accounts/name.ts";
import type { NameFault } from "#core/accounts/name.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import type { RegisteredBot } from "#core/resources/bot.ts";
import { SYSTEM } from "#core/words/audit.ts";
import { hashToken } from "#data/access/token.ts";
import { newBot } from "#data/store/bot.ts";
import type { AddBotOutcome } from "#data/store/bot.ts";
import { aboutBot, actorOf, entryOf, ownerOf } from "#web/auth/entry.ts";
import type { Registrant } from "#web/auth/people.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { dailyLimit } from "./daily-limit.ts";
import type { DailyLimit } from "./daily-limit.ts";

/** `owner` is what somebody without an account calls themselves. */
type Wanted = { name: string; owner?: string | undefined };

type Registration = { bot: RegisteredBot } | { refused: HttpCode; text?: string } | DailyLimit;

/** Codes with which registering a bot may be refused, after the credential. */
export const NEW_BOT_REFUSALS = [
  "registration_closed",
  "handle_required",
  "invalid_bot",
  "bot_limit",
  "rate_limited",
] as const satisfies readonly HttpCode[];

const NOTE =
  "Keep the token: it is shown this once. Connect to bot_endpoint with the header 'Authorization: Bearer <token>' and send a queue message.";

/** Makes a bot and its token. */
export async function registerBot(
  deps: ApiDeps,
  registrant: Registrant,
  { name, owner: text }: Wanted,
): Promise<Registration> {
  if (!deps.limits().registration_open) return { refused: "registration_closed" };
  const owned = ownerFor(deps, registrant, text ?? name);
  if (owned === null) return { refused: "handle_required" };
  const fault = botNameFault(name);
  if (fault !== null) return faulty("invalid_bot", fault, `The name ${name}`);
  if (text !== undefined && registrant.kind === "anybody") {
    const wrong = ownerFault(text);
    if (wrong !== null) return faulty("invalid_handle", wrong, `The owner's name ${text}`);
  }
  const { store, newId, clock } = deps;
  const { limit, actor, ...owner } = owned;
  const created = clock().toISOString();
  const bot = newBot({ id: newId(), name, ...owner, house: false, created });
  const token = deps.newSecret("bot");
  const about = { detail: { owner: bot.owner }, ...ownerOf(bot) };
  const note = entryOf(deps, actor, "bot.registered", aboutBot(bot), about);
  const outcome = await store.bots.add(bot, hashToken(token), limit, note);
  if (outcome === "daily_limit") return dailyLimit("new_bots_per_day", new Date(created));
  if (outcome !== "added") return refusalOf(outcome, bot);
  return { bot: { name, token, bot_endpoint: deps.settings.botEndpoint, note: NOTE } };
}

/** Of other faults the text of the code says enough. */
export const reservedText = (fault: NameFault, what: string): string | undefined =>
  fault === "reserved" ? `${what} is reserved for this server. Choose another one.` : undefined;

function faulty(refused: HttpCode, fault: NameFault, what: string): Registration {
  const text = reservedText(fault, what);
  return { refused, ...(text !== undefined && { text }) };
}

/** Whose the bot will be; null for an account without a handle. */
function ownerFor({ limits }: ApiDeps, registrant: Registrant, text: string) {
  const { bots_per_owner } = limits();
  switch (registrant.kind) {
    case "account": {
      const { caller } = registrant;
      const { id: accountId, handle, maxBots } = caller.account;
      if (handle === null) return null;
      return { owner: handle, accountId, limit: maxBots ?? bots_per_owner, actor: actorOf(caller) };
    }
    case "owner": {
      const { name: owner, maxBots: limit } = registrant.owner;
      const actor = { kind: "owner_key", id: null, name: owner } as const;
      return { owner, accountId: null, limit, actor };
    }
    case "anybody":
      return { owner: text, accountId: null, limit: bots_per_owner, actor: SYSTEM };
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
