import assert from "node:assert/strict";
import { test } from "node:test";

import {
  playIdleTicks,
  playTestTick,
  sceneOnMap,
  tileIndexAt,
  attackTurn,
} from "#testing/fixtures/tick-cases.ts";

import type { Fight } from "./fight.ts";
import { RANDOM_STATE, TICK, placeOnTile, createFight } from "./fight.ts";
import { rotatedTile } from "./grid.ts";
import { HEALTH, POWER } from "./integer-codes.ts";
import { allGrids } from "./maps.ts";
import { randomFromState } from "./random.ts";
import { step } from "./step.ts";
import { zoneRadius } from "./zone.ts";

function layPickup(fight: Fight, kind: number, x: number, y: number, ticks = 0): void {
  fight.pickupX[kind] = x;
  fight.pickupY[kind] = y;
  fight.pickupIn[kind] = ticks;
}

test("a wave announces health on a random pad and power opposite", () => {
  const fight = sceneOnMap("courtyard", [1, 7], [13, 7]);
  fight.words[TICK] = 10;
  const events = playTestTick(fight);
  const pads = ["2,2", "12,2", "2,12", "12,12"];
  const health = randomFromState(fight.words[RANDOM_STATE]!) % pads.length;
  assert.deepEqual(events, [
    `pickup_spawn health in=10 @${pads[health]}`,
    `pickup_spawn power in=10 @${pads[3 - health]}`,
  ]);
});

test("waves start at ticks 10, 50, 90 and so on", () => {
  const fight = sceneOnMap("lanes", [10, 5], [10, 7]);
  const waves: number[] = [];
  while (fight.words[TICK]! < 140) {
    const state = fight.words[RANDOM_STATE];
    fight.hp.fill(120);
    step(fight);
    if (fight.words[RANDOM_STATE] !== state) waves.push(fight.words[TICK]! - 1);
  }
  assert.deepEqual(waves, [10, 50, 90, 130]);
});

test("a wave uses only pads that stay inside the zone, and draws no random number without one", () => {
  for (const grid of allGrids()) {
    for (let wave = 10; wave < 300; wave += 40) {
      const fight = createFight(grid, wave);
      fight.words[TICK] = wave;
      const state = fight.words[RANDOM_STATE];
      step(fight);
      const safe = grid.pads.filter((pad) => grid.level[pad]! <= zoneRadius(grid, wave + 10));
      assert.equal(fight.words[RANDOM_STATE] !== state, safe.length > 0);
      if (safe.length === 0) continue;
      const health = tileIndexAt(grid, [fight.pickupX[HEALTH]!, fight.pickupY[HEALTH]!]);
      const power = tileIndexAt(grid, [fight.pickupX[POWER]!, fight.pickupY[POWER]!]);
      assert.equal(health, safe[randomFromState(fight.words[RANDOM_STATE]!) % safe.length]);
      assert.equal(power, rotatedTile(grid, health));
    }
  }
});

test("a pickup lands ten ticks after its announcement", () => {
  const fight = sceneOnMap("courtyard", [1, 7], [13, 7]);
  playIdleTicks(fight, 11);
  placeOnTile(fight, 1, tileIndexAt(fight.grid, [fight.pickupX[POWER]!, fight.pickupY[POWER]!]));
  for (let tick = 11; tick < 20; tick += 1) assert.deepEqual(playTestTick(fight), []);
  assert.deepEqual(playTestTick(fight), ["pickup B power"]);
});

test("a pickup can't be taken before its counter reaches 0", () => {
  const fight = sceneOnMap("courtyard", [2, 2], [7, 7]);
  fight.hp[0] = 60;
  layPickup(fight, HEALTH, 2, 2, 2);
  assert.deepEqual(playTestTick(fight), []);
  assert.deepEqual(playTestTick(fight), ["pickup A health healed=15"]);
  assert.deepEqual(playTestTick(fight), []);
});

test("health doesn't heal above 120 HP", () => {
  const fight = sceneOnMap("courtyard", [2, 3], [7, 7]);
  fight.hp[0] = 110;
  layPickup(fight, HEALTH, 2, 2);
  assert.deepEqual(playTestTick(fight, { move: "n" }), ["pickup A health healed=10"]);
  assert.equal(fight.hp[0], 120);
});

test("health applies before the tick's damage", () => {
  const fight = sceneOnMap("courtyard", [2, 2], [3, 2]);
  fight.hp[0] = 5;
  layPickup(fight, HEALTH, 2, 2);
  playTestTick(fight, null, attackTurn("strike", "w"));
  assert.deepEqual([fight.hp[0], fight.alive[0]], [12, 1]);
});

test("power lasts for the next 20 ticks, and a second pickup restarts it", () => {
  const fight = sceneOnMap("courtyard", [2, 2], [7, 7]);
  fight.words[TICK] = 51;
  layPickup(fight, POWER, 2, 2);
  assert.deepEqual(playTestTick(fight), ["pickup A power"]);
  assert.equal(fight.power[0], 20);
  playTestTick(fight);
  layPickup(fight, POWER, 2, 2);
  playTestTick(fight);
  assert.equal(fight.power[0], 20);
  for (let tick = 0; tick < 20; tick += 1) step(fight);
  assert.equal(fight.power[0], 0);
});

test("power doesn't apply to attacks in the tick of the pickup", () => {
  const fight = sceneOnMap("courtyard", [2, 2], [3, 2]);
  layPickup(fight, POWER, 2, 2);
  assert.deepEqual(playTestTick(fight, attackTurn("strike", "e"), null), [
    "attack A strike e @2,2",
    "hit A B strike 8 @3,2",
    "pickup A power",
  ]);
});

test("a wave removes existing pickups", () => {
  const fight = sceneOnMap("courtyard", [6, 6], [8, 8]);
  layPickup(fight, HEALTH, 7, 7);
  layPickup(fight, POWER, 7, 8, 3);
  fight.words[TICK] = 250;
  assert.deepEqual(playTestTick(fight), []);
  assert.deepEqual([...fight.pickupX, ...fight.pickupIn], [-1, -1, 0, 0]);
});
