import assert from "node:assert/strict";
import { test } from "node:test";

import { tileIndexAt } from "#testing/fixtures/tick-cases.ts";

import { distanceBetween, isTileVisible, parseGrid, rotatedTile } from "./grid.ts";
import { gridOf } from "./maps.ts";
import type { Tile } from "./types.ts";

const SMALL = ["#######", "#1+.+2#", "#.....#", "#.....#", "#.....#", "#2+.+1#", "#######"];

function changeRow(y: number, row: string): string[] {
  return SMALL.with(y, row);
}

test("parses a small map", () => {
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
  ["rows differ in length", changeRow(3, "#....#")],
  ["sides must be odd", SMALL.slice(1)],
  ["sides must be 5 to 31", ["###", "#.#", "###"]],
  ['unknown tile "x"', changeRow(3, "#..x..#")],
  ['unknown tile "3"', changeRow(3, "#..3..#")],
  ["border must be wall", changeRow(3, "......#")],
  ["border must be wall", changeRow(0, "###.###")],
  ["unchanged by a turn", changeRow(2, "#o....#")],
  ["unchanged by a turn", changeRow(1, "#2+.+1#")],
  ["middle must be 3 by 3 floor", changeRow(3, "#.o.o.#")],
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
  test(`rejects a map because of ${problem}: ${rows.join("/")}`, () => {
    assert.throws(() => parseGrid("bad", rows), { message: new RegExp(`^map bad: .*${problem}`) });
  });
}

test("looks up line of sight and distance between tiles", () => {
  const grid = gridOf("courtyard")!;
  const between = (a: Tile, b: Tile): [boolean, number] => [
    isTileVisible(grid, tileIndexAt(grid, a), tileIndexAt(grid, b)),
    distanceBetween(grid, tileIndexAt(grid, a), tileIndexAt(grid, b)),
  ];
  assert.deepEqual(between([4, 2], [4, 4]), [false, 2]);
  assert.deepEqual(between([4, 2], [6, 3]), [true, 2]);
  assert.deepEqual(between([5, 4], [5, 6]), [true, 2]);
  assert.deepEqual(between([1, 1], [13, 12]), [false, 12]);
});

test("finds the opposite tile by a 180-degree turn", () => {
  const grid = gridOf("lanes")!;
  assert.equal(rotatedTile(grid, tileIndexAt(grid, [1, 2])), tileIndexAt(grid, [19, 10]));
});
