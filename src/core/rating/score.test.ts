import assert from "node:assert/strict";
import { test } from "node:test";

import { expectedScore, leaderboardScore } from "./score.ts";

test("a lead of 400 points means ten-to-one odds", () => {
  assert.ok(Math.abs(expectedScore(1900, 1500) - 10 / 11) < 1e-12);
  assert.equal(expectedScore(1500, 1500), 0.5);
  assert.equal(expectedScore(1700, 1400) + expectedScore(1400, 1700), 1);
});

const scores = [
  { rating: 1500, deviation: 100, score: 1300 },
  { rating: 1500, deviation: 10, score: 1450 },
  { rating: 1500, deviation: 25, score: 1450 },
  { rating: 1500.4, deviation: 25.2, score: 1450 },
  { rating: 1500.5, deviation: 0, score: 1451 },
  { rating: -10.5, deviation: 0, score: -60 },
];
for (const { rating, deviation, score } of scores) {
  test(`${rating} with deviation ${deviation} scores ${score}`, () => {
    assert.equal(leaderboardScore(rating, deviation), score);
  });
}
