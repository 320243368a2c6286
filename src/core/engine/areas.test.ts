import assert from "node:assert/strict";
import { test } from "node:test";

import { playTick, sceneOn, testTicks, use } from "#testing/fixtures/fight-scene.ts";

testTicks([
  {
    name: "a blast is announced in the tick of its cast",
    at: [
      [2, 7],
      [7, 7],
    ],
    turns: [use("blast", [7, 7]), null],
    events: ["attack A blast 7,7 @2,7", "area_spawn A blast radius=2 12 in=2 @7,7"],
  },
  {
    name: "a scorch is announced likewise, as strong as its caster is then",
    at: [
      [2, 7],
      [7, 7],
    ],
    before: (fight) => (fight.power[0] = 1),
    turns: [use("scorch", [5, 7]), null],
    events: ["attack A scorch 5,7 @2,7", "area_spawn A scorch radius=1 6 left=8 @5,7"],
  },
]);

test("a blast explodes at the end of the second tick after its cast and spares nobody", () => {
  const fight = sceneOn("courtyard", [5, 7], [9, 7]);
  playTick(fight, use("blast", [7, 7]), null);
  assert.deepEqual(playTick(fight), []);
  assert.deepEqual(playTick(fight), [
    "area_explode A blast radius=2 @7,7",
    "hit A A blast 12 @5,7",
    "hit A B blast 12 @9,7",
  ]);
  assert.deepEqual([...fight.dealt], [12, 0]);
  assert.deepEqual(playTick(fight), []);
});

test("a blast hits a fighter that walks in and spares one that walks out", () => {
  const fight = sceneOn("courtyard", [4, 7], [9, 7]);
  playTick(fight, use("blast", [7, 7]), null);
  playTick(fight);
  const events = playTick(fight, { move: "e" }, { move: "e" });
  assert.deepEqual(events, ["area_explode A blast radius=2 @7,7", "hit A A blast 12 @5,7"]);
});

test("a wall between it and the centre shelters from a blast", () => {
  const fight = sceneOn("courtyard", [1, 7], [4, 2]);
  playTick(fight, use("blast", [4, 4]), null);
  playTick(fight);
  assert.deepEqual(playTick(fight), ["area_explode A blast radius=2 @4,4"]);
});

test("a scorch burns at the end of eight ticks after its cast", () => {
  const fight = sceneOn("courtyard", [2, 7], [7, 7]);
  playTick(fight, use("scorch", [6, 7]), null);
  for (let burn = 1; burn <= 8; burn += 1) {
    assert.deepEqual(playTick(fight), ["hit A B scorch 4 @7,7"]);
  }
  assert.deepEqual(playTick(fight), []);
  assert.equal(fight.hp[1], 120 - 8 * 4);
});

test("a fighter's blast acts before its scorch, and both before the next fighter's", () => {
  const fight = sceneOn("courtyard", [6, 7], [8, 7]);
  playTick(fight, use("blast", [7, 7]), use("blast", [7, 7]));
  fight.cooldowns.fill(0);
  playTick(fight, use("scorch", [7, 7]), null);
  assert.deepEqual(playTick(fight), [
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

test("an area keeps its strength when the power of its caster is over", () => {
  const fight = sceneOn("courtyard", [2, 7], [7, 7]);
  fight.power[0] = 1;
  playTick(fight, use("blast", [7, 7]), null);
  playTick(fight);
  assert.deepEqual(playTick(fight).at(-1), "hit A B blast 18 @7,7");
});

test("an area keeps running when its owner has fallen", () => {
  const fight = sceneOn("courtyard", [2, 7], [7, 7], [12, 12]);
  fight.hp[0] = 4;
  playTick(fight, use("scorch", [3, 7]), null, null);
  assert.deepEqual(playTick(fight), ["hit A A scorch 4 @2,7", "death A @2,7"]);
  assert.deepEqual(playTick(fight, null, { dash: "w" }, null), ["hit A B scorch 4 @4,7"]);
  assert.equal(fight.dealt[0], 4);
});

test("the area of a fighter thrown in the same tick still appears", () => {
  const fight = sceneOn("courtyard", [12, 7], [13, 7]);
  const events = playTick(fight, use("repulse"), use("blast", [7, 7]));
  assert.equal(events.at(-1), "area_spawn B blast radius=2 12 in=2 @7,7");
});

test("a low wall shields nobody behind it, and takes no area itself", () => {
  const fight = sceneOn("trench", [9, 1], [4, 3]);
  const [, refused] = playTick(fight, use("blast", [4, 1]), use("blast", [4, 2]));
  assert.equal(refused, "rejected B attack blocked");
  playTick(fight);
  assert.ok(playTick(fight).includes("hit A B blast 12 @4,3"));
});
