// How much is played, and by whom, as operators are shown it: as quotas count it.

import type { ArenaState } from "./arena-state.ts";
import { startsInADay } from "./quota.ts";
import type { PlayUsage } from "./view.ts";

export function usageOf({ deps, games, starts }: ArenaState): PlayUsage {
  const running = new Map<string, number>();
  const count = (id: string) => running.set(id, (running.get(id) ?? 0) + 1);
  for (const { sessions } of games.values())
    for (const { bot } of sessions) {
      count(bot.id);
      count(bot.ownerId);
    }
  const { bots, owners } = startsInADay(starts, deps.clock.now());
  return {
    bots: bots.map(({ id, ...counts }) => ({
      botId: id,
      running: running.get(id) ?? 0,
      ...counts,
    })),
    owners: owners.map(({ id, ...counts }) => ({
      ownerId: id,
      running: running.get(id) ?? 0,
      ...counts,
    })),
  };
}
