import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND } from "#base/units/time.ts";
import { LIMITS } from "#core/words/limits.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { meetingsOn, openArenaState, pairKey } from "./arena-state.ts";
import type { ArenaDeps } from "./deps.ts";
import { forgetPast } from "./forget.ts";
import { noStarts, noteStart } from "./quota.ts";
import type { Session } from "./session.ts";

const BOTS = Array.from({ length: 100 }, (_, number) => `bot-${number}`);

/**
 * An arena where a hundred bots have just played and been told of a quota, and one is connected.
 */
function crowdedArena() {
  const clock = fakeClock();
  const deps = { clock, settings: openSettings(LIMITS) } as unknown as ArenaDeps;
  const seasons = { live: "2026-01", closing: new Map(), archiving: null };
  const arena = openArenaState(deps, new Map(), seasons, {
    starts: noStarts(),
    lastStart: new Map(),
    lastStartOn: new Map(),
  });
  const { met, lastOpponent } = meetingsOn(arena, "public");
  arena.sessions.set("its key", { bot: { id: BOTS[0] } } as Session);
  for (const [number, bot] of BOTS.entries()) {
    const other = BOTS[(number + 1) % BOTS.length]!;
    arena.lastStart.set(bot, clock.now());
    met.set(pairKey(bot, other), clock.now());
    lastOpponent.set(bot, other);
    arena.throttles.nextNotice.set(`${bot} hourly_quota`, clock.now() + 300 * SECOND);
    arena.floods.byBot.set(bot, { times: [clock.now()], suspendedAt: clock.now() });
    noteStart(arena.starts, bot, `owner-${number}`, clock.now());
  }
  const sizes = () => {
    forgetPast(arena);
    const { lastStart, throttles, starts, floods } = arena;
    const { nextNotice } = throttles;
    const maps = { lastStart, met, lastOpponent, nextNotice, floods: floods.byBot };
    const counters = { byBot: starts.byBot.recent, byOwner: starts.byOwner.recent };
    return Object.entries({ ...maps, ...counters }).map(([name, { size }]) => [name, size]);
  };
  return { clock, sizes: () => Object.fromEntries(sizes()) as Record<string, number> };
}

const LEFT: [seconds: number, left: Record<string, number>][] = [
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
for (const [seconds, left] of LEFT)
  test(`what a hundred bots leave behind after ${seconds} s is bounded`, () => {
    const { clock, sizes } = crowdedArena();
    clock.pass(seconds * 1000);
    assert.deepEqual(sizes(), left);
  });
