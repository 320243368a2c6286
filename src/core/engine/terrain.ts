import { DIRECTION_X, DIRECTION_Y } from "./codes.ts";
import type { MapRows } from "./types.ts";

const WALL = "#";
const LOW_WALL = "o";

/** Whether a tile stops fighters, sight and rays. Everything outside the map is wall. */
export function isWall(rows: MapRows, x: number, y: number): boolean {
  const character = rows[y]?.[x];
  return character === undefined || character === WALL;
}

/** Where a fighter can stand: neither wall nor low wall. */
export function isFloor(rows: MapRows, x: number, y: number): boolean {
  return !isWall(rows, x, y) && rows[y]![x] !== LOW_WALL;
}

/** Whether a fighter on this floor tile can step in a direction. Corners may not be cut. */
export function canStep(rows: MapRows, x: number, y: number, direction: number): boolean {
  const toX = x + DIRECTION_X[direction]!;
  const toY = y + DIRECTION_Y[direction]!;
  return isFloor(rows, toX, toY) && isFloor(rows, toX, y) && isFloor(rows, x, toY);
}
