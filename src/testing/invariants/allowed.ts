// Who could be paired in a wave by the rules alone, whatever the ratings.

import type { Waiting, WaveRequest } from "#live/matchmaker/matchmaker.ts";

/**
 * If an owner has more bots than room, those whose match was asked for come first, then those that
 * have waited longest. House bots are not among them where their matches are short.
 */
export function readyBots(request: WaveRequest): Waiting[] {
  const { waiting, seatsTaken, startsLeft, limits } = request;
  const room = new Map<string, number>();
  const requested = new Set(request.requested.flat());
  const asked = ({ botId }: Waiting) => Number(requested.has(botId));
  return waiting
    .filter(({ sinceStartSeconds }) => sinceStartSeconds >= limits.matchIntervalSeconds)
    .toSorted((one, other) => asked(other) - asked(one) || other.waitSeconds - one.waitSeconds)
    .filter(({ owner, house }) => {
      const seatsLeft = limits.ownerConcurrency - (seatsTaken.get(owner) ?? 0);
      const free = room.get(owner) ?? Math.min(seatsLeft, startsLeft.get(owner) ?? Infinity);
      room.set(owner, free - 1);
      return house ? limits.houseStarts === Infinity : free > 0;
    });
}

/** The same without those that rest for a match somebody asked for, as both wait in their hold. */
export function freeBots(request: WaveRequest): Waiting[] {
  const waiting = new Map(request.waiting.map((bot) => [bot.botId, bot]));
  const held = request.requested.filter(([one, other]) => {
    const [own, house] = [waiting.get(one), waiting.get(other)];
    return own !== undefined && house !== undefined && !mayMeet(request, own, house);
  });
  const resting = new Set(held.flat());
  return readyBots(request).filter(({ botId }) => !resting.has(botId));
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
