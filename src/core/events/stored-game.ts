import type { AccountId, BotId, LadderId, MatchId } from "#core/words/ids.ts";

/** A ranked match that is stored for good and not void, as far as awards care. */
export type StoredGame = {
  matchId: MatchId;
  ladderId: LadderId;
  rated: boolean;
  /** UTC instant. */
  ended: string;
  /** In seat order, with the owner's account; null for an owner without one. */
  seats: readonly { botId: BotId; accountId: AccountId | null }[];
};
