import assert from "node:assert/strict";
import { test } from "node:test";

import { forecast, openness } from "./forecast.ts";

const MAPS = ["lanes", "cage"];
const NOTHING = { games: 0, points: 0 };
const NO_MAPS = { maps: [], games: [], points: [] };

test("without results the ratings decide", () => {
  assert.deepEqual(forecast(0.6, NOTHING, NO_MAPS, MAPS), { score: 0.6, quality: openness(0.6) });
});

test("twenty games weigh as much as the ratings", () => {
  const { score } = forecast(0.5, { games: 20, points: 20 }, NO_MAPS, MAPS);
  assert.equal(score, 0.75);
});

test("quality is averaged evenly over maps, each smoothed toward the pair", () => {
  const results = { games: 20, points: 10 };
  const byMap = { maps: ["cage", "no longer played"], games: [20, 20], points: [20, 20] };
  const { score, quality } = forecast(0.5, results, byMap, MAPS);
  assert.equal(score, 0.5);
  assert.equal(quality, (1 + openness(0.75)) / 2);
});

test("openness is whole at even odds and half at three to one", () => {
  assert.deepEqual([0.5, 0.25, 0.75, 0, 1].map(openness), [1, 0.5, 0.5, 0, 0]);
});
