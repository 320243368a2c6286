// Settings that change during play: each takes effect when its row of the table says, not before.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Limits, Overrides } from "#core/words/limits.ts";
import { pairedBots, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";

const hellos = (bot: FakeBot): number => bot.told("hello").length;

async function queued(arena: TestArena, name: string, owner = name): Promise<FakeBot> {
  await arena.addBot(name, { owner });
  const bot = await arena.connect(name);
  bot.say({ type: "queue", version: "v1" });
  return bot;
}

type Deadlines = Record<string, number>;
const NEW_MATCHES: [change: Overrides, told: Deadlines][] = [
  [{ startup_s: 3 }, { startup_ms: 3000 }],
  [{ tick_s: 2.5 }, { tick_ms: 2500 }],
  [{ budget_s: 77 }, { budget_ms: 77_000 }],
  [{ reconnect_grace_s: 4 }, { reconnect_ms: 4000 }],
  [{ failed_ticks_to_disqualify: 2 }, { failed_ticks_to_disqualify: 2 }],
  [{ messages_per_tick: 1 }, { messages_per_tick: 1 }],
];
for (const [change, told] of NEW_MATCHES)
  test(`${Object.keys(change).join()} changes for new matches, not for a running one`, async () => {
    const arena = await testArena();
    const [alpha] = await pairedBots(arena);
    arena.settings.change(change);
    const [gamma] = [await queued(arena, "gamma"), await queued(arena, "delta")];
    await arena.until(() => hellos(gamma) === 1);
    alpha.leave();
    const back = await arena.connect("alpha");
    const deadlines = (bot: FakeBot) => bot.told("hello")[0]!.deadlines as Deadlines;
    assert.deepEqual(deadlines(back), deadlines(alpha));
    assert.deepEqual(deadlines(gamma), { ...deadlines(alpha), ...told });
  });

test("messages_per_tick cuts off a flood by the value its match began with", async () => {
  const arena = await testArena();
  const [alpha] = await pairedBots(arena);
  arena.settings.change({ messages_per_tick: 1 });
  const [gamma] = [await queued(arena, "gamma"), await queued(arena, "delta")];
  await arena.until(() => hellos(gamma) === 1);
  for (const bot of [alpha, gamma]) for (let frame = 0; frame < 5; frame += 1) bot.say("{}");
  assert.equal(alpha.ending(), null);
  assert.equal(gamma.ending(), "4009 rate_limited");
  assert.match(String(gamma.told("error").at(-1)!.message), /a bot may send 1 a tick/);
});

/** Bots that never say ready end a match after a second, and may meet again after another one. */
const QUICK: Partial<Limits> = { startup_s: 1, rematch_hold_s: 1 };
const HOLD_MS = 20_000;

const AT_ONCE: Overrides[] = [
  { match_interval_s: 60 },
  { hourly_quota: 1 },
  { owner_daily_quota: 1 },
  { max_concurrent: 0 },
];
for (const change of AT_ONCE)
  test(`${Object.keys(change).join()} holds the next match back at once, and releases it at once`, async () => {
    const arena = await testArena({ limits: QUICK });
    const bots = await pairedBots(arena);
    arena.settings.change(change);
    await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
    for (const bot of bots) bot.say({ type: "queue", version: "v1" });
    await arena.pass(HOLD_MS);
    assert.deepEqual(bots.map(hellos), [1, 1]);
    arena.settings.change({});
    await arena.until(() => bots.every((bot) => hellos(bot) === 2));
  });

test("owner_concurrency changes at once: running matches go on, the next one waits", async () => {
  const arena = await testArena({ limits: { startup_s: 600 } });
  await pairedBots(arena);
  arena.settings.change({ owner_concurrency: 1 });
  const second = [await queued(arena, "alpha-2", "alpha"), await queued(arena, "beta-2", "beta")];
  await arena.pass(HOLD_MS);
  assert.equal(arena.arena.running().length, 1);
  assert.match(String(second[0]!.told("error")[0]!.message), /owner_concurrency \(1\)/);
  arena.settings.change({ owner_concurrency: 2 });
  await arena.until(() => arena.arena.running().length === 2);
});

test("max_concurrent sets the reported capacity at once", async () => {
  const arena = await testArena();
  await pairedBots(arena);
  arena.settings.change({ max_concurrent: 0 });
  assert.deepEqual(arena.arena.capacity(), { running: 1, max: 0 });
});

test("versions_per_day changes at once, and a refusal names it", async () => {
  const arena = await testArena();
  const bot = await queued(arena, "alpha");
  await arena.pass(50);
  arena.settings.change({ versions_per_day: 1 });
  bot.say({ type: "queue", version: "v2" });
  await arena.pass(50);
  const { code, message } = bot.told("error")[0]!;
  assert.deepEqual(
    [code, message],
    ["version_limit", "A bot may make 1 new versions in 24 hours."],
  );
  arena.settings.change({});
  bot.say({ type: "queue", version: "v2" });
  await arena.pass(50);
  assert.equal(bot.told("queued").at(-1)!.version, "v2");
});

test("messages_per_second changes with the next connection", async () => {
  const arena = await testArena();
  await arena.addBot("alpha");
  const flood = (bot: FakeBot) => {
    for (let frame = 0; frame < 10; frame += 1) bot.say("{}");
    return bot.ending();
  };
  const before = await arena.connect("alpha");
  arena.settings.change({ messages_per_second: 9 });
  assert.equal(flood(before), null);
  assert.equal(flood(await arena.connect("alpha")), "4009 rate_limited");
});

test("messages_per_second changes at the end of a match", async () => {
  const arena = await testArena({ limits: QUICK });
  const [alpha] = await pairedBots(arena);
  arena.settings.change({ messages_per_second: 2 });
  await arena.until(() => alpha.told("end").length === 1);
  for (let frame = 0; frame < 3; frame += 1) alpha.say("{}");
  assert.equal(alpha.ending(), "4009 rate_limited");
});

test("ping_interval_s applies from the next round on", async () => {
  const arena = await testArena({ limits: { ping_interval_s: 5 } });
  await arena.addBot("alpha");
  const bot = await arena.connect("alpha");
  arena.settings.change({ ping_interval_s: 1 });
  await arena.pass(5000);
  assert.equal(bot.pings(), 1);
  await arena.pass(5500);
  assert.equal(bot.pings(), 6);
});

test("drain_timeout_s moves the end of a drain in progress, and everybody is told", async () => {
  const arena = await testArena({ limits: { drain_timeout_s: 600, tick_s: 100, startup_s: 500 } });
  const [alpha] = await pairedBots(arena);
  const drained = arena.arena.drain();
  await arena.pass(2000);
  arena.settings.change({ drain_timeout_s: 3 });
  await arena.pass(2000);
  assert.deepEqual(await drained, { abandoned: 1 });
  const [first, second, ...more] = alpha
    .told("server_draining")
    .map(({ drain_deadline }) => Date.parse(String(drain_deadline)));
  assert.deepEqual([first! - second!, more], [597_000, []]);
});
