import assert from "node:assert/strict";
import { suite, test } from "node:test";

import {
  storeRequest,
  startRequestedMatch,
  openRequestArena,
  requestState,
} from "#testing/fixtures/request-arena.ts";
import type { RequestArena as Hall } from "#testing/fixtures/request-arena.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { sampleAudit } from "#testing/store-contract/store-samples.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

suite("a request whose write has an unknown outcome", () => {
  test("is served only if the store has it", async () => {
    const store = memoryStore();
    let isStoreDown = false;
    const fixture = await openRequestArena({
      store: overrideStore(store, {
        requests: {
          pending: async () => {
            if (isStoreDown) throw new Error("unreachable");
            return store.requests.pending();
          },
        },
      }),
    });
    assert.equal(await store.requests.add(fixture.request, sampleAudit(3)), "added");
    isStoreDown = true;
    fixture.arena.reconcileRequests();
    await fixture.advanceTime(2100);
    assert.equal(requestState(fixture), null, "outcome unknown");
    isStoreDown = false;
    await fixture.advanceTime(2100);
    assert.equal(requestState(fixture), "pending");
    await store.requests.cancel(fixture.request.eventId, fixture.request.accountId);
    fixture.arena.reconcileRequests();
    await fixture.advanceTime(2100);
    assert.equal(requestState(fixture), null);
  });

  test("keeps changes made during the re-read", async () => {
    const store = memoryStore();
    let changeDuringRead = async () => {};
    const fixture: Hall = await openRequestArena({
      store: overrideStore(store, {
        requests: {
          pending: async () => {
            const pending = await store.requests.pending();
            await changeDuringRead();
            return pending;
          },
        },
      }),
    });
    changeDuringRead = async () => {
      changeDuringRead = async () => {};
      await storeRequest(fixture);
    };
    fixture.arena.reconcileRequests();
    await fixture.advanceTime(2100);
    assert.equal(requestState(fixture), "pending", "requested meanwhile");
    changeDuringRead = async () => {
      changeDuringRead = async () => {};
      await store.requests.cancel(fixture.request.eventId, fixture.request.accountId);
      fixture.arena.onRequestCancelled(fixture.request.id);
    };
    fixture.arena.reconcileRequests();
    await fixture.advanceTime(2100);
    assert.equal(requestState(fixture), null, "cancelled meanwhile");
  });

  test("is kept if its match has already started", async () => {
    const fixture = await openRequestArena();
    await storeRequest(fixture);
    await startRequestedMatch(fixture);
    await fixture.store.requests.cancel(fixture.request.eventId, fixture.request.accountId);
    fixture.arena.reconcileRequests();
    await fixture.advanceTime(2100);
    assert.equal(requestState(fixture), "playing");
  });
});
