import type { AccountId, BotId, LadderId, MatchId } from "#core/ids/ids.ts";

/** A stored ranked match that isn't void, with the fields that awards need. */
export type StoredRatedMatch = {
  matchId: MatchId;
  ladderId: LadderId;
  rated: boolean;
  /** UTC instant. */
  ended: string;
  /** In seat order, with the owner's account; null for an owner without one. */
  seats: readonly { botId: BotId; accountId: AccountId | null }[];
};
