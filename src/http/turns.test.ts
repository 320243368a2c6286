import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { mapMethods, memoryStore } from "#testing/memory-store.ts";
import { testApi } from "#testing/test-api.ts";

import { openGate, takeTurns } from "./turns.ts";

/** A memory store that counts the lists under way, and in which turn of the loop each was done. */
function watched() {
  const seen = { now: 0, most: 0, turns: [] as number[] };
  let turn = 0;
  let isWatching = true;
  const count = () => {
    turn += 1;
    if (isWatching) setImmediate(count);
  };
  setImmediate(count);
  const store = mapMethods(memoryStore(), (call, name) => async () => {
    if (name !== "matches") return call();
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await nextTurn();
    seen.now -= 1;
    seen.turns.push(turn);
    return call();
  });
  return { seen, store: takeTurns(store), stop: () => (isWatching = false) };
}

describe("T07 large reads", () => {
  for (const query of ["limit=500&stats=1", "limit=500", "limit=1&stats=1"])
    it(`are made one by one, each in a turn of its own: ${query}`, async () => {
      const { seen, store, stop } = watched();
      const { app } = testApi({}, { store });
      const ask = async () => app.inject(`/api/matches?${query}`);
      const answers = await Promise.all(Array.from({ length: 50 }, ask));
      stop();
      assert.ok(answers.every(({ statusCode }) => statusCode === 200));
      assert.equal(seen.most, 1);
      assert.equal(new Set(seen.turns).size, 50);
    });

  it("do not keep small ones waiting", async () => {
    const { seen, store, stop } = watched();
    const list = { ladderId: "public", limit: 50, withStats: false };
    const large = Array.from({ length: 30 }, () => store.matches({ ...list, withStats: true }));
    await store.matches(list);
    assert.ok(seen.turns.length < 5, `${seen.turns.length} lists were made before it`);
    await Promise.all(large);
    stop();
  });
});

describe("a gate", () => {
  it("lets in so many at once, in their order, and goes on after a failure", async () => {
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
