import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND } from "#base/units/time.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";

const QUEUE = { type: "queue", version: "v1" };
const STEP_SECONDS = 0.05;

async function arrive(arena: TestArena, name: string, facts = {}): Promise<FakeBot> {
  await arena.addBot(name, facts);
  const bot = await arena.connect(name);
  bot.plays = true;
  return bot;
}

/** The wait that the bot was told to expect. */
function estimateOf(bot: FakeBot): number {
  return bot.told("queued").at(-1)!.estimated_wait_s as number;
}

/** Queues, and gives the wait that was told and the true one, in seconds. */
async function waitOf(arena: TestArena, bot: FakeBot): Promise<{ told: number; true: number }> {
  const matches = bot.told("hello").length;
  bot.say(QUEUE);
  const since = arena.clock.now();
  await arena.until(() => bot.told("hello").length > matches);
  return { told: estimateOf(bot), true: (arena.clock.now() - since) / SECOND };
}

function assertHonest({ told, true: actual }: { told: number; true: number }): void {
  assert.ok(Math.abs(told - actual) <= 2 * STEP_SECONDS, `told ${told} s, waited ${actual} s`);
}

test("a bot that finds another waiting is told the next wave", async () => {
  const arena = await testArena();
  const first = await arrive(arena, "first");
  const second = await arrive(arena, "second");
  first.say(QUEUE);
  await arena.pass(700);
  assertHonest(await waitOf(arena, second));
});

test("two that have just met are told of the rematch hold", async () => {
  const arena = await testArena();
  const bots = [await arrive(arena, "first"), await arrive(arena, "second")];
  for (const bot of bots) bot.say(QUEUE);
  await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
  bots[0]!.say(QUEUE);
  await arena.pass(1000);
  const wait = await waitOf(arena, bots[1]!);
  assert.ok(wait.true >= 10);
  assertHonest(wait);
});

test("a match interval longer than the way to the wave is told", async () => {
  const arena = await testArena({ limits: { match_interval_s: 60, rematch_hold_s: 1 } });
  const bots = [await arrive(arena, "first"), await arrive(arena, "second")];
  for (const bot of bots) bot.say(QUEUE);
  await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
  await arrive(arena, "third").then((third) => third.say(QUEUE));
  const wait = await waitOf(arena, bots[0]!);
  assert.ok(wait.true > 10, `${wait.true} s`);
  assertHonest(wait);
});

test("a bot that has spent its quota is told when it is given back", async () => {
  const arena = await testArena({ limits: { hourly_quota: 1, rematch_hold_s: 1 } });
  const bots = [await arrive(arena, "first"), await arrive(arena, "second")];
  for (const bot of bots) bot.say(QUEUE);
  await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
  const stored = await arena.store.matches.byId(bots[0]!.told("end")[0]!.match_id as string);
  await arrive(arena, "third").then((third) => third.say(QUEUE));
  bots[0]!.say(QUEUE);
  await arena.pass(3000);
  const freeAt = Date.parse(stored!.started) + 3_600_000;
  const { message } = bots[0]!.told("error")[0]!;
  const told = / until (\S+)\. The bot stays queued\.$/.exec(message as string)?.[1] ?? "";
  assert.ok(Math.abs(Date.parse(told) - freeAt) <= 1000, `${String(message)} ${stored!.started}`);
  const seconds = estimateOf(bots[0]!);
  assert.ok(seconds > 3500 && seconds < 3610, `${seconds} s`);
});

test("bots of one owner, and house bots among themselves, are no prospects", async () => {
  const arena = await testArena();
  const owners = { a: "Same", b: "same", "house-kiter": "house", "house-brawler": "house" };
  const bots: Record<string, FakeBot> = {};
  for (const [name, owner] of Object.entries(owners))
    bots[name] = await arrive(arena, name, { owner, house: owner === "house" });
  for (const name of ["a", "b"]) bots[name]!.say(QUEUE);
  await arena.pass(50);
  const alone = estimateOf(bots.b!);
  await arena.pass(900);
  assertHonest(await waitOf(arena, bots["house-kiter"]!));
  assert.ok(alone <= 2, "nobody has waited yet, so nothing longer is known");
});
