import { ownerPath } from "#core/accounts/name.ts";
import { displayName } from "#core/words/house.ts";
import type { BotRecord } from "#data/store/bot.ts";

/** How every resource identifies a bot. */
export function identityOf(bot: BotRecord, online: boolean) {
  const { name, owner, house } = bot;
  const display_name = displayName(name);
  return { name, display_name, owner, owner_url: ownerPath(bot), house, online };
}

/** A bot in a list that is not about its figures. */
export function wholeIdentity(bot: BotRecord, online: ReadonlySet<string>) {
  const { id, created, avatar } = bot;
  return { id, ...identityOf(bot, online.has(id)), created, avatar };
}
