// Pending, running and finished practice matches. The functions are pure. Times are in whole µs on
// the caller's monotonic clock.

import { HOUR_US, SECOND_US } from "#base/util/time.ts";
import type { PracticeResult } from "#core/api/practice.ts";
import type { BotId, LadderId, MatchId, PracticeId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

type PracticeMatchState =
  | { readonly name: "pending" }
  | { readonly name: "playing"; readonly matchId: MatchId }
  | { readonly name: "done"; readonly matchId: MatchId; readonly result: PracticeResult }
  | { readonly name: "expired" };

export type PracticeMatch = {
  readonly id: PracticeId;
  readonly botId: BotId;
  readonly requestedAt: number;
  state: PracticeMatchState;
};

export type PracticeBook = {
  /** Each bot's unfinished match, oldest request first. */
  readonly openMatches: Map<BotId, PracticeMatch>;
  /** Finished and expired matches, oldest end first. */
  readonly finished: Map<PracticeId, PracticeMatch>;
  /** When each bot requested matches in the last hour, oldest first. */
  readonly requestTimes: Map<BotId, number[]>;
};

export const emptyPracticeBook = (): PracticeBook => ({
  openMatches: new Map(),
  finished: new Map(),
  requestTimes: new Map(),
});

export type EnterResult =
  | { readonly game: PracticeMatch }
  | { readonly refused: "practice_pending" }
  | { readonly refused: "rate_limited"; readonly waitS: number };

/**
 * Adds a request or returns why it was refused. Refused requests don't count toward the hourly
 * limit.
 */
export function enterRequest(
  book: PracticeBook,
  { id, botId }: Pick<PracticeMatch, "id" | "botId">,
  now: number,
): EnterResult {
  if (book.openMatches.has(botId)) return { refused: "practice_pending" };
  const recentRequests = (book.requestTimes.get(botId) ?? []).filter((at) => at > now - HOUR_US);
  const [oldest] = recentRequests;
  if (oldest !== undefined && recentRequests.length >= FIXED_LIMITS.practice_per_hour)
    return { refused: "rate_limited", waitS: Math.ceil((oldest + HOUR_US - now) / SECOND_US) };
  const game: PracticeMatch = { id, botId, requestedAt: now, state: { name: "pending" } };
  book.requestTimes.set(botId, [...recentRequests, now]);
  book.openMatches.set(botId, game);
  return { game };
}

/** Returns a bot's own match. Returns null for another bot's match or an evicted one. */
export function findPracticeMatch(
  book: PracticeBook,
  botId: BotId,
  id: PracticeId,
): PracticeMatch | null {
  const openMatch = book.openMatches.get(botId);
  const practiceMatch = openMatch?.id === id ? openMatch : book.finished.get(id);
  return practiceMatch?.botId === botId ? practiceMatch : null;
}

const isPending = ({ openMatches }: PracticeBook, botId: BotId): boolean =>
  openMatches.get(botId)?.state.name === "pending";

/**
 * Returns whether a bot on this ladder is reserved for its practice match. Practice matches start
 * only on the public ladder, so bots on other ladders are never reserved.
 */
export const isReservedForPractice = (
  book: PracticeBook,
  botId: BotId,
  ladderId: LadderId,
): boolean => ladderId === DEFAULT_LADDER && isPending(book, botId);

/** Returns the matches that haven't started, oldest request first. */
export const pendingMatches = ({ openMatches }: PracticeBook): PracticeMatch[] =>
  [...openMatches.values()].filter(({ state }) => state.name === "pending");

export const countPlaying = ({ openMatches }: PracticeBook): number =>
  openMatches.values().reduce((count, { state }) => count + Number(state.name === "playing"), 0);

export function markPlaying(practiceMatch: PracticeMatch, matchId: MatchId): void {
  practiceMatch.state = { name: "playing", matchId };
}

export function closeMatch(
  { openMatches, finished }: PracticeBook,
  practiceMatch: PracticeMatch,
  state: Extract<PracticeMatchState, { name: "done" | "expired" }>,
): void {
  practiceMatch.state = state;
  openMatches.delete(practiceMatch.botId);
  finished.set(practiceMatch.id, practiceMatch);
  for (const id of finished.keys()) {
    if (finished.size <= FIXED_LIMITS.practice_reports) return;
    finished.delete(id);
  }
}

export const isQueueTimeOver = ({ requestedAt }: PracticeMatch, now: number): boolean =>
  now >= requestedAt + FIXED_LIMITS.practice_wait_s * SECOND_US;

/** Expires matches whose bots didn't queue in time and evicts old requests. */
export function expireMatches(
  book: PracticeBook,
  now: number,
  hasQueued: (botId: BotId) => boolean,
): void {
  for (const practiceMatch of pendingMatches(book))
    if (isQueueTimeOver(practiceMatch, now) && !hasQueued(practiceMatch.botId))
      closeMatch(book, practiceMatch, { name: "expired" });
  for (const [botId, times] of book.requestTimes)
    if ((times.at(-1) ?? 0) <= now - HOUR_US) book.requestTimes.delete(botId);
}

/** Removes a bot's pending and finished matches. A running match is kept. */
export function removeBot(book: PracticeBook, botId: BotId): void {
  if (isPending(book, botId)) book.openMatches.delete(botId);
  for (const [id, practiceMatch] of book.finished)
    if (practiceMatch.botId === botId) book.finished.delete(id);
  book.requestTimes.delete(botId);
}
