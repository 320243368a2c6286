import assert from "node:assert/strict";
import { test } from "node:test";

import { DIRECTION_COUNT } from "./integer-codes.ts";
import { gridOf } from "./maps.ts";
import type { Direction } from "./types.ts";
import { DIRECTIONS } from "./types.ts";

function rayFrom(map: string, x: number, y: number, direction: Direction): string {
  const grid = gridOf(map)!;
  const edge = (y * grid.width + x) * DIRECTION_COUNT + DIRECTIONS.indexOf(direction);
  const tiles: string[] = [];
  for (let step = grid.rayStart[edge]!; step < grid.rayStart[edge + 1]!; step += 1) {
    const tile = grid.rayTiles[step]!;
    tiles.push(`${grid.x[tile]},${grid.y[tile]}${"*".repeat(grid.rayBounces[step]!)}`);
  }
  return tiles.join(" ");
}

const RAYS: [string, number, number, Direction, string][] = [
  [
    ...(["courtyard", 1, 7, "ne"] as const),
    "2,6 3,5 4,4 5,5* 6,6* 7,7* 8,8* 9,9* 10,10* 11,9** 12,8** 13,7**",
  ],
  ["courtyard", 7, 9, "s", "7,10 7,11 7,12 7,13 7,12* 7,11* 7,10*"],
  ["courtyard", 3, 4, "ne", ""],
  ["bumpers", 8, 8, "nw", "7,7 6,6 7,7*"],
  ["bumpers", 9, 2, "sw", "8,3 7,4 8,5* 9,6* 10,7* 11,8* 10,9** 9,10** 8,11** 7,12**"],
  ["pinwheel", 7, 7, "ne", "8,6 9,5 10,6* 11,7* 12,8* 13,7**"],
];

for (const [map, x, y, direction, tiles] of RAYS) {
  test(`traces the published ray on ${map} from ${x},${y} to ${direction}`, () => {
    assert.equal(rayFrom(map, x, y, direction), tiles);
  });
}
