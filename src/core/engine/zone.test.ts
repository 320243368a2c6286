import assert from "node:assert/strict";
import { test } from "node:test";

import { playTestTick, sceneOnMap } from "#testing/fixtures/tick-cases.ts";

import { TICK } from "./fight.ts";
import { gridOf } from "./maps.ts";
import { zoneRadius, zoneShrinksIn } from "./zone.ts";

const RADII: [map: string, tick: number, radius: number, shrinksIn: number | null][] = [
  ["courtyard", 0, 7, 80],
  ["courtyard", 79, 7, 1],
  ["courtyard", 80, 6, 12],
  ["courtyard", 91, 6, 1],
  ["courtyard", 92, 5, 12],
  ["courtyard", 139, 2, 1],
  ["courtyard", 140, 1, null],
  ["courtyard", 299, 1, null],
  ["cage", 97, 4, 7],
  ["lanes", 187, 1, null],
  ["lanes", 175, 2, 1],
];

for (const [map, tick, radius, shrinksIn] of RADII) {
  test(`at tick ${tick} on ${map}, the zone has radius ${radius}`, () => {
    const grid = gridOf(map)!;
    assert.deepEqual([zoneRadius(grid, tick), zoneShrinksIn(grid, tick)], [radius, shrinksIn]);
  });
}

test("a fighter outside the zone after movement takes 4 damage", () => {
  const fight = sceneOnMap("courtyard", [1, 7], [12, 7], [1, 1]);
  fight.words[TICK] = 92;
  const events = playTestTick(fight, { move: "e" }, { move: "e" }, {});
  assert.deepEqual(events, ["zone_damage B 4 @13,7", "zone_damage C 4 @1,1"]);
  assert.deepEqual([...fight.hp], [120, 116, 116]);
});

test("the zone deals no damage at its full radius", () => {
  const fight = sceneOnMap("courtyard", [1, 1], [13, 13]);
  fight.words[TICK] = 79;
  assert.deepEqual(playTestTick(fight), []);
});
