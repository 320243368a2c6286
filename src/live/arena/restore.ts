// What a new process must know of earlier matches, so that quotas and holds outlive a restart. The
// store has wall times; one in the future, after the clock was set back, counts as now.

import type { Clock } from "#base/clock/clock.ts";
import { bothOf } from "#base/units/sure.ts";
import { DAY_MS, MILLISECOND, SECOND } from "#base/units/time.ts";
import type { LadderId } from "#core/words/ids.ts";

import { meetingsOn, pairKey, startKey } from "./arena-state.ts";
import type { ArenaState } from "./arena-state.ts";
import type { ArenaDeps } from "./deps.ts";
import { noStarts, noteStart } from "./quota.ts";

/** More matches than usually end within a hold. */
const PAGE = 500;

/** The moment on the monotonic clock at which the wall clock showed an instant. */
function momentOf(clock: Clock, instant: string): number {
  const agoMs = Math.max(0, clock.wall().getTime() - Date.parse(instant));
  return clock.now() - agoMs * MILLISECOND;
}

type Recalled = Pick<ArenaState, "starts" | "lastStart" | "lastStartOn">;

/** The starts of the last day on every ladder: quotas count them, and no interval is longer. */
export async function recallStarts(deps: Pick<ArenaDeps, "store" | "clock">): Promise<Recalled> {
  const { store, clock } = deps;
  const starts = noStarts();
  const lastStart = new Map<string, number>();
  const lastStartOn = new Map<LadderId, number>();
  const since = new Date(clock.wall().getTime() - DAY_MS).toISOString();
  const latest = await store.matches.startsSince(since);
  const bots = await store.bots.byIds(latest.map(({ botId }) => botId));
  const byId = new Map(bots.map((bot) => [bot.id, bot]));
  for (const { botId, ladderId, started } of latest) {
    const bot = byId.get(botId);
    // It was deleted while this was read.
    if (bot === undefined) continue;
    const moment = momentOf(clock, started);
    noteStart(starts, botId, bot.ownerId, moment);
    lastStart.set(startKey(bot, ladderId), moment);
    lastStartOn.set(ladderId, moment);
  }
  return { starts, lastStart, lastStartOn };
}

/** Who met whom on each ladder, as far back as the hold after a match reaches. */
export async function recallMeetings(arena: ArenaState): Promise<void> {
  for (const { id } of arena.deps.ladders.all()) await recallMeetingsOn(arena, id);
}

async function recallMeetingsOn(arena: ArenaState, ladderId: LadderId): Promise<void> {
  const { store, clock, settings } = arena.deps;
  const { met } = meetingsOn(arena, ladderId);
  const heldSince = clock.now() - settings.current().rematch_hold_s * SECOND;
  let before: string | undefined;
  for (;;) {
    const query = { ladderId, before, limit: PAGE, withStats: false };
    const newestFirst = (await store.matches.list(query)) ?? [];
    const held = newestFirst.filter(({ ended }) => momentOf(clock, ended) > heldSince);
    for (const { seats, ended } of held) {
      const [one, other] = bothOf(seats.flatMap(({ botId }) => botId ?? []));
      const key = pairKey(one, other);
      met.set(key, Math.max(met.get(key) ?? -Infinity, momentOf(clock, ended)));
    }
    if (held.length < PAGE) return;
    before = newestFirst.at(-1)?.id;
  }
}
