import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import { pairedBots, queuedPair, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

/** One bot, connected and known as alpha. */
async function alone(arena: TestArena): Promise<FakeBot> {
  await arena.addBot("alpha");
  return arena.connect("alpha");
}

/** What the bot is told after saying this: types, or the codes of errors. */
async function answersTo(
  arena: TestArena,
  bot: FakeBot,
  frame: object | string | null,
): Promise<unknown[]> {
  const before = bot.heard.length;
  bot.say(frame);
  await arena.pass(50);
  return bot.heard.slice(before).map(({ type, code }) => code ?? type);
}

const stateOf = ({ arena }: TestArena) => arena.online().map(({ state }) => state);
const QUEUE = { type: "queue", version: "v1" };

suite("outside a match", () => {
  const longLabel = "é".repeat(32);
  const cases: [frame: object | string | null, answers: string[]][] = [
    [QUEUE, ["queued"]],
    [{ ...QUEUE, ladder_id: "public" }, ["queued"]],
    [{ ...QUEUE, ladder_id: null }, ["queued"]],
    [{ ...QUEUE, version: longLabel }, ["queued"]],
    [{ ...QUEUE, note: "unknown fields are nothing" }, ["queued"]],
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
    test(`${JSON.stringify(frame)} is answered with [${answers}]`, async () => {
      const arena = await testArena();
      const bot = await alone(arena);
      assert.deepEqual(await answersTo(arena, bot, frame), answers);
      assert.equal(bot.ending(), null);
      assert.deepEqual(stateOf(arena), [answers[0] === "queued" ? "waiting" : "idle"]);
    });
});

suite("queue", () => {
  test("answers with version, ladder and an estimate", async () => {
    const arena = await testArena();
    const bot = await alone(arena);
    bot.say(QUEUE);
    await arena.pass(50);
    const { estimated_wait_s, ...rest } = bot.told("queued")[0]!;
    assert.deepEqual(rest, { type: "queued", version: "v1", ladder_id: "public" });
    assert.ok((estimated_wait_s as number) > 0 && (estimated_wait_s as number) <= 2);
  });

  test("registers a label at its first use, once", async () => {
    const arena = await testArena();
    const { id } = await arena.addBot("alpha");
    const bot = await arena.connect("alpha");
    for (const version of ["v1", "v2", "v1"]) bot.say({ ...QUEUE, version });
    await arena.pass(50);
    const made = (await arena.store.versions.list(id, { limit: 9 })) ?? [];
    assert.deepEqual(
      made.map(({ label }) => label),
      ["v2", "v1"],
    );
    assert.deepEqual(arena.arena.online()[0]!.version, "v1");
  });

  test("keeps the wait of the same version and begins another one's anew", async () => {
    const waits: number[] = [];
    const arena = await testArena();
    const { pair } = arena.matchmaker;
    arena.matchmaker.pair = (requests) => {
      waits.push(...requests[0]!.waiting.map(({ waitSeconds }) => waitSeconds));
      return pair(requests);
    };
    for (const name of ["alpha", "beta"]) {
      await arena.addBot(name, { owner: "same" });
      (await arena.connect(name)).say(QUEUE);
    }
    const bot = await arena.connect("alpha");
    bot.say(QUEUE);
    await arena.pass(3900);
    bot.say(QUEUE);
    await arena.pass(200);
    const kept = waits.slice(-2).toSorted((one, other) => one - other)[0]!;
    assert.ok(kept > 3.5, "the wait is kept");
    bot.say({ ...QUEUE, version: "v2" });
    await arena.pass(2000);
    const fresh = waits.slice(-2).toSorted((one, other) => one - other)[0]!;
    assert.ok(fresh < 3, "the wait is new");
    assert.equal(bot.told("queued").length, 3);
  });

  test("is undone by leave, also while a new label is being registered", async () => {
    const arena = await testArena();
    const bot = await alone(arena);
    bot.say(QUEUE);
    bot.say({ type: "leave" });
    await arena.pass(50);
    assert.deepEqual(stateOf(arena), ["idle"]);
    bot.say(QUEUE);
    await arena.pass(50);
    assert.deepEqual(stateOf(arena), ["waiting"]);
    bot.say({ type: "leave" });
    assert.deepEqual(stateOf(arena), ["idle"]);
  });

  test("takes the place of an entry with another version", async () => {
    const arena = await testArena();
    const bot = await alone(arena);
    for (const version of ["v1", "v2"]) await answersTo(arena, bot, { ...QUEUE, version });
    const { version, state } = arena.arena.online()[0]!;
    assert.deepEqual([version, state], ["v2", "waiting"]);
  });

  test("of too many new versions in a day is version_limit, known ones still queue", async () => {
    const arena = await testArena({ limits: { versions_per_day: 2 } });
    const bot = await alone(arena);
    for (const [version, answers] of [
      ["v1", ["queued"]],
      ["v2", ["queued"]],
      ["v3", ["version_limit"]],
      ["v1", ["queued"]],
    ] as const)
      assert.deepEqual(await answersTo(arena, bot, { ...QUEUE, version }), answers);
    arena.clock.pass(24 * 3_600_000);
    assert.deepEqual(await answersTo(arena, bot, { ...QUEUE, version: "v3" }), ["queued"]);
  });

  test("says so when the store cannot be reached, and works when it can again", async () => {
    const store = memoryStore();
    const errors = [new StoreError("unavailable", "not reached")];
    const arena = await testArena({
      store: changedStore(store, {
        versions: {
          add: async (version, limit) => {
            const error = errors.shift();
            if (error !== undefined) throw error;
            return store.versions.add(version, limit);
          },
        },
      }),
    });
    const bot = await alone(arena);
    assert.deepEqual(await answersTo(arena, bot, QUEUE), ["store_unavailable"]);
    assert.deepEqual(stateOf(arena), ["idle"]);
    assert.deepEqual(await answersTo(arena, bot, QUEUE), ["queued"]);
  });
});

suite("a retired version", () => {
  test("leaves the queue with a word, and cannot queue again", async () => {
    const arena = await testArena();
    const { id } = await arena.addBot("alpha");
    const bot = await arena.connect("alpha");
    await answersTo(arena, bot, QUEUE);
    await arena.store.versions.retire(id, "v1");
    arena.arena.versionRetired(id, "v1");
    assert.deepEqual(bot.heard.at(-1)?.code, "version_retired");
    assert.deepEqual(stateOf(arena), ["idle"]);
    assert.deepEqual(await answersTo(arena, bot, QUEUE), ["version_retired"]);
    assert.deepEqual(await answersTo(arena, bot, { ...QUEUE, version: "v2" }), ["queued"]);
    arena.arena.versionRetired(id, "v1");
    assert.deepEqual(stateOf(arena), ["waiting"]);
    assert.equal(bot.ending(), null);
  });

  test("that was made and retired over HTTP is refused too", async () => {
    const arena = await testArena();
    const { id } = await arena.addBot("alpha");
    const bot = await arena.connect("alpha");
    const version = { id: "x", botId: id, label: "v1", notes: "", created: "", retired: false };
    await arena.store.versions.add(version, null);
    await arena.store.versions.retire(id, "v1");
    arena.arena.versionRetired(id, "v1");
    assert.deepEqual(await answersTo(arena, bot, QUEUE), ["version_retired"]);
  });

  test("that plays plays its match to the end", async () => {
    const arena = await testArena();
    const bots = await pairedBots(arena);
    const { botId } = arena.arena.online()[0]!;
    await arena.store.versions.retire(botId, "v1");
    arena.arena.versionRetired(botId, "v1");
    assert.deepEqual(stateOf(arena), ["playing", "playing"]);
    await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
    assert.deepEqual(await answersTo(arena, bots[0], QUEUE), ["version_retired"]);
  });
});

suite("from queue to end", () => {
  test("the states are waiting, playing, idle", async () => {
    const arena = await testArena();
    const bots = await queuedPair(arena);
    assert.deepEqual(stateOf(arena), ["waiting", "waiting"]);
    await arena.until(() => bots[0].told("hello").length > 0);
    assert.deepEqual(stateOf(arena), ["playing", "playing"]);
    assert.deepEqual(await answersTo(arena, bots[0], QUEUE), ["already_queued"]);
    for (const bot of bots) {
      bot.plays = true;
      bot.say({ type: "ready" });
    }
    await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
    assert.deepEqual(stateOf(arena), ["idle", "idle"]);
    const end = bots[0].told("end")[0]!;
    assert.equal(end.watch_url, `/match/${String(end.match_id)}`);
    assert.equal(end.ladder_id, "public");
    assert.deepEqual(await answersTo(arena, bots[0], { type: "turn", tick: 9 }), ["not_in_match"]);
    for (let frames = 0; frames < 20; frames += 1) bots[0].say("[]");
    assert.equal(bots[0].ending(), null, "the limit of a tick is over with the match");
    assert.deepEqual(await answersTo(arena, bots[0], QUEUE), ["queued"]);
  });

  test("a label that is registered while a match starts is told that it came too late", async () => {
    const store = memoryStore();
    const slow: (() => void)[] = [];
    const arena = await testArena({
      store: changedStore(store, {
        versions: {
          add: async (version, limit) => {
            if (version.label === "slow") await new Promise<void>((resolve) => slow.push(resolve));
            return store.versions.add(version, limit);
          },
        },
      }),
    });
    const [alpha] = await queuedPair(arena);
    alpha.say({ ...QUEUE, version: "slow" });
    await arena.until(() => alpha.told("hello").length > 0);
    slow[0]!();
    await arena.pass(50);
    assert.equal(alpha.heard.at(-1)?.code, "already_queued");
    assert.deepEqual(stateOf(arena), ["playing", "playing"]);
  });
});
