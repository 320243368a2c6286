import { displayName } from "#core/words/house.ts";
import type { BotRecord } from "#data/store/bot.ts";

/** How every resource identifies a bot. Without accounts, owners have no profile. */
export function identityOf({ name, owner, house }: BotRecord, online: boolean) {
  return { name, display_name: displayName(name), owner, owner_url: null, house, online };
}
