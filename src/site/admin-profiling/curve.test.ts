import assert from "node:assert/strict";
import { test } from "node:test";

import { curvePath } from "./curve.ts";

test("draws the latest value at the right edge and the highest value at the top", () => {
  assert.equal(curvePath([0, 4, 2], 121, false), "M236,56L238,2L240,29");
  assert.equal(curvePath([0, 4, 2], 121, true), "M236,56L238,2L240,29L240,56L236,56Z");
});

test("fills the chart with a full set of values", () => {
  assert.equal(curvePath([1, 1, 1], 3, false), "M0,2L120,2L240,2");
});

test("draws zeros as a line at the bottom, and nothing without values", () => {
  assert.equal(curvePath([0, 0], 121, false), "M238,56L240,56");
  assert.equal(curvePath([], 121, false), "");
});
