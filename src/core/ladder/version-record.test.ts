import assert from "node:assert/strict";
import { it } from "node:test";

import { toVersionStats } from "./version-record.ts";

it("returns the same values for a version without rated games as for an unknown version", () => {
  assert.deepEqual(toVersionStats(undefined), {
    rating: 1500,
    rating_deviation: 347,
    leaderboard_score: 805,
    wins: 0,
    losses: 0,
    draws: 0,
    win_rate: null,
  });
});

it("rounds only the final values", () => {
  const rated = { rating: 1600.4, deviation: 40.3, wins: 1, losses: 1, draws: 1 };
  const versionStats = toVersionStats(rated);
  assert.deepEqual([versionStats.rating, versionStats.rating_deviation], [1600, 40]);
  assert.equal(versionStats.leaderboard_score, 1520, "1600.4 - 80.6, not 1600 - 80");
});

it("counts a draw as half a win, in percent to two decimal places", () => {
  const rows: [number, number, number, number][] = [
    [1, 0, 0, 100],
    [0, 1, 0, 0],
    [0, 0, 1, 50],
    [1, 2, 0, 33.33],
    [2, 1, 0, 66.67],
    [1, 1, 1, 50],
  ];
  for (const [wins, losses, draws, percent] of rows) {
    const { win_rate } = toVersionStats({ rating: 1500, deviation: 50, wins, losses, draws });
    assert.equal(win_rate, percent);
  }
});
