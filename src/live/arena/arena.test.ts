import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { pairedBots, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStores } from "#testing/store-cases/memory-store.ts";

const ready = (bots: readonly FakeBot[]) => {
  for (const bot of bots) bot.say({ type: "ready" });
};

/** Plays one match between alpha and beta to its end. */
async function played(arena: TestArena): Promise<FakeBot[]> {
  const bots = await pairedBots(arena);
  for (const bot of bots) bot.plays = true;
  ready(bots);
  await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
  await arena.pass(1000);
  return bots;
}

suite("what the HTTP side sees", () => {
  test("is a match from its start to its result", async () => {
    const arena = await testArena();
    assert.deepEqual(arena.arena.capacity(), { running: 0, max: 320 });
    const bots = await pairedBots(arena);
    ready(bots);
    for (const bot of bots) bot.say({ type: "turn", tick: 0 });
    const [match, ...others] = arena.arena.running();
    assert.deepEqual(others, []);
    const hello = bots[0].told("hello")[0]!;
    assert.equal(match!.id, hello.match_id);
    assert.equal(match!.tick, 1);
    assert.equal(match!.ladderId, "public");
    assert.equal(match!.map, (hello.map as { name: string }).name);
    assert.deepEqual(
      match!.botIds,
      (hello.fighters as { bot_id: string }[]).map(({ bot_id }) => bot_id),
    );
    assert.deepEqual(arena.arena.capacity().running, 1);
    const online = arena.arena.online().map(({ name, version, state, matchId }) => {
      return { name, version, state, matchId };
    });
    const playing = { version: "v1", state: "playing", matchId: match!.id };
    assert.deepEqual(online, [
      { name: "alpha", ...playing },
      { name: "beta", ...playing },
    ]);
  });

  test("is a bot without version and ladder before it queues", async () => {
    const arena = await testArena();
    await arena.addBot("alpha");
    await arena.connect("alpha");
    const { version, versionId, ladderId, state, matchId } = arena.arena.online()[0]!;
    assert.deepEqual([version, versionId, ladderId, matchId], [null, null, null, null]);
    assert.equal(state, "idle");
  });

  test("is a board with both versions of a rated match", async () => {
    const arena = await testArena();
    const bots = await played(arena);
    const entries = [...arena.arena.board("public").values()];
    assert.equal(entries.length, 2);
    const { match_id, rating_change } = bots[0]!.told("end")[0]!;
    for (const entry of entries) assert.equal(entry.lastMatchId, match_id);
    const gains = entries.map(({ rating }) => Math.round(rating) - 1500);
    assert.ok(gains.includes(rating_change as number));
    assert.equal(arena.arena.board("elsewhere").size, 0);
  });
});

suite("an arena that is opened again on the same store", () => {
  test("has the same board and remembers what counts for quotas", async () => {
    const open = memoryStores();
    const first = await testArena({ store: open(), newId: ids("a") });
    await played(first);
    const lines = (arena: TestArena) =>
      [...arena.arena.board("public").values()]
        .map(({ versionId, rating, deviation, wins, losses, lastMatchId }) =>
          [versionId, rating.toFixed(6), deviation.toFixed(3), wins, losses, lastMatchId].join(" "),
        )
        .toSorted();
    const second = await testArena({
      store: open(),
      newId: ids("b"),
      limits: { hourly_quota: 1 },
    });
    assert.deepEqual(lines(second), lines(first));
    const bot = await second.connect("alpha");
    bot.say({ type: "queue", version: "v1" });
    await second.pass(2100);
    assert.equal(bot.told("error")[0]?.code, "quota_exceeded");
  });

  test("keeps bots apart for the hold if they met just before it was closed", async () => {
    const open = memoryStores();
    const first = await testArena({ store: open(), newId: ids("a") });
    await played(first);
    const second = await testArena({ store: open(), newId: ids("b") });
    const bots = [await second.connect("alpha"), await second.connect("beta")];
    for (const bot of bots) bot.say({ type: "queue", version: "v1" });
    await second.pass(9000);
    assert.deepEqual(bots[0]!.told("hello"), []);
    await second.pass(4000);
    assert.equal(bots[0]!.told("hello").length, 1);
  });

  test("lets a bot play whose match was lost with the process", async () => {
    const open = memoryStores();
    const first = await testArena({ store: open(), newId: ids("a") });
    await pairedBots(first);
    first.arena.stop();
    const second = await testArena({ store: open(), newId: ids("b") });
    assert.deepEqual(second.arena.online(), []);
    const bots = await Promise.all(["alpha", "beta"].map((name) => second.connect(name)));
    for (const bot of bots) bot.say({ type: "queue", version: "v1" });
    await second.until(() => bots.every((bot) => bot.told("hello").length === 1));
    assert.deepEqual(await second.store.matches.ids(), []);
  });
});

/** Makes ids that differ between two arenas over one store. */
function ids(mark: string): () => string {
  let count = 0;
  return () => `01900000-0000-7000-8000-${mark}${String((count += 1)).padStart(11, "0")}`;
}

suite("T10 a server that stands still", () => {
  test("charges no failed tick to bots whose answers were waiting", async () => {
    const arena = await testArena();
    const bots = await pairedBots(arena);
    ready(bots);
    for (let round = 0; round < 15; round += 1) {
      arena.clock.stall(12_000);
      for (const bot of bots) bot.say({ type: "turn", tick: round });
      await arena.pass(10);
    }
    assert.equal(arena.arena.running()[0]?.tick, 15);
    const budgets = bots.map((bot) => bot.told("observation").at(-1)?.budget_ms as number);
    assert.ok(budgets.every((budget) => budget > 299_000));
    assert.ok(arena.log.every((line) => line === "the process stood still"));
  });

  test("a waiting frame is heard before a timer that is due", async () => {
    const arena = await testArena({ limits: { tick_s: 0.01 } });
    const bots = await pairedBots(arena);
    ready(bots);
    arena.clock.stall(5000);
    assert.equal(arena.arena.running()[0]?.tick, 0);
    for (const bot of bots) bot.say({ type: "turn", tick: 0 });
    assert.equal(arena.arena.running()[0]?.tick, 1);
  });
});
