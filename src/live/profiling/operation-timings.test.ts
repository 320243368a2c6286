import assert from "node:assert/strict";
import { test } from "node:test";

import { openOperationTimings } from "./operation-timings.ts";

test("lists operations with their times, largest total first", () => {
  const operations = openOperationTimings();
  assert.deepEqual(operations.report(), []);
  for (let at = 0; at < 100; at += 1) operations.record("often", 1000);
  operations.record("once", 90_000);
  operations.record("often", 20_000);
  const [frequent, rare, ...extraOperations] = operations.report();
  assert.deepEqual(extraOperations, []);
  assert.deepEqual([frequent?.name, frequent?.count, frequent?.max_ms], ["often", 101, 20]);
  assert.ok(Math.abs(frequent!.mean_ms! - 1.188) < 0.001);
  assert.ok(frequent!.p50_ms! >= 1 && frequent!.p50_ms! < 1.2);
  assert.deepEqual(rare, {
    name: "once",
    count: 1,
    mean_ms: 90,
    p50_ms: 90,
    p95_ms: 90,
    p99_ms: 90,
    max_ms: 90,
  });
});
