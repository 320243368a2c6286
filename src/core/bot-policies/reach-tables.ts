import type { Grid } from "#core/engine/grid.ts";
import { DIRECTION_COUNT, NONE } from "#core/engine/integer-codes.ts";
import { RULES } from "#core/engine/rules.ts";

import { canRepulse, directionToTarget, repulseSlams } from "./aim.ts";

const { hook } = RULES.attacks;

/** Indexed by from * tileCount + to, unless noted otherwise. */
export type ReachTables = {
  /** Direction of the bolt with the most damage, or NONE if no bolt hits. */
  readonly bolt: Int8Array;
  /** Direction of an unobstructed straight line within hook range, or NONE. */
  readonly line: Int8Array;
  readonly slam: Uint8Array;
  /** End tile of a dash longer than one tile, or NONE. Indexed by edge. */
  readonly dashEnd: Int16Array;
};

export function createReachTables(grid: Grid): ReachTables {
  return {
    bolt: boltTable(grid),
    line: lineTable(grid),
    slam: slamTable(grid),
    dashEnd: dashTable(grid),
  };
}

function boltTable(grid: Grid): Int8Array {
  const bolt = new Int8Array(grid.tileCount * grid.tileCount).fill(NONE);
  const bounces = new Uint8Array(bolt.length);
  for (let edge = 0; edge < grid.tileCount * DIRECTION_COUNT; edge += 1) {
    const from = Math.floor(edge / DIRECTION_COUNT);
    for (let step = grid.rayStart[edge]!; step < grid.rayStart[edge + 1]!; step += 1) {
      const tilePair = from * grid.tileCount + grid.rayTiles[step]!;
      if (bolt[tilePair] !== NONE && bounces[tilePair]! >= grid.rayBounces[step]!) continue;
      // Only the first crossing counts, because the bolt stops at the fighter there.
      if (bolt[tilePair] === edge % DIRECTION_COUNT) continue;
      bolt[tilePair] = edge % DIRECTION_COUNT;
      bounces[tilePair] = grid.rayBounces[step]!;
    }
  }
  return bolt;
}

function lineTable(grid: Grid): Int8Array {
  const line = new Int8Array(grid.tileCount * grid.tileCount).fill(NONE);
  forEachVisiblePair(grid, (tilePair, from, to) => {
    line[tilePair] = directionToTarget(grid, from, to, hook.range);
  });
  return line;
}

function slamTable(grid: Grid): Uint8Array {
  const slam = new Uint8Array(grid.tileCount * grid.tileCount);
  forEachVisiblePair(grid, (tilePair, from, to) => {
    slam[tilePair] = Number(canRepulse(grid, from, to) && repulseSlams(grid, from, to));
  });
  return slam;
}

function forEachVisiblePair(
  grid: Grid,
  visit: (tilePair: number, from: number, to: number) => void,
): void {
  for (const [tilePair, isVisible] of grid.sight.entries()) {
    const from = Math.floor(tilePair / grid.tileCount);
    const to = tilePair % grid.tileCount;
    if (isVisible === 1 && from !== to) visit(tilePair, from, to);
  }
}

function dashTable(grid: Grid): Int16Array {
  const dashEnds = new Int16Array(grid.tileCount * DIRECTION_COUNT).fill(NONE);
  for (let edge = 0; edge < dashEnds.length; edge += 1) {
    if (grid.dash[edge]! < 2) continue;
    let endTile = Math.floor(edge / DIRECTION_COUNT);
    for (let tilesLeft = grid.dash[edge]!; tilesLeft > 0; tilesLeft -= 1) {
      endTile = grid.step[endTile * DIRECTION_COUNT + (edge % DIRECTION_COUNT)]!;
    }
    dashEnds[edge] = endTile;
  }
  return dashEnds;
}
