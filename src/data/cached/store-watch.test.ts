import assert from "node:assert/strict";
import { test } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

import { watchStore } from "./store-watch.ts";

test("a store is up until a call finds it away, and again once one is answered", async () => {
  const inner = memoryStore();
  let fails: StoreErrorCode | null = null;
  const database = {
    ...inner.database,
    schema: async () => {
      if (fails !== null) throw new StoreError(fails, "as told");
      return inner.database.schema();
    },
  };
  const { store, isUp } = watchStore({ ...inner, database });
  assert.equal(isUp(), true, "before the first call");
  for (const code of ["unavailable", "full", "io"] as const) {
    fails = code;
    await assert.rejects(store.database.schema(), { code });
    assert.equal(isUp(), false, code);
    fails = null;
    assert.equal(await store.database.schema(), await inner.database.schema());
    assert.equal(isUp(), true, `after ${code}`);
  }
  for (const code of ["invalid", "damaged"] as const) {
    fails = code;
    await assert.rejects(store.database.schema(), { code });
    assert.equal(isUp(), true, `${code} is about one call`);
  }
});
