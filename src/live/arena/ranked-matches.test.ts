import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { cumulativeCounts } from "#base/util/duration-histogram.ts";
import { openHealth } from "#live/health/health.ts";
import { localRecorder } from "#live/recorder/recorder.ts";
import {
  startTwoBotMatch,
  queueTwoBots,
  memoryReplayStore,
  testArena,
} from "#testing/fixtures/test-arena.ts";

/** Everything is recorded in the same second. */
const frozenHealth = () => openHealth({ now: () => 0 });

suite("health", () => {
  test("records the turns of both bots in a played match", async () => {
    const health = frozenHealth();
    const arena = await testArena({ health });
    const bots = await startTwoBotMatch(arena);
    for (const bot of bots) bot.send({ type: "ready" });
    await arena.advanceUntil(() =>
      bots.every((bot) => bot.receivedOfType("observation").length === 1),
    );
    for (const bot of bots) {
      const { moves } = bot.receivedOfType("observation")[0]!;
      bot.autoPlays = true;
      bot.send({ type: "turn", tick: 0, move: (moves as string[])[0] });
    }
    await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
    const { stats } = bots[0].receivedOfType("end")[0]!;
    const { ticks, fighters } = stats as {
      ticks: number;
      fighters: { moves: number }[];
    };
    const { games: rankedMatches } = health.report();
    assert.deepEqual([rankedMatches.count, rankedMatches.mean_turns], [1, ticks]);
    assert.deepEqual([rankedMatches.mean_moves, rankedMatches.mean_dashes], [2, 0]);
    assert.deepEqual([fighters[0]!.moves, fighters[1]!.moves], [1, 1]);
    assert.equal(rankedMatches.mean_duration_ms, rankedMatches.max_duration_ms);
    assert.equal(rankedMatches.ms_per_turn, rankedMatches.max_duration_ms! / ticks);
    const { matches, timings, turns } = health.report().totals;
    assert.deepEqual([...matches], [["ranked rated", 1]]);
    assert.equal(cumulativeCounts(timings.simulation).at(-1), ticks);
    assert.equal(turns.get("valid"), 2 * ticks);
  });

  test("counts only the turns of a match without statistics", async () => {
    const health = frozenHealth();
    const recorder = { ...localRecorder(memoryReplayStore(new Map())), file: async () => null };
    const arena = await testArena({ health, recorder });
    const bots = await startTwoBotMatch(arena);
    for (const bot of bots) bot.autoPlays = true;
    for (const bot of bots) bot.send({ type: "ready" });
    await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
    const { count, mean_turns, mean_moves } = health.report().games;
    assert.deepEqual([count, mean_moves], [1, 0]);
    assert.ok(mean_turns! > 0);
    assert.deepEqual(arena.panics, []);
  });

  for (const ready of [0, 1])
    test(`ignores a match in which only ${ready} of 2 bots became ready`, async () => {
      const health = frozenHealth();
      const arena = await testArena({ health });
      const bots = await startTwoBotMatch(arena);
      for (const bot of bots.slice(0, ready)) bot.send({ type: "ready" });
      await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
      assert.equal(health.report().games.count, 0);
    });

  test("counts messages sent while the bot had unread data", async () => {
    const health = frozenHealth();
    const arena = await testArena({ health });
    const [slow] = await queueTwoBots(arena);
    slow.unreadBytes = 400;
    await arena.advanceUntil(() => slow.receivedOfType("hello").length === 1);
    const { total, backpressured, max_buffered_bytes } = health.report().sends;
    assert.deepEqual([total, backpressured, max_buffered_bytes], [2, 1, 400]);
    assert.equal(slow.closeReason(), null);
  });
});
