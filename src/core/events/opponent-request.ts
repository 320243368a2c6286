import { botRefusalCode } from "#core/ids/bot-status.ts";
import type { BotEligibility } from "#core/ids/bot-status.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import type { AccountId, BotId, EventId, LadderId, OwnerId, RequestId } from "#core/ids/ids.ts";

/** An account's request for one game of its bot against a house bot, on the event's ladder. */
export type OpponentRequest = {
  id: RequestId;
  eventId: EventId;
  ladderId: LadderId;
  accountId: AccountId;
  botId: BotId;
  opponent: HouseKind;
  /** UTC instant. */
  created: string;
};

/**
 * Returns whether the bot of a request can play, now or later. A suspension can be lifted; all
 * other refusals are final. Pass null for a deleted bot.
 */
export function isBotAvailable(
  { accountId }: OpponentRequest,
  bot: (BotEligibility & { ownerId: OwnerId }) | null,
): boolean {
  if (bot === null || bot.ownerId !== accountId) return false;
  const refusal = botRefusalCode(bot);
  return refusal === null || refusal === "suspended";
}
