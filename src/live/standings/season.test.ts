import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { suite, test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import { DAY_MS } from "#base/units/time.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { queuedPair, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStores } from "#testing/store-cases/memory-store.ts";

const PUBLIC = { ladderId: "public", limit: 100, withStats: false };
/** A bot that is not ready in time loses; a version is ranked after its first games. */
const LIMITS = { startup_s: 1, qualifying_games: 2 };

type Changes = Parameters<typeof testArena>[0];
type Duel = { test: TestArena; bots: [FakeBot, FakeBot] };

async function openDuel(changes: Changes = {}): Promise<Duel> {
  const arena = await testArena({ ...changes, limits: { ...LIMITS, ...changes.limits } });
  return { test: arena, bots: await queuedPair(arena) };
}

/** Both bots in an arena over a store that knows them already. */
async function reopenDuel(store: Store): Promise<Duel> {
  const arena = await testArena({ store, newId: ids("b"), limits: LIMITS });
  const [one, other] = bothOf(
    await Promise.all(["alpha", "beta"].map((name) => arena.connect(name))),
  );
  return { test: arena, bots: [one, other] };
}

/** Makes ids that differ between two arenas over one store. */
function ids(mark: string): () => string {
  let count = 0;
  return () => `01900000-0000-7000-8000-${mark}${String((count += 1)).padStart(11, "0")}`;
}

/** Starts a match between both that the first will win. */
async function startGame({ test: arena, bots }: Duel): Promise<void> {
  const before = bots[0].told("hello").length;
  for (const bot of bots) bot.say({ type: "queue", version: "v1" });
  await arena.until(() => bots.every((bot) => bot.told("hello").length > before));
  bots[0].say({ type: "ready" });
}

async function endGame({ test: arena, bots }: Duel): Promise<void> {
  await arena.until(() => bots.every((bot) => bot.told("end").length === bot.told("hello").length));
}

async function playGames(duel: Duel, count: number): Promise<void> {
  for (let game = 0; game < count; game += 1) {
    await startGame(duel);
    await endGame(duel);
  }
  await duel.test.pass(500);
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
  [...arena.board("public", season).values()].toSorted((one, other) =>
    one.versionId < other.versionId ? -1 : 1,
  );

suite("T46 a month that ends", () => {
  test("during a match leaves the match in the month it started in", async () => {
    const duel = await openDuel({ limits: { startup_s: 5 } });
    const { test: arena } = duel;
    await playGames(duel, 2);
    arena.clock.setWall("2026-01-31T23:50:00.000Z");
    await startGame(duel);
    arena.clock.setWall("2026-01-31T23:59:59.900Z");
    const board = linesOf(arena);
    await arena.until(() => arena.arena.seasons().live === "2026-02");
    assert.deepEqual(arena.arena.seasons().closing, ["2026-01"]);
    assert.equal(arena.arena.board("public").size, 0);
    assert.deepEqual(linesOf(arena, "2026-01"), board);
    await endGame(duel);
    await arena.pass(2100);
    assert.deepEqual(await seasonsOfMatches(arena), ["2026-01", "2026-01", "2026-01"]);
    assert.deepEqual(await statesOf(arena), [
      "2026-02 live",
      "2026-01 archived",
      "preseason archived",
    ]);
    const [first, second] = bothOf(await arena.store.seasons.standings("2026-01"));
    assert.deepEqual([first.name, first.wins, first.losses], ["alpha", 3, 0]);
    assert.deepEqual([second.name, second.wins, second.losses], ["beta", 0, 3]);
    const match = (await arena.store.matches.list(PUBLIC))?.[0];
    assert.ok((match?.ended ?? "") > "2026-02-01" && (match?.started ?? "") < "2026-02-01");
    assert.equal(
      Math.round(first.rating),
      match?.seats.find((s) => s.name === "alpha")?.ratingAfter,
    );
  });

  test("resets ratings, records and qualification, and keeps versions and old standings", async () => {
    const duel = await openDuel();
    const { test: arena, bots } = duel;
    await playGames(duel, 3);
    arena.clock.setWall("2026-02-01T00:00:00.000Z");
    await arena.pass(2100);
    const hash = await hashOf(arena, "2026-01");
    assert.equal((await arena.store.seasons.standings("2026-01")).length, 2);
    await playGames(duel, 1);
    for (const botId of await arena.store.bots.ids(null, 9))
      assert.equal((await arena.store.versions.latest(botId, 9, [])).total, 1);
    const seats = (await arena.store.matches.list(PUBLIC))?.[0]?.seats ?? [];
    assert.deepEqual(
      seats.map(({ ratingBefore }) => ratingBefore),
      [1500, 1500],
    );
    const wins = linesOf(arena).map((line) => line.wins + line.losses);
    assert.deepEqual(wins, [1, 1]);
    const changes = bots[0].told("end").map(({ rating_change }) => rating_change);
    assert.equal(changes[3], changes[0]);
    await playGames(duel, 3);
    assert.equal(await hashOf(arena, "2026-01"), hash);
    assert.deepEqual(await arena.store.database.faults(), []);
  });

  test("during a wave pairs nobody by the old month's ratings", async () => {
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    let waves = 0;
    const duel = await openDuel({
      matchmaker: {
        ...matchmaker,
        pair: async (requests) => {
          const paired = await pair(requests);
          waves += 1;
          if (waves === 1) duel.test.clock.setWall("2026-02-01T00:00:00.000Z");
          return paired;
        },
      },
    });
    await duel.test.until(() => waves === 1);
    await duel.test.pass(200);
    assert.equal(duel.test.arena.capacity().running, 0);
    assert.equal(duel.test.arena.seasons().live, "2026-01");
    await playGames(duel, 1);
    assert.deepEqual(await seasonsOfMatches(duel.test), ["2026-02"]);
  });

  test("repeatedly archives each season once, and one season is always live", async () => {
    const archived: string[] = [];
    const open = memoryStores();
    const store = open();
    const duel = await openDuel({
      store: changedStore(store, {
        seasons: {
          archive: async (id, at, places) => {
            archived.push(`${id} ${places.length}`);
            return store.seasons.archive(id, at, places);
          },
        },
      }),
    });
    const { test: arena } = duel;
    const hashes = new Map<string, string>();
    for (const month of [2, 3, 4, 5, 6]) {
      await playGames(duel, 2);
      arena.clock.setWall(`2026-0${month}-01T00:00:00.000Z`);
      await arena.pass(2100);
      hashes.set(`2026-0${month - 1}`, await hashOf(arena, `2026-0${month - 1}`));
      const states = await statesOf(arena);
      assert.equal(states[0], `2026-0${month} live`);
      assert.ok(states.slice(1).every((state) => state.endsWith(" archived")));
      for (const [season, hash] of hashes) assert.equal(await hashOf(arena, season), hash);
    }
    const expected = [1, 2, 3, 4, 5].map((month) => `2026-0${month} 2`);
    assert.deepEqual(archived, expected);
    assert.equal((await arena.store.seasons.placesOf((await botId(arena)) ?? "")).length, 5);
  });
});

async function botId({ store }: TestArena): Promise<string | undefined> {
  return (await store.bots.byName("alpha"))?.id;
}

suite("T45 a wall clock that jumps", () => {
  test("by forty days closes the season once; set back an hour it reopens nothing", async () => {
    const duel = await openDuel();
    const { test: arena } = duel;
    await playGames(duel, 2);
    await startGame(duel);
    arena.clock.setWall(new Date(arena.clock.wall().getTime() + 40 * DAY_MS).toISOString());
    assert.equal(duel.bots[0].ending(), null);
    await endGame(duel);
    await arena.pass(2100);
    const after = ["2026-02 live", "2026-01 archived", "preseason archived"];
    assert.deepEqual(await statesOf(arena), after);
    const hash = await hashOf(arena, "2026-01");
    assert.deepEqual((await arena.store.seasons.standings("2026-01"))[0]?.wins, 3);
    for (const wall of ["2026-01-31T23:30:00.000Z", "2026-01-05T12:00:00.000Z"]) {
      arena.clock.setWall(wall);
      await playGames(duel, 1);
      assert.deepEqual(await statesOf(arena), after);
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

  test("over several months opens them all and leaves the skipped ones empty", async () => {
    const duel = await openDuel();
    const { test: arena } = duel;
    await playGames(duel, 2);
    arena.clock.setWall("2026-04-15T00:00:00.000Z");
    await arena.pass(2100);
    assert.deepEqual(await statesOf(arena), [
      "2026-04 live",
      "2026-03 archived",
      "2026-02 archived",
      "2026-01 archived",
      "preseason archived",
    ]);
    assert.deepEqual(await arena.store.seasons.standings("2026-03"), []);
    await playGames(duel, 1);
    assert.equal((await seasonsOfMatches(arena)).at(-1), "2026-04");
  });
});

suite("a restart", () => {
  test("finds the live season's ratings as they were, to the last digit", async () => {
    const open = memoryStores();
    const duel = await openDuel({ store: open(), newId: ids("a") });
    await playGames(duel, 4);
    const board = linesOf(duel.test);
    duel.test.arena.stop();
    const again = await reopenDuel(open());
    assert.deepEqual(linesOf(again.test), board);
    assert.equal(board.length, 2);
  });

  test("completes what was left unfinished, with the standings that would have been written", async () => {
    const standings: unknown[] = [];
    for (const isCut of [false, true]) {
      const open = memoryStores();
      const store = open();
      const cut: Store = changedStore(store, {
        seasons: { archive: () => Promise.reject(new StoreError("unavailable", "gone")) },
      });
      const duel = await openDuel({ store: isCut ? cut : store, newId: ids("a") });
      await playGames(duel, 3);
      duel.test.clock.setWall("2026-02-01T00:00:00.000Z");
      await duel.test.pass(2100);
      assert.deepEqual(duel.test.arena.seasons().closing, isCut ? ["2026-01"] : []);
      duel.test.arena.stop();
      const { test: arena } = await reopenDuel(open());
      assert.deepEqual(arena.arena.seasons(), { live: "2026-02", closing: [] });
      standings.push(await arena.store.seasons.standings("2026-01"));
    }
    assert.deepEqual(standings[1], standings[0]);
    assert.equal((standings[0] as unknown[]).length, 2);
  });

  test("in a later month turns to it before anybody plays", async () => {
    const open = memoryStores("2025-11-20T00:00:00.000Z");
    const duel = await openDuel({ store: open() });
    assert.deepEqual(await statesOf(duel.test), [
      "2026-01 live",
      "2025-12 archived",
      "2025-11 archived",
      "preseason archived",
    ]);
    await playGames(duel, 1);
    assert.deepEqual(await seasonsOfMatches(duel.test), ["2026-01"]);
  });
});

suite("a store that fails", () => {
  test("at the turn of the month starts no match until the new season is stored", async () => {
    const store = memoryStores()();
    let isAway = true;
    const duel = await openDuel({
      store: changedStore(store, {
        seasons: {
          open: (seasons) =>
            isAway
              ? Promise.reject(new StoreError("unavailable", "gone"))
              : store.seasons.open(seasons),
        },
      }),
    });
    const { test: arena } = duel;
    arena.clock.setWall("2026-02-01T00:00:00.000Z");
    await arena.pass(10_000);
    assert.equal(duel.bots[0].told("hello").length, 0);
    assert.equal(arena.arena.seasons().live, "2026-01");
    isAway = false;
    await playGames(duel, 1);
    assert.deepEqual(await seasonsOfMatches(arena), ["2026-02"]);
  });

  test("during archiving is retried with every wave", async () => {
    const store = memoryStores()();
    let left = 3;
    const duel = await openDuel({
      store: changedStore(store, {
        seasons: {
          archive: (...place) =>
            left-- > 0
              ? Promise.reject(new StoreError("full", "no room"))
              : store.seasons.archive(...place),
        },
      }),
    });
    const { test: arena } = duel;
    await playGames(duel, 2);
    arena.clock.setWall("2026-02-01T00:00:00.000Z");
    await arena.pass(2100);
    assert.deepEqual(arena.arena.seasons().closing, ["2026-01"]);
    await playGames(duel, 1);
    await arena.pass(6000);
    assert.deepEqual(arena.arena.seasons().closing, []);
    assert.equal((await store.seasons.standings("2026-01")).length, 2);
    assert.ok(arena.log.every((line) => line === "a season could not be archived yet"));
  });
});
