// Reads what event progress is computed from: rated games of bots on the event's ladder.

import type { PriorGames, EventGame } from "#core/events/account-progress.ts";
import type { AccountId, BotId, LadderId, MatchId } from "#core/ids/ids.ts";

import { readsUncached } from "./store-method.ts";

export type EventGamesQuery = {
  botId: BotId;
  ladderId: LadderId;
  /**
   * Selects games that ended at this instant or later. With a match ID, only games after that
   * match.
   */
  from: { ended: string; matchId: MatchId | null };
  before: string;
  withTurns: boolean;
  limit: number;
};

/** Range of end times: `opensAt` is inclusive, `closesAt` exclusive. */
export type GameWindow = { ladderId: LadderId; opensAt: string; closesAt: string };

export type EventPlayer = { botId: BotId; accountId: AccountId };

/** Never cached, because every match changes the results. */
export const EVENT_PROGRESS = {
  /** Returns games, oldest first (by `ended`, then ID). */
  games: readsUncached<(query: EventGamesQuery) => Promise<EventGame[]>>(),
  /** Counts a bot's rated games that ended in the window, by version and season. */
  countByVersion: readsUncached<(botId: BotId, window: GameWindow) => Promise<PriorGames[]>>(),
  /** Returns a page of bots with an account and a rated game in the window, by bot ID. */
  players:
    readsUncached<
      (window: GameWindow, afterId: BotId | null, limit: number) => Promise<EventPlayer[]>
    >(),
  /**
   * Counts accounts with a rated game that started and ended in the window while the account was an
   * active member of the ladder.
   */
  participants: readsUncached<(window: GameWindow) => Promise<number>>(),
};
