import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Store } from "#data/store/store.ts";
import { mapMethods, memoryStore } from "#testing/store-cases/memory-store.ts";
import {
  addSamplePlayers,
  sampleMatch,
  sampleVersion,
} from "#testing/store-cases/store-samples.ts";

import { rememberTurns } from "./cached-turn-figures.ts";

const WINDOW = 500;
const idsOf = (count: number) => Array.from({ length: count }, (_, n) => sampleVersion(n).id);

/** A store of players, of whom the first two have played, that tells which versions it reads. */
async function watched(players: number) {
  const inner = memoryStore();
  await addSamplePlayers(inner, players);
  await inner.saveMatch(sampleMatch(1));
  const reads: number[] = [];
  let failing = false;
  const counted: Store = {
    ...inner,
    turnFigures: async (ids, window) => {
      reads.push(ids.length);
      if (failing) throw new Error("away");
      return inner.turnFigures(ids, window);
    },
  };
  const fail = (isFailing: boolean) => void (failing = isFailing);
  return { inner, store: rememberTurns(counted), reads, fail };
}

const matchesOf = async (store: Store, ids: string[], window = WINDOW) =>
  (await store.turnFigures(ids, window)).map(({ matches }) => matches);

describe("remembered turns", () => {
  it("are read once, those of versions that never played too", async () => {
    const { store, reads } = await watched(3);
    const ids = idsOf(3);
    assert.deepEqual(await matchesOf(store, ids), [1, 1]);
    await Promise.all([matchesOf(store, ids), matchesOf(store, ids.slice(1))]);
    assert.deepEqual(reads, [3]);
  });

  it("are read in portions", async () => {
    const { store, reads } = await watched(20);
    assert.deepEqual(await matchesOf(store, idsOf(20)), [1, 1]);
    assert.deepEqual(reads, [3, 3, 3, 3, 3, 3, 2]);
  });

  it("of the versions that played are read anew", async () => {
    const { store, reads } = await watched(3);
    await matchesOf(store, idsOf(3));
    await store.saveMatch(sampleMatch(2));
    assert.deepEqual(await matchesOf(store, idsOf(3)), [2, 2]);
    assert.deepEqual(reads, [3, 2]);
  });

  it("that were read while a match was being saved are read anew", async () => {
    const { inner, store } = await watched(2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = rememberTurns({
      ...mapMethods(inner, (call, name) => async () => {
        if (name === "saveMatch") await promise;
        return call();
      }),
    });
    const saving = slow.saveMatch(sampleMatch(2));
    assert.deepEqual(await matchesOf(slow, idsOf(2)), [1, 1]);
    resolve();
    await saving;
    assert.deepEqual(await matchesOf(slow, idsOf(2)), [2, 2]);
    assert.deepEqual(await matchesOf(store, idsOf(2)), [2, 2]);
  });

  it("are read anew after older statistics were carried over, and for another window", async () => {
    const { store, reads } = await watched(2);
    await matchesOf(store, idsOf(2));
    await store.carryTurns(5);
    await matchesOf(store, idsOf(2));
    await matchesOf(store, idsOf(2), 7);
    assert.deepEqual(reads, [2, 2, 2]);
  });

  it("are asked for again after a failure", async () => {
    const { store, reads, fail } = await watched(10);
    fail(true);
    await assert.rejects(matchesOf(store, idsOf(10)));
    fail(false);
    assert.deepEqual(await matchesOf(store, idsOf(10)), [1, 1]);
    assert.deepEqual(reads, [3, 3, 3, 3, 1]);
  });
});
