// What the matchmaker remembers of bots is forgotten when it counts no more, so that nothing grows
// with all the bots that ever came.

import { SECOND } from "#base/units/time.ts";

import type { Hall } from "./arena-state.ts";
import { forgetNotices } from "./quota-notices.ts";
import { forgetStarts } from "./quota.ts";

export function forgetPast(hall: Hall): void {
  const { deps, met, lastStart, lastOpponent, sessions, starts, throttles } = hall;
  const { clock, limits } = deps;
  dropUntil(met, clock.now() - limits.rematch_hold_s * SECOND);
  dropUntil(lastStart, clock.now() - limits.match_interval_s * SECOND);
  // Who has gone queues anew when it comes back, which is wait enough.
  const here = new Set(sessions.values().map(({ bot }) => bot.id));
  for (const botId of lastOpponent.keys()) if (!here.has(botId)) lastOpponent.delete(botId);
  forgetStarts(starts, clock.now() / 1000);
  forgetNotices(deps, throttles);
}

function dropUntil(times: Map<string, number>, past: number): void {
  for (const [key, at] of times) if (at <= past) times.delete(key);
}
