import assert from "node:assert/strict";
import { test } from "node:test";

import { expectedShare, meanMatchQuality, matchQuality } from "./forecast.ts";
import type { ResultTable } from "./forecast.ts";

type Results = [games: number, halfPoints: number];

function tableOf(total: Results, ...onMaps: Results[]): ResultTable {
  const width = 2 * onMaps.length;
  return { totals: Int32Array.from(total), width, onMaps: Int32Array.from(onMaps.flat()) };
}

const TWO_MAPS = { columns: Int32Array.of(0, 2), unplayedCount: 0 };

test("uses only the ratings if there are no results", () => {
  const table = tableOf([0, 0], [0, 0], [0, 0]);
  assert.equal(expectedShare(table, 0, 0.6), 0.6);
  assert.equal(meanMatchQuality(table, 0, TWO_MAPS, 0.6), matchQuality(0.6));
});

test("gives twenty games as much weight as the ratings", () => {
  assert.equal(expectedShare(tableOf([20, 40]), 0, 0.5), 0.75);
  assert.equal(expectedShare(tableOf([20, 20]), 0, 0.5), 0.5);
  assert.equal(expectedShare(tableOf([60, 0]), 0, 0.8), 0.2);
});

test("averages match quality evenly over maps, and gives twenty games on a map as much weight as the overall results", () => {
  const table = tableOf([20, 20], [0, 0], [20, 40], [20, 0]);
  const expected = expectedShare(table, 0, 0.5);
  assert.equal(expected, 0.5);
  assert.equal(meanMatchQuality(table, 0, TWO_MAPS, expected), (1 + matchQuality(0.75)) / 2);
  const qualityWithUnplayed = { ...TWO_MAPS, unplayedCount: 1 };
  assert.equal(
    meanMatchQuality(table, 0, qualityWithUnplayed, expected),
    (2 + matchQuality(0.75)) / 3,
  );
});

test("reads a pair's own row", () => {
  const table = {
    totals: Int32Array.of(20, 40, 20, 0),
    width: 2,
    onMaps: Int32Array.of(20, 40, 20, 0),
  };
  assert.equal(expectedShare(table, 1, 0.5), 0.25);
  const oneMap = { columns: Int32Array.of(0), unplayedCount: 0 };
  assert.equal(meanMatchQuality(table, 1, oneMap, 0.5), matchQuality(0.25));
});

test("match quality is 1 at even odds and 0.5 at three to one", () => {
  assert.deepEqual([0.5, 0.25, 0.75, 0, 1].map(matchQuality), [1, 0.5, 0.5, 0, 0]);
});
