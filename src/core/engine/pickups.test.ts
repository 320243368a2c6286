import assert from "node:assert/strict";
import { test } from "node:test";

import { playIdle, playTick, sceneOn, tileAt, use } from "#testing/fixtures/fight-scene.ts";

import { HEALTH, POWER } from "./codes.ts";
import type { Fight } from "./fight.ts";
import { RANDOM_STATE, TICK, place, startFight } from "./fight.ts";
import { turnedTile } from "./grid.ts";
import { allGrids } from "./maps.ts";
import { drawnFrom } from "./random.ts";
import { step } from "./step.ts";
import { zoneRadius } from "./zone.ts";

function layPickup(fight: Fight, kind: number, x: number, y: number, ticks = 0): void {
  fight.pickupX[kind] = x;
  fight.pickupY[kind] = y;
  fight.pickupIn[kind] = ticks;
}

test("a wave announces health on a drawn pad and power opposite", () => {
  const fight = sceneOn("courtyard", [1, 7], [13, 7]);
  fight.words[TICK] = 10;
  const events = playTick(fight);
  const pads = ["2,2", "12,2", "2,12", "12,12"];
  const health = drawnFrom(fight.words[RANDOM_STATE]!) % pads.length;
  assert.deepEqual(events, [
    `pickup_spawn health in=10 @${pads[health]}`,
    `pickup_spawn power in=10 @${pads[3 - health]}`,
  ]);
});

test("waves come at ticks 10, 50, 90 and on", () => {
  const fight = sceneOn("lanes", [10, 5], [10, 7]);
  const waves: number[] = [];
  while (fight.words[TICK]! < 140) {
    const state = fight.words[RANDOM_STATE];
    fight.hp.fill(120);
    step(fight);
    if (fight.words[RANDOM_STATE] !== state) waves.push(fight.words[TICK]! - 1);
  }
  assert.deepEqual(waves, [10, 50, 90, 130]);
});

test("on every map a wave offers only pads that the zone will spare, and draws only then", () => {
  for (const grid of allGrids()) {
    for (let wave = 10; wave < 300; wave += 40) {
      const fight = startFight(grid, wave);
      fight.words[TICK] = wave;
      const state = fight.words[RANDOM_STATE];
      step(fight);
      const safe = grid.pads.filter((pad) => grid.level[pad]! <= zoneRadius(grid, wave + 10));
      assert.equal(fight.words[RANDOM_STATE] !== state, safe.length > 0);
      if (safe.length === 0) continue;
      const health = tileAt(grid, [fight.pickupX[HEALTH]!, fight.pickupY[HEALTH]!]);
      const power = tileAt(grid, [fight.pickupX[POWER]!, fight.pickupY[POWER]!]);
      assert.equal(health, safe[drawnFrom(fight.words[RANDOM_STATE]!) % safe.length]);
      assert.equal(power, turnedTile(grid, health));
    }
  }
});

test("a pickup can be taken ten ticks after it was announced", () => {
  const fight = sceneOn("courtyard", [1, 7], [13, 7]);
  playIdle(fight, 11);
  place(fight, 1, tileAt(fight.grid, [fight.pickupX[POWER]!, fight.pickupY[POWER]!]));
  for (let tick = 11; tick < 20; tick += 1) assert.deepEqual(playTick(fight), []);
  assert.deepEqual(playTick(fight), ["pickup B power"]);
});

test("an announced pickup is out of reach until its counter is 0", () => {
  const fight = sceneOn("courtyard", [2, 2], [7, 7]);
  fight.hp[0] = 60;
  layPickup(fight, HEALTH, 2, 2, 2);
  assert.deepEqual(playTick(fight), []);
  assert.deepEqual(playTick(fight), ["pickup A health healed=15"]);
  assert.deepEqual(playTick(fight), []);
});

test("health does not heal above 120", () => {
  const fight = sceneOn("courtyard", [2, 3], [7, 7]);
  fight.hp[0] = 110;
  layPickup(fight, HEALTH, 2, 2);
  assert.deepEqual(playTick(fight, { move: "n" }), ["pickup A health healed=10"]);
  assert.equal(fight.hp[0], 120);
});

test("health heals before the damage of the tick is taken", () => {
  const fight = sceneOn("courtyard", [2, 2], [3, 2]);
  fight.hp[0] = 5;
  layPickup(fight, HEALTH, 2, 2);
  playTick(fight, null, use("strike", "w"));
  assert.deepEqual([fight.hp[0], fight.alive[0]], [12, 1]);
});

test("power lasts for the next twenty ticks and a second one restarts them", () => {
  const fight = sceneOn("courtyard", [2, 2], [7, 7]);
  fight.words[TICK] = 51;
  layPickup(fight, POWER, 2, 2);
  assert.deepEqual(playTick(fight), ["pickup A power"]);
  assert.equal(fight.power[0], 20);
  playTick(fight);
  layPickup(fight, POWER, 2, 2);
  playTick(fight);
  assert.equal(fight.power[0], 20);
  for (let tick = 0; tick < 20; tick += 1) step(fight);
  assert.equal(fight.power[0], 0);
});

test("power does not help the attacks of the tick in which it is taken", () => {
  const fight = sceneOn("courtyard", [2, 2], [3, 2]);
  layPickup(fight, POWER, 2, 2);
  assert.deepEqual(playTick(fight, use("strike", "e"), null), [
    "attack A strike e @2,2",
    "hit A B strike 8 @3,2",
    "pickup A power",
  ]);
});

test("a wave takes away what lies there", () => {
  const fight = sceneOn("courtyard", [6, 6], [8, 8]);
  layPickup(fight, HEALTH, 7, 7);
  layPickup(fight, POWER, 7, 8, 3);
  fight.words[TICK] = 250;
  assert.deepEqual(playTick(fight), []);
  assert.deepEqual([...fight.pickupX, ...fight.pickupIn], [-1, -1, 0, 0]);
});
