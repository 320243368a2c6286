import type { ArenaState } from "./arena-state.ts";
import type { PlayUsage } from "./arena-view.ts";
import { dailyStartCounts } from "./quota.ts";

export function usageOf({ deps, rankedMatches, starts }: ArenaState): PlayUsage {
  const runningCounts = new Map<string, number>();
  const addRunning = (id: string) => runningCounts.set(id, (runningCounts.get(id) ?? 0) + 1);
  for (const { sessions } of rankedMatches.values())
    for (const { bot } of sessions) {
      addRunning(bot.id);
      addRunning(bot.ownerId);
    }
  const { bots, owners } = dailyStartCounts(starts, deps.clock.now());
  return {
    bots: bots.map(({ id, ...counts }) => ({
      botId: id,
      running: runningCounts.get(id) ?? 0,
      ...counts,
    })),
    owners: owners.map(({ id, ...counts }) => ({
      ownerId: id,
      running: runningCounts.get(id) ?? 0,
      ...counts,
    })),
  };
}
