import assert from "node:assert/strict";
import { test } from "node:test";

import { openOperations } from "./operations.ts";

test("operations are told with their times, the most time in all first", () => {
  const operations = openOperations();
  assert.deepEqual(operations.report(), []);
  for (let at = 0; at < 100; at += 1) operations.note("often", 1000);
  operations.note("once", 90_000);
  operations.note("often", 20_000);
  const [often, once, ...others] = operations.report();
  assert.deepEqual(others, []);
  assert.deepEqual([often?.name, often?.count, often?.max_ms], ["often", 101, 20]);
  assert.ok(Math.abs(often!.mean_ms! - 1.188) < 0.001);
  assert.ok(often!.p50_ms! >= 1 && often!.p50_ms! < 1.2);
  assert.deepEqual(once, {
    name: "once",
    count: 1,
    mean_ms: 90,
    p50_ms: 90,
    p95_ms: 90,
    p99_ms: 90,
    max_ms: 90,
  });
});
