import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { planGames } from "./plan.ts";
import type { SeriesPlan } from "./plan.ts";

const plan = (games: number, maps: string[]): SeriesPlan => ({
  bots: ["a", "b"],
  games,
  seed: 7,
  maps,
});

function count(values: string[]): number[] {
  return [...new Set(values)].map(
    (value) => values.filter((secondPlan) => secondPlan === value).length,
  );
}

describe("the plan of a series", () => {
  for (const maps of [["one"], ["one", "two"], ["one", "two", "three"]])
    it(`plays each of ${maps.length} maps, and each seat on it, equally often`, () => {
      const games = planGames(plan(12 * maps.length, maps));
      assert.deepEqual(count(games.map(({ map, seatOfA }) => `${map} ${seatOfA}`)), [
        ...Array<number>(2 * maps.length).fill(6),
      ]);
    });

  it("has unique seeds, ids and numbers", () => {
    const games = planGames(plan(500, ["one", "two"]));
    assert.equal(new Set(games.map(({ seed }) => seed)).size, 500);
    assert.equal(new Set(games.map(({ matchId }) => matchId)).size, 500);
    assert.deepEqual(games[3]!.number, 3);
  });

  it("begins with the same matches, however many follow", () => {
    assert.deepEqual(planGames(plan(50, ["one"])).slice(0, 20), planGames(plan(20, ["one"])));
  });
});
