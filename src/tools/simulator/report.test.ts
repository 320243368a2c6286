import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { wilsonInterval } from "./report.ts";

describe("the interval of a win rate", () => {
  // Wilson's score interval without continuity correction, as given by published calculators.
  const cases: [wins: number, games: number, low: number, high: number][] = [
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [5, 10, 0.2366, 0.7634],
    [81, 263, 0.2553, 0.3662],
    [1, 29, 0.0061, 0.1718],
    [0, 0, 0, 1],
  ];
  for (const [wins, games, low, high] of cases)
    it(`${wins} of ${games}`, () => {
      const [least, most] = wilsonInterval(wins, games);
      assert.ok(Math.abs(least - low) < 5e-5, `${least} is not ${low}`);
      assert.ok(Math.abs(most - high) < 5e-5, `${most} is not ${high}`);
    });

  it("covers the true rate about as often as it claims", () => {
    const trueRate = 0.9;
    const games = 40;
    const chances = binomial(games, trueRate);
    const covered = chances.filter((_, wins) => {
      const [low, high] = wilsonInterval(wins, games);
      return low <= trueRate && trueRate <= high;
    });
    const coverage = covered.reduce((sum, chance) => sum + chance, 0);
    assert.ok(coverage > 0.93 && coverage < 0.98, String(coverage));
  });
});

/** The probability of each number of wins. */
function binomial(games: number, rate: number): number[] {
  let chances = [1];
  for (let game = 0; game < games; game += 1)
    chances = Array.from({ length: chances.length + 1 }, (_, wins) => {
      return (chances[wins] ?? 0) * (1 - rate) + (chances[wins - 1] ?? 0) * rate;
    });
  return chances;
}
