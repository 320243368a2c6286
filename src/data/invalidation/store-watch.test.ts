import assert from "node:assert/strict";
import { test } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

import { watchStore } from "./store-watch.ts";

test("reports the store as down when a call can't reach it, and as up after the next success", async () => {
  const innerStore = memoryStore();
  let failureCode: StoreErrorCode | null = null;
  const database = {
    ...innerStore.database,
    schema: async () => {
      if (failureCode !== null) throw new StoreError(failureCode, "as reported");
      return innerStore.database.schema();
    },
  };
  const { store, isUp } = watchStore({ ...innerStore, database });
  assert.equal(isUp(), true, "before the first call");
  for (const code of ["unavailable", "full", "io"] as const) {
    failureCode = code;
    await assert.rejects(store.database.schema(), { code });
    assert.equal(isUp(), false, code);
    failureCode = null;
    assert.equal(await store.database.schema(), await innerStore.database.schema());
    assert.equal(isUp(), true, `after ${code}`);
  }
  for (const code of ["invalid", "damaged"] as const) {
    failureCode = code;
    await assert.rejects(store.database.schema(), { code });
    assert.equal(isUp(), true, `ignores ${code}, which concerns a single call`);
  }
});
