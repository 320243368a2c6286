import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { startTwoBotMatch, queueTwoBots, testArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

const QUEUE = { type: "queue", version: "v1" };

suite("T31 a drain", () => {
  test("sends every bot the same deadline, empties the queue and stops starting matches", async () => {
    const arena = await testArena({ limits: { drain_timeout_s: 30 } });
    const [alpha, beta] = await queueTwoBots(arena);
    const drainOutcome = arena.arena.drain();
    assert.equal(arena.arena.isDraining(), true);
    assert.deepEqual(
      arena.arena.onlineBots().map(({ state }) => state),
      ["idle", "idle"],
    );
    const { drain_deadline } = alpha.receivedOfType("server_draining")[0]!;
    assert.equal(Date.parse(drain_deadline as string), arena.clock.wall().getTime() + 30_000);
    assert.deepEqual(
      beta.receivedOfType("server_draining"),
      alpha.receivedOfType("server_draining"),
    );
    assert.deepEqual(await drainOutcome, { abandoned: 0 });
    assert.deepEqual(alpha.closeReason(), "1012 server restarting");
    await arena.advanceTime(4000);
    assert.deepEqual(arena.arena.runningMatches(), []);
  });

  test("notifies new connections and responds to queue with the drain notice", async () => {
    const arena = await testArena({ limits: { drain_timeout_s: 30 } });
    const [alpha, beta] = await startTwoBotMatch(arena);
    void arena.arena.drain();
    await arena.addArenaBot("gamma");
    const gamma = await arena.connect("gamma");
    gamma.send(QUEUE);
    gamma.send({ ...QUEUE, version: "/" });
    await arena.advanceTime(100);
    assert.deepEqual(new Set(gamma.received.map(({ type }) => type)), new Set(["server_draining"]));
    assert.equal(gamma.received.length, 3);
    assert.deepEqual(gamma.received[0], alpha.receivedOfType("server_draining")[0]);
    beta.send(QUEUE);
    assert.equal(beta.received.at(-1)?.code, "already_queued");
  });

  test("closes after all running matches are finished, stored and reported", async () => {
    const arena = await testArena();
    const bots = await startTwoBotMatch(arena);
    let outcome: unknown = null;
    void arena.arena.drain().then((result) => (outcome = result));
    for (const bot of bots) {
      bot.autoPlays = true;
      bot.send({ type: "ready" });
    }
    await arena.advanceUntil(() => outcome !== null);
    assert.deepEqual(outcome, { abandoned: 0 });
    for (const bot of bots) {
      assert.equal(bot.receivedOfType("end").length, 1);
      assert.equal(bot.closeReason(), "1012 server restarting");
    }
    assert.equal((await arena.store.matches.ids()).length, 1);
  });

  test("sends hello, then the drain notice, to a bot that rejoins its match", async () => {
    const arena = await testArena();
    await startTwoBotMatch(arena);
    void arena.arena.drain();
    const reconnected = await arena.connect("alpha");
    assert.deepEqual(
      reconnected.received.map(({ type }) => type),
      ["hello", "server_draining"],
    );
  });

  test("closes late connections with the same code as all earlier ones", async () => {
    const store = memoryStore();
    const lookUps: (() => void)[] = [];
    const arena = await testArena({
      store: overrideStore(store, {
        bots: {
          byToken: async (hash) => {
            await new Promise<void>((resolve) => lookUps.push(resolve));
            return store.bots.byToken(hash);
          },
        },
      }),
    });
    await arena.addArenaBot("early");
    await arena.addArenaBot("late");
    const earlyConnection = arena.connect("early");
    assert.deepEqual(await arena.arena.drain(), { abandoned: 0 });
    const lateConnection = arena.connect("late");
    while (lookUps.length < 2) await setImmediate();
    for (const lookUp of lookUps) lookUp();
    for (const bot of await Promise.all([earlyConnection, lateConnection])) {
      assert.deepEqual(
        bot.received.map(({ type }) => type),
        ["server_draining"],
      );
      assert.equal(bot.closeReason(), "1012 server restarting");
    }
  });

  test("discards a queue request whose label is still being registered", async () => {
    const store = memoryStore();
    const resolvers: (() => void)[] = [];
    const arena = await testArena({
      store: overrideStore(store, {
        versions: {
          add: async (version, limit) => {
            await new Promise<void>((resolve) => resolvers.push(resolve));
            return store.versions.add(version, limit);
          },
        },
      }),
    });
    await arena.addArenaBot("alpha");
    const alpha = await arena.connect("alpha");
    alpha.send(QUEUE);
    await arena.advanceTime(50);
    void arena.arena.drain();
    resolvers[0]!();
    await arena.advanceTime(1);
    assert.deepEqual(new Set(alpha.received.map(({ type }) => type)), new Set(["server_draining"]));
    assert.deepEqual(arena.arena.onlineBots()[0]?.state, "idle");
  });
});

suite("T32 a drain that times out", () => {
  test("abandons running matches without an end message or result", async () => {
    const arena = await testArena({ limits: { drain_timeout_s: 5 } });
    const [alpha, beta] = await startTwoBotMatch(arena);
    alpha.send({ type: "ready" });
    let outcome: unknown = null;
    void arena.arena.drain().then((result) => (outcome = result));
    await arena.advanceTime(4900);
    assert.equal(outcome, null);
    await arena.advanceTime(200);
    assert.deepEqual(outcome, { abandoned: 1 });
    arena.arena.stop();
    assert.equal(arena.clock.armedTimers(), 0);
    await arena.advanceTime(60_000);
    for (const bot of [alpha, beta]) {
      assert.deepEqual(bot.receivedOfType("end"), []);
      assert.equal(bot.closeReason(), "1012 server restarting");
    }
    assert.deepEqual(await arena.store.matches.ids(), []);
    assert.equal(arena.replays.size, 0);
  });

  test("abandons a match whose result the store hasn't accepted", async () => {
    const store = memoryStore();
    const resolvers: (() => void)[] = [];
    const arena = await testArena({
      store: overrideStore(store, {
        matches: {
          save: async (match) => {
            await new Promise<void>((resolve) => resolvers.push(resolve));
            return store.matches.save(match);
          },
        },
      }),
    });
    const [alpha] = await startTwoBotMatch(arena);
    let outcome: unknown = null;
    void arena.arena.drain().then((result) => (outcome = result));
    await arena.advanceUntil(() => resolvers.length === 1);
    await arena.advanceTime(1000);
    assert.equal(outcome, null);
    resolvers[0]!();
    await arena.advanceUntil(() => outcome !== null);
    assert.deepEqual(outcome, { abandoned: 0 });
    assert.equal(alpha.receivedOfType("end").length, 1);
  });

  async function arenaDrainedWhileRating() {
    const arena = await testArena({ limits: { drain_timeout_s: 0 } });
    const bots = await startTwoBotMatch(arena);
    const { promise: ratingGate, resolve: release, reject: fail } = Promise.withResolvers<void>();
    const { rate } = arena.matchmaker;
    let isRating = false;
    arena.matchmaker.rate = async (match) => {
      isRating = true;
      await ratingGate;
      return rate(match);
    };
    for (const bot of bots) {
      bot.autoPlays = true;
      bot.send({ type: "ready" });
    }
    await arena.advanceUntil(() => isRating);
    let outcome: unknown = null;
    void arena.arena.drain().then((result) => (outcome = result));
    return { arena, bots, go: release, fail, outcome: () => outcome };
  }

  test("stores and reports matches that ended before the timeout", async () => {
    const { arena, bots, go: release, outcome } = await arenaDrainedWhileRating();
    await arena.advanceTime(1000);
    assert.equal(outcome(), null);
    release();
    await arena.advanceUntil(() => outcome() !== null);
    assert.deepEqual(outcome(), { abandoned: 0 });
    for (const bot of bots) assert.equal(bot.receivedOfType("end").length, 1);
    assert.equal((await arena.store.matches.ids()).length, 1);
  });

  test("waits up to 2 seconds for results and ignores later failures", async () => {
    const { arena, bots, fail, outcome } = await arenaDrainedWhileRating();
    await arena.advanceTime(2100);
    assert.deepEqual(outcome(), { abandoned: 1 });
    arena.arena.stop();
    fail(new Error("matchmaker closed"));
    await arena.advanceTime(10);
    assert.deepEqual(arena.panics, []);
    for (const bot of bots) assert.deepEqual(bot.receivedOfType("end"), []);
    assert.deepEqual(await arena.store.matches.ids(), []);
  });
});
