import { displayName } from "#core/words/house.ts";
import type { BotRecord } from "#data/store/bot.ts";

/** How every resource identifies a bot. Without accounts, owners have no profile. */
export function identityOf({ name, owner, house }: BotRecord, online: boolean) {
  return { name, display_name: displayName(name), owner, owner_url: null, house, online };
}

/** A bot in a list that is not about its figures. */
export function wholeIdentity(bot: BotRecord, online: ReadonlySet<string>) {
  const { id, created, avatar } = bot;
  return { id, ...identityOf(bot, online.has(id)), created, avatar };
}
