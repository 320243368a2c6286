import { DIRECTION_X, DIRECTION_Y } from "./integer-codes.ts";
import type { MapRows } from "./types.ts";

const WALL = "#";
const LOW_WALL = "o";

/** Returns whether a tile blocks fighters, sight and rays. Tiles off the map count as walls. */
export function isWall(rows: MapRows, x: number, y: number): boolean {
  const character = rows[y]?.[x];
  return character === undefined || character === WALL;
}

/** Returns whether a fighter can stand on a tile that is neither a wall nor a low wall. */
export function isFloor(rows: MapRows, x: number, y: number): boolean {
  return !isWall(rows, x, y) && rows[y]![x] !== LOW_WALL;
}

/**
 * Returns whether a fighter on a floor tile can step in a direction. Diagonal steps can't cut
 * corners.
 */
export function canStep(rows: MapRows, x: number, y: number, direction: number): boolean {
  const toX = x + DIRECTION_X[direction]!;
  const toY = y + DIRECTION_Y[direction]!;
  return isFloor(rows, toX, toY) && isFloor(rows, toX, y) && isFloor(rows, x, toY);
}
