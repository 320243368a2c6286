import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";

const { floods_to_suspend: FLOODS_TO_SUSPEND, flood_suspension_s: SUSPENSION_S } = DEFAULT_LIMITS;

function sendFlood(bot: FakeBot): void {
  for (let frame = 0; frame <= DEFAULT_LIMITS.messages_per_second; frame += 1)
    bot.send({ type: "leave" });
}

async function floodRepeatedly(test: TestArena, times: number, gapMs = 1000): Promise<FakeBot> {
  let bot = await test.connect("spammer");
  for (let time = 0; time < times; time += 1) {
    if (time > 0) bot = await test.connect("spammer");
    sendFlood(bot);
    await test.advanceTime(gapMs);
  }
  return bot;
}

const throttleEntries = async ({ store }: TestArena) => {
  const entries = await store.audit.list({ kind: "bot.throttled", limit: 50 });
  return entries.map(({ subject, detail }) => [subject?.name, detail]).toReversed();
};

test("audits a flooding bot once an hour and counts every disconnection", async () => {
  const arena = await testArena({ limits: { flood_suspension_s: 0 } });
  const { id } = await arena.addArenaBot("spammer");
  await floodRepeatedly(arena, 20);
  await arena.advanceTime(2000);
  assert.deepEqual(await throttleEntries(arena), [
    ["spammer", { reason: "message_rate", floods: 1 }],
  ]);
  const [report, ...otherReports] = arena.arena.floodReport().bots;
  assert.deepEqual(report, { botId: id, lastHour: 20, suspendedUntil: null });
  assert.deepEqual([otherReports, arena.arena.floodReport().total], [[], 20]);
  arena.clock.advance(3600 * 1000);
  await floodRepeatedly(arena, 1);
  await arena.advanceTime(2000);
  assert.equal((await throttleEntries(arena)).length, 2);
});

test("suspends a bot after repeated floods and lets it return afterwards", async () => {
  const arena = await testArena();
  await arena.addArenaBot("spammer");
  const last = await floodRepeatedly(arena, FLOODS_TO_SUSPEND);
  assert.equal(last.closeReason(), "4009 rate_limited");
  const refusedBot = await arena.connect("spammer");
  assert.equal(refusedBot.closeReason(), "4009 rate_limited");
  const [error] = refusedBot.receivedOfType("error");
  assert.match(String(error?.message), /^Suspended until \d{4}-\S+Z: .*5 times within 600 s/);
  assert.equal(arena.arena.floodReport().suspensions, 1);
  await arena.advanceTime(2000);
  assert.deepEqual((await throttleEntries(arena)).at(-1), [
    "spammer",
    { reason: "flood_suspension", floods: FLOODS_TO_SUSPEND },
  ]);
  assert.ok(arena.log.includes("flooding bot suspended"));
  arena.clock.advance(SUSPENSION_S * 1000);
  assert.equal((await arena.connect("spammer")).closeReason(), null);
});

test("ends a suspension immediately when the setting is lowered", async () => {
  const arena = await testArena();
  await arena.addArenaBot("spammer");
  await floodRepeatedly(arena, FLOODS_TO_SUSPEND);
  arena.settings.change({ flood_suspension_s: 0 });
  assert.equal((await arena.connect("spammer")).closeReason(), null);
});

test("suspends after a single flood if the setting is 1", async () => {
  const arena = await testArena();
  await arena.addArenaBot("spammer");
  arena.settings.change({ floods_to_suspend: 1 });
  const bot = await floodRepeatedly(arena, 1);
  assert.match(String(bot.receivedOfType("error").at(-1)?.message), /^Suspended until/);
});

test("never suspends for floods that are far apart", async () => {
  const arena = await testArena();
  await arena.addArenaBot("spammer");
  await floodRepeatedly(arena, FLOODS_TO_SUSPEND - 1);
  arena.clock.advance(DEFAULT_LIMITS.flood_window_s * 1000);
  await floodRepeatedly(arena, FLOODS_TO_SUSPEND - 1);
  assert.equal((await arena.connect("spammer")).closeReason(), null);
});

test("forfeits the rated match of a bot suspended during it", async () => {
  const arena = await testArena();
  for (const name of ["spammer", "calm"]) await arena.addArenaBot(name);
  const calmBot = await arena.connect("calm");
  calmBot.autoPlays = true;
  calmBot.send({ type: "queue", version: "v1" });
  let spammerBot = await arena.connect("spammer");
  spammerBot.send({ type: "queue", version: "v1" });
  await arena.advanceUntil(() => spammerBot.receivedOfType("hello").length > 0);
  spammerBot.send({ type: "ready" });
  await arena.advanceTime(100);
  for (let time = 0; time < FLOODS_TO_SUSPEND; time += 1) {
    for (let frame = 0; frame < 7; frame += 1) spammerBot.send({ type: "turn", tick: time });
    await arena.advanceTime(200);
    if (time < FLOODS_TO_SUSPEND - 1) spammerBot = await arena.connect("spammer");
  }
  await arena.advanceUntil(() => calmBot.receivedOfType("end").length > 0);
  const [end] = calmBot.receivedOfType("end");
  assert.deepEqual([end?.reason, end?.rated], ["forfeit", true]);
  assert.ok(calmBot.receivedOfType("observation").length < 10, "the match ended early");
});
