// Bots that are disconnected for too many messages (close code 4009): counted per bot, recorded in
// the audit, and suspended for a while when it keeps happening. In memory: a restart forgets it.

import { HOUR, SECOND } from "#base/units/time.ts";
import type { BotId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import { instantIn, noteFloodThrottle } from "#live/arena/quota-notices.ts";
import type { FloodReport } from "#live/arena/view.ts";

import type { FloodRecord } from "./flood-record.ts";

/** Counts one disconnection. Returns true if the bot is suspended from now on. */
export function noteFlood(arena: ArenaState, bot: BotRecord): boolean {
  const { deps, floods, throttles } = arena;
  const now = deps.clock.now();
  const { floods_to_suspend: most, flood_suspension_s: length } = deps.settings.current();
  const record = floods.byBot.getOrInsertComputed(bot.id, () => ({ times: [], suspendedAt: null }));
  record.times = [...recent(record, now), now];
  floods.total += 1;
  noteFloodThrottle(deps, throttles, bot, "message_rate", record.times.length);
  const inWindow = record.times.filter((at) => at > now - FIXED.flood_window_s * SECOND).length;
  if (inWindow < most || length === 0) return false;
  record.suspendedAt = now;
  floods.suspensions += 1;
  noteFloodThrottle(deps, throttles, bot, "flood_suspension", inWindow);
  deps.log.warn(
    { bot: bot.name, floods: inWindow, seconds: length },
    "a flooding bot is suspended",
  );
  return true;
}

const recent = ({ times }: FloodRecord, now: number): number[] =>
  times.filter((at) => at > now - HOUR);

/** Returns the error text for a suspended bot, or null if it may connect. */
export function floodSuspension(arena: ArenaState, botId: BotId): string | null {
  const until = suspendedUntil(arena, arena.floods.byBot.get(botId));
  if (until === null) return null;
  const { floods_to_suspend: most } = arena.deps.settings.current();
  return (
    `Suspended until ${until}: this bot was disconnected ${most} times within ` +
    `${FIXED.flood_window_s} s for sending too many messages.`
  );
}

/** By the setting as it is now, so that lowering it ends suspensions at once. */
function suspendedUntil({ deps }: ArenaState, record: FloodRecord | undefined): string | null {
  if (record === undefined || record.suspendedAt === null) return null;
  const end = record.suspendedAt + deps.settings.current().flood_suspension_s * SECOND;
  const left = end - deps.clock.now();
  return left <= 0 ? null : instantIn(deps, left);
}

export function floodReports(arena: ArenaState): FloodReport[] {
  const now = arena.deps.clock.now();
  return [...arena.floods.byBot].flatMap(([botId, record]) => {
    const lastHour = recent(record, now).length;
    const until = suspendedUntil(arena, record);
    return lastHour === 0 && until === null ? [] : [{ botId, lastHour, suspendedUntil: until }];
  });
}

/** Forgets bots without a recent disconnection or suspension. */
export function forgetFloods(arena: ArenaState): void {
  const { byBot } = arena.floods;
  const now = arena.deps.clock.now();
  for (const [botId, record] of byBot)
    if (recent(record, now).length === 0 && suspendedUntil(arena, record) === null)
      byBot.delete(botId);
}
