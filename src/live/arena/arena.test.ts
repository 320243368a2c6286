import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { startTwoBotMatch, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStores } from "#testing/store-contract/memory-store.ts";

const ready = (bots: readonly FakeBot[]) => {
  for (const bot of bots) bot.send({ type: "ready" });
};

async function playMatch(arena: TestArena): Promise<FakeBot[]> {
  const bots = await startTwoBotMatch(arena);
  for (const bot of bots) bot.autoPlays = true;
  ready(bots);
  await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
  await arena.advanceTime(1000);
  return bots;
}

suite("the arena view", () => {
  test("shows a running match and then its result", async () => {
    const arena = await testArena();
    assert.deepEqual(arena.arena.capacity(), { running: 0, max: 320 });
    const bots = await startTwoBotMatch(arena);
    ready(bots);
    for (const bot of bots) bot.send({ type: "turn", tick: 0 });
    const [match, ...extraMatches] = arena.arena.runningMatches();
    assert.deepEqual(extraMatches, []);
    const hello = bots[0].receivedOfType("hello")[0]!;
    assert.equal(match!.id, hello.match_id);
    assert.equal(match!.tick, 1);
    assert.equal(match!.ladderId, "public");
    assert.equal(match!.map, (hello.map as { name: string }).name);
    assert.deepEqual(
      match!.botIds,
      (hello.fighters as { bot_id: string }[]).map(({ bot_id }) => bot_id),
    );
    assert.deepEqual(arena.arena.capacity().running, 1);
    const online = arena.arena.onlineBots().map(({ name, version, state, matchId }) => {
      return { name, version, state, matchId };
    });
    const playingFields = { version: "v1", state: "playing", matchId: match!.id };
    assert.deepEqual(online, [
      { name: "alpha", ...playingFields },
      { name: "beta", ...playingFields },
    ]);
  });

  test("shows a connected bot without version or ladder until it queues", async () => {
    const arena = await testArena();
    await arena.addArenaBot("alpha");
    await arena.connect("alpha");
    const { version, versionId, ladderId, state, matchId } = arena.arena.onlineBots()[0]!;
    assert.deepEqual([version, versionId, ladderId, matchId], [null, null, null, null]);
    assert.equal(state, "idle");
  });

  test("lists both versions of a rated match on the board", async () => {
    const arena = await testArena();
    const bots = await playMatch(arena);
    const entries = [...arena.arena.board("public").values()];
    assert.equal(entries.length, 2);
    const { match_id, rating_change } = bots[0]!.receivedOfType("end")[0]!;
    for (const entry of entries) assert.equal(entry.lastMatchId, match_id);
    const gains = entries.map(({ rating }) => Math.round(rating) - 1500);
    assert.ok(gains.includes(rating_change as number));
    assert.equal(arena.arena.board("elsewhere").size, 0);
  });
});

suite("an arena reopened on the same store", () => {
  test("restores the board and quota usage", async () => {
    const openStore = memoryStores();
    const first = await testArena({ store: openStore(), newId: idGenerator("a") });
    await playMatch(first);
    const boardLines = (arena: TestArena) =>
      [...arena.arena.board("public").values()]
        .map(({ versionId, rating, deviation, wins, losses, lastMatchId }) =>
          [versionId, rating.toFixed(6), deviation.toFixed(3), wins, losses, lastMatchId].join(" "),
        )
        .toSorted();
    const second = await testArena({
      store: openStore(),
      newId: idGenerator("b"),
      limits: { hourly_quota: 1 },
    });
    assert.deepEqual(boardLines(second), boardLines(first));
    const bot = await second.connect("alpha");
    bot.send({ type: "queue", version: "v1" });
    await second.advanceTime(2100);
    assert.equal(bot.receivedOfType("error")[0]?.code, "quota_exceeded");
  });

  test("applies the rematch hold to bots that met just before the arena closed", async () => {
    const openStore = memoryStores();
    const first = await testArena({ store: openStore(), newId: idGenerator("a") });
    await playMatch(first);
    const second = await testArena({ store: openStore(), newId: idGenerator("b") });
    const bots = [await second.connect("alpha"), await second.connect("beta")];
    for (const bot of bots) bot.send({ type: "queue", version: "v1" });
    await second.advanceTime(9000);
    assert.deepEqual(bots[0]!.receivedOfType("hello"), []);
    await second.advanceTime(4000);
    assert.equal(bots[0]!.receivedOfType("hello").length, 1);
  });

  test("pairs a bot whose previous match was lost in the restart", async () => {
    const openStore = memoryStores();
    const first = await testArena({ store: openStore(), newId: idGenerator("a") });
    await startTwoBotMatch(first);
    first.arena.stop();
    const second = await testArena({ store: openStore(), newId: idGenerator("b") });
    assert.deepEqual(second.arena.onlineBots(), []);
    const bots = await Promise.all(["alpha", "beta"].map((name) => second.connect(name)));
    for (const bot of bots) bot.send({ type: "queue", version: "v1" });
    await second.advanceUntil(() => bots.every((bot) => bot.receivedOfType("hello").length === 1));
    assert.deepEqual(await second.store.matches.ids(), []);
  });
});

/** Arenas on the same store need different prefixes to keep ids unique. */
function idGenerator(prefix: string): () => string {
  let count = 0;
  return () => `01900000-0000-7000-8000-${prefix}${String((count += 1)).padStart(11, "0")}`;
}

suite("T10 an event loop stall", () => {
  test("doesn't fail ticks of bots whose responses were already buffered", async () => {
    const arena = await testArena();
    const bots = await startTwoBotMatch(arena);
    ready(bots);
    for (let round = 0; round < 15; round += 1) {
      arena.clock.stall(12_000);
      for (const bot of bots) bot.send({ type: "turn", tick: round });
      await arena.advanceTime(10);
    }
    assert.equal(arena.arena.runningMatches()[0]?.tick, 15);
    const budgets = bots.map(
      (bot) => bot.receivedOfType("observation").at(-1)?.budget_ms as number,
    );
    assert.ok(budgets.every((budget) => budget > 299_000));
    assert.ok(arena.log.every((line) => line === "event loop stalled"));
  });

  test("handles a buffered frame before a timer that is due", async () => {
    const arena = await testArena({ limits: { tick_s: 0.01 } });
    const bots = await startTwoBotMatch(arena);
    ready(bots);
    arena.clock.stall(5000);
    assert.equal(arena.arena.runningMatches()[0]?.tick, 0);
    for (const bot of bots) bot.send({ type: "turn", tick: 0 });
    assert.equal(arena.arena.runningMatches()[0]?.tick, 1);
  });
});
