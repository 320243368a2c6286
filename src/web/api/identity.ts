import { displayName } from "#core/words/house.ts";
import type { BotRecord } from "#data/store/bot.ts";

/** Who a bot is, as every resource about it says. Without accounts no owner has a profile. */
export function identityOf({ name, owner, house }: BotRecord, online: boolean) {
  return { name, display_name: displayName(name), owner, owner_url: null, house, online };
}
