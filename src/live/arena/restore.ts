// What a new process must know of the matches before it, so that quotas and holds outlive a restart.
// The store knows wall times; one that lies ahead, after the clock was set back, counts as now.

import type { Clock } from "#base/clock/clock.ts";
import { bothOf } from "#base/units/sure.ts";
import { DAY_MS, MILLISECOND } from "#base/units/time.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";

import { pairKey } from "./arena-state.ts";
import type { ArenaState } from "./arena-state.ts";
import type { ArenaDeps } from "./deps.ts";
import { noStarts, noteStart } from "./quota.ts";
import type { Starts } from "./quota.ts";

/** More than can have ended within a hold. */
const RECALLED_MATCHES = 500;

/** The moment on the monotonic clock at which the wall clock showed an instant. */
function momentOf(clock: Clock, instant: string): number {
  const agoMs = Math.max(0, clock.wall().getTime() - Date.parse(instant));
  return clock.now() - agoMs * MILLISECOND;
}

/** The starts of the last day, which quotas count. */
export async function recallStarts({ store, clock }: ArenaDeps): Promise<Starts> {
  const starts = noStarts();
  const since = new Date(clock.wall().getTime() - DAY_MS).toISOString();
  const latest = await store.matches.startsSince(since);
  const bots = await store.bots.byIds(latest.map(({ botId }) => botId));
  const owners = new Map(bots.map((bot) => [bot.id, bot.owner]));
  for (const { botId, started } of latest)
    noteStart(starts, botId, owners.get(botId) ?? botId, momentOf(clock, started));
  return starts;
}

/** Who started when, and who met whom: the hold after a match, and the interval of starts. */
export async function recallMeetings(arena: ArenaState): Promise<void> {
  const { store, clock } = arena.deps;
  const query = { ladderId: PUBLIC_LADDER, limit: RECALLED_MATCHES, withStats: false };
  const newestFirst = (await store.matches.list(query)) ?? [];
  for (const { seats, started, ended } of newestFirst.toReversed()) {
    const [one, other] = bothOf(seats.map(({ botId }) => botId));
    arena.met.set(pairKey(one, other), momentOf(clock, ended));
    for (const botId of [one, other]) {
      const last = arena.lastStart.get(botId) ?? -Infinity;
      arena.lastStart.set(botId, Math.max(last, momentOf(clock, started)));
    }
  }
}
