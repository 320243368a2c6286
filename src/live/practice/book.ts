// The practice games that were asked for: who waits for one, who plays, and what came of it. Pure.
// Times are whole microseconds of the caller's monotonic clock.

import { HOUR, SECOND } from "#base/units/time.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { PracticeResult } from "#core/resources/practice.ts";
import type { BotId, LadderId, MatchId, PracticeId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

type PracticeState =
  | { readonly name: "pending" }
  | { readonly name: "playing"; readonly matchId: MatchId }
  | { readonly name: "done"; readonly matchId: MatchId; readonly result: PracticeResult }
  | { readonly name: "expired" };

export type PracticeGame = {
  readonly id: PracticeId;
  readonly botId: BotId;
  /** When it was asked for. */
  readonly asked: number;
  state: PracticeState;
};

export type PracticeBook = {
  /** The game of each bot that has not ended, in the order in which they were asked for. */
  readonly open: Map<BotId, PracticeGame>;
  /** Games that have ended, the latest end last. */
  readonly closed: Map<PracticeId, PracticeGame>;
  /** When each bot asked in the last hour, oldest first. */
  readonly asked: Map<BotId, number[]>;
};

export const emptyBook = (): PracticeBook => ({
  open: new Map(),
  closed: new Map(),
  asked: new Map(),
});

export type Entered =
  | { readonly game: PracticeGame }
  | { readonly refused: "practice_pending" }
  | { readonly refused: "rate_limited"; readonly waitS: number };

/** Enters a request, or says why not. Requests that are refused do not count. */
export function enterRequest(
  book: PracticeBook,
  { id, botId }: Pick<PracticeGame, "id" | "botId">,
  now: number,
): Entered {
  if (book.open.has(botId)) return { refused: "practice_pending" };
  const recent = (book.asked.get(botId) ?? []).filter((at) => at > now - HOUR);
  const [oldest] = recent;
  if (oldest !== undefined && recent.length >= FIXED.practice_per_hour)
    return { refused: "rate_limited", waitS: Math.ceil((oldest + HOUR - now) / SECOND) };
  const game: PracticeGame = { id, botId, asked: now, state: { name: "pending" } };
  book.asked.set(botId, [...recent, now]);
  book.open.set(botId, game);
  return { game };
}

/** A bot's own game; null for another's, and for one that is forgotten. */
export function gameOf(book: PracticeBook, botId: BotId, id: PracticeId): PracticeGame | null {
  const open = book.open.get(botId);
  const game = open?.id === id ? open : book.closed.get(id);
  return game?.botId === botId ? game : null;
}

/** Whether a practice game of a bot waits to begin. */
const isPending = ({ open }: PracticeBook, botId: BotId): boolean =>
  open.get(botId)?.state.name === "pending";

/**
 * Whether a bot plays nobody else on a ladder before its practice game. That begins on Public
 * alone, so a bot that waits elsewhere would wait in vain.
 */
export const isKept = (book: PracticeBook, botId: BotId, ladderId: LadderId): boolean =>
  ladderId === DEFAULT_LADDER && isPending(book, botId);

/** Games that have not begun, in the order in which they were asked for. */
export const inLine = ({ open }: PracticeBook): PracticeGame[] =>
  [...open.values()].filter(({ state }) => state.name === "pending");

export const playedNow = ({ open }: PracticeBook): number =>
  open.values().reduce((count, { state }) => count + Number(state.name === "playing"), 0);

export function begin(game: PracticeGame, matchId: MatchId): void {
  game.state = { name: "playing", matchId };
}

/** Ends a game. The oldest reports are forgotten. */
export function close(
  { open, closed }: PracticeBook,
  game: PracticeGame,
  state: Extract<PracticeState, { name: "done" | "expired" }>,
): void {
  game.state = state;
  open.delete(game.botId);
  closed.set(game.id, game);
  for (const id of closed.keys()) {
    if (closed.size <= FIXED.practice_reports) return;
    closed.delete(id);
  }
}

/** Whether a bot has had its time to queue. */
export const isOverdue = ({ asked }: PracticeGame, now: number): boolean =>
  now >= asked + FIXED.practice_wait_s * SECOND;

/** Ends the games of bots that have not queued in time, and forgets requests of hours ago. */
export function expire(
  book: PracticeBook,
  now: number,
  hasQueued: (botId: BotId) => boolean,
): void {
  for (const game of inLine(book))
    if (isOverdue(game, now) && !hasQueued(game.botId)) close(book, game, { name: "expired" });
  for (const [botId, times] of book.asked)
    if ((times.at(-1) ?? 0) <= now - HOUR) book.asked.delete(botId);
}

/** Nothing is left of a bot that is gone, but for a game that is still played. */
export function forgetBot(book: PracticeBook, botId: BotId): void {
  if (isPending(book, botId)) book.open.delete(botId);
  for (const [id, game] of book.closed) if (game.botId === botId) book.closed.delete(id);
  book.asked.delete(botId);
}
