import assert from "node:assert/strict";
import { test } from "node:test";

import { measuring } from "./profiling.ts";

test("without its flag profiling touches nothing of what the server works with", async () => {
  const deps = Object.freeze({ store: {}, health: {}, recorder: {}, matchmaker: {} });
  const off = measuring({ profiling: false, data: "/nowhere" }, deps as never);
  assert.equal(off.deps, deps);
  await using parts = new AsyncDisposableStack();
  assert.equal(await off.open(() => 0, parts), null);
});
