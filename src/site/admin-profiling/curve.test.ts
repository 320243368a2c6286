import assert from "node:assert/strict";
import { test } from "node:test";

import { curveOf } from "./curve.ts";

test("the latest value is at the right edge, and the greatest at the top", () => {
  assert.equal(curveOf([0, 4, 2], 121, false), "M236,56L238,2L240,29");
  assert.equal(curveOf([0, 4, 2], 121, true), "M236,56L238,2L240,29L240,56L236,56Z");
});

test("as many values as there are places fill the chart", () => {
  assert.equal(curveOf([1, 1, 1], 3, false), "M0,2L120,2L240,2");
});

test("nothing but zeros is a line along the bottom, and nothing is no line", () => {
  assert.equal(curveOf([0, 0], 121, false), "M238,56L240,56");
  assert.equal(curveOf([], 121, false), "");
});
