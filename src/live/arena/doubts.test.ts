// Requests that the store may have stored or cancelled without an answer.
import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { ask, begun, openHall, stateOf } from "#testing/fixtures/request-hall.ts";
import type { RequestHall as Hall } from "#testing/fixtures/request-hall.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { sampleAudit } from "#testing/store-cases/store-samples.ts";

suite("a request whose write had no answer", () => {
  test("is served if the store has it, and not if it has not", async () => {
    const store = memoryStore();
    let isAway = false;
    const hall = await openHall({
      store: changedStore(store, {
        requests: {
          pending: async () => {
            if (isAway) throw new Error("out of reach");
            return store.requests.pending();
          },
        },
      }),
    });
    assert.equal(await store.requests.add(hall.request, sampleAudit(3)), "added");
    isAway = true;
    hall.arena.requestsInDoubt();
    await hall.pass(2100);
    assert.equal(stateOf(hall), null, "the store could not say");
    isAway = false;
    await hall.pass(2100);
    assert.equal(stateOf(hall), "pending");
    await store.requests.cancel(hall.request.eventId, hall.request.accountId);
    hall.arena.requestsInDoubt();
    await hall.pass(2100);
    assert.equal(stateOf(hall), null);
  });

  test("is as it became while the store was looked at", async () => {
    const store = memoryStore();
    let during = async () => {};
    const hall: Hall = await openHall({
      store: changedStore(store, {
        requests: {
          pending: async () => {
            const pending = await store.requests.pending();
            await during();
            return pending;
          },
        },
      }),
    });
    during = async () => {
      during = async () => {};
      await ask(hall);
    };
    hall.arena.requestsInDoubt();
    await hall.pass(2100);
    assert.equal(stateOf(hall), "pending", "asked for meanwhile");
    during = async () => {
      during = async () => {};
      await store.requests.cancel(hall.request.eventId, hall.request.accountId);
      hall.arena.requestCancelled(hall.request.id);
    };
    hall.arena.requestsInDoubt();
    await hall.pass(2100);
    assert.equal(stateOf(hall), null, "taken back meanwhile");
  });

  test("goes on if its game has begun", async () => {
    const hall = await openHall();
    await ask(hall);
    await begun(hall);
    await hall.store.requests.cancel(hall.request.eventId, hall.request.accountId);
    hall.arena.requestsInDoubt();
    await hall.pass(2100);
    assert.equal(stateOf(hall), "playing");
  });
});
