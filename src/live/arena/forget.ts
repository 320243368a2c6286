// What the matchmaker remembers of bots is forgotten when it counts no more, so that nothing grows
// with all the bots that ever came.

import { SECOND } from "#base/units/time.ts";
import { LIMIT_TABLE } from "#core/words/limits.ts";

import type { ArenaState } from "./arena-state.ts";
import { forgetNotices } from "./quota-notices.ts";
import { forgetStarts } from "./quota.ts";

/** The match interval may grow at any time, and counts for starts of before. */
const LONGEST_INTERVAL = LIMIT_TABLE.match_interval_s.most * SECOND;

export function forgetPast(arena: ArenaState): void {
  const { deps, meetings, lastStart, sessions, starts, throttles } = arena;
  const { clock, settings } = deps;
  dropUntil(lastStart, clock.now() - LONGEST_INTERVAL);
  // Who has gone queues anew when it comes back, which is wait enough.
  const here = new Set(sessions.values().map(({ bot }) => bot.id));
  for (const { met, lastOpponent } of meetings.values()) {
    dropUntil(met, clock.now() - settings.current().rematch_hold_s * SECOND);
    for (const botId of lastOpponent.keys()) if (!here.has(botId)) lastOpponent.delete(botId);
  }
  forgetStarts(starts, clock.now());
  forgetNotices(deps, throttles);
}

function dropUntil(times: Map<string, number>, past: number): void {
  for (const [key, at] of times) if (at <= past) times.delete(key);
}
