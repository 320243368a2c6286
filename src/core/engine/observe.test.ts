import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { playTestTick, sceneOnMap, attackTurn } from "#testing/fixtures/tick-cases.ts";

import type { Fight } from "./fight.ts";
import { TICK, placeOnTile, rememberSightings } from "./fight.ts";
import { HEALTH, POWER } from "./integer-codes.ts";
import { observationFor } from "./observe.ts";
import type { Direction } from "./types.ts";

function exampleFight(): Fight {
  const fight = sceneOnMap("cage", [7, 9], [10, 10]);
  fight.words[TICK] = 97;
  fight.hp.set([83, 68]);
  fight.cooldowns.set([0, 1, 1, 1, 10, 1, 14, 0]);
  fight.cooldowns.set([0, 3, 5, 3, 10, 3, 3, 17], 8);
  for (const [window, value] of [
    [fight.areaX, 9],
    [fight.areaY, 11],
    [fight.areaLeft, 8],
    [fight.areaDamage, 4],
  ] as const) {
    window[1] = value;
  }
  fight.pickupX.set([6, 6]);
  fight.pickupY.set([10, 2]);
  fight.pickupIn.fill(4);
  return fight;
}

test("matches the published example", () => {
  assert.deepEqual(observationFor(exampleFight(), 0), {
    tick: 97,
    self: {
      id: "A",
      x: 7,
      y: 9,
      hp: 83,
      stun: 0,
      power: 0,
      cooldowns: {
        dash: 0,
        strike: 1,
        bolt: 1,
        hook: 1,
        repulse: 10,
        blast: 1,
        scorch: 14,
        shout: 0,
      },
    },
    fighters: [
      {
        id: "B",
        hp: 68,
        power: 0,
        visible: true,
        x: 10,
        y: 10,
        stun: 0,
        cooldowns: { dash: 0, strike: 3, bolt: 5, hook: 3, repulse: 10, blast: 3, scorch: 3 },
      },
    ],
    moves: ["e", "se", "s", "sw", "w"],
    dashes: { e: 1, se: 2, s: 2, sw: 1, w: 3 },
    danger: [...[8, 9, 10].map((x) => [x, 10, 1, 4]), ...[8, 9, 10].map((x) => [x, 11, 1, 4])],
    areas: [{ name: "scorch", by: "A", x: 9, y: 11, radius: 1, left: 8, damage: 4 }],
    pickups: [
      { kind: "health", x: 6, y: 10, in: 4 },
      { kind: "power", x: 6, y: 2, in: 4 },
    ],
    zone: { radius: 4, shrinks_in: 7, damage: 4 },
    events: [],
  });
});

test("an observation has its fields in the published order", () => {
  const view = observationFor(exampleFight(), 0);
  assert.equal(
    Object.keys(view).join(" "),
    "tick self fighters moves dashes danger areas pickups zone events",
  );
  assert.equal(Object.keys(view.self).join(" "), "id x y hp stun power cooldowns");
  assert.equal(Object.keys(view.fighters[0]!).join(" "), "id hp power visible x y stun cooldowns");
  assert.equal(Object.keys(view.areas[0]!).join(" "), "name by x y radius left damage");
});

test("a stunned fighter has no moves or dashes", () => {
  const fight = exampleFight();
  fight.stun[0] = 1;
  const { moves, dashes, self } = observationFor(fight, 0);
  assert.deepEqual([moves, dashes, self.stun], [[], {}, 1]);
});

test("a fighter has moves but no dashes while its dash is on cooldown", () => {
  const fight = exampleFight();
  fight.cooldowns[0] = 3;
  const { moves, dashes } = observationFor(fight, 0);
  assert.deepEqual([moves.length, dashes], [5, {}]);
});

test("an observer can't change the lists it shares with the map", () => {
  const fight = exampleFight();
  const { moves, dashes } = observationFor(fight, 0);
  assert.throws(() => (moves as Direction[]).pop(), TypeError);
  assert.throws(() => Object.assign(dashes, { e: 9 }), TypeError);
});

test("an observation shows only the HP, power and last seen position of a hidden fighter", () => {
  const fight = sceneOnMap("halls", [3, 2], [5, 3]);
  rememberSightings(fight);
  playTestTick(fight, null, { move: "e" });
  playTestTick(fight, null, { move: "e" });
  playTestTick(fight, null, { move: "e" });
  fight.power[1] = 7;
  assert.deepEqual(observationFor(fight, 0).fighters, [
    { id: "B", hp: 120, power: 7, visible: true, x: 8, y: 3, stun: 0, cooldowns: cooldowns() },
  ]);
  playTestTick(fight, null, { move: "n" });
  assert.deepEqual(observationFor(fight, 0).fighters, [
    { id: "B", hp: 120, power: 6, visible: false, last_seen: { x: 8, y: 3, tick: 3 } },
  ]);
});

function cooldowns() {
  return { dash: 0, strike: 0, bolt: 0, hook: 0, repulse: 0, blast: 0, scorch: 0 };
}

test("last_seen is null for a fighter that was never seen", () => {
  const fight = sceneOnMap("halls", [1, 1], [17, 13]);
  assert.deepEqual(observationFor(fight, 0).fighters, [
    { id: "B", hp: 120, power: 0, visible: false, last_seen: null },
  ]);
});

test("lists the other fighters in seat order and marks fallen ones", () => {
  const fight = sceneOnMap("courtyard", [1, 7], [2, 7], [3, 7], [4, 7]);
  fight.hp[2] = 0;
  fight.alive[2] = 0;
  const { fighters } = observationFor(fight, 1);
  assert.deepEqual(
    fighters.map(({ id }) => id),
    ["A", "C", "D"],
  );
  assert.deepEqual(fighters[1], { id: "C", hp: 0, alive: false });
});

test("danger lists each area separately, with the ticks until a blast explodes", () => {
  const fight = sceneOnMap("courtyard", [2, 7], [7, 7]);
  playTestTick(fight, attackTurn("blast", [5, 6]), attackTurn("scorch", [5, 7]));
  const { danger, areas } = observationFor(fight, 0);
  assert.deepEqual(areas, [
    { name: "blast", by: "A", x: 5, y: 6, radius: 2, in: 2, damage: 12 },
    { name: "scorch", by: "B", x: 5, y: 7, radius: 1, left: 8, damage: 4 },
  ]);
  assert.deepEqual(danger.slice(0, 3), [
    [3, 4, 2, 12],
    [4, 4, 2, 12],
    [5, 4, 2, 12],
  ]);
  assert.deepEqual(danger.slice(-2), [
    [4, 8, 1, 4],
    [5, 8, 1, 4],
  ]);
  // (5,5) is a low wall, not floor.
  assert.equal(
    danger.some(([x, y]) => x === 5 && y === 5),
    false,
  );
});

test("danger excludes tiles behind a wall", () => {
  const fight = sceneOnMap("courtyard", [4, 2], [9, 7]);
  fight.areaX[2] = 4;
  fight.areaY[2] = 4;
  fight.areaLeft[2] = 2;
  fight.areaDamage[2] = 12;
  const tiles = observationFor(fight, 0).danger.map(([x, y]) => `${x},${y}`);
  assert.equal(tiles.includes("4,2"), false);
  assert.equal(tiles.includes("3,3"), true);
});

test("an observation lists existing pickups, health first", () => {
  const fight = sceneOnMap("courtyard", [1, 7], [13, 7]);
  assert.deepEqual(observationFor(fight, 0).pickups, []);
  fight.pickupX[POWER] = 12;
  fight.pickupY[POWER] = 2;
  assert.deepEqual(observationFor(fight, 0).pickups, [{ kind: "power", x: 12, y: 2, in: 0 }]);
  placeOnTile(fight, 0, fight.tile[1]!);
  assert.equal(fight.pickupX[HEALTH], -1);
});

test("moves and dashes depend only on the map, not on other fighters", () => {
  const [tileBeside, distantTile] = firstTwo(
    [
      [8, 7],
      [2, 1],
    ].map(([x, y]) => observationFor(sceneOnMap("courtyard", [7, 7], [x!, y!]), 0)),
  );
  assert.deepEqual([tileBeside.moves, tileBeside.dashes], [distantTile.moves, distantTile.dashes]);
  assert.equal(tileBeside.dashes.e, 3);
});
