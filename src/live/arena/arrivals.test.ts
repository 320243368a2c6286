import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { BotStatus } from "#core/words/bot-status.ts";
import { hashToken } from "#data/access/token.ts";
import { pairedBots, queuedPair, setStatus, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const QUEUE = { type: "queue", version: "v1" };

/** What a bot that was turned away or thrown out was told, and how its connection ended. */
const farewell = (bot: FakeBot) => [bot.heard.at(-1)?.code, bot.ending()];

suite("who comes in", () => {
  test("a bot that may not play is told why; house bots are exempt", async () => {
    const asked: string[] = [];
    const arena = await testArena({
      mayPlay: ({ name }) => {
        asked.push(name);
        return name === "alpha" ? "account_required" : null;
      },
    });
    for (const name of ["alpha", "beta"]) await arena.addBot(name);
    const refused = ["account_required", "4008 account_required"];
    assert.deepEqual(farewell(await arena.connect("alpha")), refused);
    assert.equal((await arena.connect("beta")).ending(), null);
    const house = await arena.addBot("house-kiter", { house: true });
    assert.equal((await arena.connect(house.name)).ending(), null);
    assert.deepEqual(asked, ["alpha", "beta"]);
    assert.deepEqual(
      arena.arena.online().map(({ name }) => name),
      ["beta", "house-kiter"],
    );
  });

  test("a bot that may not connect at all is told that first", async () => {
    const arena = await testArena({ mayPlay: () => "account_required" });
    await arena.addBot("alpha", { status: "suspended" });
    assert.deepEqual(farewell(await arena.connect("alpha")), ["suspended", "4004 suspended"]);
  });

  test("a status that changes while the token is looked up counts", async () => {
    const store = memoryStore();
    let rotated = async () => {};
    const arena: TestArena = await testArena({
      store: changedStore(store, {
        bots: {
          byToken: async (hash) => {
            const found = await store.bots.byToken(hash);
            await rotated();
            return found;
          },
        },
      }),
    });
    const { id } = await arena.addBot("alpha");
    rotated = async () => {
      rotated = async () => {};
      await store.bots.rotateToken(id, hashToken("new"));
      arena.arena.tokenRotated(id);
    };
    assert.deepEqual(farewell(await arena.connect("alpha")), [
      "invalid_token",
      "4002 invalid_token",
    ]);
  });
});

suite("who goes", () => {
  test("a link that breaks takes the place in the queue with it", async () => {
    const arena = await testArena();
    const [alpha] = await queuedPair(arena);
    alpha.leave();
    await arena.pass(5000);
    assert.deepEqual(
      arena.arena.online().map(({ name, state }) => [name, state]),
      [["beta", "waiting"]],
    );
  });

  test("a newer connection takes over, and frames of the older one have no effect", async () => {
    const arena = await testArena();
    const [old] = await queuedPair(arena);
    const fresh = await arena.connect("alpha");
    assert.deepEqual(old.heard.at(-1)?.type, "replaced");
    assert.equal(old.ending(), "4003 replaced");
    const state = () => arena.arena.online().find(({ name }) => name === "alpha")?.state;
    assert.equal(state(), "idle");
    assert.deepEqual(fresh.heard, []);
    old.say(QUEUE);
    await arena.pass(50);
    assert.equal(state(), "idle");
    fresh.say(QUEUE);
    old.leave();
    await arena.pass(50);
    assert.equal(state(), "waiting");
  });

  test("twenty connections at once leave one, queued once", async () => {
    const arena = await testArena();
    await arena.addBot("alpha");
    const bots = await Promise.all(Array.from({ length: 20 }, () => arena.connect("alpha")));
    for (const bot of bots) bot.say(QUEUE);
    await arena.pass(50);
    assert.equal(bots.filter((bot) => bot.ending() === "4003 replaced").length, 19);
    assert.equal(bots.flatMap((bot) => bot.told("queued")).length, 1);
    assert.equal(arena.arena.online().length, 1);
  });

  type Removal = [what: string, act: (arena: TestArena, id: string) => unknown, code: string];
  const removals: Removal[] = [
    ["token rotation", ({ arena }, id) => arena.tokenRotated(id), "4002 invalid_token"],
    ["deletion", ({ arena }, id) => arena.botDeleted(id), "4002 invalid_token"],
    ["suspension", (arena, id) => setStatus(arena, id, "suspended"), "4004 suspended"],
    ["ban", (arena, id) => setStatus(arena, id, "banned"), "4005 banned"],
    ["retirement", (arena, id) => setStatus(arena, id, "retired"), "4006 retired"],
  ];
  for (const [what, act, ending] of removals)
    test(`${what} ends a waiting bot's connection at once`, async () => {
      const arena = await testArena();
      const [alpha] = await queuedPair(arena);
      const { botId } = arena.arena.online().find(({ name }) => name === "alpha")!;
      await act(arena, botId);
      assert.equal(alpha.ending(), ending);
      assert.equal(alpha.heard.at(-1)?.code, ending.split(" ")[1]);
      assert.equal(arena.arena.online().length, 1);
      await arena.pass(3000);
      assert.deepEqual(arena.arena.running(), []);
    });

  for (const why of ["suspended", "banned", "retired"] as const satisfies BotStatus[])
    test(`a ${why} bot loses its match at once, rated`, async () => {
      const arena = await testArena();
      const [alpha, beta] = await pairedBots(arena);
      for (const bot of [alpha, beta]) bot.say({ type: "ready" });
      const { botId } = arena.arena.online().find(({ name }) => name === "alpha")!;
      await setStatus(arena, botId, why);
      await arena.until(() => beta.told("end").length === 1);
      const { reason, rating_change, winner } = beta.told("end")[0]!;
      assert.equal(reason, "forfeit");
      assert.ok((rating_change as number) > 0);
      assert.equal(winner, beta.told("hello")[0]!.fighter);
      assert.deepEqual(alpha.told("end"), []);
    });

  test("after a rotation the match is inherited with the new token", async () => {
    const arena = await testArena();
    const [alpha, beta] = await pairedBots(arena);
    for (const bot of [alpha, beta]) bot.say({ type: "ready" });
    const { botId } = arena.arena.online().find(({ name }) => name === "alpha")!;
    await arena.store.bots.rotateToken(botId, hashToken("new"));
    arena.arena.tokenRotated(botId);
    assert.deepEqual(farewell(alpha), ["invalid_token", "4002 invalid_token"]);
    assert.deepEqual(farewell(await arena.connect("alpha")), farewell(alpha));
    const again = await arena.connect("alpha", "Bearer new");
    assert.deepEqual(
      again.heard.map(({ type }) => type),
      ["hello", "observation"],
    );
    assert.equal(again.heard[0]!.match_id, alpha.told("hello")[0]!.match_id);
  });

  test("a token rotated while the bot is away does not extend its grace", async () => {
    const arena = await testArena({ limits: { reconnect_grace_s: 5 } });
    const [alpha, beta] = await pairedBots(arena);
    const { botId } = arena.arena.online().find(({ name }) => name === "alpha")!;
    beta.plays = true;
    for (const bot of [alpha, beta]) bot.say({ type: "ready" });
    alpha.leave();
    await arena.pass(4000);
    arena.arena.tokenRotated(botId);
    await arena.pass(1500);
    const [end] = beta.told("end");
    assert.deepEqual([end?.winner, end?.reason], [beta.told("hello")[0]!.fighter, "forfeit"]);
  });

  test("a bot that left its match is told nothing, and is gone with the match's end", async () => {
    const arena = await testArena();
    const [alpha, beta] = await pairedBots(arena);
    for (const bot of [alpha, beta]) bot.say({ type: "ready" });
    beta.plays = true;
    alpha.leave();
    beta.say({ type: "turn", tick: 0 });
    const { online, state } = arena.arena.online().find(({ name }) => name === "alpha")!;
    assert.deepEqual([online, state], [false, "playing"]);
    await arena.until(() => beta.told("end").length === 1);
    assert.equal(beta.told("end")[0]!.reason, "disqualification");
    assert.deepEqual(
      arena.arena.online().map(({ name }) => name),
      ["beta"],
    );
  });

  test("a connection made between the last tick and the end hears hello, then the end", async () => {
    const store = memoryStore();
    const waiting: (() => void)[] = [];
    const arena = await testArena({
      store: changedStore(store, {
        matches: {
          save: async (match) => {
            await new Promise<void>((resolve) => waiting.push(resolve));
            return store.matches.save(match);
          },
        },
      }),
    });
    const [alpha, beta] = await pairedBots(arena);
    alpha.say({ type: "ready" });
    await arena.until(() => waiting.length > 0);
    alpha.say(QUEUE);
    assert.equal(alpha.heard.at(-1)?.code, "already_queued");
    const again = await arena.connect("beta");
    waiting[0]!();
    await arena.until(() => again.told("end").length === 1);
    assert.deepEqual(
      again.heard.map(({ type }) => type),
      ["hello", "end"],
    );
    assert.deepEqual(beta.told("end"), []);
    again.say(QUEUE);
    await arena.pass(50);
    assert.equal(again.told("queued").length, 1);
  });
});

suite("pings", () => {
  test("go to everybody, and a silent bot is cut off at the next one", async () => {
    const arena = await testArena({ limits: { ping_interval_s: 5 } });
    await arena.addBot("alpha");
    await arena.addBot("beta");
    const [alive, dead] = [await arena.connect("alpha"), await arena.connect("beta")];
    dead.silent = true;
    await arena.pass(5000);
    assert.deepEqual([alive.pings(), dead.pings()], [1, 1]);
    await arena.pass(5000);
    assert.deepEqual([alive.ending(), dead.ending()], [null, "cut off"]);
    assert.deepEqual(arena.arena.online().length, 1);
    assert.equal(alive.pings(), 2);
  });

  test("that are unanswered because the server stood still are forgiven", async () => {
    const arena = await testArena({ limits: { ping_interval_s: 5 } });
    await arena.addBot("alpha");
    const alpha = await arena.connect("alpha");
    alpha.silent = true;
    await arena.pass(5000);
    alpha.silent = false;
    arena.clock.stall(6000);
    await arena.pass(20_000);
    assert.equal(alpha.ending(), null);
    assert.deepEqual(arena.log, ["the process stood still"]);
  });
});

suite("a bot that does not read", () => {
  test("T04 is cut off in a match once its buffer is full, and its opponent plays on", async () => {
    const arena = await testArena();
    const [deaf, other] = await pairedBots(arena);
    for (const bot of [deaf, other]) bot.say({ type: "ready" });
    deaf.unread = 256 * 1024;
    other.plays = true;
    other.say({ type: "turn", tick: 0 });
    await arena.pass(1000);
    assert.equal(deaf.ending(), null);
    deaf.unread += 1;
    await arena.pass(1000);
    assert.equal(deaf.ending(), "cut off");
    await arena.until(() => other.told("end").length === 1);
    const { stats, winner } = other.told("end")[0]!;
    assert.equal(winner, other.told("hello")[0]!.fighter);
    const idles = (stats as { fighters: { server_idles: object }[] }).fighters.map(
      ({ server_idles }) => Object.keys(server_idles).toSorted(),
    );
    assert.deepEqual(new Set(idles.map(String)), new Set(["disconnected,timeout", ""]));
  });

  test("is cut off outside a match too", async () => {
    const arena = await testArena();
    await arena.addBot("alpha");
    const deaf = await arena.connect("alpha");
    deaf.unread = 256 * 1024 + 1;
    deaf.say("{");
    assert.equal(deaf.ending(), "cut off");
    assert.deepEqual(arena.arena.online(), []);
  });
});

suite("a bot whose record changes", () => {
  test("is shown, paired and addressed as it is now, without a new connection", async () => {
    const arena = await testArena();
    const [alpha, beta] = await queuedPair(arena);
    const { botId } = arena.arena.online().find(({ name }) => name === "alpha")!;
    const bot = (await arena.store.bots.byId(botId))!;
    arena.arena.botChanged({ ...bot, name: "omega", avatar: "ronin" });
    assert.deepEqual(
      arena.arena.online().map(({ name }) => name),
      ["omega", "beta"],
    );
    await arena.until(() => beta.told("hello").length === 1);
    assert.equal(alpha.ending(), null);
    assert.match(JSON.stringify(beta.told("hello")[0]), /"omega"/);
  });

  test("is not paired with a bot of its new owner", async () => {
    const arena = await testArena();
    await queuedPair(arena);
    const [alpha, beta] = await Promise.all(
      ["alpha", "beta"].map(async (name) => (await arena.store.bots.byName(name))!),
    );
    arena.arena.botChanged({ ...alpha!, owner: beta!.owner });
    await arena.pass(20_000);
    assert.deepEqual(arena.arena.running(), []);
  });
});
