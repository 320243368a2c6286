// Forgets what the arena remembers of bots once it no longer matters, so that nothing grows with
// the number of bots that ever came.

import { SECOND } from "#base/units/time.ts";
import { LIMIT_TABLE } from "#core/words/limits.ts";
import { forgetFloods } from "#live/diagnostics/floods.ts";

import type { ArenaState } from "./arena-state.ts";
import { forgetNotices } from "./quota-notices.ts";
import { forgetStarts } from "./quota.ts";

/** The match interval may be raised at any time, and also applies to earlier starts. */
const LONGEST_INTERVAL = LIMIT_TABLE.match_interval_s.most * SECOND;

export function forgetPast(arena: ArenaState): void {
  const { deps, meetings, lastStart, sessions, starts, throttles } = arena;
  const { clock, settings } = deps;
  dropUntil(lastStart, clock.now() - LONGEST_INTERVAL);
  // A bot that has gone queues again when it returns, which is wait enough.
  const here = new Set(sessions.values().map(({ bot }) => bot.id));
  for (const { met, lastOpponent } of meetings.values()) {
    dropUntil(met, clock.now() - settings.current().rematch_hold_s * SECOND);
    for (const botId of lastOpponent.keys()) if (!here.has(botId)) lastOpponent.delete(botId);
  }
  forgetStarts(starts, clock.now());
  forgetNotices(deps, throttles);
  forgetFloods(arena);
}

function dropUntil(times: Map<string, number>, past: number): void {
  for (const [key, at] of times) if (at <= past) times.delete(key);
}
