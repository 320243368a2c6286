// Where bots wait: a player's bot on one ladder at a time, a house bot on several at once.

import type { BotId, LadderId } from "#core/words/ids.ts";

import type { BotFacts } from "./watch.ts";

export type Places<T> = {
  /** A bot that is not known as the house's is a player's. */
  know(bot: BotFacts): void;
  /** A player's bot leaves its other place for this one. */
  take(botId: BotId, ladderId: LadderId, facts: T): void;
  get(botId: BotId, ladderId: LadderId): T | undefined;
  /** With null wherever it waits. */
  leave(botId: BotId, ladderId: LadderId | null): void;
  all(): readonly { botId: BotId; ladderId: LadderId; facts: T }[];
  clear(): void;
};

export function openPlaces<T>(): Places<T> {
  const house = new Set<string>();
  const byBot = new Map<BotId, Map<LadderId, T>>();
  return {
    know: ({ id, house: isHouse }) => void (isHouse && house.add(id)),
    take: (botId, ladderId, facts) => {
      const own = house.has(botId) ? byBot.get(botId) : undefined;
      byBot.set(botId, (own ?? new Map<LadderId, T>()).set(ladderId, facts));
    },
    get: (botId, ladderId) => byBot.get(botId)?.get(ladderId),
    leave: (botId, ladderId) => {
      if (ladderId === null) byBot.delete(botId);
      else byBot.get(botId)?.delete(ladderId);
    },
    all: () =>
      [...byBot].flatMap(([botId, own]) =>
        [...own].map(([ladderId, facts]) => ({ botId, ladderId, facts })),
      ),
    clear: () => byBot.clear(),
  };
}

/** What `queued` says. */
export type Queued = { version: string; ladder_id: LadderId };
