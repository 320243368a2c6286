import type { Fight } from "#core/engine/fight.ts";
import { parseGrid } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { NONE } from "#core/engine/integer-codes.ts";
import { gridOf } from "#core/engine/maps.ts";

import type { PolicyContext } from "./policy.ts";

/** Returns the grid of a map. Ladder maps share a cached grid. */
export function sharedGridFor({ name, rows }: PolicyContext["map"]): Grid {
  const ladderGrid = gridOf(name);
  const isSame = ladderGrid !== null && ladderGrid.rows.join() === rows.join();
  return isSame ? ladderGrid : parseGrid(name, rows);
}

export function walkBetween(grid: Grid, from: number, to: number): number {
  return grid.walk[from * grid.tileCount + to]!;
}

export function exitsOf(grid: Grid, tile: number): number {
  return grid.moves[tile]!.length;
}

export function pickupTiles({ grid, pickupX, pickupY }: Fight): number[] {
  const tiles: number[] = [];
  for (const [kind, x] of pickupX.entries()) {
    if (x !== NONE) tiles.push(pickupY[kind]! * grid.width + x);
  }
  return tiles;
}

/**
 * Returns the floor tiles within `distance` of a tile, including the tile itself, in reading order.
 */
export function tilesWithin(grid: Grid, middle: number, distance: number): number[] {
  const tiles: number[] = [];
  for (let dy = -distance; dy <= distance; dy += 1) {
    for (let dx = -distance; dx <= distance; dx += 1) {
      const [x, y] = [grid.x[middle]! + dx, grid.y[middle]! + dy];
      const isOnMap = x >= 0 && y >= 0 && x < grid.width && y < grid.height;
      if (isOnMap && grid.floor[y * grid.width + x] === 1) tiles.push(y * grid.width + x);
    }
  }
  return tiles;
}
