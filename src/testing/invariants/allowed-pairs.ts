// Which pairs the rules allow in a wave, regardless of ratings.

import type { WaitingEntry, WaveRequest } from "#live/matchmaker/matchmaker.ts";

/**
 * If an owner has more bots than available starts, requested matches take precedence, then the bots
 * that have waited longest. Excludes house bots where their matches are limited.
 */
export function readyBots(request: WaveRequest): WaitingEntry[] {
  const { waiting, occupiedSeats, remainingStarts, limits } = request;
  const remainingSeats = new Map<string, number>();
  const requested = new Set(request.requestedPairs.flat());
  const isRequested = ({ botId }: WaitingEntry) => Number(requested.has(botId));
  return waiting
    .filter(({ sinceStartSeconds }) => sinceStartSeconds >= limits.matchIntervalSeconds)
    .toSorted((a, b) => isRequested(b) - isRequested(a) || b.waitSeconds - a.waitSeconds)
    .filter(({ owner, house }) => {
      const seatsLeft = limits.ownerConcurrency - (occupiedSeats.get(owner) ?? 0);
      const freeSeats =
        remainingSeats.get(owner) ?? Math.min(seatsLeft, remainingStarts.get(owner) ?? Infinity);
      remainingSeats.set(owner, freeSeats - 1);
      return house ? limits.houseStarts === Infinity : freeSeats > 0;
    });
}

/** Like `readyBots`, but excludes bots whose requested match is on rematch hold. */
export function freeBots(request: WaveRequest): WaitingEntry[] {
  const waiting = new Map(request.waiting.map((bot) => [bot.botId, bot]));
  const unservableRequests = request.requestedPairs.filter(([a, b]) => {
    const [requesterBot, house] = [waiting.get(a), waiting.get(b)];
    return (
      requesterBot !== undefined && house !== undefined && !mayMeet(request, requesterBot, house)
    );
  });
  const reservedBotIds = new Set(unservableRequests.flat());
  return readyBots(request).filter(({ botId }) => !reservedBotIds.has(botId));
}

export function mayMeet(
  { recentPairs, numbers }: WaveRequest,
  a: WaitingEntry,
  b: WaitingEntry,
): boolean {
  if (a.owner === b.owner || (a.house && b.house)) return false;
  const haveJustMet = recentPairs.some(
    ({ botIds, seconds }) =>
      seconds < numbers.rematchHoldSeconds && botIds.includes(a.botId) && botIds.includes(b.botId),
  );
  const wereLastOpponents = a.lastOpponent === b.botId || b.lastOpponent === a.botId;
  const shorterWait = Math.min(a.waitSeconds, b.waitSeconds);
  return !haveJustMet && !(wereLastOpponents && shorterWait < numbers.rematchHoldSeconds);
}
