// Tracks where bots are queued. A player's bot queues on one ladder at a time. A house bot can
// queue on several ladders.

import type { BotId, LadderId } from "#core/ids/ids.ts";

import type { BotFacts } from "./watch.ts";

export type QueuePlaces<T> = {
  /** Bots that were never added are treated as players' bots. */
  addBot(bot: BotFacts): void;
  /** A player's bot gives up its previous place. */
  enter(botId: BotId, ladderId: LadderId, facts: T): void;
  get(botId: BotId, ladderId: LadderId): T | undefined;
  /** Null removes the bot from all ladders. */
  leave(botId: BotId, ladderId: LadderId | null): void;
  entries(): readonly { botId: BotId; ladderId: LadderId; facts: T }[];
  clear(): void;
};

export function createQueuePlaces<T>(): QueuePlaces<T> {
  const house = new Set<string>();
  const byBot = new Map<BotId, Map<LadderId, T>>();
  return {
    addBot: ({ id, house: isHouse }) => void (isHouse && house.add(id)),
    enter: (botId, ladderId, facts) => {
      const botPlaces = house.has(botId) ? byBot.get(botId) : undefined;
      byBot.set(botId, (botPlaces ?? new Map<LadderId, T>()).set(ladderId, facts));
    },
    get: (botId, ladderId) => byBot.get(botId)?.get(ladderId),
    leave: (botId, ladderId) => {
      if (ladderId === null) byBot.delete(botId);
      else byBot.get(botId)?.delete(ladderId);
    },
    entries: () =>
      [...byBot].flatMap(([botId, botPlaces]) =>
        [...botPlaces].map(([ladderId, facts]) => ({ botId, ladderId, facts })),
      ),
    clear: () => byBot.clear(),
  };
}

export type QueuedMessage = { version: string; ladder_id: LadderId };
