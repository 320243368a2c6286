import assert from "node:assert/strict";
import { test } from "node:test";

import { bytesWords, decimal, milliseconds, percent } from "./words.ts";

test("figures have as many digits as they are read with", () => {
  assert.deepEqual([0, 0.0764, 9.9996, 38.005, 1226.429].map(milliseconds), [
    "0 ms",
    "0.076 ms",
    "10 ms",
    "38 ms",
    "1,226.4 ms",
  ]);
  assert.deepEqual([0, 12_077, 361_000_000].map(bytesWords), ["0 KiB", "11.8 KiB", "344.3 MiB"]);
  assert.deepEqual([decimal(2.25), percent(107.04)], ["2.3", "107 %"]);
});
