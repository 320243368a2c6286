import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStores } from "#testing/store-contract/memory-store.ts";

/** Test clocks start at 2026-01-05T12:00:00Z. */
const LATER = "2026-01-05T12:01:00.000Z";
const LEAGUE: LadderDefinition = { ...PUBLIC_LADDER, id: "league", name: "League", maps: ["cage"] };

const queueOn = (ladderId: string) => ({ type: "queue", version: "v1", ladder_id: ladderId });

type BotSpecs = Record<string, { ladder?: string; owner?: string; plays?: boolean }>;

async function connectAndQueue(
  test: TestArena,
  botSpecs: BotSpecs,
): Promise<Record<string, FakeBot>> {
  const bots: Record<string, FakeBot> = {};
  for (const [name, { ladder = "league", owner = name, plays = false }] of Object.entries(
    botSpecs,
  )) {
    if ((await test.store.bots.byName(name)) === null) await test.addArenaBot(name, { owner });
    const bot = await test.connect(name);
    bot.autoPlays = plays;
    bot.send(queueOn(ladder));
    bots[name] = bot;
    await test.advanceTime(50);
  }
  return bots;
}

const runningPairs = ({ arena }: TestArena) =>
  arena.runningMatches().map(({ ladderId, names }) => `${ladderId}: ${names.toSorted().join("-")}`);

const codes = (bot: FakeBot | undefined) => bot?.receivedOfType("error").map(({ code }) => code);

const stateOf = ({ arena }: TestArena, bot: string) =>
  arena.onlineBots().find(({ name }) => name === bot)?.state;

const pairOn = (ladder: string, plays = false): BotSpecs => ({
  [`${ladder}1`]: { ladder, plays },
  [`${ladder}2`]: { ladder, plays },
});

suite("a second ladder", () => {
  test("pairs bots on its own maps, in the same wave as public", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    const { pair } = arena.matchmaker;
    const requestedLadders: string[][] = [];
    arena.matchmaker.pair = (requests) => {
      requestedLadders.push(requests.map(({ ladderId }) => ladderId));
      return pair(requests);
    };
    const bots = await connectAndQueue(arena, { ...pairOn("league"), ...pairOn("public") });
    await arena.advanceTime(2100);
    assert.deepEqual(runningPairs(arena).toSorted(), [
      "league: league1-league2",
      "public: public1-public2",
    ]);
    const [hello] = bots.league1!.receivedOfType("hello");
    const map = hello?.map as { name: string } | undefined;
    assert.deepEqual([hello?.ladder_id, map?.name], ["league", "cage"]);
    assert.deepEqual(requestedLadders, [["public", "league"]]);
  });

  test("keeps its own ratings and has no season", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    await connectAndQueue(arena, pairOn("league", true));
    await arena.advanceUntil(() => arena.arena.board("league").size === 2);
    assert.equal(arena.arena.board("public").size, 0);
    const matches = await arena.store.matches.list({
      ladderId: "league",
      limit: 9,
      withStats: false,
    });
    assert.equal(matches?.length, 1);
    const pairs = await arena.store.stats.pairs({ ladderId: "league", season: null });
    assert.equal(pairs.length, 1);
  });

  test("starts matches in the next wave when added at runtime", async () => {
    const arena = await testArena();
    const bots = await connectAndQueue(arena, pairOn("league"));
    assert.deepEqual(codes(bots.league1), ["unknown_ladder"]);
    arena.ladders.upsert(LEAGUE);
    for (const bot of Object.values(bots)) bot.send(queueOn("league"));
    await arena.advanceTime(4100);
    assert.deepEqual(runningPairs(arena), ["league: league1-league2"]);
  });

  test("removes a waiting bot that queues on another ladder", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    const { mover } = await connectAndQueue(arena, { mover: {}, stays: { ladder: "public" } });
    mover!.send(queueOn("public"));
    await arena.advanceTime(2100);
    assert.deepEqual(runningPairs(arena), ["public: mover-stays"]);
  });

  const closedLadders: [what: string, change: Partial<LadderDefinition>, code: string][] = [
    ["is disabled", { enabled: false }, "ladder_closed"],
    ["opens later", { opensAt: LATER }, "ladder_closed"],
    ["has closed", { closesAt: "2026-01-05T11:00:00.000Z" }, "ladder_closed"],
    ["is for members only", { access: "approval" }, "enrollment_required"],
  ];
  for (const [title, change, code] of closedLadders)
    test(`responds to queue with ${code} and registers no version if it ${title}`, async () => {
      const arena = await testArena({ ladders: [{ ...LEAGUE, ...change }] });
      const { guest } = await connectAndQueue(arena, { guest: {} });
      assert.deepEqual(codes(guest), [code]);
      assert.equal(stateOf(arena, "guest"), "idle");
      const bot = await arena.store.bots.byName("guest");
      assert.equal(await arena.store.versions.byLabel(bot!.id, "v1"), null);
    });
});

suite("a ladder that closes while in use", () => {
  const closingCases: [what: string, change: Partial<LadderDefinition>, reason: string][] = [
    ["is disabled", { enabled: false }, "ladder_disabled"],
    ["reaches the end of its window", { closesAt: LATER }, "window_closed"],
  ];
  for (const [title, change, reason] of closingCases)
    test(`dismisses waiting bots and makes running matches unrated if it ${title}`, async () => {
      const arena = await testArena({ ladders: [LEAGUE] });
      const bots = await connectAndQueue(arena, pairOn("league"));
      await arena.advanceTime(2100);
      const { late } = await connectAndQueue(arena, { late: {} });
      assert.equal(stateOf(arena, "late"), "waiting");
      arena.ladders.upsert({ ...LEAGUE, ...change });
      arena.clock.setWall(LATER);
      await arena.advanceTime(2100);
      assert.deepEqual(codes(late), ["ladder_closed"]);
      assert.equal(stateOf(arena, "late"), "idle");
      assert.equal(arena.arena.runningMatches().length, 1);
      for (const name of ["league1", "league2"]) {
        bots[name]!.autoPlays = true;
        bots[name]!.send({ type: "ready" });
      }
      await arena.advanceUntil(() => bots.league1!.receivedOfType("end").length === 1);
      const [end] = bots.league1!.receivedOfType("end");
      assert.deepEqual(
        [end?.rated, end?.unrated_reason, end?.rating_change],
        [false, reason, null],
      );
      const query = { ladderId: "league", limit: 1, withStats: false };
      const [storedMatch] = (await arena.store.matches.list(query)) ?? [];
      assert.deepEqual(
        [storedMatch?.rated, storedMatch?.unratedReason, storedMatch?.voided],
        [false, reason, false],
      );
      assert.equal(arena.arena.board("league").size, 0);
    });

  test("starts no match that was being paired at that moment", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    const { pair } = arena.matchmaker;
    arena.matchmaker.pair = async (requests) => {
      const pairings = await pair(requests);
      arena.ladders.upsert({ ...LEAGUE, enabled: false });
      return pairings;
    };
    const bots = await connectAndQueue(arena, pairOn("league"));
    await arena.advanceTime(5000);
    assert.deepEqual(runningPairs(arena), []);
    assert.deepEqual(codes(bots.league1), ["ladder_closed"]);
  });
});

suite("capacity", () => {
  test("of one ladder doesn't limit other ladders", async () => {
    const arena = await testArena({ ladders: [{ ...LEAGUE, maxConcurrent: 1 }] });
    const extraBots: BotSpecs = {
      league3: {},
      league4: {},
      public3: { ladder: "public" },
      public4: { ladder: "public" },
    };
    await connectAndQueue(arena, { ...pairOn("league"), ...pairOn("public"), ...extraBots });
    await arena.advanceTime(2100);
    const ladders = arena.arena.runningMatches().map(({ ladderId }) => ladderId);
    assert.deepEqual(ladders.toSorted(), ["league", "public", "public"]);
  });

  test("of a ladder comes from settings or, if unset, from the ladder's own value", async () => {
    const arena = await testArena({
      ladders: [{ ...LEAGUE, maxConcurrent: 1 }],
      limits: { startup_s: 600 },
    });
    const bound = { maxConcurrent: 2, ownerConcurrency: null };
    arena.settings.change({}, { league: { ...bound, maxConcurrent: 0 } });
    await connectAndQueue(arena, { ...pairOn("league"), league3: {}, league4: {} });
    await arena.advanceTime(2100);
    assert.deepEqual(runningPairs(arena), []);
    arena.settings.change({});
    await arena.advanceTime(4100);
    assert.equal(runningPairs(arena).length, 1);
    arena.settings.change({}, { league: bound });
    await arena.advanceTime(4100);
    assert.equal(runningPairs(arena).length, 2);
  });

  test("of an owner can be overridden in settings", async () => {
    const arena = await testArena({
      ladders: [{ ...LEAGUE, ownerConcurrency: 1 }],
      limits: { startup_s: 600 },
    });
    const owner = "crowd";
    await connectAndQueue(arena, { own1: { owner }, league1: {} });
    await arena.advanceTime(2100);
    const { own2 } = await connectAndQueue(arena, { own2: { owner }, league2: {} });
    await arena.advanceTime(4100);
    assert.match(String(own2!.receivedOfType("error")[0]?.message), /owner_concurrency \(1\)/);
    arena.settings.change({}, { league: { maxConcurrent: null, ownerConcurrency: 2 } });
    await arena.advanceTime(4100);
    assert.equal(runningPairs(arena).length, 2);
  });

  test("of an owner counts only seats on the same ladder", async () => {
    const league = { ...LEAGUE, ownerConcurrency: 1 };
    const arena = await testArena({ ladders: [league] });
    const owner = "crowd";
    const publicBots: BotSpecs = {
      own2: { owner, ladder: "public" },
      public1: { ladder: "public" },
    };
    await connectAndQueue(arena, { own1: { owner }, league1: {}, ...publicBots });
    await arena.advanceTime(2100);
    assert.deepEqual(runningPairs(arena).toSorted(), [
      "league: league1-own1",
      "public: own2-public1",
    ]);
    const { own3 } = await connectAndQueue(arena, { own3: { owner }, league2: {} });
    await arena.advanceTime(4100);
    assert.deepEqual([stateOf(arena, "own3"), stateOf(arena, "league2")], ["waiting", "waiting"]);
    assert.match(String(own3!.receivedOfType("error")[0]?.message), /owner_concurrency \(1\)/);
  });

  test("of an owner on the server counts seats on all ladders", async () => {
    const arena = await testArena({ ladders: [LEAGUE], limits: { owner_concurrency: 1 } });
    const owner = "crowd";
    const botSpecs: BotSpecs = {
      own1: { owner },
      league1: {},
      own2: { owner, ladder: "public" },
      public1: { ladder: "public" },
    };
    await connectAndQueue(arena, botSpecs);
    await arena.advanceTime(2100);
    assert.deepEqual(runningPairs(arena), ["league: league1-own1"]);
  });

  const orders: [first: string, second: string][] = [
    ["league", "public"],
    ["public", "league"],
  ];
  for (const [first, second] of orders)
    test(`goes to ${first} when its pair has waited longest`, async () => {
      const arena = await testArena({ ladders: [LEAGUE], limits: { max_concurrent: 1 } });
      await connectAndQueue(arena, { ...pairOn(first), ...pairOn(second) });
      await arena.advanceTime(2100);
      assert.deepEqual(runningPairs(arena), [`${first}: ${first}1-${first}2`]);
    });
});

suite("holds", () => {
  test("apply to each ladder separately", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    const bots = Object.values(await connectAndQueue(arena, pairOn("league", true)));
    await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
    for (const bot of bots) bot.send(queueOn("public"));
    await arena.advanceTime(2100);
    const playedLadders = bots[0]!.receivedOfType("hello").map(({ ladder_id }) => ladder_id);
    assert.deepEqual(playedLadders, ["league", "public"]);
  });

  const cooldowns: [what: string, limits: object, restMs: number][] = [
    ["holds", {}, 10_000],
    ["intervals", { match_interval_s: 60 }, 60_000],
  ];
  for (const [title, limits, cooldownMs] of cooldowns)
    test(`survive a restart (${title})`, async () => {
      const openStore = memoryStores();
      const options = { ladders: [LEAGUE], limits };
      const first = await testArena({ ...options, store: openStore(), newId: idGenerator("a") });
      const bots = Object.values(await connectAndQueue(first, pairOn("league", true)));
      await first.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
      first.arena.stop();
      const second = await testArena({ ...options, store: openStore(), newId: idGenerator("b") });
      const { league1 } = await connectAndQueue(second, pairOn("league"));
      await second.advanceTime(cooldownMs - 1000);
      assert.deepEqual(league1!.receivedOfType("hello"), []);
      await second.advanceTime(4000);
      assert.equal(league1!.receivedOfType("hello").length, 1);
    });
});

/** Arenas on the same store need different prefixes to keep ids unique. */
function idGenerator(prefix: string): () => string {
  let count = 0;
  return () => `01900000-0000-7000-8000-${prefix}${String((count += 1)).padStart(11, "0")}`;
}
