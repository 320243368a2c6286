import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { wilsonInterval } from "./report.ts";

describe("the confidence interval of a win rate", () => {
  // Wilson's score interval without continuity correction, from published calculators.
  const cases: [wins: number, games: number, low: number, high: number][] = [
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [5, 10, 0.2366, 0.7634],
    [81, 263, 0.2553, 0.3662],
    [1, 29, 0.0061, 0.1718],
    [0, 0, 0, 1],
  ];
  for (const [wins, games, lower, upper] of cases)
    it(`contains the published bounds for ${wins} wins in ${games} games`, () => {
      const [minCoverage, maxCoverage] = wilsonInterval(wins, games);
      assert.ok(Math.abs(minCoverage - lower) < 5e-5, `${minCoverage} is not ${lower}`);
      assert.ok(Math.abs(maxCoverage - upper) < 5e-5, `${maxCoverage} is not ${upper}`);
    });

  it("covers the true rate about as often as stated", () => {
    const trueRate = 0.9;
    const games = 40;
    const probabilities = binomial(games, trueRate);
    const covered = probabilities.filter((_, wins) => {
      const [lower, upper] = wilsonInterval(wins, games);
      return lower <= trueRate && trueRate <= upper;
    });
    const coverage = covered.reduce((sum, chance) => sum + chance, 0);
    assert.ok(coverage > 0.93 && coverage < 0.98, String(coverage));
  });
});

function binomial(games: number, rate: number): number[] {
  let probabilities = [1];
  for (let game = 0; game < games; game += 1)
    probabilities = Array.from({ length: probabilities.length + 1 }, (_, wins) => {
      return (probabilities[wins] ?? 0) * (1 - rate) + (probabilities[wins - 1] ?? 0) * rate;
    });
  return probabilities;
}
