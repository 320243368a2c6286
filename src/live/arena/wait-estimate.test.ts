import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND_US } from "#base/util/time.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";

const QUEUE = { type: "queue", version: "v1" };
const STEP_SECONDS = 0.05;

async function connectBot(arena: TestArena, name: string, botFields = {}): Promise<FakeBot> {
  await arena.addArenaBot(name, botFields);
  const bot = await arena.connect(name);
  bot.autoPlays = true;
  return bot;
}

function estimateOf(bot: FakeBot): number {
  return bot.receivedOfType("queued").at(-1)!.estimated_wait_s as number;
}

async function measureWait(
  arena: TestArena,
  bot: FakeBot,
): Promise<{ estimatedSeconds: number; actualSeconds: number }> {
  const matches = bot.receivedOfType("hello").length;
  bot.send(QUEUE);
  const since = arena.clock.now();
  await arena.advanceUntil(() => bot.receivedOfType("hello").length > matches);
  return {
    estimatedSeconds: estimateOf(bot),
    actualSeconds: (arena.clock.now() - since) / SECOND_US,
  };
}

function assertAccurate({
  estimatedSeconds,
  actualSeconds: actual,
}: {
  estimatedSeconds: number;
  actualSeconds: number;
}): void {
  assert.ok(
    Math.abs(estimatedSeconds - actual) <= 2 * STEP_SECONDS,
    `announced ${estimatedSeconds} s, waited ${actual} s`,
  );
}

test("estimates the next wave if another bot is waiting", async () => {
  const arena = await testArena();
  const first = await connectBot(arena, "first");
  const second = await connectBot(arena, "second");
  first.send(QUEUE);
  await arena.advanceTime(700);
  assertAccurate(await measureWait(arena, second));
});

test("includes the rematch hold for two bots that have just met", async () => {
  const arena = await testArena();
  const bots = [await connectBot(arena, "first"), await connectBot(arena, "second")];
  for (const bot of bots) bot.send(QUEUE);
  await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
  bots[0]!.send(QUEUE);
  await arena.advanceTime(1000);
  const wait = await measureWait(arena, bots[1]!);
  assert.ok(wait.actualSeconds >= 10);
  assertAccurate(wait);
});

test("includes a match interval longer than the time until the next wave", async () => {
  const arena = await testArena({ limits: { match_interval_s: 60, rematch_hold_s: 1 } });
  const bots = [await connectBot(arena, "first"), await connectBot(arena, "second")];
  for (const bot of bots) bot.send(QUEUE);
  await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
  await connectBot(arena, "third").then((third) => third.send(QUEUE));
  const wait = await measureWait(arena, bots[0]!);
  assert.ok(wait.actualSeconds > 10, `${wait.actualSeconds} s`);
  assertAccurate(wait);
});

test("includes the time until a used-up quota allows another match", async () => {
  const arena = await testArena({ limits: { hourly_quota: 1, rematch_hold_s: 1 } });
  const bots = [await connectBot(arena, "first"), await connectBot(arena, "second")];
  for (const bot of bots) bot.send(QUEUE);
  await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
  const storedMatch = await arena.store.matches.byId(
    bots[0]!.receivedOfType("end")[0]!.match_id as string,
  );
  await connectBot(arena, "third").then((third) => third.send(QUEUE));
  bots[0]!.send(QUEUE);
  await arena.advanceTime(3000);
  const freeAt = Date.parse(storedMatch!.started) + 3_600_000;
  const { message } = bots[0]!.receivedOfType("error")[0]!;
  const told = / until (\S+)\. The bot stays queued\.$/.exec(message as string)?.[1] ?? "";
  assert.ok(
    Math.abs(Date.parse(told) - freeAt) <= 1000,
    `${String(message)} ${storedMatch!.started}`,
  );
  const seconds = estimateOf(bots[0]!);
  assert.ok(seconds > 3500 && seconds < 3610, `${seconds} s`);
});

test("ignores bots with the same owner and, for a house bot, other house bots", async () => {
  const arena = await testArena();
  const owners = { a: "Same", b: "same", "house-kiter": "house", "house-brawler": "house" };
  const bots: Record<string, FakeBot> = {};
  for (const [name, owner] of Object.entries(owners))
    bots[name] = await connectBot(arena, name, { owner, house: owner === "house" });
  for (const name of ["a", "b"]) bots[name]!.send(QUEUE);
  await arena.advanceTime(50);
  const estimateAlone = estimateOf(bots.b!);
  await arena.advanceTime(900);
  assertAccurate(await measureWait(arena, bots["house-kiter"]!));
  assert.ok(estimateAlone <= 2, "no waits yet, so there is no longer estimate");
});
