// Counts and audits disconnections for sending too many messages (close code 4009) and suspends
// repeat offenders. Everything is kept in memory and lost on a restart.

import { HOUR_US, SECOND_US } from "#base/util/time.ts";
import type { BotId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { FloodReport } from "#live/arena/arena-view.ts";
import { formatInstantAfter, auditFlood } from "#live/arena/quota-notices.ts";

import type { FloodRecord } from "./flood-record.ts";

/** Counts a disconnection. Returns true if the bot is now suspended. */
export function recordFlood(arena: ArenaState, bot: BotRecord): boolean {
  const { deps, floods, quotaNotices } = arena;
  const now = deps.clock.now();
  const { floods_to_suspend: floodsToSuspend, flood_suspension_s: suspensionSeconds } =
    deps.settings.current();
  const record = floods.byBot.getOrInsertComputed(bot.id, () => ({
    disconnectedAt: [],
    suspendedAt: null,
  }));
  record.disconnectedAt = [...recentTimes(record, now), now];
  floods.total += 1;
  auditFlood(deps, quotaNotices, bot, "message_rate", record.disconnectedAt.length);
  const floodsInWindow = record.disconnectedAt.filter(
    (at) => at > now - FIXED_LIMITS.flood_window_s * SECOND_US,
  ).length;
  if (floodsInWindow < floodsToSuspend || suspensionSeconds === 0) return false;
  record.suspendedAt = now;
  floods.suspensions += 1;
  auditFlood(deps, quotaNotices, bot, "flood_suspension", floodsInWindow);
  deps.log.warn(
    { bot: bot.name, floods: floodsInWindow, seconds: suspensionSeconds },
    "flooding bot suspended",
  );
  return true;
}

const recentTimes = ({ disconnectedAt }: FloodRecord, now: number): number[] =>
  disconnectedAt.filter((at) => at > now - HOUR_US);

/** Returns the error message for a suspended bot, or null if it may connect. */
export function floodSuspensionText(arena: ArenaState, botId: BotId): string | null {
  const until = suspendedUntil(arena, arena.floods.byBot.get(botId));
  if (until === null) return null;
  const { floods_to_suspend: floodsToSuspend } = arena.deps.settings.current();
  return (
    `Suspended until ${until}: this bot was disconnected ${floodsToSuspend} times within ` +
    `${FIXED_LIMITS.flood_window_s} s for sending too many messages.`
  );
}

/**
 * Returns the end of the suspension under the current setting, so that lowering the setting takes
 * effect immediately.
 */
function suspendedUntil({ deps }: ArenaState, record: FloodRecord | undefined): string | null {
  if (record === undefined || record.suspendedAt === null) return null;
  const end = record.suspendedAt + deps.settings.current().flood_suspension_s * SECOND_US;
  const remaining = end - deps.clock.now();
  return remaining <= 0 ? null : formatInstantAfter(deps, remaining);
}

export function floodReports(arena: ArenaState): FloodReport[] {
  const now = arena.deps.clock.now();
  return [...arena.floods.byBot].flatMap(([botId, record]) => {
    const lastHour = recentTimes(record, now).length;
    const until = suspendedUntil(arena, record);
    return lastHour === 0 && until === null ? [] : [{ botId, lastHour, suspendedUntil: until }];
  });
}

export function evictFloods(arena: ArenaState): void {
  const { byBot } = arena.floods;
  const now = arena.deps.clock.now();
  for (const [botId, record] of byBot)
    if (recentTimes(record, now).length === 0 && suspendedUntil(arena, record) === null)
      byBot.delete(botId);
}
