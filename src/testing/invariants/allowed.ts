// Who could be paired in a wave by the rules alone, whatever the ratings.

import type { Waiting, WaveRequest } from "#live/matchmaker/matchmaker.ts";

/** If an owner has more bots than room, those that have waited longest come first. */
export function readyBots({ waiting, seatsTaken, startsLeft, limits }: WaveRequest): Waiting[] {
  const room = new Map<string, number>();
  return waiting
    .filter(({ sinceStartSeconds }) => sinceStartSeconds >= limits.matchIntervalSeconds)
    .toSorted((one, other) => other.waitSeconds - one.waitSeconds)
    .filter(({ owner, house }) => {
      const seatsLeft = limits.ownerConcurrency - (seatsTaken.get(owner) ?? 0);
      const free = room.get(owner) ?? Math.min(seatsLeft, startsLeft.get(owner) ?? Infinity);
      room.set(owner, free - 1);
      return house || free > 0;
    });
}

export function mayMeet({ met, numbers }: WaveRequest, one: Waiting, other: Waiting): boolean {
  if (one.owner === other.owner || (one.house && other.house)) return false;
  const hasJustMet = met.some(
    ({ botIds, seconds }) =>
      seconds < numbers.rematchHoldSeconds &&
      botIds.includes(one.botId) &&
      botIds.includes(other.botId),
  );
  const wasLast = one.lastOpponent === other.botId || other.lastOpponent === one.botId;
  const shorter = Math.min(one.waitSeconds, other.waitSeconds);
  return !hasJustMet && !(wasLast && shorter < numbers.rematchHoldSeconds);
}
