import assert from "node:assert/strict";
import { test } from "node:test";

import { pollDelayMs } from "./poll.ts";

const WAITS: [failures: number, most: number][] = [
  [1, 2000],
  [2, 4000],
  [3, 8000],
  [4, 16_000],
  [5, 32_000],
  [6, 60_000],
  [100, 60_000],
];

for (const [failures, maxDelay] of WAITS)
  test(`waits between ${maxDelay / 2} and ${maxDelay} ms after ${failures} failures`, () => {
    for (const everyMs of [500, 2000]) {
      assert.equal(pollDelayMs(everyMs, failures, 0), maxDelay);
      assert.equal(pollDelayMs(everyMs, failures, 1), maxDelay / 2);
    }
  });

test("waits for one interval after a response", () => {
  assert.equal(pollDelayMs(500, 0, 0.3), 500);
});
