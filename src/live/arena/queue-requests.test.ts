import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";

import type { Limits } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { setArenaBotStatus, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

const QUEUE = { type: "queue", version: "v1" };

/** A store that holds each version registration until the test releases it. */
function blockingStore() {
  const store = memoryStore();
  const blockedAdds = new Map<string, () => void>();
  const add: Store["versions"]["add"] = async (version, limit) => {
    await new Promise<void>((resolve) => void blockedAdds.set(version.label, resolve));
    return store.versions.add(version, limit);
  };
  return {
    store: overrideStore(store, { versions: { add } }),
    release: (...labels: string[]) => {
      for (const label of labels) blockedAdds.get(label)!();
    },
  };
}

async function blockingArena(limits: Partial<Limits> = {}) {
  const { store, release } = blockingStore();
  const arena = await testArena({ limits, store });
  const register = async (bot: FakeBot, label: string) => {
    sendQueue(bot, label);
    await arena.advanceTime(50);
    release(label);
    await arena.advanceTime(50);
  };
  return { arena, store, release, register };
}

/** A store that is unreachable when registering the label "lost". */
function lossyStore(): Store {
  const store = memoryStore();
  const add: Store["versions"]["add"] = async (version, limit) => {
    if (version.label === "lost") throw new StoreError("unavailable", "unreachable");
    return store.versions.add(version, limit);
  };
  return overrideStore(store, { versions: { add } });
}

async function connectAlpha(arena: TestArena): Promise<FakeBot> {
  await arena.addArenaBot("alpha");
  return arena.connect("alpha");
}

/** Queues alpha and a possible opponent, beta. */
async function blockedPair(arena: TestArena, release: (label: string) => void): Promise<FakeBot> {
  const alpha = await connectAlpha(arena);
  await arena.addArenaBot("beta");
  const beta = await arena.connect("beta");
  sendQueue(alpha, "one");
  sendQueue(beta, "other");
  await arena.advanceTime(50);
  release("one");
  release("other");
  return alpha;
}

const answersOf = ({ received }: FakeBot): unknown[] =>
  received.map(({ type, version, code }) => version ?? code ?? type);

const sendQueue = (bot: FakeBot, ...labels: string[]) => {
  for (const version of labels) bot.send({ ...QUEUE, version });
};

const queueStateOf = ({ arena }: TestArena, bot = "alpha") => {
  const { state, version } = arena.onlineBots().find(({ name }) => name === bot)!;
  return [state, version];
};

suite("queue requests get one response each, in order", () => {
  test("T78 when 20 requests with the same new label arrive together", async () => {
    const arena = await testArena();
    const bot = await connectAlpha(arena);
    sendQueue(bot, ...Array.from({ length: 20 }, () => "new"));
    await arena.advanceTime(50);
    assert.deepEqual(
      answersOf(bot),
      Array.from({ length: 20 }, () => "new"),
    );
    assert.deepEqual(queueStateOf(arena), ["waiting", "new"]);
  });

  test("in any order of label registrations, and the last request wins", async () => {
    const { arena, release, register } = await blockingArena();
    const bot = await connectAlpha(arena);
    await register(bot, "one");
    sendQueue(bot, "two", "three", "one");
    bot.send({ ...QUEUE, ladder_id: "nowhere" });
    bot.send({ type: "queue" });
    sendQueue(bot, "four", "/");
    await arena.advanceTime(50);
    assert.deepEqual(answersOf(bot), ["one"], "all wait for the second");
    release("four");
    await arena.advanceTime(50);
    release("two");
    await arena.advanceTime(50);
    assert.deepEqual(answersOf(bot), ["one", "two"]);
    assert.deepEqual(queueStateOf(arena), ["waiting", "two"]);
    release("three");
    await arena.advanceTime(50);
    assert.deepEqual(answersOf(bot).slice(2), [
      "three",
      "one",
      "unknown_ladder",
      "schema",
      "four",
      "invalid_version",
    ]);
    assert.equal(queueStateOf(arena)[0], "idle");
  });

  test("with their own ladder and wait estimate", async () => {
    const { arena, release } = await blockingArena();
    const bot = await connectAlpha(arena);
    sendQueue(bot, "one", "two");
    await arena.advanceTime(500);
    release("one", "two");
    await arena.advanceTime(50);
    const queuedMessages = bot.receivedOfType("queued");
    assert.deepEqual(
      queuedMessages.map(({ ladder_id }) => ladder_id),
      ["public", "public"],
    );
    assert.ok(queuedMessages.every(({ estimated_wait_s }) => (estimated_wait_s as number) <= 1.5));
  });

  test("with separate errors, even if a later request succeeds", async () => {
    const arena = await testArena({
      limits: { versions_per_day: 1 },
      store: lossyStore(),
    });
    const bot = await connectAlpha(arena);
    sendQueue(bot, "one", "lost", "two", "one");
    await arena.advanceTime(50);
    assert.deepEqual(answersOf(bot), ["one", "store_unavailable", "version_limit", "one"]);
    assert.deepEqual(queueStateOf(arena), ["waiting", "one"]);
  });

  test("even if they are withdrawn by leave, which takes effect immediately", async () => {
    const { arena, release, register } = await blockingArena();
    const bot = await connectAlpha(arena);
    await register(bot, "one");
    sendQueue(bot, "two", "three");
    await arena.advanceTime(50);
    bot.send({ type: "leave" });
    assert.equal(queueStateOf(arena)[0], "idle");
    release("two", "three");
    await arena.advanceTime(50);
    assert.deepEqual(answersOf(bot), ["one", "two", "three"]);
    assert.equal(queueStateOf(arena)[0], "idle");
  });

  test("even if a match starts first and more requests arrive during it", async () => {
    const { arena, release } = await blockingArena({ versions_per_day: 1 });
    const alpha = await blockedPair(arena, release);
    sendQueue(alpha, "new");
    await arena.advanceUntil(() => alpha.receivedOfType("hello").length === 1);
    sendQueue(alpha, "newer");
    alpha.send({ type: "queue" });
    assert.deepEqual(answersOf(alpha), ["one", "hello"]);
    release("new");
    await arena.advanceTime(50);
    const codes = ["version_limit", "already_queued", "already_queued"];
    assert.deepEqual(answersOf(alpha), ["one", "hello", ...codes]);
    sendQueue(alpha, "newer");
    assert.equal(answersOf(alpha).at(-1), "already_queued");
    assert.equal(queueStateOf(arena)[0], "playing");
  });
});

suite("refusing a queue request from a waiting bot", () => {
  type Case = [name: string, frame: object | string, code: string, state: "waiting" | "idle"];
  const cases: Case[] = [
    ["a missing label", { ...QUEUE, version: "/" }, "invalid_version", "idle"],
    ["another ladder", { ...QUEUE, ladder_id: "nowhere" }, "unknown_ladder", "idle"],
    ["a retired version", { ...QUEUE, version: "retired" }, "version_retired", "idle"],
    ["a version over the limit", { ...QUEUE, version: "new" }, "version_limit", "idle"],
    ["an unknown version", { type: "queue" }, "schema", "waiting"],
    ["invalid JSON", "{", "malformed_json", "waiting"],
    ["an unreachable store", { ...QUEUE, version: "lost" }, "store_unavailable", "waiting"],
  ];
  for (const [name, frame, code, state] of cases)
    test(`for ${name} leaves the bot ${state}`, async () => {
      const arena = await testArena({
        limits: { versions_per_day: 2 },
        store: lossyStore(),
      });
      const bot = await connectAlpha(arena);
      sendQueue(bot, "retired");
      await arena.advanceTime(50);
      const { botId } = arena.arena.onlineBots()[0]!;
      await arena.store.versions.retire(botId, "retired");
      arena.arena.onVersionRetired(botId, "retired");
      sendQueue(bot, "v1");
      await arena.advanceTime(50);
      bot.send(frame);
      await arena.advanceTime(50);
      assert.deepEqual(bot.received.at(-1)?.code, code);
      assert.deepEqual(queueStateOf(arena), [state, "v1"]);
    });
});

suite("T96 version lookups that outlast their connection", () => {
  const TURNS = 6;
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await turnOfLoop();
  };

  /**
   * An arena whose store waits for this many event loop iterations before and after each version
   * lookup or registration.
   */
  async function slowArena(before: number, after: number): Promise<TestArena> {
    const store = memoryStore();
    const withDelay = async <T>(work: () => Promise<T>): Promise<T> => {
      await turns(before);
      const result = await work();
      await turns(after);
      return result;
    };
    return testArena({
      store: overrideStore(store, {
        versions: {
          byLabel: (botId, label) => withDelay(() => store.versions.byLabel(botId, label)),
          add: (version, limit) => withDelay(() => store.versions.add(version, limit)),
        },
      }),
    });
  }

  type Ending = (arena: TestArena, bot: FakeBot, botId: string) => Promise<FakeBot>;
  const endings: Record<string, Ending> = {
    replaced: (arena) => arena.connect("alpha"),
    dropped: async (arena, bot) => {
      bot.disconnect();
      return arena.connect("alpha");
    },
    rotated: async (arena, _, botId) => {
      await arena.store.bots.rotateToken(botId, hashToken("new"));
      arena.arena.onTokenRotated(botId);
      return arena.connect("alpha", "Bearer new");
    },
    suspended: async (arena, _, botId) => {
      await setArenaBotStatus(arena, botId, "suspended");
      await setArenaBotStatus(arena, botId, "active");
      return arena.connect("alpha");
    },
  };
  for (const [name, endConnection] of Object.entries(endings))
    test(`don't affect the next connection (${name})`, async () => {
      for (let before = 0; before < TURNS; before += 1)
        for (let endTurn = 0; endTurn < TURNS; endTurn += 1) {
          const arena = await slowArena(before, TURNS - before);
          const { id } = await arena.addArenaBot("alpha");
          const oldConnection = await arena.connect("alpha");
          sendQueue(oldConnection, "new", "newer", "new");
          await turns(endTurn);
          const newConnection = await endConnection(arena, oldConnection, id);
          await arena.advanceTime(300);
          assert.deepEqual(newConnection.received, [], `${before}, ${endTurn}`);
          assert.deepEqual(queueStateOf(arena), ["idle", null]);
          sendQueue(newConnection, "own");
          await arena.advanceTime(400);
          assert.deepEqual(answersOf(newConnection), ["own"]);
          assert.deepEqual(queueStateOf(arena), ["waiting", "own"]);
        }
    });

  test("don't queue a new version that is retired during the lookup", async () => {
    for (let before = 0; before < TURNS; before += 1)
      for (let endTurn = 0; endTurn < 3 * TURNS; endTurn += 1) {
        const arena = await slowArena(before, TURNS - before);
        const { id } = await arena.addArenaBot("alpha");
        const bot = await arena.connect("alpha");
        sendQueue(bot, "new");
        await turns(endTurn);
        const retired = await arena.store.versions.retire(id, "new");
        if (retired !== null) arena.arena.onVersionRetired(id, "new");
        await arena.advanceTime(300);
        const isRetired = retired !== null;
        assert.equal(
          queueStateOf(arena)[0],
          isRetired ? "idle" : "waiting",
          `${before}, ${endTurn}`,
        );
        assert.equal(answersOf(bot).at(-1), isRetired ? "version_retired" : "new");
      }
  });

  test("don't queue a known version that is retired during the lookup", async () => {
    for (let before = 0; before < TURNS; before += 1)
      for (let endTurn = 0; endTurn < 2 * TURNS; endTurn += 1) {
        const arena = await slowArena(before, TURNS - before);
        const { id: botId } = await arena.addArenaBot("alpha");
        const versionFields = { id: "known", botId, label: "known", notes: "", created: "" };
        await arena.store.versions.add({ ...versionFields, retired: false }, null);
        const bot = await arena.connect("alpha");
        sendQueue(bot, "known");
        await turns(endTurn);
        await arena.store.versions.retire(botId, "known");
        arena.arena.onVersionRetired(botId, "known");
        await arena.advanceTime(300);
        assert.equal(queueStateOf(arena)[0], "idle", `${before}, ${endTurn}`);
        assert.equal(answersOf(bot).at(-1), "version_retired");
      }
  });

  test("don't queue a version that is retired before the response is sent", async () => {
    for (const versionLabel of ["last", "known"]) {
      const { arena, store, release, register } = await blockingArena();
      const { id: botId } = await arena.addArenaBot("alpha");
      const bot = await arena.connect("alpha");
      for (const label of ["known", "last"]) {
        await register(bot, label);
      }
      sendQueue(bot, "new", versionLabel);
      await arena.advanceTime(50);
      await store.versions.retire(botId, versionLabel);
      arena.arena.onVersionRetired(botId, versionLabel);
      release("new");
      await arena.advanceTime(50);
      assert.deepEqual(answersOf(bot).slice(-2), ["new", "version_retired"], versionLabel);
      assert.equal(queueStateOf(arena)[0], "idle");
    }
  });

  test("don't affect a running match on the next connection", async () => {
    const { arena, release } = await blockingArena();
    const alpha = await blockedPair(arena, release);
    sendQueue(alpha, "new");
    await arena.advanceUntil(() => alpha.receivedOfType("hello").length === 1);
    const reconnected = await arena.connect("alpha");
    release("new");
    await arena.advanceTime(50);
    assert.deepEqual(answersOf(reconnected), ["hello"]);
  });
});
