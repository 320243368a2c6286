import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND_US } from "#base/util/time.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import type { WatchHub } from "#live/watching/watch-hub.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import type { ArenaDeps } from "./arena-deps.ts";
import { pairingHistoryOn, openArenaState, pairKey } from "./arena-state.ts";
import { evictStaleEntries } from "./eviction.ts";
import { emptyStarts, recordStart } from "./quota.ts";
import type { Session } from "./session.ts";

const BOTS = Array.from({ length: 100 }, (_, number) => `bot-${number}`);

/**
 * An arena where 100 bots have just played and received a quota notice. One of these bots is
 * connected.
 */
function crowdedArena() {
  const clock = fakeClock();
  const deps = { clock, settings: openSettings(DEFAULT_LIMITS) } as unknown as ArenaDeps;
  const seasons = { live: "2026-01", closing: new Map(), archiving: null };
  const restored = { starts: emptyStarts(), lastStart: new Map(), lastStartByLadder: new Map() };
  const arena = openArenaState(deps, new Map(), seasons, restored, {} as WatchHub);
  const { lastMetAt, lastOpponent } = pairingHistoryOn(arena, "public");
  arena.sessions.set("its key", { bot: { id: BOTS[0] } } as Session);
  for (const [number, bot] of BOTS.entries()) {
    const opponent = BOTS[(number + 1) % BOTS.length]!;
    arena.lastStart.set(bot, clock.now());
    lastMetAt.set(pairKey(bot, opponent), clock.now());
    lastOpponent.set(bot, opponent);
    arena.quotaNotices.nextNoticeAt.set(`${bot} hourly_quota`, clock.now() + 300 * SECOND_US);
    arena.floods.byBot.set(bot, { disconnectedAt: [clock.now()], suspendedAt: clock.now() });
    recordStart(arena.starts, bot, `owner-${number}`, clock.now());
  }
  const sizes = () => {
    evictStaleEntries(arena);
    const { lastStart, quotaNotices, starts, floods } = arena;
    const { nextNoticeAt } = quotaNotices;
    const maps = {
      lastStart,
      met: lastMetAt,
      lastOpponent,
      nextNotice: nextNoticeAt,
      floods: floods.byBot,
    };
    const counters = { byBot: starts.byBot.historyByKey, byOwner: starts.byOwner.historyByKey };
    return Object.entries({ ...maps, ...counters }).map(([name, { size }]) => [name, size]);
  };
  return { clock, sizes: () => Object.fromEntries(sizes()) as Record<string, number> };
}

const REMAINING_SIZES: [seconds: number, left: Record<string, number>][] = [
  [
    0,
    {
      lastStart: 100,
      met: 100,
      lastOpponent: 1,
      nextNotice: 100,
      floods: 100,
      byBot: 100,
      byOwner: 100,
    },
  ],
  [
    1,
    {
      lastStart: 100,
      met: 100,
      lastOpponent: 1,
      nextNotice: 100,
      floods: 100,
      byBot: 100,
      byOwner: 100,
    },
  ],
  [
    11,
    {
      lastStart: 100,
      met: 0,
      lastOpponent: 1,
      nextNotice: 100,
      floods: 100,
      byBot: 100,
      byOwner: 100,
    },
  ],
  [
    301,
    {
      lastStart: 100,
      met: 0,
      lastOpponent: 1,
      nextNotice: 0,
      floods: 100,
      byBot: 100,
      byOwner: 100,
    },
  ],
  [
    3601,
    { lastStart: 100, met: 0, lastOpponent: 1, nextNotice: 0, floods: 0, byBot: 0, byOwner: 100 },
  ],
  [
    86_401,
    { lastStart: 0, met: 0, lastOpponent: 1, nextNotice: 0, floods: 0, byBot: 0, byOwner: 0 },
  ],
];
for (const [seconds, expectedSizes] of REMAINING_SIZES)
  test(`evicts expired state of 100 bots after ${seconds} s`, () => {
    const { clock, sizes } = crowdedArena();
    clock.advance(seconds * 1000);
    assert.deepEqual(sizes(), expectedSizes);
  });
