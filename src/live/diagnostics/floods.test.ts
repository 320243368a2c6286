import assert from "node:assert/strict";
import { test } from "node:test";

import { LIMITS } from "#core/words/limits.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";

const { floods_to_suspend: MOST, flood_suspension_s: SUSPENSION_S } = LIMITS;

function flood(bot: FakeBot): void {
  for (let frame = 0; frame <= LIMITS.messages_per_second; frame += 1) bot.say({ type: "leave" });
}

async function floodTimes(test: TestArena, times: number, gapMs = 1000): Promise<FakeBot> {
  let bot = await test.connect("spammer");
  for (let time = 0; time < times; time += 1) {
    if (time > 0) bot = await test.connect("spammer");
    flood(bot);
    await test.pass(gapMs);
  }
  return bot;
}

const entriesOf = async ({ store }: TestArena) => {
  const entries = await store.audit.list({ kind: "bot.throttled", limit: 50 });
  return entries.map(({ subject, detail }) => [subject?.name, detail]).toReversed();
};

test("a flooding bot is in the audit once an hour, and is counted each time", async () => {
  const arena = await testArena({ limits: { flood_suspension_s: 0 } });
  const { id } = await arena.addBot("spammer");
  await floodTimes(arena, 20);
  await arena.pass(2000);
  assert.deepEqual(await entriesOf(arena), [["spammer", { reason: "message_rate", floods: 1 }]]);
  const [report, ...others] = arena.arena.floods().bots;
  assert.deepEqual(report, { botId: id, lastHour: 20, suspendedUntil: null });
  assert.deepEqual([others, arena.arena.floods().total], [[], 20]);
  arena.clock.pass(3600 * 1000);
  await floodTimes(arena, 1);
  await arena.pass(2000);
  assert.equal((await entriesOf(arena)).length, 2);
});

test("a bot that floods again and again is suspended, and may come back afterwards", async () => {
  const arena = await testArena();
  await arena.addBot("spammer");
  const last = await floodTimes(arena, MOST);
  assert.equal(last.ending(), "4009 rate_limited");
  const refused = await arena.connect("spammer");
  assert.equal(refused.ending(), "4009 rate_limited");
  const [error] = refused.told("error");
  assert.match(String(error?.message), /^Suspended until \d{4}-\S+Z: .*5 times within 600 s/);
  assert.equal(arena.arena.floods().suspensions, 1);
  await arena.pass(2000);
  assert.deepEqual((await entriesOf(arena)).at(-1), [
    "spammer",
    { reason: "flood_suspension", floods: MOST },
  ]);
  assert.ok(arena.log.includes("a flooding bot is suspended"));
  arena.clock.pass(SUSPENSION_S * 1000);
  assert.equal((await arena.connect("spammer")).ending(), null);
});

test("a suspension ends at once when the setting says so", async () => {
  const arena = await testArena();
  await arena.addBot("spammer");
  await floodTimes(arena, MOST);
  arena.settings.change({ flood_suspension_s: 0 });
  assert.equal((await arena.connect("spammer")).ending(), null);
});

test("one flood is enough when the setting says so", async () => {
  const arena = await testArena();
  await arena.addBot("spammer");
  arena.settings.change({ floods_to_suspend: 1 });
  const bot = await floodTimes(arena, 1);
  assert.match(String(bot.told("error").at(-1)?.message), /^Suspended until/);
});

test("floods that are far apart suspend nobody", async () => {
  const arena = await testArena();
  await arena.addBot("spammer");
  await floodTimes(arena, MOST - 1);
  arena.clock.pass(LIMITS.flood_window_s * 1000);
  await floodTimes(arena, MOST - 1);
  assert.equal((await arena.connect("spammer")).ending(), null);
});

test("a bot that is suspended in a match loses it at once, rated", async () => {
  const arena = await testArena();
  for (const name of ["spammer", "calm"]) await arena.addBot(name);
  const calm = await arena.connect("calm");
  calm.plays = true;
  calm.say({ type: "queue", version: "v1" });
  let spammer = await arena.connect("spammer");
  spammer.say({ type: "queue", version: "v1" });
  await arena.until(() => spammer.told("hello").length > 0);
  spammer.say({ type: "ready" });
  await arena.pass(100);
  for (let time = 0; time < MOST; time += 1) {
    for (let frame = 0; frame < 7; frame += 1) spammer.say({ type: "turn", tick: time });
    await arena.pass(200);
    if (time < MOST - 1) spammer = await arena.connect("spammer");
  }
  await arena.until(() => calm.told("end").length > 0);
  const [end] = calm.told("end");
  assert.deepEqual([end?.reason, end?.rated], ["forfeit", true]);
  assert.ok(calm.told("observation").length < 10, "the match ended early");
});
