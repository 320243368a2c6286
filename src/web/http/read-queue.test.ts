import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { MatchQuery } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { addSamplePlayers, sampleMatch } from "#testing/store-contract/store-samples.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import {
  QueueFullError,
  openSemaphore,
  openRequestQueue,
  openCallerQueue,
  withReadQueue,
} from "./read-queue.ts";

/**
 * Returns an in-memory store that records how many lists it reads concurrently, and in which turn
 * of the event loop.
 */
function watchedStore() {
  const concurrency = { now: 0, most: 0, turns: [] as number[] };
  let turn = 0;
  let isWatching = true;
  const count = () => {
    turn += 1;
    if (isWatching) setImmediate(count);
  };
  setImmediate(count);
  const inner = memoryStore();
  const list: Store["matches"]["list"] = async (query) => {
    concurrency.now += 1;
    concurrency.most = Math.max(concurrency.most, concurrency.now);
    await nextTurn();
    concurrency.now -= 1;
    concurrency.turns.push(turn);
    return inner.matches.list(query);
  };
  const store = overrideStore(inner, { matches: { list } });
  return { seen: concurrency, store: withReadQueue(store), stop: () => (isWatching = false) };
}

describe("T07 large reads", () => {
  for (const query of ["limit=NUMBER&stats=1", "limit=NUMBER"])
    it(`run one at a time, each in its own turn of the event loop: ${query}`, async () => {
      const { seen: concurrency, store, stop } = watchedStore();
      const { app } = testApi({}, { store });
      const paths = Array.from({ length: 50 }, (_, number) => {
        return `/api/matches?${query.replace("NUMBER", `${500 - number}`)}`;
      });
      const responses = await Promise.all(paths.map(async (path) => app.inject(path)));
      stop();
      assert.ok(responses.every(({ statusCode }) => statusCode === 200));
      assert.equal(concurrency.most, 1);
      assert.equal(new Set(concurrency.turns).size, 50);
    });

  it("don't delay small reads", async () => {
    const { seen: concurrency, store, stop } = watchedStore();
    const list = { ladderId: "public", limit: 50, withStats: false };
    const largeLists = Array.from({ length: 30 }, () =>
      store.matches.list({ ...list, withStats: true }),
    );
    await store.matches.list(list);
    assert.ok(
      concurrency.turns.length < 5,
      `${concurrency.turns.length} lists were read before it`,
    );
    await Promise.all(largeLists);
    stop();
  });
});

it("return the same list in chunks as in a single read, in both directions", async () => {
  const inner = memoryStore();
  await addSamplePlayers(inner, 2);
  for (let number = 1; number <= 130; number += 1) await inner.matches.save(sampleMatch(number));
  const store = withReadQueue(inner);
  const idsOf = async (from: Store, query: Partial<MatchQuery>) => {
    const list = { ladderId: "public", limit: 500, withStats: false, ...query };
    return (await from.matches.list(list))?.map(({ id }) => id);
  };
  const allIds = await idsOf(inner, {});
  assert.equal(allIds?.length, 130);
  for (const query of [{}, { before: allIds[3]! }, { after: allIds[129]! }, { after: allIds[70]! }])
    for (const limit of [49, 50, 51, 100, 101, 500])
      assert.deepEqual(
        await idsOf(store, { ...query, limit }),
        await idsOf(inner, { ...query, limit }),
        JSON.stringify({ ...query, limit }),
      );
  assert.equal(await idsOf(store, { after: "no match" }), undefined);
});

describe("a gate", () => {
  it("admits a fixed number of jobs concurrently, in order, and continues after a failure", async () => {
    const semaphore = openSemaphore(2);
    const completed: number[] = [];
    const job = (number: number) =>
      semaphore(async () => {
        await nextTurn();
        completed.push(number);
        if (number === 1) throw new Error("broken");
        return number;
      });
    const results = await Promise.allSettled([0, 1, 2, 3, 4].map(job));
    assert.deepEqual(completed, [0, 1, 2, 3, 4]);
    const failed = results.flatMap(({ status }, index) => (status === "rejected" ? [index] : []));
    assert.deepEqual(failed, [1]);
  });
});

describe("turns", () => {
  it("alternates between callers, one job at a time, however many jobs each has queued", async () => {
    const { run } = openCallerQueue(3);
    const completed: string[] = [];
    let running = 0;
    const job = (caller: string | null, name: string) =>
      run(caller, async () => {
        running += 1;
        assert.equal(running, 1);
        await nextTurn();
        running -= 1;
        completed.push(name);
        if (name === "a2") throw new Error("broken");
      });
    const queuedJobs = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"];
    const results = await Promise.allSettled(queuedJobs.map((name) => job(name.slice(0, 1), name)));
    assert.deepEqual(completed, ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
    assert.deepEqual(
      results.map(({ status }) => status),
      queuedJobs.map((name) => (name === "a2" ? "rejected" : "fulfilled")),
    );
    await job("d", "d1");
    assert.equal(completed.at(-1), "d1");
  });

  it("refuses only the caller that has too many pending jobs", async () => {
    const { run, assertCapacity } = openCallerQueue(2);
    const ask = (caller: string | null) => run(caller, nextTurn);
    const callers = ["a", "a", "a", "a", "b", null, null, null, null];
    const queuedJobs = Promise.allSettled(callers.map(ask));
    assert.throws(() => assertCapacity("a"), QueueFullError);
    assertCapacity("b");
    const results = await queuedJobs;
    const refusedIndexes = results.flatMap(({ status }, index) =>
      status === "rejected" ? [index] : [],
    );
    assert.deepEqual(refusedIndexes, [3]);
    await assert.doesNotReject(ask("a"));
  });
});

describe("a queue", () => {
  it("runs a fixed number of jobs per turn, in order and never in the turn in which they arrived", async () => {
    const queue = openRequestQueue(2);
    const completed: number[] = [];
    for (const number of [0, 1, 2, 3, 4]) queue(() => void completed.push(number));
    const turns: number[] = [completed.length];
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn();
      turns.push(completed.length);
    }
    assert.deepEqual(turns, [0, 2, 4, 5]);
    queue(() => void completed.push(5));
    await nextTurn();
    assert.deepEqual(completed, [0, 1, 2, 3, 4, 5]);
  });

  it("runs jobs that arrive during a turn in a later turn", async () => {
    const queue = openRequestQueue(4);
    const completed: string[] = [];
    queue(() => {
      completed.push("first");
      queue(() => void completed.push("second"));
    });
    await nextTurn();
    assert.deepEqual(completed, ["first"]);
    await nextTurn();
    assert.deepEqual(completed, ["first", "second"]);
  });
});
