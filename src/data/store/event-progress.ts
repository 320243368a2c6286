// Inputs of event progress: rated games of bots on the event's ladder.

import type { PriorGames, EventGame } from "#core/events/account-progress.ts";
import type { AccountId, BotId, LadderId, MatchId } from "#core/ids/ids.ts";

import { readsUncached } from "./method.ts";

/** A page of a bot's rated games on a ladder. */
export type EventGamesQuery = {
  botId: BotId;
  ladderId: LadderId;
  /** Games that ended at this instant or later; with a match, only those after it. */
  from: { ended: string; matchId: MatchId | null };
  /** Games that ended before this instant. */
  before: string;
  /** Whether to include turn statistics. */
  withTurns: boolean;
  limit: number;
};

/** Span of end times; the start is inclusive, the end exclusive. */
export type GameWindow = { ladderId: LadderId; opensAt: string; closesAt: string };

export type EventPlayer = { botId: BotId; accountId: AccountId };

/** Never cached, because every match changes it. */
export const EVENT_PROGRESS = {
  /** Oldest first (`ended`, then ID). */
  games: readsUncached<(query: EventGamesQuery) => Promise<EventGame[]>>(),
  /** Rated games of a bot that ended in a span, by version and season. */
  countByVersion: readsUncached<(botId: BotId, window: GameWindow) => Promise<PriorGames[]>>(),
  /** A page of account-owned bots with a rated game in a span, by bot ID. */
  players:
    readsUncached<
      (window: GameWindow, afterId: BotId | null, limit: number) => Promise<EventPlayer[]>
    >(),
  /**
   * Number of accounts with a rated game that started and ended in a span while they were active
   * members of the ladder.
   */
  participants: readsUncached<(window: GameWindow) => Promise<number>>(),
};
