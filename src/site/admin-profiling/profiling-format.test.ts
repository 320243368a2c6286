import assert from "node:assert/strict";
import { test } from "node:test";

import {
  formatBinaryBytes,
  formatDecimal,
  formatProfiledMs,
  formatProfiledPercent,
} from "./profiling-format.ts";

test("rounds numbers for readability", () => {
  assert.deepEqual([0, 0.0764, 9.9996, 38.005, 1226.429].map(formatProfiledMs), [
    "0 ms",
    "0.076 ms",
    "10 ms",
    "38 ms",
    "1,226.4 ms",
  ]);
  assert.deepEqual([0, 12_077, 361_000_000].map(formatBinaryBytes), [
    "0 KiB",
    "11.8 KiB",
    "344.3 MiB",
  ]);
  assert.deepEqual([formatDecimal(2.25), formatProfiledPercent(107.04)], ["2.3", "107 %"]);
});
