import assert from "node:assert/strict";
import { test } from "node:test";

import { withProfiling } from "./profiling.ts";

test("leaves the server's parts unwrapped by default", async () => {
  const deps = Object.freeze({ store: {}, health: {}, recorder: {}, matchmaker: {} });
  const disabledProfiling = withProfiling({ profiling: false, data: "/nowhere" }, deps as never);
  assert.equal(disabledProfiling.deps, deps);
  await using parts = new AsyncDisposableStack();
  assert.equal(await disabledProfiling.open(() => 0, parts), null);
});
