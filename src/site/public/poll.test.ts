import assert from "node:assert/strict";
import { test } from "node:test";

import { waitMs } from "./poll.ts";

const WAITS: [failures: number, most: number][] = [
  [1, 2000],
  [2, 4000],
  [3, 8000],
  [4, 16_000],
  [5, 32_000],
  [6, 60_000],
  [100, 60_000],
];

for (const [failures, most] of WAITS)
  test(`after ${failures} failures a page waits between ${most / 2} and ${most} ms`, () => {
    for (const everyMs of [500, 2000]) {
      assert.equal(waitMs(everyMs, failures, 0), most);
      assert.equal(waitMs(everyMs, failures, 1), most / 2);
    }
  });

test("after an answer a page waits for one interval", () => {
  assert.equal(waitMs(500, 0, 0.3), 500);
});
