import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { pairedBots, queuedPair, testArena } from "#testing/fixtures/test-arena.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const QUEUE = { type: "queue", version: "v1" };

suite("T31 a drain", () => {
  test("tells everybody the same deadline, empties the queue and starts nothing", async () => {
    const arena = await testArena({ limits: { drain_timeout_s: 30 } });
    const [alpha, beta] = await queuedPair(arena);
    const drained = arena.arena.drain();
    assert.equal(arena.arena.draining(), true);
    assert.deepEqual(
      arena.arena.online().map(({ state }) => state),
      ["idle", "idle"],
    );
    const { drain_deadline } = alpha.told("server_draining")[0]!;
    assert.equal(Date.parse(drain_deadline as string), arena.clock.wall().getTime() + 30_000);
    assert.deepEqual(beta.told("server_draining"), alpha.told("server_draining"));
    assert.deepEqual(await drained, { abandoned: 0 });
    assert.deepEqual(alpha.ending(), "1012 server restarting");
    await arena.pass(4000);
    assert.deepEqual(arena.arena.running(), []);
  });

  test("tells newcomers, and answers queue with the same again", async () => {
    const arena = await testArena({ limits: { drain_timeout_s: 30 } });
    const [alpha, beta] = await pairedBots(arena);
    void arena.arena.drain();
    await arena.addBot("gamma");
    const gamma = await arena.connect("gamma");
    gamma.say(QUEUE);
    gamma.say({ ...QUEUE, version: "/" });
    await arena.pass(100);
    assert.deepEqual(new Set(gamma.heard.map(({ type }) => type)), new Set(["server_draining"]));
    assert.equal(gamma.heard.length, 3);
    assert.deepEqual(gamma.heard[0], alpha.told("server_draining")[0]);
    beta.say(QUEUE);
    assert.equal(beta.heard.at(-1)?.code, "already_queued");
  });

  test("lets matches end, stores and tells them, then closes", async () => {
    const arena = await testArena();
    const bots = await pairedBots(arena);
    let outcome: unknown = null;
    void arena.arena.drain().then((result) => (outcome = result));
    for (const bot of bots) {
      bot.plays = true;
      bot.say({ type: "ready" });
    }
    await arena.until(() => outcome !== null);
    assert.deepEqual(outcome, { abandoned: 0 });
    for (const bot of bots) {
      assert.equal(bot.told("end").length, 1);
      assert.equal(bot.ending(), "1012 server restarting");
    }
    assert.equal((await arena.store.matches.ids()).length, 1);
  });

  test("sends hello first to a bot that returns to its match, then says that it drains", async () => {
    const arena = await testArena();
    await pairedBots(arena);
    void arena.arena.drain();
    const again = await arena.connect("alpha");
    assert.deepEqual(
      again.heard.map(({ type }) => type),
      ["hello", "server_draining"],
    );
  });

  test("closes newcomers after the last close as it closed the others", async () => {
    const store = memoryStore();
    const lookUps: (() => void)[] = [];
    const arena = await testArena({
      store: changedStore(store, {
        bots: {
          byToken: async (hash) => {
            await new Promise<void>((resolve) => lookUps.push(resolve));
            return store.bots.byToken(hash);
          },
        },
      }),
    });
    await arena.addBot("early");
    await arena.addBot("late");
    const early = arena.connect("early");
    assert.deepEqual(await arena.arena.drain(), { abandoned: 0 });
    const late = arena.connect("late");
    while (lookUps.length < 2) await setImmediate();
    for (const lookUp of lookUps) lookUp();
    for (const bot of await Promise.all([early, late])) {
      assert.deepEqual(
        bot.heard.map(({ type }) => type),
        ["server_draining"],
      );
      assert.equal(bot.ending(), "1012 server restarting");
    }
  });

  test("a label that was being registered when it began is no longer queued", async () => {
    const store = memoryStore();
    const slow: (() => void)[] = [];
    const arena = await testArena({
      store: changedStore(store, {
        versions: {
          add: async (version, limit) => {
            await new Promise<void>((resolve) => slow.push(resolve));
            return store.versions.add(version, limit);
          },
        },
      }),
    });
    await arena.addBot("alpha");
    const alpha = await arena.connect("alpha");
    alpha.say(QUEUE);
    await arena.pass(50);
    void arena.arena.drain();
    slow[0]!();
    await arena.pass(1);
    assert.deepEqual(new Set(alpha.heard.map(({ type }) => type)), new Set(["server_draining"]));
    assert.deepEqual(arena.arena.online()[0]?.state, "idle");
  });
});

suite("T32 a drain whose time is over", () => {
  test("abandons running matches, without an end or a result", async () => {
    const arena = await testArena({ limits: { drain_timeout_s: 5 } });
    const [alpha, beta] = await pairedBots(arena);
    alpha.say({ type: "ready" });
    let outcome: unknown = null;
    void arena.arena.drain().then((result) => (outcome = result));
    await arena.pass(4900);
    assert.equal(outcome, null);
    await arena.pass(200);
    assert.deepEqual(outcome, { abandoned: 1 });
    arena.arena.stop();
    assert.equal(arena.clock.armed(), 0);
    await arena.pass(60_000);
    for (const bot of [alpha, beta]) {
      assert.deepEqual(bot.told("end"), []);
      assert.equal(bot.ending(), "1012 server restarting");
    }
    assert.deepEqual(await arena.store.matches.ids(), []);
    assert.equal(arena.replays.size, 0);
  });

  test("waits for a result that the store has not taken yet", async () => {
    const store = memoryStore();
    const slow: (() => void)[] = [];
    const arena = await testArena({
      store: changedStore(store, {
        matches: {
          save: async (match) => {
            await new Promise<void>((resolve) => slow.push(resolve));
            return store.matches.save(match);
          },
        },
      }),
    });
    const [alpha] = await pairedBots(arena);
    let outcome: unknown = null;
    void arena.arena.drain().then((result) => (outcome = result));
    await arena.until(() => slow.length === 1);
    await arena.pass(1000);
    assert.equal(outcome, null);
    slow[0]!();
    await arena.until(() => outcome !== null);
    assert.deepEqual(outcome, { abandoned: 0 });
    assert.equal(alpha.told("end").length, 1);
  });

  /** An arena whose drain time is over while its first game is being rated. */
  async function drainedAtTheEnd() {
    const arena = await testArena({ limits: { drain_timeout_s: 0 } });
    const bots = await pairedBots(arena);
    const { promise: rested, resolve: go, reject: fail } = Promise.withResolvers<void>();
    const { rate } = arena.matchmaker;
    let isRating = false;
    arena.matchmaker.rate = async (game) => {
      isRating = true;
      await rested;
      return rate(game);
    };
    for (const bot of bots) {
      bot.plays = true;
      bot.say({ type: "ready" });
    }
    await arena.until(() => isRating);
    let outcome: unknown = null;
    void arena.arena.drain().then((result) => (outcome = result));
    return { arena, bots, go, fail, outcome: () => outcome };
  }

  test("stores and tells what was fought out when the time was over", async () => {
    const { arena, bots, go, outcome } = await drainedAtTheEnd();
    await arena.pass(1000);
    assert.equal(outcome(), null);
    go();
    await arena.until(() => outcome() !== null);
    assert.deepEqual(outcome(), { abandoned: 0 });
    for (const bot of bots) assert.equal(bot.told("end").length, 1);
    assert.equal((await arena.store.matches.ids()).length, 1);
  });

  test("waits two seconds at most, and what fails after that is no fault", async () => {
    const { arena, bots, fail, outcome } = await drainedAtTheEnd();
    await arena.pass(2100);
    assert.deepEqual(outcome(), { abandoned: 1 });
    arena.arena.stop();
    fail(new Error("the matchmaker is closed"));
    await arena.pass(10);
    assert.deepEqual(arena.panics, []);
    for (const bot of bots) assert.deepEqual(bot.told("end"), []);
    assert.deepEqual(await arena.store.matches.ids(), []);
  });
});
