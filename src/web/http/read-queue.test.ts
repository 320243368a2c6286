import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { MatchQuery } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { addSamplePlayers, sampleMatch } from "#testing/store-cases/store-samples.ts";

import { Crowded, openGate, openQueue, openTurns, takeTurns } from "./read-queue.ts";

/** A memory store that counts the lists under way, and the turn of the event loop of each. */
function watched() {
  const seen = { now: 0, most: 0, turns: [] as number[] };
  let turn = 0;
  let isWatching = true;
  const count = () => {
    turn += 1;
    if (isWatching) setImmediate(count);
  };
  setImmediate(count);
  const inner = memoryStore();
  const list: Store["matches"]["list"] = async (query) => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await nextTurn();
    seen.now -= 1;
    seen.turns.push(turn);
    return inner.matches.list(query);
  };
  const store = changedStore(inner, { matches: { list } });
  return { seen, store: takeTurns(store), stop: () => (isWatching = false) };
}

describe("T07 large reads", () => {
  for (const query of ["limit=NUMBER&stats=1", "limit=NUMBER"])
    it(`are made one by one, each in its own turn of the event loop: ${query}`, async () => {
      const { seen, store, stop } = watched();
      const { app } = testApi({}, { store });
      const paths = Array.from({ length: 50 }, (_, number) => {
        return `/api/matches?${query.replace("NUMBER", `${500 - number}`)}`;
      });
      const answers = await Promise.all(paths.map(async (path) => app.inject(path)));
      stop();
      assert.ok(answers.every(({ statusCode }) => statusCode === 200));
      assert.equal(seen.most, 1);
      assert.equal(new Set(seen.turns).size, 50);
    });

  it("do not keep small ones waiting", async () => {
    const { seen, store, stop } = watched();
    const list = { ladderId: "public", limit: 50, withStats: false };
    const large = Array.from({ length: 30 }, () =>
      store.matches.list({ ...list, withStats: true }),
    );
    await store.matches.list(list);
    assert.ok(seen.turns.length < 5, `${seen.turns.length} lists were made before it`);
    await Promise.all(large);
    stop();
  });
});

it("a long list is the same in portions as at once, from either end", async () => {
  const inner = memoryStore();
  await addSamplePlayers(inner, 2);
  for (let number = 1; number <= 130; number += 1) await inner.matches.save(sampleMatch(number));
  const store = takeTurns(inner);
  const idsOf = async (from: Store, query: Partial<MatchQuery>) => {
    const list = { ladderId: "public", limit: 500, withStats: false, ...query };
    return (await from.matches.list(list))?.map(({ id }) => id);
  };
  const all = await idsOf(inner, {});
  assert.equal(all?.length, 130);
  for (const query of [{}, { before: all[3]! }, { after: all[129]! }, { after: all[70]! }])
    for (const limit of [49, 50, 51, 100, 101, 500])
      assert.deepEqual(
        await idsOf(store, { ...query, limit }),
        await idsOf(inner, { ...query, limit }),
        JSON.stringify({ ...query, limit }),
      );
  assert.equal(await idsOf(store, { after: "no match" }), undefined);
});

describe("a gate", () => {
  it("admits a fixed number at once, in order, and continues after a failure", async () => {
    const gate = openGate(2);
    const done: number[] = [];
    const job = (number: number) =>
      gate(async () => {
        await nextTurn();
        done.push(number);
        if (number === 1) throw new Error("broken");
        return number;
      });
    const results = await Promise.allSettled([0, 1, 2, 3, 4].map(job));
    assert.deepEqual(done, [0, 1, 2, 3, 4]);
    const failed = results.flatMap(({ status }, at) => (status === "rejected" ? [at] : []));
    assert.deepEqual(failed, [1]);
  });
});

describe("turns", () => {
  it("are taken by callers, one job at a time, whatever one of them asked before", async () => {
    const { take } = openTurns(3);
    const done: string[] = [];
    let running = 0;
    const job = (caller: string | null, name: string) =>
      take(caller, async () => {
        running += 1;
        assert.equal(running, 1);
        await nextTurn();
        running -= 1;
        done.push(name);
        if (name === "a2") throw new Error("broken");
      });
    const asked = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"];
    const results = await Promise.allSettled(asked.map((name) => job(name.slice(0, 1), name)));
    assert.deepEqual(done, ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
    assert.deepEqual(
      results.map(({ status }) => status),
      asked.map((name) => (name === "a2" ? "rejected" : "fulfilled")),
    );
    await job("d", "d1");
    assert.equal(done.at(-1), "d1");
  });

  it("are refused to a caller of whom too many jobs wait, and to nobody else", async () => {
    const { take, assureRoom } = openTurns(2);
    const ask = (caller: string | null) => take(caller, nextTurn);
    const crowd = ["a", "a", "a", "a", "b", null, null, null, null];
    const asked = Promise.allSettled(crowd.map(ask));
    assert.throws(() => assureRoom("a"), Crowded);
    assureRoom("b");
    const results = await asked;
    const refused = results.flatMap(({ status }, at) => (status === "rejected" ? [at] : []));
    assert.deepEqual(refused, [3]);
    await assert.doesNotReject(ask("a"));
  });
});

describe("a queue", () => {
  it("runs a fixed number of jobs per turn, in order, and none in the turn it arrived in", async () => {
    const queue = openQueue(2);
    const done: number[] = [];
    for (const number of [0, 1, 2, 3, 4]) queue(() => void done.push(number));
    const turns: number[] = [done.length];
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn();
      turns.push(done.length);
    }
    assert.deepEqual(turns, [0, 2, 4, 5]);
    queue(() => void done.push(5));
    await nextTurn();
    assert.deepEqual(done, [0, 1, 2, 3, 4, 5]);
  });

  it("leaves jobs that arrive while it runs to a later turn", async () => {
    const queue = openQueue(4);
    const done: string[] = [];
    queue(() => {
      done.push("first");
      queue(() => void done.push("second"));
    });
    await nextTurn();
    assert.deepEqual(done, ["first"]);
    await nextTurn();
    assert.deepEqual(done, ["first", "second"]);
  });
});
