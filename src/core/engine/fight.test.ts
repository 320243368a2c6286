import assert from "node:assert/strict";
import { test } from "node:test";

import { referencePlayer } from "#testing/fixtures/reference-player.ts";

import type { Fight } from "./fight.ts";
import {
  MAX_SEATS,
  TICK,
  cloneFight,
  copyFight,
  drawRandom,
  isOver,
  createFight,
} from "./fight.ts";
import { hashState } from "./hash.ts";
import { allGrids, gridOf } from "./maps.ts";
import { randomFromState, nextState } from "./random.ts";
import { step } from "./step.ts";
import { setSeatTurn } from "./turn.ts";

function setupDraws(seed: number): [number, number] {
  return [randomFromState(nextState(seed)), randomFromState(nextState(nextState(seed)))];
}

test("places two fighters on a random spawn pair, in random order", () => {
  for (const grid of allGrids()) {
    for (let seed = 0; seed < 16; seed += 1) {
      const [pairDraw, flipDraw] = setupDraws(seed);
      const [first, second] = grid.spawnPairs[pairDraw % 2]!;
      const expected = flipDraw % 2 === 0 ? [first, second] : [second, first];
      assert.deepEqual([...createFight(grid, seed).tile], expected);
    }
  }
});

test("places three or four fighters on the spawn tiles, rotated at random", () => {
  const grid = gridOf("cage")!;
  const spawns = grid.spawnPairs.flat().sort((a, b) => a - b);
  for (const seats of [3, 4]) {
    const turn = randomFromState(nextState(7)) % 4;
    const expected = [0, 1, 2, 3].slice(0, seats).map((seat) => spawns[(seat + turn) % 4]);
    const fight = createFight(grid, 7, seats);
    assert.deepEqual([...fight.tile], expected);
    assert.equal(drawRandom(fight), setupDraws(7)[1]);
  }
});

test("rejects fewer than two and more than four seats", () => {
  assert.throws(() => createFight(gridOf("cage")!, 1, 1), { message: "no match has 1 seats" });
  assert.throws(() => createFight(gridOf("cage")!, 1, MAX_SEATS + 1));
});

test("the views cover all words without overlap", () => {
  for (const seats of [2, 3, 4]) {
    const { words, timers, ...fight } = createFight(gridOf("cage")!, 1, seats);
    const views = Object.values(fight).filter((view) => view instanceof Int32Array);
    const hashedWords = views.reduce((sum, view) => sum + view.length, 0);
    const starts = new Set(views.map((view) => view.byteOffset));
    assert.equal(hashedWords, words.length - 4);
    assert.equal(starts.size, views.length);
    assert.equal(timers.length, fight.stun.length + fight.power.length + fight.cooldowns.length);
  }
});

test("the state of a duel takes at most 320 bytes", () => {
  assert.ok(createFight(gridOf("cage")!, 1).words.byteLength <= 320);
});

function playTicks(fight: Fight, seed: number, ticks: number): number {
  const player = referencePlayer("fight", seed);
  const until = fight.words[TICK]! + ticks;
  while (!isOver(fight) && fight.words[TICK]! < until) {
    for (const seat of [0, 1]) setSeatTurn(fight, seat, player(fight, seat));
    step(fight);
  }
  return hashState(fight);
}

test("a clone continues like the original and doesn't change it", () => {
  const fight = createFight(gridOf("keep")!, 5);
  playTicks(fight, 5, 20);
  const before = hashState(fight);
  const clone = cloneFight(fight);
  assert.deepEqual([clone.log.length, clone.lastSeenTile], [0, fight.lastSeenTile]);
  const after = playTicks(clone, 6, 10);
  assert.equal(hashState(fight), before);
  assert.equal(playTicks(fight, 6, 10), after);
});

test("a copy contains the whole state but no events", () => {
  const [from, to] = [createFight(gridOf("keep")!, 5), createFight(gridOf("keep")!, 6)];
  playTicks(from, 5, 20);
  playTicks(to, 6, 30);
  copyFight(from, to);
  assert.deepEqual(to.words, from.words);
  assert.equal(to.log.length, 0);
  assert.equal(playTicks(to, 9, 10), playTicks(from, 9, 10));
});
