import type { HouseKind } from "#core/words/house.ts";
import type { AccountId, BotId, EventId, LadderId, RequestId } from "#core/words/ids.ts";

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
