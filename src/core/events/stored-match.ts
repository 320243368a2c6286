import type { AccountId, BotId, LadderId, MatchId } from "#core/ids/ids.ts";

/** The fields that awards need from a stored ranked match that isn't void. */
export type StoredRatedMatch = {
  matchId: MatchId;
  ladderId: LadderId;
  rated: boolean;
  /** UTC instant. */
  ended: string;
  /** In seat order. `accountId` is null for owners without an account. */
  seats: readonly { botId: BotId; accountId: AccountId | null }[];
};
