import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStores } from "#testing/store-cases/memory-store.ts";

/** The clock of a test arena begins at noon on 2026-01-05. */
const LATER = "2026-01-05T12:01:00.000Z";
const LEAGUE: LadderDefinition = { ...PUBLIC, id: "league", name: "League", maps: ["cage"] };

const queueOn = (ladderId: string) => ({ type: "queue", version: "v1", ladder_id: ladderId });

type Guests = Record<string, { ladder?: string; owner?: string; plays?: boolean }>;

/** Connects bots in order, each queued on its ladder. A bot without a given owner has its own. */
async function queued(test: TestArena, guests: Guests): Promise<Record<string, FakeBot>> {
  const bots: Record<string, FakeBot> = {};
  for (const [name, { ladder = "league", owner = name, plays = false }] of Object.entries(guests)) {
    if ((await test.store.bots.byName(name)) === null) await test.addBot(name, { owner });
    const bot = await test.connect(name);
    bot.plays = plays;
    bot.say(queueOn(ladder));
    bots[name] = bot;
    await test.pass(50);
  }
  return bots;
}

const opponents = ({ arena }: TestArena) =>
  arena.running().map(({ ladderId, names }) => `${ladderId}: ${names.toSorted().join("-")}`);

const codes = (bot: FakeBot | undefined) => bot?.told("error").map(({ code }) => code);

const stateOf = ({ arena }: TestArena, bot: string) =>
  arena.online().find(({ name }) => name === bot)?.state;

const twoOn = (ladder: string, plays = false): Guests => ({
  [`${ladder}1`]: { ladder, plays },
  [`${ladder}2`]: { ladder, plays },
});

suite("a second ladder", () => {
  test("pairs its own bots on its own maps, alongside public, in one wave", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    const { pair } = arena.matchmaker;
    const asked: string[][] = [];
    arena.matchmaker.pair = (requests) => {
      asked.push(requests.map(({ ladderId }) => ladderId));
      return pair(requests);
    };
    const bots = await queued(arena, { ...twoOn("league"), ...twoOn("public") });
    await arena.pass(2100);
    assert.deepEqual(opponents(arena).toSorted(), [
      "league: league1-league2",
      "public: public1-public2",
    ]);
    const [hello] = bots.league1!.told("hello");
    const map = hello?.map as { name: string } | undefined;
    assert.deepEqual([hello?.ladder_id, map?.name], ["league", "cage"]);
    assert.deepEqual(asked, [["public", "league"]]);
  });

  test("has ratings of its own and no season", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    await queued(arena, twoOn("league", true));
    await arena.until(() => arena.arena.board("league").size === 2);
    assert.equal(arena.arena.board("public").size, 0);
    const matches = await arena.store.matches.list({
      ladderId: "league",
      limit: 9,
      withStats: false,
    });
    assert.equal(matches?.length, 1);
    const pairs = await arena.store.figures.pairs({ ladderId: "league", season: null });
    assert.equal(pairs.length, 1);
  });

  test("that is added while the server runs is played at the next wave", async () => {
    const arena = await testArena();
    const bots = await queued(arena, twoOn("league"));
    assert.deepEqual(codes(bots.league1), ["unknown_ladder"]);
    arena.ladders.put(LEAGUE);
    for (const bot of Object.values(bots)) bot.say(queueOn("league"));
    await arena.pass(4100);
    assert.deepEqual(opponents(arena), ["league: league1-league2"]);
  });

  test("is left by queueing on another one", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    const { mover } = await queued(arena, { mover: {}, stays: { ladder: "public" } });
    mover!.say(queueOn("public"));
    await arena.pass(2100);
    assert.deepEqual(opponents(arena), ["public: mover-stays"]);
  });

  const shut: [what: string, change: Partial<LadderDefinition>, code: string][] = [
    ["is disabled", { enabled: false }, "ladder_closed"],
    ["opens later", { opensAt: LATER }, "ladder_closed"],
    ["has closed", { closesAt: "2026-01-05T11:00:00.000Z" }, "ladder_closed"],
    ["is for members", { access: "approval" }, "enrollment_required"],
  ];
  for (const [what, change, code] of shut)
    test(`that ${what} answers queue with ${code}, and makes no version`, async () => {
      const arena = await testArena({ ladders: [{ ...LEAGUE, ...change }] });
      const { guest } = await queued(arena, { guest: {} });
      assert.deepEqual(codes(guest), [code]);
      assert.equal(stateOf(arena, "guest"), "idle");
      const bot = await arena.store.bots.byName("guest");
      assert.equal(await arena.store.versions.byLabel(bot!.id, "v1"), null);
    });
});

suite("a ladder that closes under play", () => {
  const ways: [what: string, change: Partial<LadderDefinition>, reason: string][] = [
    ["is disabled", { enabled: false }, "ladder_disabled"],
    ["comes to the end of its window", { closesAt: LATER }, "window_closed"],
  ];
  for (const [what, change, reason] of ways)
    test(`and ${what} dismisses waiting bots, and lets running matches end unrated`, async () => {
      const arena = await testArena({ ladders: [LEAGUE] });
      const bots = await queued(arena, twoOn("league"));
      await arena.pass(2100);
      const { late } = await queued(arena, { late: {} });
      assert.equal(stateOf(arena, "late"), "waiting");
      arena.ladders.put({ ...LEAGUE, ...change });
      arena.clock.setWall(LATER);
      await arena.pass(2100);
      assert.deepEqual(codes(late), ["ladder_closed"]);
      assert.equal(stateOf(arena, "late"), "idle");
      assert.equal(arena.arena.running().length, 1);
      for (const name of ["league1", "league2"]) {
        bots[name]!.plays = true;
        bots[name]!.say({ type: "ready" });
      }
      await arena.until(() => bots.league1!.told("end").length === 1);
      const [end] = bots.league1!.told("end");
      assert.deepEqual(
        [end?.rated, end?.unrated_reason, end?.rating_change],
        [false, reason, null],
      );
      const query = { ladderId: "league", limit: 1, withStats: false };
      const [stored] = (await arena.store.matches.list(query)) ?? [];
      assert.deepEqual(
        [stored?.rated, stored?.unratedReason, stored?.voided],
        [false, reason, false],
      );
      assert.equal(arena.arena.board("league").size, 0);
    });

  test("starts no match that the matchmaker was just making", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    const { pair } = arena.matchmaker;
    arena.matchmaker.pair = async (requests) => {
      const paired = await pair(requests);
      arena.ladders.put({ ...LEAGUE, enabled: false });
      return paired;
    };
    const bots = await queued(arena, twoOn("league"));
    await arena.pass(5000);
    assert.deepEqual(opponents(arena), []);
    assert.deepEqual(codes(bots.league1), ["ladder_closed"]);
  });
});

suite("capacity", () => {
  test("of a ladder applies only there", async () => {
    const arena = await testArena({ ladders: [{ ...LEAGUE, maxConcurrent: 1 }] });
    const more: Guests = {
      league3: {},
      league4: {},
      public3: { ladder: "public" },
      public4: { ladder: "public" },
    };
    await queued(arena, { ...twoOn("league"), ...twoOn("public"), ...more });
    await arena.pass(2100);
    const ladders = arena.arena.running().map(({ ladderId }) => ladderId);
    assert.deepEqual(ladders.toSorted(), ["league", "public", "public"]);
  });

  test("of a ladder is what settings say, and without that its own again", async () => {
    const arena = await testArena({
      ladders: [{ ...LEAGUE, maxConcurrent: 1 }],
      limits: { startup_s: 600 },
    });
    const bound = { maxConcurrent: 2, ownerConcurrency: null };
    arena.settings.change({}, { league: { ...bound, maxConcurrent: 0 } });
    await queued(arena, { ...twoOn("league"), league3: {}, league4: {} });
    await arena.pass(2100);
    assert.deepEqual(opponents(arena), []);
    arena.settings.change({});
    await arena.pass(4100);
    assert.equal(opponents(arena).length, 1);
    arena.settings.change({}, { league: bound });
    await arena.pass(4100);
    assert.equal(opponents(arena).length, 2);
  });

  test("of an owner is what settings say in place of the ladder's own", async () => {
    const arena = await testArena({
      ladders: [{ ...LEAGUE, ownerConcurrency: 1 }],
      limits: { startup_s: 600 },
    });
    const owner = "crowd";
    await queued(arena, { own1: { owner }, league1: {} });
    await arena.pass(2100);
    const { own2 } = await queued(arena, { own2: { owner }, league2: {} });
    await arena.pass(4100);
    assert.match(String(own2!.told("error")[0]?.message), /owner_concurrency \(1\)/);
    arena.settings.change({}, { league: { maxConcurrent: null, ownerConcurrency: 2 } });
    await arena.pass(4100);
    assert.equal(opponents(arena).length, 2);
  });

  test("of an owner applies on the ladder that sets it, by the owner's seats there", async () => {
    const league = { ...LEAGUE, ownerConcurrency: 1 };
    const arena = await testArena({ ladders: [league] });
    const owner = "crowd";
    const elsewhere: Guests = { own2: { owner, ladder: "public" }, public1: { ladder: "public" } };
    await queued(arena, { own1: { owner }, league1: {}, ...elsewhere });
    await arena.pass(2100);
    assert.deepEqual(opponents(arena).toSorted(), ["league: league1-own1", "public: own2-public1"]);
    const { own3 } = await queued(arena, { own3: { owner }, league2: {} });
    await arena.pass(4100);
    assert.deepEqual([stateOf(arena, "own3"), stateOf(arena, "league2")], ["waiting", "waiting"]);
    assert.match(String(own3!.told("error")[0]?.message), /owner_concurrency \(1\)/);
  });

  test("of an owner on the server counts the seats of all ladders", async () => {
    const arena = await testArena({ ladders: [LEAGUE], limits: { owner_concurrency: 1 } });
    const owner = "crowd";
    const guests: Guests = {
      own1: { owner },
      league1: {},
      own2: { owner, ladder: "public" },
      public1: { ladder: "public" },
    };
    await queued(arena, guests);
    await arena.pass(2100);
    assert.deepEqual(opponents(arena), ["league: league1-own1"]);
  });

  const orders: [first: string, second: string][] = [
    ["league", "public"],
    ["public", "league"],
  ];
  for (const [first, second] of orders)
    test(`where it is short goes to ${first} when its pair has waited longest`, async () => {
      const arena = await testArena({ ladders: [LEAGUE], limits: { max_concurrent: 1 } });
      await queued(arena, { ...twoOn(first), ...twoOn(second) });
      await arena.pass(2100);
      assert.deepEqual(opponents(arena), [`${first}: ${first}1-${first}2`]);
    });
});

suite("holds", () => {
  test("are each ladder's own", async () => {
    const arena = await testArena({ ladders: [LEAGUE] });
    const bots = Object.values(await queued(arena, twoOn("league", true)));
    await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
    for (const bot of bots) bot.say(queueOn("public"));
    await arena.pass(2100);
    const met = bots[0]!.told("hello").map(({ ladder_id }) => ladder_id);
    assert.deepEqual(met, ["league", "public"]);
  });

  const rests: [what: string, limits: object, restMs: number][] = [
    ["holds", {}, 10_000],
    ["intervals", { match_interval_s: 60 }, 60_000],
  ];
  for (const [what, limits, restMs] of rests)
    test(`and ${what} of a ladder outlive a restart`, async () => {
      const open = memoryStores();
      const options = { ladders: [LEAGUE], limits };
      const first = await testArena({ ...options, store: open(), newId: ids("a") });
      const bots = Object.values(await queued(first, twoOn("league", true)));
      await first.until(() => bots.every((bot) => bot.told("end").length === 1));
      first.arena.stop();
      const second = await testArena({ ...options, store: open(), newId: ids("b") });
      const { league1 } = await queued(second, twoOn("league"));
      await second.pass(restMs - 1000);
      assert.deepEqual(league1!.told("hello"), []);
      await second.pass(4000);
      assert.equal(league1!.told("hello").length, 1);
    });
});

/** Makes ids that differ between two arenas over one store. */
function ids(mark: string): () => string {
  let count = 0;
  return () => `01900000-0000-7000-8000-${mark}${String((count += 1)).padStart(11, "0")}`;
}
