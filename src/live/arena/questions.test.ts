import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";

import type { Limits } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { setStatus, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const QUEUE = { type: "queue", version: "v1" };

/** A store where each registration of a version waits until the test releases it. */
function heldStore() {
  const store = memoryStore();
  const held = new Map<string, () => void>();
  const add: Store["versions"]["add"] = async (version, limit) => {
    await new Promise<void>((resolve) => void held.set(version.label, resolve));
    return store.versions.add(version, limit);
  };
  return {
    store: changedStore(store, { versions: { add } }),
    release: (...labels: string[]) => {
      for (const label of labels) held.get(label)!();
    },
  };
}

/** An arena on such a store, and a bot's registering of a label from word to answer. */
async function heldArena(limits: Partial<Limits> = {}) {
  const { store, release } = heldStore();
  const arena = await testArena({ limits, store });
  const register = async (bot: FakeBot, label: string) => {
    ask(bot, label);
    await arena.pass(50);
    release(label);
    await arena.pass(50);
  };
  return { arena, store, release, register };
}

/** A store that is out of reach whenever the label "lost" must be registered. */
function lossyStore(): Store {
  const store = memoryStore();
  const add: Store["versions"]["add"] = async (version, limit) => {
    if (version.label === "lost") throw new StoreError("unavailable", "not reached");
    return store.versions.add(version, limit);
  };
  return changedStore(store, { versions: { add } });
}

async function alone(arena: TestArena): Promise<FakeBot> {
  await arena.addBot("alpha");
  return arena.connect("alpha");
}

/** Alpha waits, and so does beta, which it may meet. */
async function heldPair(arena: TestArena, release: (label: string) => void): Promise<FakeBot> {
  const alpha = await alone(arena);
  await arena.addBot("beta");
  const beta = await arena.connect("beta");
  ask(alpha, "one");
  ask(beta, "other");
  await arena.pass(50);
  release("one");
  release("other");
  return alpha;
}

/** What was heard, as pairs of a type and its version or code. */
const answersOf = ({ heard }: FakeBot): unknown[] =>
  heard.map(({ type, version, code }) => version ?? code ?? type);

const ask = (bot: FakeBot, ...labels: string[]) => {
  for (const version of labels) bot.say({ ...QUEUE, version });
};

const placeOf = ({ arena }: TestArena, bot = "alpha") => {
  const { state, version } = arena.online().find(({ name }) => name === bot)!;
  return [state, version];
};

suite("every queue is answered once, in order", () => {
  test("T78 twenty at once with one new label are queued twenty times", async () => {
    const arena = await testArena();
    const bot = await alone(arena);
    ask(bot, ...Array.from({ length: 20 }, () => "new"));
    await arena.pass(50);
    assert.deepEqual(
      answersOf(bot),
      Array.from({ length: 20 }, () => "new"),
    );
    assert.deepEqual(placeOf(arena), ["waiting", "new"]);
  });

  test("in whatever order their labels are registered; the last one counts", async () => {
    const { arena, release, register } = await heldArena();
    const bot = await alone(arena);
    await register(bot, "one");
    ask(bot, "two", "three", "one");
    bot.say({ ...QUEUE, ladder_id: "nowhere" });
    bot.say({ type: "queue" });
    ask(bot, "four", "/");
    await arena.pass(50);
    assert.deepEqual(answersOf(bot), ["one"], "all wait for the second");
    release("four");
    await arena.pass(50);
    release("two");
    await arena.pass(50);
    assert.deepEqual(answersOf(bot), ["one", "two"]);
    assert.deepEqual(placeOf(arena), ["waiting", "two"]);
    release("three");
    await arena.pass(50);
    assert.deepEqual(answersOf(bot).slice(2), [
      "three",
      "one",
      "unknown_ladder",
      "schema",
      "four",
      "invalid_version",
    ]);
    assert.equal(placeOf(arena)[0], "idle");
  });

  test("each with the estimate of its moment and its own ladder", async () => {
    const { arena, release } = await heldArena();
    const bot = await alone(arena);
    ask(bot, "one", "two");
    await arena.pass(500);
    release("one", "two");
    await arena.pass(50);
    const told = bot.told("queued");
    assert.deepEqual(
      told.map(({ ladder_id }) => ladder_id),
      ["public", "public"],
    );
    assert.ok(told.every(({ estimated_wait_s }) => (estimated_wait_s as number) <= 1.5));
  });

  test("with its own error, be a later one queued or not", async () => {
    const arena = await testArena({
      limits: { versions_per_day: 1 },
      store: lossyStore(),
    });
    const bot = await alone(arena);
    ask(bot, "one", "lost", "two", "one");
    await arena.pass(50);
    assert.deepEqual(answersOf(bot), ["one", "store_unavailable", "version_limit", "one"]);
    assert.deepEqual(placeOf(arena), ["waiting", "one"]);
  });

  test("also when leave takes it back, which acts at once", async () => {
    const { arena, release, register } = await heldArena();
    const bot = await alone(arena);
    await register(bot, "one");
    ask(bot, "two", "three");
    await arena.pass(50);
    bot.say({ type: "leave" });
    assert.equal(placeOf(arena)[0], "idle");
    release("two", "three");
    await arena.pass(50);
    assert.deepEqual(answersOf(bot), ["one", "two", "three"]);
    assert.equal(placeOf(arena)[0], "idle");
  });

  test("also when a match starts meanwhile, and more are asked within it", async () => {
    const { arena, release } = await heldArena({ versions_per_day: 1 });
    const alpha = await heldPair(arena, release);
    ask(alpha, "new");
    await arena.until(() => alpha.told("hello").length === 1);
    ask(alpha, "newer");
    alpha.say({ type: "queue" });
    assert.deepEqual(answersOf(alpha), ["one", "hello"]);
    release("new");
    await arena.pass(50);
    const codes = ["version_limit", "already_queued", "already_queued"];
    assert.deepEqual(answersOf(alpha), ["one", "hello", ...codes]);
    ask(alpha, "newer");
    assert.equal(answersOf(alpha).at(-1), "already_queued");
    assert.equal(placeOf(arena)[0], "playing");
  });
});

suite("a queue that is refused while the bot waits", () => {
  type Case = [name: string, frame: object | string, code: string, state: "waiting" | "idle"];
  const cases: Case[] = [
    ["no label", { ...QUEUE, version: "/" }, "invalid_version", "idle"],
    ["another ladder", { ...QUEUE, ladder_id: "nowhere" }, "unknown_ladder", "idle"],
    ["a retired version", { ...QUEUE, version: "retired" }, "version_retired", "idle"],
    ["one version too many", { ...QUEUE, version: "new" }, "version_limit", "idle"],
    ["no version", { type: "queue" }, "schema", "waiting"],
    ["no JSON", "{", "malformed_json", "waiting"],
    ["a store out of reach", { ...QUEUE, version: "lost" }, "store_unavailable", "waiting"],
  ];
  for (const [name, frame, code, state] of cases)
    test(`for ${name} leaves it ${state}`, async () => {
      const arena = await testArena({
        limits: { versions_per_day: 2 },
        store: lossyStore(),
      });
      const bot = await alone(arena);
      ask(bot, "retired");
      await arena.pass(50);
      const { botId } = arena.arena.online()[0]!;
      await arena.store.versions.retire(botId, "retired");
      arena.arena.versionRetired(botId, "retired");
      ask(bot, "v1");
      await arena.pass(50);
      bot.say(frame);
      await arena.pass(50);
      assert.deepEqual(bot.heard.at(-1)?.code, code);
      assert.deepEqual(placeOf(arena), [state, "v1"]);
    });
});

suite("T96 words that are still looked up when their connection ends", () => {
  const TURNS = 6;
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await turnOfLoop();
  };

  /**
   * An arena whose store takes this many turns of the loop to look up a version, or to make one.
   */
  async function slowArena(before: number, after: number): Promise<TestArena> {
    const store = memoryStore();
    const slow = async <T>(work: () => Promise<T>): Promise<T> => {
      await turns(before);
      const done = await work();
      await turns(after);
      return done;
    };
    return testArena({
      store: changedStore(store, {
        versions: {
          byLabel: (botId, label) => slow(() => store.versions.byLabel(botId, label)),
          add: (version, limit) => slow(() => store.versions.add(version, limit)),
        },
      }),
    });
  }

  type Ending = (arena: TestArena, bot: FakeBot, botId: string) => Promise<FakeBot>;
  const endings: Record<string, Ending> = {
    replaced: (arena) => arena.connect("alpha"),
    dropped: async (arena, bot) => {
      bot.leave();
      return arena.connect("alpha");
    },
    rotated: async (arena, _, botId) => {
      await arena.store.bots.rotateToken(botId, hashToken("new"));
      arena.arena.tokenRotated(botId);
      return arena.connect("alpha", "Bearer new");
    },
    suspended: async (arena, _, botId) => {
      await setStatus(arena, botId, "suspended");
      await setStatus(arena, botId, "active");
      return arena.connect("alpha");
    },
  };
  for (const [name, end] of Object.entries(endings))
    test(`never act for the next one (${name})`, async () => {
      for (let before = 0; before < TURNS; before += 1)
        for (let at = 0; at < TURNS; at += 1) {
          const arena = await slowArena(before, TURNS - before);
          const { id } = await arena.addBot("alpha");
          const old = await arena.connect("alpha");
          ask(old, "new", "newer", "new");
          await turns(at);
          const fresh = await end(arena, old, id);
          await arena.pass(300);
          assert.deepEqual(fresh.heard, [], `${before}, ${at}`);
          assert.deepEqual(placeOf(arena), ["idle", null]);
          ask(fresh, "own");
          await arena.pass(400);
          assert.deepEqual(answersOf(fresh), ["own"]);
          assert.deepEqual(placeOf(arena), ["waiting", "own"]);
        }
    });

  test("never queue a version that is retired meanwhile", async () => {
    for (let before = 0; before < TURNS; before += 1)
      for (let at = 0; at < 3 * TURNS; at += 1) {
        const arena = await slowArena(before, TURNS - before);
        const { id } = await arena.addBot("alpha");
        const bot = await arena.connect("alpha");
        ask(bot, "new");
        await turns(at);
        const retired = await arena.store.versions.retire(id, "new");
        if (retired !== null) arena.arena.versionRetired(id, "new");
        await arena.pass(300);
        const known = retired !== null;
        assert.equal(placeOf(arena)[0], known ? "idle" : "waiting", `${before}, ${at}`);
        assert.equal(answersOf(bot).at(-1), known ? "version_retired" : "new");
      }
  });

  test("never queue a known version that is retired meanwhile", async () => {
    for (let before = 0; before < TURNS; before += 1)
      for (let at = 0; at < 2 * TURNS; at += 1) {
        const arena = await slowArena(before, TURNS - before);
        const { id: botId } = await arena.addBot("alpha");
        const facts = { id: "known", botId, label: "known", notes: "", created: "" };
        await arena.store.versions.add({ ...facts, retired: false }, null);
        const bot = await arena.connect("alpha");
        ask(bot, "known");
        await turns(at);
        await arena.store.versions.retire(botId, "known");
        arena.arena.versionRetired(botId, "known");
        await arena.pass(300);
        assert.equal(placeOf(arena)[0], "idle", `${before}, ${at}`);
        assert.equal(answersOf(bot).at(-1), "version_retired");
      }
  });

  test("never queue a version that was found and is retired before its answer", async () => {
    for (const found of ["last", "known"]) {
      const { arena, store, release, register } = await heldArena();
      const { id: botId } = await arena.addBot("alpha");
      const bot = await arena.connect("alpha");
      for (const label of ["known", "last"]) {
        await register(bot, label);
      }
      ask(bot, "new", found);
      await arena.pass(50);
      await store.versions.retire(botId, found);
      arena.arena.versionRetired(botId, found);
      release("new");
      await arena.pass(50);
      assert.deepEqual(answersOf(bot).slice(-2), ["new", "version_retired"], found);
      assert.equal(placeOf(arena)[0], "idle");
    }
  });

  test("leave a match that goes on to the next connection alone", async () => {
    const { arena, release } = await heldArena();
    const alpha = await heldPair(arena, release);
    ask(alpha, "new");
    await arena.until(() => alpha.told("hello").length === 1);
    const again = await arena.connect("alpha");
    release("new");
    await arena.pass(50);
    assert.deepEqual(answersOf(again), ["hello"]);
  });
});
