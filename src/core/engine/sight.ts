import { isWall } from "./terrain.ts";
import type { MapRows } from "./types.ts";

/**
 * A straight line between the centres of two tiles, in half tiles so that everything is an integer.
 */
type Line = { ax: number; ay: number; dx: number; dy: number };

/**
 * On which side of the line a corner point (column, row) lies: the sign of the result, 0 on the
 * line.
 */
function sideOf({ ax, ay, dx, dy }: Line, column: number, row: number): number {
  return dx * (2 * row - ay) - dy * (2 * column - ax);
}

/** Whether the line enters the inside of a tile that lies in its bounding box. */
function crosses(line: Line, x: number, y: number): boolean {
  const first = sideOf(line, x, y);
  const second = sideOf(line, x + 1, y);
  const third = sideOf(line, x, y + 1);
  const fourth = sideOf(line, x + 1, y + 1);
  const least = Math.min(first, second, third, fourth);
  const greatest = Math.max(first, second, third, fourth);
  return least < 0 && greatest > 0;
}

/** Whether the line slips between two walls that meet at this corner point. */
function squeezes(rows: MapRows, line: Line, column: number, row: number): boolean {
  if (sideOf(line, column, row) !== 0) return false;
  const falling = line.dx > 0 === line.dy > 0;
  return falling
    ? isWall(rows, column, row - 1) && isWall(rows, column - 1, row)
    : isWall(rows, column - 1, row - 1) && isWall(rows, column, row);
}

/**
 * Whether tile (bx, by) is visible from (ax, ay): the line between the centres enters no wall and
 * does not pass between two walls that touch at a corner. Symmetric, with unlimited range.
 */
export function isVisible(rows: MapRows, ax: number, ay: number, bx: number, by: number): boolean {
  const line = { ax: 2 * ax + 1, ay: 2 * ay + 1, dx: 2 * (bx - ax), dy: 2 * (by - ay) };
  const [left, right] = [Math.min(ax, bx), Math.max(ax, bx)];
  const [top, bottom] = [Math.min(ay, by), Math.max(ay, by)];
  const slanted = line.dx !== 0 && line.dy !== 0;
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      if (isWall(rows, x, y) && crosses(line, x, y)) return false;
      if (slanted && x > left && y > top && squeezes(rows, line, x, y)) return false;
    }
  }
  return true;
}
