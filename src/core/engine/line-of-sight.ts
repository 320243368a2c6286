import { isWall } from "./terrain.ts";
import type { MapRows } from "./types.ts";

/**
 * The straight line between two tile centres. Measured in half tiles, so that all coordinates are
 * integers.
 */
type SightLine = { ax: number; ay: number; dx: number; dy: number };

/**
 * Returns on which side of the line the corner point (column, row) lies, as a sign. Returns 0 for a
 * point on the line.
 */
function sideOf({ ax, ay, dx, dy }: SightLine, column: number, row: number): number {
  return dx * (2 * row - ay) - dy * (2 * column - ax);
}

function crosses(line: SightLine, x: number, y: number): boolean {
  const first = sideOf(line, x, y);
  const second = sideOf(line, x + 1, y);
  const third = sideOf(line, x, y + 1);
  const fourth = sideOf(line, x + 1, y + 1);
  const minSide = Math.min(first, second, third, fourth);
  const maxSide = Math.max(first, second, third, fourth);
  return minSide < 0 && maxSide > 0;
}

function passesCorner(rows: MapRows, line: SightLine, column: number, row: number): boolean {
  if (sideOf(line, column, row) !== 0) return false;
  const isFalling = line.dx > 0 === line.dy > 0;
  return isFalling
    ? isWall(rows, column, row - 1) && isWall(rows, column - 1, row)
    : isWall(rows, column - 1, row - 1) && isWall(rows, column, row);
}

/**
 * Returns whether tile (bx, by) is visible from (ax, ay). The line between the centres must not
 * enter a wall or pass between two walls that touch at a corner. Symmetric, with unlimited range.
 */
export function hasLineOfSight(
  rows: MapRows,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): boolean {
  const line = { ax: 2 * ax + 1, ay: 2 * ay + 1, dx: 2 * (bx - ax), dy: 2 * (by - ay) };
  const [left, right] = [Math.min(ax, bx), Math.max(ax, bx)];
  const [top, bottom] = [Math.min(ay, by), Math.max(ay, by)];
  const isDiagonal = line.dx !== 0 && line.dy !== 0;
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      if (isWall(rows, x, y) && crosses(line, x, y)) return false;
      if (isDiagonal && x > left && y > top && passesCorner(rows, line, x, y)) return false;
    }
  }
  return true;
}
