import assert from "node:assert/strict";
import { test } from "node:test";

import { referencePlayer } from "#testing/fixtures/reference-play.ts";

import type { Fight } from "./fight.ts";
import { MAX_SEATS, TICK, cloneFight, copyFight, draw, isOver, startFight } from "./fight.ts";
import { stateHash } from "./hash.ts";
import { allGrids, gridOf } from "./maps.ts";
import { drawnFrom, nextState } from "./random.ts";
import { step } from "./step.ts";
import { setTurn } from "./turn.ts";

/** The two draws that set up a match of two. */
function setupDraws(seed: number): [number, number] {
  return [drawnFrom(nextState(seed)), drawnFrom(nextState(nextState(seed)))];
}

test("two fighters stand on the drawn pair, flipped as drawn", () => {
  for (const grid of allGrids()) {
    for (let seed = 0; seed < 16; seed += 1) {
      const [pairDraw, flipDraw] = setupDraws(seed);
      const [first, second] = grid.spawnPairs[pairDraw % 2]!;
      const expected = flipDraw % 2 === 0 ? [first, second] : [second, first];
      assert.deepEqual([...startFight(grid, seed).tile], expected);
    }
  }
});

test("three and four fighters stand on all spawn tiles, turned on by one draw", () => {
  const grid = gridOf("cage")!;
  const spawns = grid.spawnPairs.flat().sort((a, b) => a - b);
  for (const seats of [3, 4]) {
    const turn = drawnFrom(nextState(7)) % 4;
    const expected = [0, 1, 2, 3].slice(0, seats).map((seat) => spawns[(seat + turn) % 4]);
    const fight = startFight(grid, 7, seats);
    assert.deepEqual([...fight.tile], expected);
    assert.equal(draw(fight), setupDraws(7)[1]);
  }
});

test("a match has two to four seats", () => {
  assert.throws(() => startFight(gridOf("cage")!, 1, 1), { message: "no match has 1 seats" });
  assert.throws(() => startFight(gridOf("cage")!, 1, MAX_SEATS + 1));
});

test("the windows cover the words and do not overlap", () => {
  for (const seats of [2, 3, 4]) {
    const { words, timers, ...fight } = startFight(gridOf("cage")!, 1, seats);
    const windows = Object.values(fight).filter((window) => window instanceof Int32Array);
    const covered = windows.reduce((sum, window) => sum + window.length, 0);
    const starts = new Set(windows.map((window) => window.byteOffset));
    assert.equal(covered, words.length - 4);
    assert.equal(starts.size, windows.length);
    assert.equal(timers.length, fight.stun.length + fight.power.length + fight.cooldowns.length);
  }
});

test("the state of a match of two is small enough to copy often", () => {
  assert.ok(startFight(gridOf("cage")!, 1).words.byteLength <= 320);
});

function playOn(fight: Fight, seed: number, ticks: number): number {
  const player = referencePlayer("fight", seed);
  const until = fight.words[TICK]! + ticks;
  while (!isOver(fight) && fight.words[TICK]! < until) {
    for (const seat of [0, 1]) setTurn(fight, seat, player(fight, seat));
    step(fight);
  }
  return stateHash(fight);
}

test("a clone goes on like its original and leaves it alone", () => {
  const fight = startFight(gridOf("keep")!, 5);
  playOn(fight, 5, 20);
  const before = stateHash(fight);
  const clone = cloneFight(fight);
  assert.deepEqual([clone.log.length, clone.seenTile], [0, fight.seenTile]);
  const after = playOn(clone, 6, 10);
  assert.equal(stateHash(fight), before);
  assert.equal(playOn(fight, 6, 10), after);
});

test("a copy takes over the whole state and has no events", () => {
  const [from, to] = [startFight(gridOf("keep")!, 5), startFight(gridOf("keep")!, 6)];
  playOn(from, 5, 20);
  playOn(to, 6, 30);
  copyFight(from, to);
  assert.deepEqual(to.words, from.words);
  assert.equal(to.log.length, 0);
  assert.equal(playOn(to, 9, 10), playOn(from, 9, 10));
});
