import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Store } from "#data/store/store.ts";
import { mapMethods, memoryStore } from "#testing/store-cases/memory-store.ts";
import { sampleBot, sampleMatch, sampleVersion } from "#testing/store-cases/store-samples.ts";

import { rememberRoster } from "./cached-lists.ts";

/** A store of two bots that counts its reads of both lists. */
async function counted() {
  const inner = memoryStore();
  for (const number of [0, 1]) {
    await inner.addBot(sampleBot(number), `hash-${number}`, null);
    await inner.addVersion(sampleVersion(number), null);
  }
  let reads = 0;
  const watched = mapMethods(inner, (call, name) => async () => {
    if (name === "bots" || name === "versions") reads += 1;
    return call();
  });
  return { store: rememberRoster(watched), reads: () => reads };
}

const both = (store: Store) => Promise.all([store.bots(), store.versions()]);

describe("a remembered roster", () => {
  it("is read once, and is the same until something changes", async () => {
    const { store, reads } = await counted();
    const [bots, versions] = await both(store);
    await store.saveMatch(sampleMatch(1));
    await store.botByName("Bot-1");
    const again = await both(store);
    assert.ok(again[0] === bots && again[1] === versions);
    assert.equal(reads(), 2);
  });

  const changes: [name: string, change: (store: Store) => Promise<unknown>][] = [
    ["a bot is added", (store) => store.addBot(sampleBot(2), "hash-2", null)],
    ["a bot is suspended", (store) => store.setBotStatus(sampleBot(1).id, "suspended")],
    ["a bot is deleted", (store) => store.deleteBot(sampleBot(1).id)],
    [
      "a version is added",
      (store) => store.addVersion(sampleVersion(1, { id: "x", label: "y" }), null),
    ],
    ["a version is retired", (store) => store.retireVersion(sampleBot(1).id, "v1")],
  ];
  for (const [name, change] of changes)
    it(`is read anew after ${name}`, async () => {
      const { store, reads } = await counted();
      const before = JSON.stringify(await both(store));
      await change(store);
      assert.notEqual(JSON.stringify(await both(store)), before);
      assert.equal(reads(), 4);
    });

  it("does not keep what was read while a change was under way", async () => {
    const { store } = await counted();
    const change = store.setBotStatus(sampleBot(1).id, "banned");
    await store.bots();
    await change;
    const statuses = (await store.bots()).map(({ status }) => status);
    assert.deepEqual(statuses, ["active", "banned"]);
  });

  it("does not keep a failure", async () => {
    let isBroken = true;
    const inner = mapMethods(memoryStore(), (call) => async () => {
      if (isBroken) throw new Error("away");
      return call();
    });
    const store = rememberRoster(inner);
    await assert.rejects(store.bots(), /away/);
    isBroken = false;
    assert.deepEqual(await store.bots(), []);
  });

  it("cannot be changed by a reader", async () => {
    const { store } = await counted();
    const bots = await store.bots();
    assert.throws(() => (bots[0]!.status = "banned"), TypeError);
    assert.throws(() => bots.pop(), TypeError);
  });
});
