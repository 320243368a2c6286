// Restores match history at startup, so that quotas and rematch holds survive a restart. Stored
// times are wall clock times. A time in the future, possible after the clock was set back, is
// treated as now.

import type { Clock } from "#base/clock/clock.ts";
import { firstTwo } from "#base/util/assert-defined.ts";
import { DAY_MS, MILLISECOND_US, SECOND_US } from "#base/util/time.ts";
import type { LadderId } from "#core/ids/ids.ts";

import type { ArenaDeps } from "./arena-deps.ts";
import { pairingHistoryOn, pairKey, startKey } from "./arena-state.ts";
import type { ArenaState } from "./arena-state.ts";
import { emptyStarts, recordStart } from "./quota.ts";

/** Larger than the number of matches that usually end within a rematch hold. */
const PAGE = 500;

function monotonicTimeOf(clock: Clock, instant: string): number {
  const agoMs = Math.max(0, clock.wall().getTime() - Date.parse(instant));
  return clock.now() - agoMs * MILLISECOND_US;
}

type RestoredStarts = Pick<ArenaState, "starts" | "lastStart" | "lastStartByLadder">;

/**
 * Restores match starts from the last day on all ladders. Every quota and match interval is at most
 * a day.
 */
export async function restoreStarts(
  deps: Pick<ArenaDeps, "store" | "clock">,
): Promise<RestoredStarts> {
  const { store, clock } = deps;
  const starts = emptyStarts();
  const lastStart = new Map<string, number>();
  const lastStartByLadder = new Map<LadderId, number>();
  const since = new Date(clock.wall().getTime() - DAY_MS).toISOString();
  const recentStarts = await store.matches.startsSince(since);
  const bots = await store.bots.byIds(recentStarts.map(({ botId }) => botId));
  const byId = new Map(bots.map((bot) => [bot.id, bot]));
  for (const { botId, ladderId, started } of recentStarts) {
    const bot = byId.get(botId);
    // The bot was deleted during the read.
    if (bot === undefined) continue;
    const startTime = monotonicTimeOf(clock, started);
    recordStart(starts, botId, bot.ownerId, startTime);
    lastStart.set(startKey(bot, ladderId), startTime);
    lastStartByLadder.set(ladderId, startTime);
  }
  return { starts, lastStart, lastStartByLadder };
}

export async function restorePairingHistory(arena: ArenaState): Promise<void> {
  for (const { id } of arena.deps.ladders.list()) await restoreLadderPairings(arena, id);
}

async function restoreLadderPairings(arena: ArenaState, ladderId: LadderId): Promise<void> {
  const { store, clock, settings } = arena.deps;
  const { lastMetAt } = pairingHistoryOn(arena, ladderId);
  const holdCutoff = clock.now() - settings.current().rematch_hold_s * SECOND_US;
  let beforeId: string | undefined;
  for (;;) {
    const query = { ladderId, before: beforeId, limit: PAGE, withStats: false };
    const page = (await store.matches.list(query)) ?? [];
    const recentMatches = page.filter(({ ended }) => monotonicTimeOf(clock, ended) > holdCutoff);
    for (const { seats, ended } of recentMatches) {
      const [firstBotId, secondBotId] = firstTwo(seats.flatMap(({ botId }) => botId ?? []));
      const key = pairKey(firstBotId, secondBotId);
      lastMetAt.set(key, Math.max(lastMetAt.get(key) ?? -Infinity, monotonicTimeOf(clock, ended)));
    }
    if (recentMatches.length < PAGE) return;
    beforeId = page.at(-1)?.id;
  }
}
