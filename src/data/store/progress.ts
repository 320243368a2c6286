// What the progress in an event is computed from: rated games of bots on its ladder.

import type { FormerGames, EventGame } from "#core/events/account-progress.ts";
import type { AccountId, BotId, LadderId, MatchId } from "#core/words/ids.ts";

import { looks } from "./method.ts";

/** Part of a bot's rated games on a ladder. */
export type GamesQuery = {
  botId: BotId;
  ladderId: LadderId;
  /** Games that ended at this instant or later; with a match, only those after it. */
  from: { ended: string; matchId: MatchId | null };
  /** Games that ended before this instant. */
  before: string;
  /** Whether it matters how turns were played. */
  withTurns: boolean;
  most: number;
};

/** A span in which games end: the first instant is in it, the last is not. */
export type GameSpan = { ladderId: LadderId; opensAt: string; closesAt: string };

export type EventPlayer = { botId: BotId; accountId: AccountId };

/** Never cached: every match changes it. */
export const PROGRESS = {
  /** Oldest first (`ended`, then id). */
  games: looks<(query: GamesQuery) => Promise<EventGame[]>>(),
  /** Rated games of a bot that ended in a span, by version and season. */
  former: looks<(botId: BotId, span: GameSpan) => Promise<FormerGames[]>>(),
  /** Bots of accounts with a rated game in a span, by bot id, after that of a page before. */
  players: looks<(span: GameSpan, after: BotId | null, most: number) => Promise<EventPlayer[]>>(),
  /**
   * How many accounts have a rated game that began and ended in a span, as active members of the
   * ladder all the while.
   */
  participants: looks<(span: GameSpan) => Promise<number>>(),
};
