import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { BotStatus } from "#core/ids/bot-status.ts";
import { hashToken } from "#data/credentials/token.ts";
import {
  startTwoBotMatch,
  queueTwoBots,
  setArenaBotStatus,
  testArena,
} from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

const QUEUE = { type: "queue", version: "v1" };

const closeCodes = (bot: FakeBot) => [bot.received.at(-1)?.code, bot.closeReason()];

suite("connecting", () => {
  test("refuses a bot that isn't allowed to play, except house bots", async () => {
    const checkedNames: string[] = [];
    const arena = await testArena({
      playRefusalOf: ({ name }) => {
        checkedNames.push(name);
        return name === "alpha" ? "account_required" : null;
      },
    });
    for (const name of ["alpha", "beta"]) await arena.addArenaBot(name);
    const expectedClose = ["account_required", "4008 account_required"];
    assert.deepEqual(closeCodes(await arena.connect("alpha")), expectedClose);
    assert.equal((await arena.connect("beta")).closeReason(), null);
    const house = await arena.addArenaBot("house-kiter", { house: true });
    assert.equal((await arena.connect(house.name)).closeReason(), null);
    assert.deepEqual(checkedNames, ["alpha", "beta"]);
    assert.deepEqual(
      arena.arena.onlineBots().map(({ name }) => name),
      ["beta", "house-kiter"],
    );
  });

  test("reports a suspended account before account_required", async () => {
    const arena = await testArena({ playRefusalOf: () => "account_required" });
    await arena.addArenaBot("alpha", { status: "suspended" });
    assert.deepEqual(closeCodes(await arena.connect("alpha")), ["suspended", "4004 suspended"]);
  });

  test("rejects a token that is rotated during the lookup", async () => {
    const store = memoryStore();
    let rotateDuringLookup = async () => {};
    const arena: TestArena = await testArena({
      store: overrideStore(store, {
        bots: {
          byToken: async (hash) => {
            const storedBot = await store.bots.byToken(hash);
            await rotateDuringLookup();
            return storedBot;
          },
        },
      }),
    });
    const { id } = await arena.addArenaBot("alpha");
    rotateDuringLookup = async () => {
      rotateDuringLookup = async () => {};
      await store.bots.rotateToken(id, hashToken("new"));
      arena.arena.onTokenRotated(id);
    };
    assert.deepEqual(closeCodes(await arena.connect("alpha")), [
      "invalid_token",
      "4002 invalid_token",
    ]);
  });
});

suite("disconnecting", () => {
  test("removes the bot from the queue", async () => {
    const arena = await testArena();
    const [alpha] = await queueTwoBots(arena);
    alpha.disconnect();
    await arena.advanceTime(5000);
    assert.deepEqual(
      arena.arena.onlineBots().map(({ name, state }) => [name, state]),
      [["beta", "waiting"]],
    );
  });

  test("replaces the older connection and ignores its frames", async () => {
    const arena = await testArena();
    const [oldConnection] = await queueTwoBots(arena);
    const newConnection = await arena.connect("alpha");
    assert.deepEqual(oldConnection.received.at(-1)?.type, "replaced");
    assert.equal(oldConnection.closeReason(), "4003 replaced");
    const state = () => arena.arena.onlineBots().find(({ name }) => name === "alpha")?.state;
    assert.equal(state(), "idle");
    assert.deepEqual(newConnection.received, []);
    oldConnection.send(QUEUE);
    await arena.advanceTime(50);
    assert.equal(state(), "idle");
    newConnection.send(QUEUE);
    oldConnection.disconnect();
    await arena.advanceTime(50);
    assert.equal(state(), "waiting");
  });

  test("keeps one of 20 simultaneous connections and queues the bot once", async () => {
    const arena = await testArena();
    await arena.addArenaBot("alpha");
    const bots = await Promise.all(Array.from({ length: 20 }, () => arena.connect("alpha")));
    for (const bot of bots) bot.send(QUEUE);
    await arena.advanceTime(50);
    assert.equal(bots.filter((bot) => bot.closeReason() === "4003 replaced").length, 19);
    assert.equal(bots.flatMap((bot) => bot.receivedOfType("queued")).length, 1);
    assert.equal(arena.arena.onlineBots().length, 1);
  });

  type Removal = [what: string, act: (arena: TestArena, id: string) => unknown, code: string];
  const removals: Removal[] = [
    ["token rotation", ({ arena }, id) => arena.onTokenRotated(id), "4002 invalid_token"],
    ["deletion", ({ arena }, id) => arena.onBotDeleted(id), "4002 invalid_token"],
    ["suspension", (arena, id) => setArenaBotStatus(arena, id, "suspended"), "4004 suspended"],
    ["ban", (arena, id) => setArenaBotStatus(arena, id, "banned"), "4005 banned"],
    ["retirement", (arena, id) => setArenaBotStatus(arena, id, "retired"), "4006 retired"],
  ];
  for (const [title, removeBot, ending] of removals)
    test(`closes a waiting bot's connection immediately on ${title}`, async () => {
      const arena = await testArena();
      const [alpha] = await queueTwoBots(arena);
      const { botId } = arena.arena.onlineBots().find(({ name }) => name === "alpha")!;
      await removeBot(arena, botId);
      assert.equal(alpha.closeReason(), ending);
      assert.equal(alpha.received.at(-1)?.code, ending.split(" ")[1]);
      assert.equal(arena.arena.onlineBots().length, 1);
      await arena.advanceTime(3000);
      assert.deepEqual(arena.arena.runningMatches(), []);
    });

  for (const status of ["suspended", "banned", "retired"] as const satisfies BotStatus[])
    test(`forfeits the rated match of a ${status} bot immediately`, async () => {
      const arena = await testArena();
      const [alpha, beta] = await startTwoBotMatch(arena);
      for (const bot of [alpha, beta]) bot.send({ type: "ready" });
      const { botId } = arena.arena.onlineBots().find(({ name }) => name === "alpha")!;
      await setArenaBotStatus(arena, botId, status);
      await arena.advanceUntil(() => beta.receivedOfType("end").length === 1);
      const { reason, rating_change, winner } = beta.receivedOfType("end")[0]!;
      assert.equal(reason, "forfeit");
      assert.ok((rating_change as number) > 0);
      assert.equal(winner, beta.receivedOfType("hello")[0]!.fighter);
      assert.deepEqual(alpha.receivedOfType("end"), []);
    });

  test("lets a bot rejoin its match with a rotated token", async () => {
    const arena = await testArena();
    const [alpha, beta] = await startTwoBotMatch(arena);
    for (const bot of [alpha, beta]) bot.send({ type: "ready" });
    const { botId } = arena.arena.onlineBots().find(({ name }) => name === "alpha")!;
    await arena.store.bots.rotateToken(botId, hashToken("new"));
    arena.arena.onTokenRotated(botId);
    assert.deepEqual(closeCodes(alpha), ["invalid_token", "4002 invalid_token"]);
    assert.deepEqual(closeCodes(await arena.connect("alpha")), closeCodes(alpha));
    const reconnected = await arena.connect("alpha", "Bearer new");
    assert.deepEqual(
      reconnected.received.map(({ type }) => type),
      ["hello", "observation"],
    );
    assert.equal(reconnected.received[0]!.match_id, alpha.receivedOfType("hello")[0]!.match_id);
  });

  test("keeps a disconnected bot's grace period when its token is rotated", async () => {
    const arena = await testArena({ limits: { reconnect_grace_s: 5 } });
    const [alpha, beta] = await startTwoBotMatch(arena);
    const { botId } = arena.arena.onlineBots().find(({ name }) => name === "alpha")!;
    beta.autoPlays = true;
    for (const bot of [alpha, beta]) bot.send({ type: "ready" });
    alpha.disconnect();
    await arena.advanceTime(4000);
    arena.arena.onTokenRotated(botId);
    await arena.advanceTime(1500);
    const [end] = beta.receivedOfType("end");
    assert.deepEqual(
      [end?.winner, end?.reason],
      [beta.receivedOfType("hello")[0]!.fighter, "forfeit"],
    );
  });

  test("ends a disconnected bot's session with its match and sends it nothing", async () => {
    const arena = await testArena();
    const [alpha, beta] = await startTwoBotMatch(arena);
    for (const bot of [alpha, beta]) bot.send({ type: "ready" });
    beta.autoPlays = true;
    alpha.disconnect();
    beta.send({ type: "turn", tick: 0 });
    const { online, state } = arena.arena.onlineBots().find(({ name }) => name === "alpha")!;
    assert.deepEqual([online, state], [false, "playing"]);
    await arena.advanceUntil(() => beta.receivedOfType("end").length === 1);
    assert.equal(beta.receivedOfType("end")[0]!.reason, "disqualification");
    assert.deepEqual(
      arena.arena.onlineBots().map(({ name }) => name),
      ["beta"],
    );
  });

  test("sends hello, then end, to a connection made after the last tick", async () => {
    const store = memoryStore();
    const pendingSaves: (() => void)[] = [];
    const arena = await testArena({
      store: overrideStore(store, {
        matches: {
          save: async (match) => {
            await new Promise<void>((resolve) => pendingSaves.push(resolve));
            return store.matches.save(match);
          },
        },
      }),
    });
    const [alpha, beta] = await startTwoBotMatch(arena);
    alpha.send({ type: "ready" });
    await arena.advanceUntil(() => pendingSaves.length > 0);
    alpha.send(QUEUE);
    assert.equal(alpha.received.at(-1)?.code, "already_queued");
    const reconnected = await arena.connect("beta");
    pendingSaves[0]!();
    await arena.advanceUntil(() => reconnected.receivedOfType("end").length === 1);
    assert.deepEqual(
      reconnected.received.map(({ type }) => type),
      ["hello", "end"],
    );
    assert.deepEqual(beta.receivedOfType("end"), []);
    reconnected.send(QUEUE);
    await arena.advanceTime(50);
    assert.equal(reconnected.receivedOfType("queued").length, 1);
  });
});

suite("pings", () => {
  test("reach every bot and terminate bots that don't respond by the next round", async () => {
    const arena = await testArena({ limits: { ping_interval_s: 5 } });
    await arena.addArenaBot("alpha");
    await arena.addArenaBot("beta");
    const [alive, dead] = [await arena.connect("alpha"), await arena.connect("beta")];
    dead.ignoresPings = true;
    await arena.advanceTime(5000);
    assert.deepEqual([alive.pingCount(), dead.pingCount()], [1, 1]);
    await arena.advanceTime(5000);
    assert.deepEqual([alive.closeReason(), dead.closeReason()], [null, "cut off"]);
    assert.deepEqual(arena.arena.onlineBots().length, 1);
    assert.equal(alive.pingCount(), 2);
  });

  test("tolerate missing pongs after an event loop stall", async () => {
    const arena = await testArena({ limits: { ping_interval_s: 5 } });
    await arena.addArenaBot("alpha");
    const alpha = await arena.connect("alpha");
    alpha.ignoresPings = true;
    await arena.advanceTime(5000);
    alpha.ignoresPings = false;
    arena.clock.stall(6000);
    await arena.advanceTime(20_000);
    assert.equal(alpha.closeReason(), null);
    assert.deepEqual(arena.log, ["event loop stalled"]);
  });
});

suite("a bot that doesn't read", () => {
  test("T04 is terminated when its buffer is full, while its opponent plays on", async () => {
    const arena = await testArena();
    const [slowReader, opponent] = await startTwoBotMatch(arena);
    for (const bot of [slowReader, opponent]) bot.send({ type: "ready" });
    slowReader.unreadBytes = 256 * 1024;
    opponent.autoPlays = true;
    opponent.send({ type: "turn", tick: 0 });
    await arena.advanceTime(1000);
    assert.equal(slowReader.closeReason(), null);
    slowReader.unreadBytes += 1;
    await arena.advanceTime(1000);
    assert.equal(slowReader.closeReason(), "cut off");
    await arena.advanceUntil(() => opponent.receivedOfType("end").length === 1);
    const { stats, winner } = opponent.receivedOfType("end")[0]!;
    assert.equal(winner, opponent.receivedOfType("hello")[0]!.fighter);
    const idles = (stats as { fighters: { server_idles: object }[] }).fighters.map(
      ({ server_idles }) => Object.keys(server_idles).toSorted(),
    );
    assert.deepEqual(new Set(idles.map(String)), new Set(["disconnected,timeout", ""]));
  });

  test("is also terminated outside a match", async () => {
    const arena = await testArena();
    await arena.addArenaBot("alpha");
    const slowReader = await arena.connect("alpha");
    slowReader.unreadBytes = 256 * 1024 + 1;
    slowReader.send("{");
    assert.equal(slowReader.closeReason(), "cut off");
    assert.deepEqual(arena.arena.onlineBots(), []);
  });
});

suite("a bot with a changed record", () => {
  test("uses its new data on the same connection", async () => {
    const arena = await testArena();
    const [alpha, beta] = await queueTwoBots(arena);
    const { botId } = arena.arena.onlineBots().find(({ name }) => name === "alpha")!;
    const bot = (await arena.store.bots.byId(botId))!;
    arena.arena.onBotChanged({ ...bot, name: "omega", avatar: "ronin" });
    assert.deepEqual(
      arena.arena.onlineBots().map(({ name }) => name),
      ["omega", "beta"],
    );
    await arena.advanceUntil(() => beta.receivedOfType("hello").length === 1);
    assert.equal(alpha.closeReason(), null);
    assert.match(JSON.stringify(beta.receivedOfType("hello")[0]), /"omega"/);
  });

  test("is not paired with other bots of its new owner", async () => {
    const arena = await testArena();
    await queueTwoBots(arena);
    const [alpha, beta] = await Promise.all(
      ["alpha", "beta"].map(async (name) => (await arena.store.bots.byName(name))!),
    );
    arena.arena.onBotChanged({ ...alpha!, owner: beta!.owner });
    await arena.advanceTime(20_000);
    assert.deepEqual(arena.arena.runningMatches(), []);
  });
});
