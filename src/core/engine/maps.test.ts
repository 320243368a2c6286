import assert from "node:assert/strict";
import { test } from "node:test";

import type { Grid } from "./grid.ts";
import { DIRECTION_COUNT, NONE } from "./integer-codes.ts";
import { MAP_NAMES, allGrids, gridOf, mapView } from "./maps.ts";

/**
 * Width, height, full zone radius, floor tiles, steps, visible pairs, ray tiles, and bounces at ray
 * ends.
 */
const CHECK_SUMS = {
  courtyard: [15, 15, 7, 161, 1008, 20797, 9120, 1364],
  pillars: [17, 15, 8, 179, 1012, 14069, 6984, 1044],
  halls: [19, 15, 9, 183, 1000, 9793, 5792, 1026],
  lanes: [21, 13, 10, 179, 996, 12675, 6518, 1156],
  keep: [17, 17, 8, 199, 1200, 13575, 7952, 1418],
  trench: [19, 13, 9, 159, 800, 18837, 9358, 1322],
  bumpers: [17, 17, 8, 203, 1256, 17303, 8684, 1402],
  pinwheel: [15, 15, 7, 145, 784, 10137, 5212, 944],
  cage: [13, 13, 6, 109, 592, 8569, 4620, 792],
};

function count(values: ArrayLike<number>, isCounted: (value: number) => boolean): number {
  return Array.from(values).filter(isCounted).length;
}

function bouncesAtRayEnds({ rayStart, rayBounces }: Grid): number {
  let sum = 0;
  for (let edge = 0; edge + 1 < rayStart.length; edge += 1) {
    if (rayStart[edge + 1]! > rayStart[edge]!) sum += rayBounces[rayStart[edge + 1]! - 1]!;
  }
  return sum;
}

function checkSums(grid: Grid): number[] {
  return [
    grid.width,
    grid.height,
    grid.fullRadius,
    count(grid.floor, (floor) => floor === 1),
    count(grid.step, (tile) => tile !== NONE),
    count(grid.sight, (isVisible) => isVisible === 1),
    grid.rayTiles.length,
    bouncesAtRayEnds(grid),
  ];
}

test("MAP_NAMES and allGrids list the maps in the published order", () => {
  assert.deepEqual(MAP_NAMES, Object.keys(CHECK_SUMS));
  assert.deepEqual(
    allGrids().map(({ name }) => name),
    MAP_NAMES,
  );
});

for (const name of MAP_NAMES) {
  test(`${name} has its published checksums`, () => {
    assert.deepEqual(checkSums(gridOf(name)!), CHECK_SUMS[name]);
  });

  test(`${name} has tables with 180-degree symmetry`, () => {
    const { tileCount, step, dash, sight, walk } = gridOf(name)!;
    const rotatedEdge = (edge: number): number => {
      const rotated = tileCount - 1 - Math.floor(edge / DIRECTION_COUNT);
      return rotated * DIRECTION_COUNT + ((edge + DIRECTION_COUNT / 2) % DIRECTION_COUNT);
    };
    for (let edge = 0; edge < step.length; edge += 1) {
      const rotatedStep = step[edge] === NONE ? NONE : tileCount - 1 - step[edge]!;
      assert.equal(step[rotatedEdge(edge)], rotatedStep);
      assert.equal(dash[rotatedEdge(edge)], dash[edge]);
    }
    assert.deepEqual(sight.toReversed(), sight);
    assert.deepEqual(walk.toReversed(), walk);
  });
}

test("returns no grid for an unknown map name", () => {
  for (const name of ["", "Cage", "constructor", "__proto__"]) assert.equal(gridOf(name), null);
});

test("builds each grid once", () => {
  assert.equal(gridOf("cage"), gridOf("cage"));
});

test("describes a map by name, size, centre and rows", () => {
  const mapInfo = mapView(gridOf("lanes")!);
  assert.deepEqual(Object.keys(mapInfo), ["name", "width", "height", "center", "rows"]);
  assert.deepEqual(
    [mapInfo.name, mapInfo.width, mapInfo.height, mapInfo.center],
    ["lanes", 21, 13, [10, 6]],
  );
  assert.equal(mapInfo.rows[2], "#..........+.......2#");
});
