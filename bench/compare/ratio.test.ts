import assert from "node:assert/strict";
import { test } from "node:test";

import { createDraw } from "#core/pairing/random.ts";

import { medianInterval, medianOf } from "./ratio.ts";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

test("the median is the middle one, or between the two in the middle, in any order", () => {
  assert.equal(medianOf([3, 1, 2]), 2);
  assert.equal(medianOf([4, 1, 3, 2]), 2.5);
  assert.equal(medianOf([7]), 7);
});

// The ranks of tables of the sign test.
const RANKS: [count: number, least: number, most: number][] = [
  [6, 1, 6],
  [8, 1, 8],
  [9, 2, 8],
  [12, 3, 10],
  [20, 6, 15],
  [50, 18, 33],
  [100, 40, 61],
];
for (const [count, least, most] of RANKS)
  test(`of ${count} measurements the interval goes from the ${least}. to the ${most}.`, () => {
    assert.deepEqual(medianInterval(upTo(count).toReversed()), [least, most]);
  });

test("fewer than six measurements give no interval", () => {
  for (let count = 0; count < 6; count += 1) assert.equal(medianInterval(upTo(count)), null);
});

test("the interval holds the true median as often as it says, of a lopsided distribution too", () => {
  const draw = createDraw(12);
  const trials = 4000;
  const median = Math.log(2);
  let held = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const [least, most] = medianInterval(upTo(12).map(() => -Math.log(1 - draw())))!;
    if (least <= median && median <= most) held += 1;
  }
  // Twelve give 96.1 %; this is five standard errors either way.
  assert.ok(Math.abs(held / trials - 0.961) < 0.016, `${held} of ${trials}`);
});
