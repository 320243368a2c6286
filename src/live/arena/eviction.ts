// Evicts stale state, so that memory doesn't grow with the number of bots ever connected.

import { SECOND_US } from "#base/util/time.ts";
import { LIMIT_TABLE } from "#core/limits/limits.ts";
import { evictFloods } from "#live/diagnostics/floods.ts";

import type { ArenaState } from "./arena-state.ts";
import { evictDueNotices } from "./quota-notices.ts";
import { evictStarts } from "./quota.ts";

/**
 * An operator may raise the match interval at any time. The new value also applies to earlier
 * starts.
 */
const MAX_MATCH_INTERVAL = LIMIT_TABLE.match_interval_s.most * SECOND_US;

export function evictStaleEntries(arena: ArenaState): void {
  const { deps, pairingHistories, lastStart, sessions, starts, quotaNotices } = arena;
  const { clock, settings } = deps;
  deleteUntil(lastStart, clock.now() - MAX_MATCH_INTERVAL);
  // A disconnected bot has to queue again, so its last opponent no longer matters.
  const connectedBotIds = new Set(sessions.values().map(({ bot }) => bot.id));
  for (const { lastMetAt, lastOpponent } of pairingHistories.values()) {
    deleteUntil(lastMetAt, clock.now() - settings.current().rematch_hold_s * SECOND_US);
    for (const botId of lastOpponent.keys())
      if (!connectedBotIds.has(botId)) lastOpponent.delete(botId);
  }
  evictStarts(starts, clock.now());
  evictDueNotices(deps, quotaNotices);
  evictFloods(arena);
}

function deleteUntil(times: Map<string, number>, cutoff: number): void {
  for (const [key, at] of times) if (at <= cutoff) times.delete(key);
}
