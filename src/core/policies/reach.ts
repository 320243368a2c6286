// Tables for playouts: what a fighter on one tile can do to one on another.

import { DIRECTION_COUNT, NONE } from "#core/engine/codes.ts";
import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";

import { canRepulse, lineTo, repulseSlams } from "./aim.ts";

const { hook } = RULES.attacks;

/** By pair, from * tileCount + to, unless noted. */
export type Reach = {
  /** Direction of the bolt that does the most damage, or NONE if none hits. */
  readonly bolt: Int8Array;
  /** Direction of the free straight line that a hook can use, or NONE. */
  readonly line: Int8Array;
  /** 1 if a repulse reaches and throws into a wall. */
  readonly slam: Uint8Array;
  /** Where a dash of more than one tile ends, or NONE; by way. */
  readonly dashEnd: Int16Array;
};

export function reachOf(grid: Grid): Reach {
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
  for (let way = 0; way < grid.tileCount * DIRECTION_COUNT; way += 1) {
    const from = Math.floor(way / DIRECTION_COUNT);
    for (let at = grid.rayStart[way]!; at < grid.rayStart[way + 1]!; at += 1) {
      const pair = from * grid.tileCount + grid.rayTiles[at]!;
      if (bolt[pair] !== NONE && bounces[pair]! >= grid.rayBounces[at]!) continue;
      // A bolt never crosses a tile twice: it stops at the fighter there on its first crossing.
      if (bolt[pair] === way % DIRECTION_COUNT) continue;
      bolt[pair] = way % DIRECTION_COUNT;
      bounces[pair] = grid.rayBounces[at]!;
    }
  }
  return bolt;
}

function lineTable(grid: Grid): Int8Array {
  const line = new Int8Array(grid.tileCount * grid.tileCount).fill(NONE);
  forEachSight(grid, (pair, from, to) => {
    line[pair] = lineTo(grid, from, to, hook.range);
  });
  return line;
}

function slamTable(grid: Grid): Uint8Array {
  const slam = new Uint8Array(grid.tileCount * grid.tileCount);
  forEachSight(grid, (pair, from, to) => {
    slam[pair] = Number(canRepulse(grid, from, to) && repulseSlams(grid, from, to));
  });
  return slam;
}

/** Visits every pair of tiles that see each other. */
function forEachSight(grid: Grid, visit: (pair: number, from: number, to: number) => void): void {
  for (const [pair, isSeen] of grid.sight.entries()) {
    const from = Math.floor(pair / grid.tileCount);
    const to = pair % grid.tileCount;
    if (isSeen === 1 && from !== to) visit(pair, from, to);
  }
}

function dashTable(grid: Grid): Int16Array {
  const ends = new Int16Array(grid.tileCount * DIRECTION_COUNT).fill(NONE);
  for (let way = 0; way < ends.length; way += 1) {
    if (grid.dash[way]! < 2) continue;
    let end = Math.floor(way / DIRECTION_COUNT);
    for (let left = grid.dash[way]!; left > 0; left -= 1) {
      end = grid.step[end * DIRECTION_COUNT + (way % DIRECTION_COUNT)]!;
    }
    ends[way] = end;
  }
  return ends;
}
