import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { openHealth } from "#live/health/health.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { localRecorder } from "#live/recorder/recorder.ts";
import {
  pairedBots,
  queuedPair,
  shelfOf,
  storedReplay,
  testArena,
} from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const LIVE = { ladderId: "public", season: "2026-01" };

const unavailable = () => new StoreError("unavailable", "not reached");

/** A store whose `matches.save` calls `save` first and passes on what that throws. */
function storeThat(save: (match: FinishedMatch) => void): Store {
  const store = memoryStore();
  return changedStore(store, {
    matches: {
      save: async (match) => {
        save(match);
        return store.matches.save(match);
      },
    },
  });
}

/** Throws each of these errors once, then nothing. */
function failing(...errors: Error[]): () => void {
  return () => {
    const error = errors.shift();
    if (error !== undefined) throw error;
  };
}

/** Ends the running match: the first bot never says that it is ready. */
async function forfeited(test: TestArena): Promise<[FakeBot, FakeBot]> {
  const bots = await pairedBots(test);
  bots[1].say({ type: "ready" });
  await test.pass(10_000);
  return bots;
}

const FAULT = "server_fault";
const SLOW_DISK_MS = 700;

const ends = (bots: readonly FakeBot[]) => bots.map((bot) => bot.told("end").length);

suite("a result", () => {
  test("is stored with its replay before anybody is told, and shown after that", async () => {
    const order: string[] = [];
    const bots: FakeBot[] = [];
    const arena: TestArena = await testArena({
      store: storeThat((match) => {
        order.push(`replay ${arena.replays.has(match.id)}`, `told ${String(ends(bots))}`);
        order.push(`shown ${arena.arena.board("public").size}`);
      }),
    });
    const [winner, loser] = await forfeitedWith(arena, bots);
    await arena.until(() => winner.told("end").length > 0);
    assert.deepEqual(order, ["replay true", "told 0,0", "shown 0"]);
    await arena.pass(1000);
    const end = winner.told("end")[0]!;
    const stored = await arena.store.matches.byId(end.match_id as string);
    assert.equal(stored?.reason, "forfeit");
    assert.equal(stored.finalTick, 0);
    const changes = stored.seats.map(
      ({ ratingBefore, ratingAfter }) => ratingAfter! - ratingBefore!,
    );
    for (const { deviationAfter, scoreAfter, ratingAfter, ratedGames } of stored.seats) {
      assert.equal(ratedGames, 1);
      assert.equal(Math.round(scoreAfter! + 2 * deviationAfter!), ratingAfter);
    }
    const told = [winner, loser].map((bot) => bot.told("end")[0]!.rating_change);
    assert.deepEqual(new Set(told), new Set(changes));
    assert.ok((end.rating_change as number) > 0);
    assert.equal(arena.arena.board("public").size, 2);
    const document = await arena.store.matches.stats(end.match_id as string);
    assert.deepEqual(JSON.parse(document!), end.stats);
    assert.deepEqual(storedReplay(arena, end.match_id as string).ticks, []);
  });

  for (const games of [
    [30, 30],
    [30, 29],
  ] as const)
    test(`may be a season's biggest swing only if both were ranked: ${games.join(" and ")}`, async () => {
      const settled: boolean[] = [];
      const matchmaker = localMatchmaker();
      const arena = await testArena({
        matchmaker: {
          ...matchmaker,
          rate: async (game) => ({ ...(await matchmaker.rate(game)), games }),
        },
        store: storeThat((match) => void settled.push(match.settled)),
      });
      await forfeited(arena);
      await arena.until(() => settled.length > 0);
      assert.deepEqual(settled, [games[1] === 30]);
    });

  for (const error of [unavailable(), new StoreError("full", "no space")])
    test(`waits while the store says ${error.code}, and no other match starts`, async () => {
      const save = failing(...Array.from({ length: 20 }, () => error));
      const arena = await testArena({ store: storeThat(save) });
      const [beta] = await forfeited(arena);
      await arena.until(() => arena.log.length > 0);
      for (const name of ["gamma", "delta"]) {
        await arena.addBot(name);
        (await arena.connect(name)).say({ type: "queue", version: "v1" });
      }
      await arena.pass(6000);
      assert.deepEqual(beta.told("end"), []);
      assert.equal(arena.arena.running().length, 1);
      assert.equal((await arena.store.matches.ids()).length, 0);
      await arena.until(() => beta.told("end").length > 0);
      assert.equal((await arena.store.matches.ids()).length, 1);
      assert.deepEqual(new Set(arena.log), new Set(["a result waits for the store"]));
      await arena.until(() => arena.arena.running().length > 0);
      assert.deepEqual(arena.panics, []);
    });

  test("waits while its replay cannot be written", async () => {
    const full = failing(new StoreError("full", "no space"), unavailable());
    const replays = new Map<string, Uint8Array>();
    const arena = await testArena({
      recorder: localRecorder({
        ...shelfOf(replays),
        write: async (id, bytes) => {
          full();
          replays.set(id, bytes);
        },
      }),
    });
    const [alpha] = await forfeited(arena);
    await arena.pass(500);
    assert.deepEqual(await arena.store.matches.ids(), []);
    await arena.until(() => alpha.told("end").length > 0);
    assert.equal((await arena.store.matches.ids()).length, 1);
    assert.equal(replays.size, 1);
  });

  const refusals: [name: string, errors: Error[]][] = [
    ["refuses", [new StoreError("invalid", "a seat is unknown")]],
    ["refuses after a while", [unavailable(), new StoreError("invalid", "a seat is unknown")]],
    ["breaks on", [new TypeError("a bug")]],
  ];
  for (const [name, errors] of refusals)
    test(`that the store ${name} is stored void, taken back and told as such`, async () => {
      const arena = await testArena({ store: storeThat(failing(...errors)) });
      const bots = await forfeited(arena);
      await arena.until(() => ends(bots).every((count) => count === 1));
      await keptVoid(arena, bots);
      await arena.pass(1000);
      assert.deepEqual((await arena.matchmaker.board(LIVE)).lines, []);
      assert.equal(arena.arena.board("public").size, 0);
      assert.equal(arena.log.at(-1), "a result cannot be stored and is void");
      for (const bot of bots) bot.say({ type: "queue", version: "v1" });
      await arena.pass(12_500);
      assert.equal(arena.arena.running().length, 1);
    });

  test("whose statistics cannot be made is stored void before anybody is told", async () => {
    const replays = new Map<string, Uint8Array>();
    const whole = localRecorder(shelfOf(replays));
    const broken = failing(new Error("the match ended in 1, its record in 2"));
    const bots: FakeBot[] = [];
    const toldAtSave: number[][] = [];
    const arena = await testArena({
      store: storeThat(() => toldAtSave.push(ends(bots))),
      recorder: { ...whole, file: async (id, record) => (broken(), whole.file(id, record)) },
    });
    await forfeitedWith(arena, bots);
    await arena.until(() => ends(bots).every((count) => count === 1));
    assert.deepEqual(toldAtSave, [[0, 0]]);
    await keptVoid({ ...arena, replays }, bots);
  });

  test("without any replay is stored void all the same", async () => {
    const file = () => Promise.reject(new Error("the recorder's thread is broken"));
    const arena = await testArena({ recorder: { ...localRecorder(shelfOf(new Map())), file } });
    const bots = await forfeited(arena);
    await arena.until(() => ends(bots).every((count) => count === 1));
    const { match_id, reason } = bots[0].told("end")[0]!;
    assert.equal((await arena.store.matches.byId(match_id as string))?.reason, reason);
    assert.equal(reason, "server_fault");
    assert.deepEqual(arena.log, [
      "a result cannot be stored and is void",
      "a void match is stored without a replay",
    ]);
  });

  test("that is stored void keeps no replay of how it was played", async () => {
    const replays = new Map<string, Uint8Array>();
    const shelf = localRecorder(shelfOf(replays));
    const unready = failing(unavailable());
    const arena = await testArena({
      store: storeThat(failing(new StoreError("invalid", "a seat is unknown"))),
      recorder: {
        ...shelf,
        file: async (id, record) => {
          if (replays.has(id)) throw new Error("the recorder's thread is broken");
          return shelf.file(id, record);
        },
        remove: async (id) => (unready(), shelf.remove(id)),
      },
    });
    const bots = await forfeited(arena);
    await arena.until(() => ends(bots).every((count) => count === 1));
    const { match_id } = bots[0].told("end")[0]!;
    assert.equal((await arena.store.matches.byId(match_id as string))?.voided, true);
    assert.equal(replays.size, 0);
    assert.deepEqual(arena.log, [
      "a result cannot be stored and is void",
      "a void match is stored without a replay",
      "a result waits for the store",
    ]);
  });

  test("whose void record waits for the store is told once it is there", async () => {
    const save = failing(new TypeError("a bug"), unavailable(), unavailable());
    const arena = await testArena({ store: storeThat(save) });
    const bots = await forfeited(arena);
    await arena.until(() => arena.log.at(-1) === "a result waits for the store");
    assert.deepEqual(ends(bots), [0, 0]);
    await arena.until(() => ends(bots).every((count) => count === 1));
    await keptVoid(arena, bots);
  });

  test("that the store refuses even as void is told as void, logged and counted", async () => {
    const refused = () => new StoreError("invalid", "a seat is unknown");
    const health = openHealth({ now: () => 0 });
    const arena = await testArena({
      health,
      store: storeThat(failing(refused(), refused())),
    });
    const bots = await forfeited(arena);
    await arena.until(() => ends(bots).every((count) => count === 1));
    assert.equal(bots[0].told("end")[0]!.voided, true);
    assert.deepEqual(await arena.store.matches.ids(), []);
    assert.equal(health.report().lost_results, 1);
    assert.deepEqual([...health.report().totals.matches], []);
    assert.equal(arena.log.at(-1), "a result is lost: not even its void record can be stored");
  });

  test("on a disk that failed ends the process, and nobody is told", async () => {
    const error = new StoreError("io", "the disk failed");
    const arena = await testArena({ store: storeThat(failing(error)) });
    const bots = await forfeited(arena);
    await arena.until(() => arena.panics.length > 0);
    assert.deepEqual(arena.panics, [error]);
    assert.deepEqual(ends(bots), [0, 0]);
  });

  test("that cannot be rated ends the process, and nobody is told", async () => {
    const error = new Error("the matchmaker's thread has ended");
    const matchmaker = { ...localMatchmaker(), rate: () => Promise.reject(error) };
    const arena = await testArena({ matchmaker });
    const bots = await forfeited(arena);
    await arena.until(() => arena.panics.length > 0);
    assert.deepEqual(arena.panics, [error]);
    assert.deepEqual(ends(bots), [0, 0]);
    assert.deepEqual(await arena.store.matches.ids(), []);
  });

  test("of a void match is stored without rating, statistics or winner", async () => {
    const arena = await testArena();
    const bots = await pairedBots(arena);
    await arena.until(() => ends(bots).every((count) => count === 1));
    const { match_id, voided, reason } = bots[0].told("end")[0]!;
    assert.deepEqual([voided, reason], [true, "forfeit"]);
    const stored = await arena.store.matches.byId(match_id as string);
    assert.deepEqual([stored?.voided, stored?.rated, stored?.winnerSeat], [true, false, null]);
    for (const { ratingAfter, deviationAfter, scoreAfter } of stored?.seats ?? [])
      assert.deepEqual([ratingAfter, deviationAfter, scoreAfter], [null, null, null]);
    assert.equal(await arena.store.matches.stats(match_id as string), null);
    assert.deepEqual(storedReplay(arena, match_id as string).result.ticks, 0);
    assert.deepEqual((await arena.matchmaker.board(LIVE)).lines, []);
  });

  test("reports how long it took from the setup to the stored replay", async () => {
    const seen: number[] = [];
    const store = storeThat(({ durationMs }) => seen.push(durationMs));
    const arena: TestArena = await testArena({
      store,
      recorder: localRecorder({
        ...shelfOf(new Map()),
        write: () => new Promise<void>((done) => void arena.clock.after(SLOW_DISK_MS, done)),
      }),
    });
    await queuedPair(arena);
    await arena.until(() => seen.length > 0);
    assert.ok(seen[0]! >= 10_000 + SLOW_DISK_MS, String(seen[0]));
  });
});

/** Both bots were told of a match voided by a server fault, and it can be looked up. */
async function keptVoid(arena: TestArena, bots: readonly FakeBot[]): Promise<void> {
  for (const bot of bots) {
    const { winner, rating_change, stats, voided, ...end } = bot.told("end")[0]!;
    assert.deepEqual([winner, rating_change, stats, voided], [null, null, null, true]);
    assert.deepEqual([end.reason, end.rated, end.unrated_reason], [FAULT, false, FAULT]);
  }
  const id = bots[0]!.told("end")[0]!.match_id as string;
  const stored = await arena.store.matches.byId(id);
  assert.ok(stored, "the match is stored");
  const { reason, unratedReason, voided, rated, winnerSeat, finalTick, seats } = stored;
  assert.deepEqual([reason, unratedReason, voided, rated], [FAULT, FAULT, true, false]);
  assert.deepEqual([winnerSeat, finalTick], [null, 0]);
  assert.ok(seats.every(({ ratingAfter }) => ratingAfter === null));
  assert.equal(await arena.store.matches.stats(id), null);
  const { header, ticks, result } = storedReplay(arena, id);
  assert.deepEqual([header.match_id, ticks, result.ticks], [id, [], 0]);
  assert.deepEqual([result.winner, result.reason], [null, "server_fault"]);
}

/** Like `forfeited`, but hands both bots to the test before the match ends. */
async function forfeitedWith(test: TestArena, bots: FakeBot[]): Promise<[FakeBot, FakeBot]> {
  const pair = await pairedBots(test);
  bots.push(...pair);
  pair[0].say({ type: "ready" });
  await test.pass(10_000);
  return pair;
}
