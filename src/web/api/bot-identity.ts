import { ownerProfilePath } from "#core/accounts/name-rules.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotRecord } from "#data/store/bot.ts";

export function botIdentity(bot: BotRecord, online: boolean) {
  const { name, owner, house } = bot;
  const display_name = displayName(name);
  return { name, display_name, owner, owner_url: ownerProfilePath(bot), house, online };
}

export function fullBotIdentity(bot: BotRecord, online: ReadonlySet<string>) {
  const { id, created, avatar } = bot;
  return { id, ...botIdentity(bot, online.has(id)), created, avatar };
}
