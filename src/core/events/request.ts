import { standingRefusal } from "#core/words/bot-status.ts";
import type { BotStanding } from "#core/words/bot-status.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { AccountId, BotId, EventId, LadderId, OwnerId, RequestId } from "#core/words/ids.ts";

/** The wish of an account for one game of a bot against a house bot, on the ladder of an event. */
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
 * Whether a request's bot can still play for it. A suspension may be lifted; any other refusal is
 * final. Null for a deleted bot.
 */
export function isBotAvailable(
  { accountId }: OpponentRequest,
  bot: (BotStanding & { ownerId: OwnerId }) | null,
): boolean {
  if (bot === null || bot.ownerId !== accountId) return false;
  const refusal = standingRefusal(bot);
  return refusal === null || refusal === "suspended";
}
