import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { suite, test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { DAY_MS } from "#base/util/time.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { queueTwoBots, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStores } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

const PUBLIC = { ladderId: "public", limit: 100, withStats: false };
/**
 * With these limits, a bot that isn't ready within a second loses, and a version is ranked after
 * two matches.
 */
const LIMITS = { startup_s: 1, qualifying_games: 2 };

type Changes = Parameters<typeof testArena>[0];
type PairFixture = { test: TestArena; bots: [FakeBot, FakeBot] };

async function openPair(changes: Changes = {}): Promise<PairFixture> {
  const arena = await testArena({ ...changes, limits: { ...LIMITS, ...changes.limits } });
  return { test: arena, bots: await queueTwoBots(arena) };
}

async function reopenPair(store: Store): Promise<PairFixture> {
  const arena = await testArena({ store, newId: ids("b"), limits: LIMITS });
  const [first, second] = firstTwo(
    await Promise.all(["alpha", "beta"].map((name) => arena.connect(name))),
  );
  return { test: arena, bots: [first, second] };
}

/** Arenas on the same store need different prefixes to keep ids unique. */
function ids(prefix: string): () => string {
  let count = 0;
  return () => `01900000-0000-7000-8000-${prefix}${String((count += 1)).padStart(11, "0")}`;
}

async function startMatch({ test: arena, bots }: PairFixture): Promise<void> {
  const helloCount = bots[0].receivedOfType("hello").length;
  for (const bot of bots) bot.send({ type: "queue", version: "v1" });
  await arena.advanceUntil(() =>
    bots.every((bot) => bot.receivedOfType("hello").length > helloCount),
  );
  bots[0].send({ type: "ready" });
}

async function endMatch({ test: arena, bots }: PairFixture): Promise<void> {
  await arena.advanceUntil(() =>
    bots.every((bot) => bot.receivedOfType("end").length === bot.receivedOfType("hello").length),
  );
}

async function playMatches(fixture: PairFixture, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await startMatch(fixture);
    await endMatch(fixture);
  }
  await fixture.test.advanceTime(500);
}

async function statesOf({ store, arena }: TestArena): Promise<string[]> {
  const { live, closing } = arena.seasons();
  return (await store.seasons.list()).map(({ id, archivedAt }) => {
    if (id === live) return `${id} live`;
    return `${id} ${closing.includes(id) ? "finalizing" : archivedAt === null ? "lost" : "archived"}`;
  });
}

async function seasonsOfMatches({ store }: TestArena): Promise<(string | null)[]> {
  return ((await store.matches.list(PUBLIC)) ?? []).map(({ season }) => season).toReversed();
}

async function hashOf({ store }: TestArena, season: string): Promise<string> {
  const text = JSON.stringify(await store.seasons.standings(season));
  return createHash("sha256").update(text).digest("hex");
}

const linesOf = ({ arena }: TestArena, season?: string) =>
  [...arena.board("public", season).values()].toSorted((first, second) =>
    first.versionId < second.versionId ? -1 : 1,
  );

suite("T46 the end of a month", () => {
  test("during a match doesn't change the match's season", async () => {
    const fixture = await openPair({ limits: { startup_s: 5 } });
    const { test: arena } = fixture;
    await playMatches(fixture, 2);
    arena.clock.setWall("2026-01-31T23:50:00.000Z");
    await startMatch(fixture);
    arena.clock.setWall("2026-01-31T23:59:59.900Z");
    const board = linesOf(arena);
    await arena.advanceUntil(() => arena.arena.seasons().live === "2026-02");
    assert.deepEqual(arena.arena.seasons().closing, ["2026-01"]);
    assert.equal(arena.arena.board("public").size, 0);
    assert.deepEqual(linesOf(arena, "2026-01"), board);
    await endMatch(fixture);
    await arena.advanceTime(2100);
    assert.deepEqual(await seasonsOfMatches(arena), ["2026-01", "2026-01", "2026-01"]);
    assert.deepEqual(await statesOf(arena), [
      "2026-02 live",
      "2026-01 archived",
      "preseason archived",
    ]);
    const [first, second] = firstTwo(await arena.store.seasons.standings("2026-01"));
    assert.deepEqual([first.name, first.wins, first.losses], ["alpha", 3, 0]);
    assert.deepEqual([second.name, second.wins, second.losses], ["beta", 0, 3]);
    const match = (await arena.store.matches.list(PUBLIC))?.[0];
    assert.ok((match?.ended ?? "") > "2026-02-01" && (match?.started ?? "") < "2026-02-01");
    assert.equal(
      Math.round(first.rating),
      match?.seats.find((seat) => seat.name === "alpha")?.ratingAfter,
    );
  });

  test("resets ratings, records and qualification but keeps versions and old standings", async () => {
    const fixture = await openPair();
    const { test: arena, bots } = fixture;
    await playMatches(fixture, 3);
    arena.clock.setWall("2026-02-01T00:00:00.000Z");
    await arena.advanceTime(2100);
    const hash = await hashOf(arena, "2026-01");
    assert.equal((await arena.store.seasons.standings("2026-01")).length, 2);
    await playMatches(fixture, 1);
    for (const botId of await arena.store.bots.ids(null, 9))
      assert.equal((await arena.store.versions.latest(botId, 9, [])).total, 1);
    const seats = (await arena.store.matches.list(PUBLIC))?.[0]?.seats ?? [];
    assert.deepEqual(
      seats.map(({ ratingBefore }) => ratingBefore),
      [1500, 1500],
    );
    const gamesPlayed = linesOf(arena).map((line) => line.wins + line.losses);
    assert.deepEqual(gamesPlayed, [1, 1]);
    const changes = bots[0].receivedOfType("end").map(({ rating_change }) => rating_change);
    assert.equal(changes[3], changes[0]);
    await playMatches(fixture, 3);
    assert.equal(await hashOf(arena, "2026-01"), hash);
    assert.deepEqual(await arena.store.database.faults(), []);
  });

  test("during a wave pairs no bots by the previous month's ratings", async () => {
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    let waves = 0;
    const fixture = await openPair({
      matchmaker: {
        ...matchmaker,
        pair: async (requests) => {
          const pairings = await pair(requests);
          waves += 1;
          if (waves === 1) fixture.test.clock.setWall("2026-02-01T00:00:00.000Z");
          return pairings;
        },
      },
    });
    await fixture.test.advanceUntil(() => waves === 1);
    await fixture.test.advanceTime(200);
    assert.equal(fixture.test.arena.capacity().running, 0);
    assert.equal(fixture.test.arena.seasons().live, "2026-01");
    await playMatches(fixture, 1);
    assert.deepEqual(await seasonsOfMatches(fixture.test), ["2026-02"]);
  });

  test("archives each season once and always leaves one season live", async () => {
    const archiveCalls: string[] = [];
    const openStore = memoryStores();
    const store = openStore();
    const fixture = await openPair({
      store: overrideStore(store, {
        seasons: {
          archive: async (id, at, places) => {
            archiveCalls.push(`${id} ${places.length}`);
            return store.seasons.archive(id, at, places);
          },
        },
      }),
    });
    const { test: arena } = fixture;
    const hashes = new Map<string, string>();
    for (const month of [2, 3, 4, 5, 6]) {
      await playMatches(fixture, 2);
      arena.clock.setWall(`2026-0${month}-01T00:00:00.000Z`);
      await arena.advanceTime(2100);
      hashes.set(`2026-0${month - 1}`, await hashOf(arena, `2026-0${month - 1}`));
      const states = await statesOf(arena);
      assert.equal(states[0], `2026-0${month} live`);
      assert.ok(states.slice(1).every((state) => state.endsWith(" archived")));
      for (const [season, hash] of hashes) assert.equal(await hashOf(arena, season), hash);
    }
    const expected = [1, 2, 3, 4, 5].map((month) => `2026-0${month} 2`);
    assert.deepEqual(archiveCalls, expected);
    assert.equal((await arena.store.seasons.placesOf((await botId(arena)) ?? "")).length, 5);
  });
});

async function botId({ store }: TestArena): Promise<string | undefined> {
  return (await store.bots.byName("alpha"))?.id;
}

suite("T45 a wall clock jump", () => {
  test("forward by 40 days closes the season once, and a jump back reopens nothing", async () => {
    const fixture = await openPair();
    const { test: arena } = fixture;
    await playMatches(fixture, 2);
    await startMatch(fixture);
    arena.clock.setWall(new Date(arena.clock.wall().getTime() + 40 * DAY_MS).toISOString());
    assert.equal(fixture.bots[0].closeReason(), null);
    await endMatch(fixture);
    await arena.advanceTime(2100);
    const expectedStates = ["2026-02 live", "2026-01 archived", "preseason archived"];
    assert.deepEqual(await statesOf(arena), expectedStates);
    const hash = await hashOf(arena, "2026-01");
    assert.deepEqual((await arena.store.seasons.standings("2026-01"))[0]?.wins, 3);
    for (const wall of ["2026-01-31T23:30:00.000Z", "2026-01-05T12:00:00.000Z"]) {
      arena.clock.setWall(wall);
      await playMatches(fixture, 1);
      assert.deepEqual(await statesOf(arena), expectedStates);
    }
    assert.equal(await hashOf(arena, "2026-01"), hash);
    assert.deepEqual((await seasonsOfMatches(arena)).toSorted(), [
      "2026-01",
      "2026-01",
      "2026-01",
      "2026-02",
      "2026-02",
    ]);
    assert.deepEqual(arena.log, []);
  });

  test("over several months leaves the skipped seasons empty", async () => {
    const fixture = await openPair();
    const { test: arena } = fixture;
    await playMatches(fixture, 2);
    arena.clock.setWall("2026-04-15T00:00:00.000Z");
    await arena.advanceTime(2100);
    assert.deepEqual(await statesOf(arena), [
      "2026-04 live",
      "2026-03 archived",
      "2026-02 archived",
      "2026-01 archived",
      "preseason archived",
    ]);
    assert.deepEqual(await arena.store.seasons.standings("2026-03"), []);
    await playMatches(fixture, 1);
    assert.equal((await seasonsOfMatches(arena)).at(-1), "2026-04");
  });
});

suite("a restart", () => {
  test("restores the live season's ratings down to the last digit", async () => {
    const openStore = memoryStores();
    const fixture = await openPair({ store: openStore(), newId: ids("a") });
    await playMatches(fixture, 4);
    const board = linesOf(fixture.test);
    fixture.test.arena.stop();
    const reopened = await reopenPair(openStore());
    assert.deepEqual(linesOf(reopened.test), board);
    assert.equal(board.length, 2);
  });

  test("completes unfinished archives with the same standings", async () => {
    const standings: unknown[] = [];
    for (const isArchiveFailing of [false, true]) {
      const openStore = memoryStores();
      const store = openStore();
      const failingStore: Store = overrideStore(store, {
        seasons: { archive: () => Promise.reject(new StoreError("unavailable", "gone")) },
      });
      const fixture = await openPair({
        store: isArchiveFailing ? failingStore : store,
        newId: ids("a"),
      });
      await playMatches(fixture, 3);
      fixture.test.clock.setWall("2026-02-01T00:00:00.000Z");
      await fixture.test.advanceTime(2100);
      assert.deepEqual(fixture.test.arena.seasons().closing, isArchiveFailing ? ["2026-01"] : []);
      fixture.test.arena.stop();
      const { test: arena } = await reopenPair(openStore());
      assert.deepEqual(arena.arena.seasons(), { live: "2026-02", closing: [] });
      standings.push(await arena.store.seasons.standings("2026-01"));
    }
    assert.deepEqual(standings[1], standings[0]);
    assert.equal((standings[0] as unknown[]).length, 2);
  });

  test("in a later month opens the new season before any match", async () => {
    const openStore = memoryStores("2025-11-20T00:00:00.000Z");
    const fixture = await openPair({ store: openStore() });
    assert.deepEqual(await statesOf(fixture.test), [
      "2026-01 live",
      "2025-12 archived",
      "2025-11 archived",
      "preseason archived",
    ]);
    await playMatches(fixture, 1);
    assert.deepEqual(await seasonsOfMatches(fixture.test), ["2026-01"]);
  });
});

suite("a store failure", () => {
  test("at a month change stops new matches until the new season is stored", async () => {
    const store = memoryStores()();
    let isStoreDown = true;
    const fixture = await openPair({
      store: overrideStore(store, {
        seasons: {
          open: (seasons) =>
            isStoreDown
              ? Promise.reject(new StoreError("unavailable", "gone"))
              : store.seasons.open(seasons),
        },
      }),
    });
    const { test: arena } = fixture;
    arena.clock.setWall("2026-02-01T00:00:00.000Z");
    await arena.advanceTime(10_000);
    assert.equal(fixture.bots[0].receivedOfType("hello").length, 0);
    assert.equal(arena.arena.seasons().live, "2026-01");
    isStoreDown = false;
    await playMatches(fixture, 1);
    assert.deepEqual(await seasonsOfMatches(arena), ["2026-02"]);
  });

  test("during archiving is retried in every wave", async () => {
    const store = memoryStores()();
    let failures = 3;
    const fixture = await openPair({
      store: overrideStore(store, {
        seasons: {
          archive: (...args) =>
            failures-- > 0
              ? Promise.reject(new StoreError("full", "disk full"))
              : store.seasons.archive(...args),
        },
      }),
    });
    const { test: arena } = fixture;
    await playMatches(fixture, 2);
    arena.clock.setWall("2026-02-01T00:00:00.000Z");
    await arena.advanceTime(2100);
    assert.deepEqual(arena.arena.seasons().closing, ["2026-01"]);
    await playMatches(fixture, 1);
    await arena.advanceTime(6000);
    assert.deepEqual(arena.arena.seasons().closing, []);
    assert.equal((await store.seasons.standings("2026-01")).length, 2);
    assert.ok(arena.log.every((line) => line === "could not archive season; retrying"));
  });
});
