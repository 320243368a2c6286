import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { openHealth } from "#live/health/health.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { localRecorder } from "#live/recorder/recorder.ts";
import {
  startTwoBotMatch,
  queueTwoBots,
  memoryReplayStore,
  readStoredReplay,
  testArena,
} from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

const COMPETITION = { ladderId: "public", season: "2026-01" };

const unavailable = () => new StoreError("unavailable", "unreachable");

/** Returns a store that calls `save` before storing a match and rethrows its errors. */
function storeWithSave(save: (match: FinishedMatch) => void): Store {
  const store = memoryStore();
  return overrideStore(store, {
    matches: {
      save: async (match) => {
        save(match);
        return store.matches.save(match);
      },
    },
  });
}

function throwEachOnce(...errors: Error[]): () => void {
  return () => {
    const error = errors.shift();
    if (error !== undefined) throw error;
  };
}

/** Ends the running match by forfeit: the first bot never becomes ready. */
async function forfeitMatch(test: TestArena): Promise<[FakeBot, FakeBot]> {
  const bots = await startTwoBotMatch(test);
  bots[1].send({ type: "ready" });
  await test.advanceTime(10_000);
  return bots;
}

const FAULT = "server_fault";
const SLOW_DISK_MS = 700;

const endCounts = (bots: readonly FakeBot[]) => bots.map((bot) => bot.receivedOfType("end").length);

suite("a result", () => {
  test("is stored with its replay before it is sent", async () => {
    const order: string[] = [];
    const bots: FakeBot[] = [];
    const arena: TestArena = await testArena({
      store: storeWithSave((match) => {
        order.push(`replay ${arena.replays.has(match.id)}`, `sent ${String(endCounts(bots))}`);
        order.push(`shown ${arena.arena.board("public").size}`);
      }),
    });
    const [winner, loser] = await forfeitMatchInto(arena, bots);
    await arena.advanceUntil(() => winner.receivedOfType("end").length > 0);
    assert.deepEqual(order, ["replay true", "sent 0,0", "shown 0"]);
    await arena.advanceTime(1000);
    const end = winner.receivedOfType("end")[0]!;
    const storedMatch = await arena.store.matches.byId(end.match_id as string);
    assert.equal(storedMatch?.reason, "forfeit");
    assert.equal(storedMatch.finalTick, 0);
    const storedChanges = storedMatch.seats.map(
      ({ ratingBefore, ratingAfter }) => ratingAfter! - ratingBefore!,
    );
    for (const { deviationAfter, scoreAfter, ratingAfter, ratedGames } of storedMatch.seats) {
      assert.equal(ratedGames, 1);
      assert.equal(Math.round(scoreAfter! + 2 * deviationAfter!), ratingAfter);
    }
    const ratingChanges = [winner, loser].map((bot) => bot.receivedOfType("end")[0]!.rating_change);
    assert.deepEqual(new Set(ratingChanges), new Set(storedChanges));
    assert.ok((end.rating_change as number) > 0);
    assert.equal(arena.arena.board("public").size, 2);
    const document = await arena.store.matches.stats(end.match_id as string);
    assert.deepEqual(JSON.parse(document!), end.stats);
    assert.deepEqual(readStoredReplay(arena, end.match_id as string).ticks, []);
  });

  for (const rankedMatches of [
    [30, 30],
    [30, 29],
  ] as const)
    test(`qualifies for biggest swing only if both versions were ranked (${rankedMatches.join(" and ")})`, async () => {
      const settledFlags: boolean[] = [];
      const matchmaker = localMatchmaker();
      const arena = await testArena({
        matchmaker: {
          ...matchmaker,
          rate: async (match) => ({ ...(await matchmaker.rate(match)), games: rankedMatches }),
        },
        store: storeWithSave((match) => void settledFlags.push(match.settled)),
      });
      await forfeitMatch(arena);
      await arena.advanceUntil(() => settledFlags.length > 0);
      assert.deepEqual(settledFlags, [rankedMatches[1] === 30]);
    });

  for (const error of [unavailable(), new StoreError("full", "disk full")])
    test(`waits while the store returns ${error.code}, and no new match starts`, async () => {
      const save = throwEachOnce(...Array.from({ length: 20 }, () => error));
      const arena = await testArena({ store: storeWithSave(save) });
      const [beta] = await forfeitMatch(arena);
      await arena.advanceUntil(() => arena.log.length > 0);
      for (const name of ["gamma", "delta"]) {
        await arena.addArenaBot(name);
        (await arena.connect(name)).send({ type: "queue", version: "v1" });
      }
      await arena.advanceTime(6000);
      assert.deepEqual(beta.receivedOfType("end"), []);
      assert.equal(arena.arena.runningMatches().length, 1);
      assert.equal((await arena.store.matches.ids()).length, 0);
      await arena.advanceUntil(() => beta.receivedOfType("end").length > 0);
      assert.equal((await arena.store.matches.ids()).length, 1);
      assert.deepEqual(new Set(arena.log), new Set(["could not store match result; retrying"]));
      await arena.advanceUntil(() => arena.arena.runningMatches().length > 0);
      assert.deepEqual(arena.panics, []);
    });

  test("waits while its replay can't be written", async () => {
    const failOnce = throwEachOnce(new StoreError("full", "disk full"), unavailable());
    const replays = new Map<string, Uint8Array>();
    const arena = await testArena({
      recorder: localRecorder({
        ...memoryReplayStore(replays),
        write: async (id, bytes) => {
          failOnce();
          replays.set(id, bytes);
        },
      }),
    });
    const [alpha] = await forfeitMatch(arena);
    await arena.advanceTime(500);
    assert.deepEqual(await arena.store.matches.ids(), []);
    await arena.advanceUntil(() => alpha.receivedOfType("end").length > 0);
    assert.equal((await arena.store.matches.ids()).length, 1);
    assert.equal(replays.size, 1);
  });

  const refusals: [name: string, errors: Error[]][] = [
    ["refuses", [new StoreError("invalid", "unknown seat")]],
    ["rejects after a while", [unavailable(), new StoreError("invalid", "unknown seat")]],
    ["keeps rejecting", [new TypeError("a bug")]],
  ];
  for (const [name, errors] of refusals)
    test(`is reverted, stored and reported as void if the store ${name}`, async () => {
      const arena = await testArena({ store: storeWithSave(throwEachOnce(...errors)) });
      const bots = await forfeitMatch(arena);
      await arena.advanceUntil(() => endCounts(bots).every((count) => count === 1));
      await assertStoredVoid(arena, bots);
      await arena.advanceTime(1000);
      assert.deepEqual((await arena.matchmaker.board(COMPETITION)).lines, []);
      assert.equal(arena.arena.board("public").size, 0);
      assert.equal(arena.log.at(-1), "could not store match result; match is void");
      for (const bot of bots) bot.send({ type: "queue", version: "v1" });
      await arena.advanceTime(12_500);
      assert.equal(arena.arena.runningMatches().length, 1);
    });

  test("is stored as void before it is sent if statistics can't be computed", async () => {
    const replays = new Map<string, Uint8Array>();
    const baseRecorder = localRecorder(memoryReplayStore(replays));
    const failFiling = throwEachOnce(new Error("match ended in tick 1, but its record in tick 2"));
    const bots: FakeBot[] = [];
    const endCountsAtSave: number[][] = [];
    const arena = await testArena({
      store: storeWithSave(() => endCountsAtSave.push(endCounts(bots))),
      recorder: {
        ...baseRecorder,
        file: async (id, record) => (failFiling(), baseRecorder.file(id, record)),
      },
    });
    await forfeitMatchInto(arena, bots);
    await arena.advanceUntil(() => endCounts(bots).every((count) => count === 1));
    assert.deepEqual(endCountsAtSave, [[0, 0]]);
    await assertStoredVoid({ ...arena, replays }, bots);
  });

  test("is stored as void if no replay can be written", async () => {
    const file = () => Promise.reject(new Error("recorder thread broken"));
    const arena = await testArena({
      recorder: { ...localRecorder(memoryReplayStore(new Map())), file },
    });
    const bots = await forfeitMatch(arena);
    await arena.advanceUntil(() => endCounts(bots).every((count) => count === 1));
    const { match_id, reason } = bots[0].receivedOfType("end")[0]!;
    assert.equal((await arena.store.matches.byId(match_id as string))?.reason, reason);
    assert.equal(reason, "server_fault");
    assert.deepEqual(arena.log, [
      "could not store match result; match is void",
      "void match stored without replay",
    ]);
  });

  test("keeps no replay of the played match when it is stored as void", async () => {
    const replays = new Map<string, Uint8Array>();
    const baseRecorder = localRecorder(memoryReplayStore(replays));
    const failRemoval = throwEachOnce(unavailable());
    const arena = await testArena({
      store: storeWithSave(throwEachOnce(new StoreError("invalid", "unknown seat"))),
      recorder: {
        ...baseRecorder,
        file: async (id, record) => {
          if (replays.has(id)) throw new Error("recorder thread broken");
          return baseRecorder.file(id, record);
        },
        remove: async (id) => (failRemoval(), baseRecorder.remove(id)),
      },
    });
    const bots = await forfeitMatch(arena);
    await arena.advanceUntil(() => endCounts(bots).every((count) => count === 1));
    const { match_id } = bots[0].receivedOfType("end")[0]!;
    assert.equal((await arena.store.matches.byId(match_id as string))?.voided, true);
    assert.equal(replays.size, 0);
    assert.deepEqual(arena.log, [
      "could not store match result; match is void",
      "void match stored without replay",
      "could not store match result; retrying",
    ]);
  });

  test("is sent after its void record is stored", async () => {
    const save = throwEachOnce(new TypeError("a bug"), unavailable(), unavailable());
    const arena = await testArena({ store: storeWithSave(save) });
    const bots = await forfeitMatch(arena);
    await arena.advanceUntil(() => arena.log.at(-1) === "could not store match result; retrying");
    assert.deepEqual(endCounts(bots), [0, 0]);
    await arena.advanceUntil(() => endCounts(bots).every((count) => count === 1));
    await assertStoredVoid(arena, bots);
  });

  test("is sent as void, logged and counted if even the void record can't be stored", async () => {
    const refusal = () => new StoreError("invalid", "unknown seat");
    const health = openHealth({ now: () => 0 });
    const arena = await testArena({
      health,
      store: storeWithSave(throwEachOnce(refusal(), refusal())),
    });
    const bots = await forfeitMatch(arena);
    await arena.advanceUntil(() => endCounts(bots).every((count) => count === 1));
    assert.equal(bots[0].receivedOfType("end")[0]!.voided, true);
    assert.deepEqual(await arena.store.matches.ids(), []);
    assert.equal(health.report().lost_results, 1);
    assert.deepEqual([...health.report().totals.matches], []);
    assert.equal(arena.log.at(-1), "match result lost: could not store its void record");
  });

  test("ends the process without being sent if the disk has failed", async () => {
    const error = new StoreError("io", "disk failed");
    const arena = await testArena({ store: storeWithSave(throwEachOnce(error)) });
    const bots = await forfeitMatch(arena);
    await arena.advanceUntil(() => arena.panics.length > 0);
    assert.deepEqual(arena.panics, [error]);
    assert.deepEqual(endCounts(bots), [0, 0]);
  });

  test("ends the process without being sent if it can't be rated", async () => {
    const error = new Error("matchmaker thread exited");
    const matchmaker = { ...localMatchmaker(), rate: () => Promise.reject(error) };
    const arena = await testArena({ matchmaker });
    const bots = await forfeitMatch(arena);
    await arena.advanceUntil(() => arena.panics.length > 0);
    assert.deepEqual(arena.panics, [error]);
    assert.deepEqual(endCounts(bots), [0, 0]);
    assert.deepEqual(await arena.store.matches.ids(), []);
  });

  test("is stored without rating, statistics or winner if the match is void", async () => {
    const arena = await testArena();
    const bots = await startTwoBotMatch(arena);
    await arena.advanceUntil(() => endCounts(bots).every((count) => count === 1));
    const { match_id, voided, reason } = bots[0].receivedOfType("end")[0]!;
    assert.deepEqual([voided, reason], [true, "forfeit"]);
    const storedMatch = await arena.store.matches.byId(match_id as string);
    assert.deepEqual(
      [storedMatch?.voided, storedMatch?.rated, storedMatch?.winnerSeat],
      [true, false, null],
    );
    for (const { ratingAfter, deviationAfter, scoreAfter } of storedMatch?.seats ?? [])
      assert.deepEqual([ratingAfter, deviationAfter, scoreAfter], [null, null, null]);
    assert.equal(await arena.store.matches.stats(match_id as string), null);
    assert.deepEqual(readStoredReplay(arena, match_id as string).result.ticks, 0);
    assert.deepEqual((await arena.matchmaker.board(COMPETITION)).lines, []);
  });

  test("reports the time from match setup to stored replay", async () => {
    const durations: number[] = [];
    const store = storeWithSave(({ durationMs }) => durations.push(durationMs));
    const arena: TestArena = await testArena({
      store,
      recorder: localRecorder({
        ...memoryReplayStore(new Map()),
        write: () => new Promise<void>((resolve) => void arena.clock.after(SLOW_DISK_MS, resolve)),
      }),
    });
    await queueTwoBots(arena);
    await arena.advanceUntil(() => durations.length > 0);
    assert.ok(durations[0]! >= 10_000 + SLOW_DISK_MS, String(durations[0]));
  });
});

async function assertStoredVoid(arena: TestArena, bots: readonly FakeBot[]): Promise<void> {
  for (const bot of bots) {
    const { winner, rating_change, stats, voided, ...end } = bot.receivedOfType("end")[0]!;
    assert.deepEqual([winner, rating_change, stats, voided], [null, null, null, true]);
    assert.deepEqual([end.reason, end.rated, end.unrated_reason], [FAULT, false, FAULT]);
  }
  const id = bots[0]!.receivedOfType("end")[0]!.match_id as string;
  const storedMatch = await arena.store.matches.byId(id);
  assert.ok(storedMatch, "the match is stored");
  const { reason, unratedReason, voided, rated, winnerSeat, finalTick, seats } = storedMatch;
  assert.deepEqual([reason, unratedReason, voided, rated], [FAULT, FAULT, true, false]);
  assert.deepEqual([winnerSeat, finalTick], [null, 0]);
  assert.ok(seats.every(({ ratingAfter }) => ratingAfter === null));
  assert.equal(await arena.store.matches.stats(id), null);
  const { header, ticks, result } = readStoredReplay(arena, id);
  assert.deepEqual([header.match_id, ticks, result.ticks], [id, [], 0]);
  assert.deepEqual([result.winner, result.reason], [null, "server_fault"]);
}

/** Like `forfeitMatch`, but fills `bots` before the match ends. */
async function forfeitMatchInto(test: TestArena, bots: FakeBot[]): Promise<[FakeBot, FakeBot]> {
  const pair = await startTwoBotMatch(test);
  bots.push(...pair);
  pair[0].send({ type: "ready" });
  await test.advanceTime(10_000);
  return pair;
}
