import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import { startTwoBotMatch, queueTwoBots, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

async function connectAlpha(arena: TestArena): Promise<FakeBot> {
  await arena.addArenaBot("alpha");
  return arena.connect("alpha");
}

async function answersTo(
  arena: TestArena,
  bot: FakeBot,
  frame: object | string | null,
): Promise<unknown[]> {
  const before = bot.received.length;
  bot.send(frame);
  await arena.advanceTime(50);
  return bot.received.slice(before).map(({ type, code }) => code ?? type);
}

const stateOf = ({ arena }: TestArena) => arena.onlineBots().map(({ state }) => state);
const QUEUE = { type: "queue", version: "v1" };

suite("outside a match", () => {
  const longLabel = "é".repeat(32);
  const cases: [frame: object | string | null, answers: string[]][] = [
    [QUEUE, ["queued"]],
    [{ ...QUEUE, ladder_id: "public" }, ["queued"]],
    [{ ...QUEUE, ladder_id: null }, ["queued"]],
    [{ ...QUEUE, version: longLabel }, ["queued"]],
    [{ ...QUEUE, note: "unknown fields are ignored" }, ["queued"]],
    [{ ...QUEUE, version: "" }, ["invalid_version"]],
    [{ ...QUEUE, version: `${longLabel}x` }, ["invalid_version"]],
    [{ ...QUEUE, version: " v1" }, ["invalid_version"]],
    [{ ...QUEUE, version: "a/b" }, ["invalid_version"]],
    [{ ...QUEUE, version: ".." }, ["invalid_version"]],
    [{ ...QUEUE, version: "v\u0000" }, ["invalid_version"]],
    [{ ...QUEUE, ladder_id: "" }, ["unknown_ladder"]],
    [{ ...QUEUE, ladder_id: "PUBLIC" }, ["unknown_ladder"]],
    [{ ...QUEUE, ladder_id: "__proto__" }, ["unknown_ladder"]],
    [{ ...QUEUE, ladder_id: 5 }, ["schema"]],
    [{ type: "queue" }, ["schema"]],
    [{ type: "queue", version: 1 }, ["schema"]],
    [{ type: "leave" }, []],
    [{ type: "ready" }, []],
    [{ type: "turn", tick: 0 }, ["not_in_match"]],
    [{ type: "turn", tick: 3, move: "up" }, ["not_in_match"]],
    [{ type: "ping" }, ["schema"]],
    [{}, ["schema"]],
    ["[]", ["schema"]],
    ["null", ["schema"]],
    ['""', ["schema"]],
    [null, ["schema"]],
    ["{", ["malformed_json"]],
    ["", ["malformed_json"]],
  ];
  for (const [frame, answers] of cases)
    test(`responds to ${JSON.stringify(frame)} with [${answers}]`, async () => {
      const arena = await testArena();
      const bot = await connectAlpha(arena);
      assert.deepEqual(await answersTo(arena, bot, frame), answers);
      assert.equal(bot.closeReason(), null);
      assert.deepEqual(stateOf(arena), [answers[0] === "queued" ? "waiting" : "idle"]);
    });
});

suite("queue", () => {
  test("gets a response with version, ladder and estimated wait", async () => {
    const arena = await testArena();
    const bot = await connectAlpha(arena);
    bot.send(QUEUE);
    await arena.advanceTime(50);
    const { estimated_wait_s, ...rest } = bot.receivedOfType("queued")[0]!;
    assert.deepEqual(rest, { type: "queued", version: "v1", ladder_id: "public" });
    assert.ok((estimated_wait_s as number) > 0 && (estimated_wait_s as number) <= 2);
  });

  test("registers a label on first use only", async () => {
    const arena = await testArena();
    const { id } = await arena.addArenaBot("alpha");
    const bot = await arena.connect("alpha");
    for (const version of ["v1", "v2", "v1"]) bot.send({ ...QUEUE, version });
    await arena.advanceTime(50);
    const versions = (await arena.store.versions.list(id, { limit: 9 })) ?? [];
    assert.deepEqual(
      versions.map(({ label }) => label),
      ["v2", "v1"],
    );
    assert.deepEqual(arena.arena.onlineBots()[0]!.version, "v1");
  });

  test("keeps the waiting time for the same version and resets it for another version", async () => {
    const waits: number[] = [];
    const arena = await testArena();
    const { pair } = arena.matchmaker;
    arena.matchmaker.pair = (requests) => {
      waits.push(...requests[0]!.waiting.map(({ waitSeconds }) => waitSeconds));
      return pair(requests);
    };
    for (const name of ["alpha", "beta"]) {
      await arena.addArenaBot(name, { owner: "same" });
      (await arena.connect(name)).send(QUEUE);
    }
    const bot = await arena.connect("alpha");
    bot.send(QUEUE);
    await arena.advanceTime(3900);
    bot.send(QUEUE);
    await arena.advanceTime(200);
    const retainedWait = waits.slice(-2).toSorted((a, b) => a - b)[0]!;
    assert.ok(retainedWait > 3.5, "waiting time kept");
    bot.send({ ...QUEUE, version: "v2" });
    await arena.advanceTime(2000);
    const freshWait = waits.slice(-2).toSorted((a, b) => a - b)[0]!;
    assert.ok(freshWait < 3, "waiting time reset");
    assert.equal(bot.receivedOfType("queued").length, 3);
  });

  test("is cancelled by leave, even during label registration", async () => {
    const arena = await testArena();
    const bot = await connectAlpha(arena);
    bot.send(QUEUE);
    bot.send({ type: "leave" });
    await arena.advanceTime(50);
    assert.deepEqual(stateOf(arena), ["idle"]);
    bot.send(QUEUE);
    await arena.advanceTime(50);
    assert.deepEqual(stateOf(arena), ["waiting"]);
    bot.send({ type: "leave" });
    assert.deepEqual(stateOf(arena), ["idle"]);
  });

  test("replaces the previous queue entry when the version changes", async () => {
    const arena = await testArena();
    const bot = await connectAlpha(arena);
    for (const version of ["v1", "v2"]) await answersTo(arena, bot, { ...QUEUE, version });
    const { version, state } = arena.arena.onlineBots()[0]!;
    assert.deepEqual([version, state], ["v2", "waiting"]);
  });

  test("returns version_limit after too many new versions in a day, but accepts known versions", async () => {
    const arena = await testArena({ limits: { versions_per_day: 2 } });
    const bot = await connectAlpha(arena);
    for (const [version, answers] of [
      ["v1", ["queued"]],
      ["v2", ["queued"]],
      ["v3", ["version_limit"]],
      ["v1", ["queued"]],
    ] as const)
      assert.deepEqual(await answersTo(arena, bot, { ...QUEUE, version }), answers);
    arena.clock.advance(24 * 3_600_000);
    assert.deepEqual(await answersTo(arena, bot, { ...QUEUE, version: "v3" }), ["queued"]);
  });

  test("returns an error while the store is unreachable and recovers afterwards", async () => {
    const store = memoryStore();
    const errors = [new StoreError("unavailable", "unreachable")];
    const arena = await testArena({
      store: overrideStore(store, {
        versions: {
          add: async (version, limit) => {
            const error = errors.shift();
            if (error !== undefined) throw error;
            return store.versions.add(version, limit);
          },
        },
      }),
    });
    const bot = await connectAlpha(arena);
    assert.deepEqual(await answersTo(arena, bot, QUEUE), ["store_unavailable"]);
    assert.deepEqual(stateOf(arena), ["idle"]);
    assert.deepEqual(await answersTo(arena, bot, QUEUE), ["queued"]);
  });
});

suite("a retired version", () => {
  test("is removed from the queue with an error and can't queue again", async () => {
    const arena = await testArena();
    const { id } = await arena.addArenaBot("alpha");
    const bot = await arena.connect("alpha");
    await answersTo(arena, bot, QUEUE);
    await arena.store.versions.retire(id, "v1");
    arena.arena.onVersionRetired(id, "v1");
    assert.deepEqual(bot.received.at(-1)?.code, "version_retired");
    assert.deepEqual(stateOf(arena), ["idle"]);
    assert.deepEqual(await answersTo(arena, bot, QUEUE), ["version_retired"]);
    assert.deepEqual(await answersTo(arena, bot, { ...QUEUE, version: "v2" }), ["queued"]);
    arena.arena.onVersionRetired(id, "v1");
    assert.deepEqual(stateOf(arena), ["waiting"]);
    assert.equal(bot.closeReason(), null);
  });

  test("is refused even if it was both created and retired over HTTP", async () => {
    const arena = await testArena();
    const { id } = await arena.addArenaBot("alpha");
    const bot = await arena.connect("alpha");
    const version = { id: "x", botId: id, label: "v1", notes: "", created: "", retired: false };
    await arena.store.versions.add(version, null);
    await arena.store.versions.retire(id, "v1");
    arena.arena.onVersionRetired(id, "v1");
    assert.deepEqual(await answersTo(arena, bot, QUEUE), ["version_retired"]);
  });

  test("finishes its running match", async () => {
    const arena = await testArena();
    const bots = await startTwoBotMatch(arena);
    const { botId } = arena.arena.onlineBots()[0]!;
    await arena.store.versions.retire(botId, "v1");
    arena.arena.onVersionRetired(botId, "v1");
    assert.deepEqual(stateOf(arena), ["playing", "playing"]);
    await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
    assert.deepEqual(await answersTo(arena, bots[0], QUEUE), ["version_retired"]);
  });
});

suite("from queue to end", () => {
  test("shows the bot as waiting, playing and idle in turn", async () => {
    const arena = await testArena();
    const bots = await queueTwoBots(arena);
    assert.deepEqual(stateOf(arena), ["waiting", "waiting"]);
    await arena.advanceUntil(() => bots[0].receivedOfType("hello").length > 0);
    assert.deepEqual(stateOf(arena), ["playing", "playing"]);
    assert.deepEqual(await answersTo(arena, bots[0], QUEUE), ["already_queued"]);
    for (const bot of bots) {
      bot.autoPlays = true;
      bot.send({ type: "ready" });
    }
    await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
    assert.deepEqual(stateOf(arena), ["idle", "idle"]);
    const end = bots[0].receivedOfType("end")[0]!;
    assert.equal(end.watch_url, `/match/${String(end.match_id)}`);
    assert.equal(end.ladder_id, "public");
    assert.deepEqual(await answersTo(arena, bots[0], { type: "turn", tick: 9 }), ["not_in_match"]);
    for (let frames = 0; frames < 20; frames += 1) bots[0].send("[]");
    assert.equal(bots[0].closeReason(), null, "the per-tick limit ends with the match");
    assert.deepEqual(await answersTo(arena, bots[0], QUEUE), ["queued"]);
  });

  test("refuses a queue request whose label is registered after a match has started", async () => {
    const store = memoryStore();
    const resolvers: (() => void)[] = [];
    const arena = await testArena({
      store: overrideStore(store, {
        versions: {
          add: async (version, limit) => {
            if (version.label === "slow")
              await new Promise<void>((resolve) => resolvers.push(resolve));
            return store.versions.add(version, limit);
          },
        },
      }),
    });
    const [alpha] = await queueTwoBots(arena);
    alpha.send({ ...QUEUE, version: "slow" });
    await arena.advanceUntil(() => alpha.receivedOfType("hello").length > 0);
    resolvers[0]!();
    await arena.advanceTime(50);
    assert.equal(alpha.received.at(-1)?.code, "already_queued");
    assert.deepEqual(stateOf(arena), ["playing", "playing"]);
  });
});
