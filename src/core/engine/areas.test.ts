import assert from "node:assert/strict";
import { test } from "node:test";

import { playTestTick, sceneOnMap, testTicks, attackTurn } from "#testing/fixtures/tick-cases.ts";

testTicks([
  {
    name: "announces a blast in the tick of its cast",
    tiles: [
      [2, 7],
      [7, 7],
    ],
    turns: [attackTurn("blast", [7, 7]), null],
    events: ["attack A blast 7,7 @2,7", "area_spawn A blast radius=2 12 in=2 @7,7"],
  },
  {
    name: "announces a scorch with its caster's current strength",
    tiles: [
      [2, 7],
      [7, 7],
    ],
    prepare: (fight) => (fight.power[0] = 1),
    turns: [attackTurn("scorch", [5, 7]), null],
    events: ["attack A scorch 5,7 @2,7", "area_spawn A scorch radius=1 6 left=8 @5,7"],
  },
]);

test("a blast explodes at the end of the second tick after its cast and also hurts its owner", () => {
  const fight = sceneOnMap("courtyard", [5, 7], [9, 7]);
  playTestTick(fight, attackTurn("blast", [7, 7]), null);
  assert.deepEqual(playTestTick(fight), []);
  assert.deepEqual(playTestTick(fight), [
    "area_explode A blast radius=2 @7,7",
    "hit A A blast 12 @5,7",
    "hit A B blast 12 @9,7",
  ]);
  assert.deepEqual([...fight.dealt], [12, 0]);
  assert.deepEqual(playTestTick(fight), []);
});

test("a blast hits a fighter who walks in and misses one who walks out", () => {
  const fight = sceneOnMap("courtyard", [4, 7], [9, 7]);
  playTestTick(fight, attackTurn("blast", [7, 7]), null);
  playTestTick(fight);
  const events = playTestTick(fight, { move: "e" }, { move: "e" });
  assert.deepEqual(events, ["area_explode A blast radius=2 @7,7", "hit A A blast 12 @5,7"]);
});

test("a wall between a fighter and the centre blocks a blast", () => {
  const fight = sceneOnMap("courtyard", [1, 7], [4, 2]);
  playTestTick(fight, attackTurn("blast", [4, 4]), null);
  playTestTick(fight);
  assert.deepEqual(playTestTick(fight), ["area_explode A blast radius=2 @4,4"]);
});

test("a scorch burns at the end of each of the eight ticks after its cast", () => {
  const fight = sceneOnMap("courtyard", [2, 7], [7, 7]);
  playTestTick(fight, attackTurn("scorch", [6, 7]), null);
  for (let burn = 1; burn <= 8; burn += 1) {
    assert.deepEqual(playTestTick(fight), ["hit A B scorch 4 @7,7"]);
  }
  assert.deepEqual(playTestTick(fight), []);
  assert.equal(fight.hp[1], 120 - 8 * 4);
});

test("a fighter's blast takes effect before its scorch, and fighters' areas take effect in seat order", () => {
  const fight = sceneOnMap("courtyard", [6, 7], [8, 7]);
  playTestTick(fight, attackTurn("blast", [7, 7]), attackTurn("blast", [7, 7]));
  fight.cooldowns.fill(0);
  playTestTick(fight, attackTurn("scorch", [7, 7]), null);
  assert.deepEqual(playTestTick(fight), [
    "area_explode A blast radius=2 @7,7",
    "hit A A blast 12 @6,7",
    "hit A B blast 12 @8,7",
    "hit A A scorch 4 @6,7",
    "hit A B scorch 4 @8,7",
    "area_explode B blast radius=2 @7,7",
    "hit B A blast 12 @6,7",
    "hit B B blast 12 @8,7",
  ]);
});

test("an area keeps its damage after its caster's power buff ends", () => {
  const fight = sceneOnMap("courtyard", [2, 7], [7, 7]);
  fight.power[0] = 1;
  playTestTick(fight, attackTurn("blast", [7, 7]), null);
  playTestTick(fight);
  assert.deepEqual(playTestTick(fight).at(-1), "hit A B blast 18 @7,7");
});

test("an area stays active after its owner has fallen", () => {
  const fight = sceneOnMap("courtyard", [2, 7], [7, 7], [12, 12]);
  fight.hp[0] = 4;
  playTestTick(fight, attackTurn("scorch", [3, 7]), null, null);
  assert.deepEqual(playTestTick(fight), ["hit A A scorch 4 @2,7", "death A @2,7"]);
  assert.deepEqual(playTestTick(fight, null, { dash: "w" }, null), ["hit A B scorch 4 @4,7"]);
  assert.equal(fight.dealt[0], 4);
});

test("an area still appears if its caster is thrown in the same tick", () => {
  const fight = sceneOnMap("courtyard", [12, 7], [13, 7]);
  const events = playTestTick(fight, attackTurn("repulse"), attackTurn("blast", [7, 7]));
  assert.equal(events.at(-1), "area_spawn B blast radius=2 12 in=2 @7,7");
});

test("a low wall doesn't block areas and can't be targeted", () => {
  const fight = sceneOnMap("trench", [9, 1], [4, 3]);
  const [, refused] = playTestTick(fight, attackTurn("blast", [4, 1]), attackTurn("blast", [4, 2]));
  assert.equal(refused, "rejected B attack blocked");
  playTestTick(fight);
  assert.ok(playTestTick(fight).includes("hit A B blast 12 @4,3"));
});
