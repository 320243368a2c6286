import assert from "node:assert/strict";
import { test } from "node:test";

import { createRandomDraw } from "#core/pairing/random.ts";

import { medianInterval, medianOf } from "./ratio.ts";

const integersUpTo = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

test("returns the middle value, or the mean of the two middle values, in any order", () => {
  assert.equal(medianOf([3, 1, 2]), 2);
  assert.equal(medianOf([4, 1, 3, 2]), 2.5);
  assert.equal(medianOf([7]), 7);
});

// Ranks from published sign test tables.
const RANKS: [count: number, least: number, most: number][] = [
  [6, 1, 6],
  [8, 1, 8],
  [9, 2, 8],
  [12, 3, 10],
  [20, 6, 15],
  [50, 18, 33],
  [100, 40, 61],
];
for (const [count, lowest, highest] of RANKS)
  test(`returns an interval for ${count} measurements from rank ${lowest} to rank ${highest}`, () => {
    assert.deepEqual(medianInterval(integersUpTo(count).toReversed()), [lowest, highest]);
  });

test("returns no interval for fewer than six measurements", () => {
  for (let count = 0; count < 6; count += 1)
    assert.equal(medianInterval(integersUpTo(count)), null);
});

test("covers the true median as often as claimed, even for skewed distributions", () => {
  const draw = createRandomDraw(12);
  const trials = 4000;
  const median = Math.log(2);
  let coveredCount = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const [lowest, highest] = medianInterval(integersUpTo(12).map(() => -Math.log(1 - draw())))!;
    if (lowest <= median && median <= highest) coveredCount += 1;
  }
  // Coverage is 96.1% for twelve measurements. The tolerance is five standard errors.
  assert.ok(Math.abs(coveredCount / trials - 0.961) < 0.016, `${coveredCount} of ${trials}`);
});
