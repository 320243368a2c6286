import assert from "node:assert/strict";
import { test } from "node:test";

import { tileAt } from "#testing/fixtures/fight-scene.ts";

import { distanceBetween, isSeen, parseGrid, turnedTile } from "./grid.ts";
import { gridOf } from "./maps.ts";
import type { Tile } from "./types.ts";

const SMALL = ["#######", "#1+.+2#", "#.....#", "#.....#", "#.....#", "#2+.+1#", "#######"];

function changed(y: number, row: string): string[] {
  return SMALL.with(y, row);
}

test("a small map is read", () => {
  const grid = parseGrid("small", SMALL);
  assert.deepEqual(grid.pads, [9, 11, 37, 39]);
  assert.deepEqual(grid.spawnPairs, [
    [8, 40],
    [12, 36],
  ]);
  assert.deepEqual(grid.center, [3, 3]);
  assert.equal(grid.fullRadius, 3);
  assert.deepEqual(grid.moves[8], ["e", "se", "s"]);
  assert.deepEqual(grid.dashes[8], { e: 3, se: 3, s: 3 });
  assert.deepEqual(grid.dashes[16], { n: 1, ne: 1, e: 3, se: 3, s: 3, sw: 1, w: 1, nw: 1 });
});

const BAD_MAPS: [string, string[]][] = [
  ["sides must be 5 to 31", []],
  ["rows differ in length", changed(3, "#....#")],
  ["sides must be odd", SMALL.slice(1)],
  ["sides must be 5 to 31", ["###", "#.#", "###"]],
  ['unknown tile "x"', changed(3, "#..x..#")],
  ['unknown tile "3"', changed(3, "#..3..#")],
  ["border must be wall", changed(3, "......#")],
  ["border must be wall", changed(0, "###.###")],
  ["unchanged by a turn", changed(2, "#o....#")],
  ["unchanged by a turn", changed(1, "#2+.+1#")],
  ["middle must be 3 by 3 floor", changed(3, "#.o.o.#")],
  ["must have 4 pads", SMALL.with(1, "#1...2#").with(5, "#2...1#")],
  ["two spawn pairs", SMALL.with(1, "#1+.+1#").with(5, "#1+.+1#")],
  [
    "reachable everywhere",
    [
      "#########",
      "#.#1+.+2#",
      "###.....#",
      "#.......#",
      "#.......#",
      "#.......#",
      "#.....###",
      "#2+.+1#.#",
      "#########",
    ],
  ],
];

for (const [problem, rows] of BAD_MAPS) {
  test(`a map is refused because its ${problem}: ${rows.join("/")}`, () => {
    assert.throws(() => parseGrid("bad", rows), { message: new RegExp(`^map bad: .*${problem}`) });
  });
}

test("sight and distance are looked up between tiles", () => {
  const grid = gridOf("courtyard")!;
  const between = (a: Tile, b: Tile): [boolean, number] => [
    isSeen(grid, tileAt(grid, a), tileAt(grid, b)),
    distanceBetween(grid, tileAt(grid, a), tileAt(grid, b)),
  ];
  assert.deepEqual(between([4, 2], [4, 4]), [false, 2]);
  assert.deepEqual(between([4, 2], [6, 3]), [true, 2]);
  assert.deepEqual(between([5, 4], [5, 6]), [true, 2]);
  assert.deepEqual(between([1, 1], [13, 12]), [false, 12]);
});

test("the tile opposite is a turn by 180 degrees away", () => {
  const grid = gridOf("lanes")!;
  assert.equal(turnedTile(grid, tileAt(grid, [1, 2])), tileAt(grid, [19, 10]));
});
