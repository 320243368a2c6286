import assert from "node:assert/strict";
import test from "node:test";

import { allGrids } from "#core/engine/maps.ts";

import { CONTENDERS } from "./contender.ts";
import { playDuel } from "./duel.ts";
import { EMPTY_TALLY, addTallies, playGame, scoreOf } from "./series.ts";

const brawler = CONTENDERS.get("brawler")!;
const greedy = CONTENDERS.get("greedy")!;
const idle = () => ({ turn: () => ({}) });
const grids = allGrids();

test("a duel ends with a winner, and the same seed plays it again", () => {
  const result = playDuel(brawler, greedy, grids[0]!, 5);
  assert.deepEqual(playDuel(brawler, greedy, grids[0]!, 5), result);
  assert.ok(result.ticks > 0 && result.ticks <= 300);
  assert.equal(Math.min(...result.hp), 0);
  assert.ok(result.winner !== null && result.hp[result.winner]! > 0);
});

test("two that do nothing fall in the zone together", () => {
  const { reason, ticks, hp } = playDuel(idle, idle, grids[0]!, 1);
  assert.deepEqual({ reason, ticks, hp }, { reason: "last_standing", ticks: 122, hp: [0, 0] });
});

test("in a series the seats alternate and every map comes up equally often", () => {
  const seen = new Map<string, number>();
  const spy = ({ map, fighter }: Parameters<typeof brawler>[0]) => {
    const key = `${map.name} ${fighter}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return idle();
  };
  for (let index = 0; index < 2 * 2 * grids.length; index += 1) {
    playGame(spy, idle, grids, index, 1);
  }
  assert.equal(seen.size, 2 * grids.length);
  assert.deepEqual(new Set(seen.values()), new Set([2]));
});

test("a game counts for the first bot of the pair from either seat", () => {
  for (const index of [0, 1]) {
    const { wins, draws, losses } = playGame(brawler, CONTENDERS.get("random")!, grids, index, 3);
    assert.deepEqual({ wins, draws, losses }, { wins: 1, draws: 0, losses: 0 });
  }
});

test("a score counts a draw as half a win and has its standard error", () => {
  const tally = { wins: 60, draws: 20, losses: 20, ticks: 0 };
  const { percent, error } = scoreOf(addTallies(EMPTY_TALLY, tally));
  assert.equal(percent, 70);
  // sqrt((0.6 + 0.05 - 0.49) / 100) = 0.04
  assert.ok(Math.abs(error - 4) < 1e-9);
});
