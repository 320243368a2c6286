import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addDuration,
  cumulativeCounts,
  DURATION_BOUNDS_S,
  createDurationHistogram,
} from "./duration-histogram.ts";

test("counts durations up to and including each bound", () => {
  const histogram = createDurationHistogram();
  for (const us of [-5, 0, 1000, 1001, 2500, 10_000_000, 10_000_001]) addDuration(histogram, us);
  const counts = cumulativeCounts(histogram);
  assert.equal(counts.length, DURATION_BOUNDS_S.length + 1);
  assert.deepEqual([counts[0], counts[1], counts.at(-2), counts.at(-1)], [3, 5, 6, 7]);
  assert.equal(histogram.sumSeconds.toFixed(6), "20.004502");
});
