import assert from "node:assert/strict";
import test from "node:test";

import { allGrids } from "#core/engine/maps.ts";

import { BUILT_IN_BOTS } from "./built-in-bots.ts";
import { EMPTY_RESULT_TALLY, addTallies, playSeriesMatch, scorePercent } from "./engine-series.ts";
import { playEngineMatch } from "./local-engine-match.ts";

const brawler = BUILT_IN_BOTS.get("brawler")!;
const greedy = BUILT_IN_BOTS.get("greedy")!;
const createIdleBot = () => ({ turn: () => ({}) });
const grids = allGrids();

test("a duel ends with a winner, and replaying it with the same seed gives exactly the same result", () => {
  const result = playEngineMatch(brawler, greedy, grids[0]!, 5);
  assert.deepEqual(playEngineMatch(brawler, greedy, grids[0]!, 5), result);
  assert.ok(result.ticks > 0 && result.ticks <= 300);
  assert.equal(Math.min(...result.hp), 0);
  assert.ok(result.winner !== null && result.hp[result.winner]! > 0);
});

test("two idle fighters die in the zone in the same tick", () => {
  const { reason, ticks, hp } = playEngineMatch(createIdleBot, createIdleBot, grids[0]!, 1);
  assert.deepEqual({ reason, ticks, hp }, { reason: "last_standing", ticks: 122, hp: [0, 0] });
});

test("seats alternate in a series, and every map is played equally often", () => {
  const observations = new Map<string, number>();
  const createSpyBot = ({ map, fighter }: Parameters<typeof brawler>[0]) => {
    const key = `${map.name} ${fighter}`;
    observations.set(key, (observations.get(key) ?? 0) + 1);
    return createIdleBot();
  };
  for (let index = 0; index < 2 * 2 * grids.length; index += 1) {
    playSeriesMatch(createSpyBot, createIdleBot, grids, index, 1);
  }
  assert.equal(observations.size, 2 * grids.length);
  assert.deepEqual(new Set(observations.values()), new Set([2]));
});

test("a result counts for the pair's first bot, whichever seat it has", () => {
  for (const index of [0, 1]) {
    const { wins, draws, losses } = playSeriesMatch(
      brawler,
      BUILT_IN_BOTS.get("random")!,
      grids,
      index,
      3,
    );
    assert.deepEqual({ wins, draws, losses }, { wins: 1, draws: 0, losses: 0 });
  }
});

test("a score counts a draw as half a win, and has the right standard error", () => {
  const tally = { wins: 60, draws: 20, losses: 20, ticks: 0 };
  const { percent, error } = scorePercent(addTallies(EMPTY_RESULT_TALLY, tally));
  assert.equal(percent, 70);
  // sqrt((0.6 + 0.05 - 0.49) / 100) = 0.04
  assert.ok(Math.abs(error - 4) < 1e-9);
});
