import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { cumulativeCounts } from "#base/units/duration-histogram.ts";
import { openHealth } from "#live/health/health.ts";
import { localRecorder } from "#live/recorder/recorder.ts";
import { pairedBots, queuedPair, shelfOf, testArena } from "#testing/fixtures/test-arena.ts";

/** Health by a clock that stands still: everything falls into one second. */
const stillHealth = () => openHealth({ now: () => 0 });

suite("health", () => {
  test("records what both bots did in a game that was played", async () => {
    const health = stillHealth();
    const arena = await testArena({ health });
    const bots = await pairedBots(arena);
    for (const bot of bots) bot.say({ type: "ready" });
    await arena.until(() => bots.every((bot) => bot.told("observation").length === 1));
    for (const bot of bots) {
      const { moves } = bot.told("observation")[0]!;
      bot.plays = true;
      bot.say({ type: "turn", tick: 0, move: (moves as string[])[0] });
    }
    await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
    const { stats } = bots[0].told("end")[0]!;
    const { ticks, fighters } = stats as {
      ticks: number;
      fighters: { moves: number }[];
    };
    const { games } = health.report();
    assert.deepEqual([games.count, games.mean_turns], [1, ticks]);
    assert.deepEqual([games.mean_moves, games.mean_dashes], [2, 0]);
    assert.deepEqual([fighters[0]!.moves, fighters[1]!.moves], [1, 1]);
    assert.equal(games.mean_duration_ms, games.max_duration_ms);
    assert.equal(games.ms_per_turn, games.max_duration_ms! / ticks);
    const { matches, timings, turns } = health.report().totals;
    assert.deepEqual([...matches], [["ranked rated", 1]]);
    assert.equal(cumulativeCounts(timings.simulation).at(-1), ticks);
    assert.equal(turns.get("valid"), 2 * ticks);
  });

  test("counts a game without statistics by its turns alone", async () => {
    const health = stillHealth();
    const recorder = { ...localRecorder(shelfOf(new Map())), file: async () => null };
    const arena = await testArena({ health, recorder });
    const bots = await pairedBots(arena);
    for (const bot of bots) bot.plays = true;
    for (const bot of bots) bot.say({ type: "ready" });
    await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
    const { count, mean_turns, mean_moves } = health.report().games;
    assert.deepEqual([count, mean_moves], [1, 0]);
    assert.ok(mean_turns! > 0);
    assert.deepEqual(arena.panics, []);
  });

  for (const ready of [0, 1])
    test(`leaves out a game for which ${ready} of two were ready`, async () => {
      const health = stillHealth();
      const arena = await testArena({ health });
      const bots = await pairedBots(arena);
      for (const bot of bots.slice(0, ready)) bot.say({ type: "ready" });
      await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
      assert.equal(health.report().games.count, 0);
    });

  test("counts sends to a bot that had not read the previous ones", async () => {
    const health = stillHealth();
    const arena = await testArena({ health });
    const [slow] = await queuedPair(arena);
    slow.unread = 400;
    await arena.until(() => slow.told("hello").length === 1);
    const { total, backpressured, max_buffered_bytes } = health.report().sends;
    assert.deepEqual([total, backpressured, max_buffered_bytes], [2, 1, 400]);
    assert.equal(slow.ending(), null);
  });
});
