import assert from "node:assert/strict";
import { test } from "node:test";

import { playTestTick, sceneOnMap, testTicks, attackTurn } from "#testing/fixtures/tick-cases.ts";

testTicks([
  {
    name: "a push into an adjacent wall slams",
    tiles: [
      [12, 7],
      [13, 7],
    ],
    turns: [attackTurn("repulse"), null],
    events: [
      "attack A repulse null @12,7",
      "hit A B repulse 3 @13,7",
      "hit A B wall_slam 6 @13,7",
      "repulse A B e tiles=0 slam=true @13,7",
    ],
  },
  {
    name: "a push against a low wall slams too",
    tiles: [
      [7, 6],
      [8, 7],
    ],
    turns: [attackTurn("repulse"), null],
    events: [
      "attack A repulse null @7,6",
      "hit A B repulse 3 @8,7",
      "hit A B wall_slam 6 @9,8",
      "repulse A B se tiles=1 slam=true @9,8",
    ],
  },
  {
    name: "a push of three free tiles doesn't slam into the wall behind them",
    tiles: [
      [9, 7],
      [10, 7],
    ],
    turns: [attackTurn("repulse"), null],
    events: [
      "attack A repulse null @9,7",
      "hit A B repulse 3 @10,7",
      "repulse A B e tiles=3 slam=false @13,7",
    ],
  },
  {
    name: "a pushed fighter loses its dash",
    tiles: [
      [7, 7],
      [8, 7],
    ],
    turns: [attackTurn("repulse"), { dash: "w" }],
    events: [
      "attack A repulse null @7,7",
      "hit A B repulse 3 @8,7",
      "repulse A B e tiles=3 slam=false @11,7",
      "rejected B dash blocked",
    ],
  },
  {
    name: "a pulled fighter loses its move",
    tiles: [
      [3, 7],
      [6, 7],
    ],
    turns: [attackTurn("hook", "e"), { move: "n" }],
    events: [
      "attack A hook e @3,7",
      "hit A B hook 3 @6,7",
      "pull A B w tiles=2 @4,7",
      "rejected B move blocked",
    ],
  },
  {
    name: "two fighters that hook each other stop without damage before the same tile",
    tiles: [
      [5, 7],
      [8, 7],
    ],
    turns: [attackTurn("hook", "e"), attackTurn("hook", "w")],
    events: [
      "attack A hook e @5,7",
      "attack B hook w @8,7",
      "hit A B hook 3 @8,7",
      "hit B A hook 3 @5,7",
      "pull B A e tiles=1 @6,7",
      "pull A B w tiles=1 @7,7",
    ],
  },
  {
    name: "two fighters that repulse each other fly apart and slam in seat order",
    tiles: [
      [1, 7],
      [2, 7],
    ],
    turns: [attackTurn("repulse"), attackTurn("repulse")],
    events: [
      "attack A repulse null @1,7",
      "attack B repulse null @2,7",
      "hit A B repulse 3 @2,7",
      "hit B A repulse 3 @1,7",
      "hit B A wall_slam 6 @1,7",
      "repulse B A w tiles=0 slam=true @1,7",
      "repulse A B e tiles=3 slam=false @5,7",
    ],
  },
  {
    name: "a fighter pushed into another hurts both",
    tiles: [
      [6, 7],
      [7, 7],
      [9, 7],
    ],
    turns: [attackTurn("repulse")],
    events: [
      "attack A repulse null @6,7",
      "hit A B repulse 3 @7,7",
      "hit A B collision 4 @8,7",
      "hit A C collision 4 @9,7",
      "repulse A B e tiles=1 slam=false @8,7",
    ],
  },
  {
    name: "two fighters pushed along one line fly behind each other",
    tiles: [
      [6, 7],
      [7, 7],
      [8, 7],
    ],
    turns: [attackTurn("repulse")],
    events: [
      "attack A repulse null @6,7",
      "hit A B repulse 3 @7,7",
      "hit A C repulse 3 @8,7",
      "repulse A B e tiles=3 slam=false @10,7",
      "repulse A C e tiles=3 slam=false @11,7",
    ],
  },
  {
    name: "a slammed fighter stops the one pushed behind it",
    tiles: [
      [11, 7],
      [12, 7],
      [13, 7],
    ],
    turns: [attackTurn("repulse")],
    events: [
      "attack A repulse null @11,7",
      "hit A B repulse 3 @12,7",
      "hit A C repulse 3 @13,7",
      "hit A C wall_slam 6 @13,7",
      "hit A B collision 4 @12,7",
      "hit A C collision 4 @13,7",
      "repulse A B e tiles=0 slam=false @12,7",
      "repulse A C e tiles=0 slam=true @13,7",
    ],
  },
  {
    name: "a pulled and a pushed fighter that collide take damage from both throwers",
    tiles: [
      [2, 7],
      [7, 7],
      [6, 6],
      [6, 5],
    ],
    turns: [attackTurn("hook", "e"), null, null, attackTurn("repulse")],
    events: [
      "attack A hook e @2,7",
      "attack D repulse null @6,5",
      "hit A B hook 3 @7,7",
      "hit D B repulse 3 @7,7",
      "hit D C repulse 3 @6,6",
      "hit A B collision 4 @7,7",
      "hit A C collision 4 @6,6",
      "hit D C collision 4 @6,6",
      "hit D B collision 4 @7,7",
      "pull A B w tiles=0 @7,7",
      "repulse D C s tiles=0 slam=false @6,6",
    ],
  },
  {
    name: "two longest pushes of a fighter cancel, and it keeps its move",
    tiles: [
      [6, 7],
      [7, 7],
      [8, 7],
    ],
    turns: [attackTurn("repulse"), { move: "n" }, attackTurn("repulse")],
    events: [
      "attack A repulse null @6,7",
      "attack C repulse null @8,7",
      "hit A B repulse 3 @7,7",
      "hit A C repulse 3 @8,7",
      "hit C A repulse 3 @6,7",
      "hit C B repulse 3 @7,7",
      "repulse C A w tiles=3 slam=false @3,7",
      "repulse A C e tiles=3 slam=false @11,7",
    ],
  },
  {
    name: "the longer of two throws takes effect",
    tiles: [
      [2, 7],
      [7, 7],
      [8, 7],
    ],
    turns: [attackTurn("hook", "e"), null, attackTurn("repulse")],
    events: [
      "attack A hook e @2,7",
      "attack C repulse null @8,7",
      "hit A B hook 3 @7,7",
      "hit C B repulse 3 @7,7",
      "pull A B w tiles=4 @3,7",
    ],
  },
]);

test("a slammed fighter loses its next two turns", () => {
  const fight = sceneOnMap("courtyard", [12, 7], [13, 7]);
  playTestTick(fight, attackTurn("repulse"), attackTurn("bolt", "w"));
  const turn = { move: "n", attack: { name: "strike", target: "w" } } as const;
  assert.equal(fight.stun[1], 2);
  assert.deepEqual(playTestTick(fight, null, turn), ["rejected B turn not_ready"]);
  assert.deepEqual(playTestTick(fight, null, turn), ["rejected B turn not_ready"]);
  assert.equal(fight.stun[1], 0);
  assert.deepEqual(playTestTick(fight, null, { move: "n" }), []);
  assert.equal(fight.y[1], 6);
});

test("a fighter slammed in the same tick still fires its bolt", () => {
  const fight = sceneOnMap("courtyard", [12, 7], [13, 7]);
  const events = playTestTick(fight, attackTurn("repulse"), attackTurn("bolt", "w"));
  assert.deepEqual(events.slice(-2), ["attack B bolt w @13,7", "hit B A bolt 7 @12,7"]);
});

test("a lost dash still starts its cooldown", () => {
  const fight = sceneOnMap("courtyard", [7, 7], [8, 7]);
  playTestTick(fight, attackTurn("repulse"), { dash: "w" });
  assert.deepEqual(playTestTick(fight, null, { dash: "w" }), ["rejected B dash not_ready"]);
});

const OFFSETS: [offset: [number, number], direction: string][] = [
  [[1, 2], "se"],
  [[2, 1], "se"],
  [[2, 2], "se"],
  [[-1, 2], "sw"],
  [[2, -1], "ne"],
  [[0, 2], "s"],
  [[-2, 0], "w"],
];
for (const [[dx, dy], direction] of OFFSETS)
  test(`a repulse pushes a fighter at (${dx},${dy}) ${direction}`, () => {
    const fight = sceneOnMap("trench", [9, 9], [9 + dx, 9 + dy]);
    const [, , ...events] = playTestTick(fight, attackTurn("repulse"), null);
    assert.match(events.at(-1) ?? "", new RegExp(`^repulse A B ${direction} tiles=`));
  });
