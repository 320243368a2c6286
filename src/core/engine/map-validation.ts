import { DIRECTION_COUNT, DIRECTION_X, DIRECTION_Y } from "./integer-codes.ts";
import { canStep, isFloor, isWall } from "./terrain.ts";
import type { MapRows } from "./types.ts";

/** Maximum side in tiles. Distances then fit in a byte, and the tables stay small. */
const MAX_SIDE = 31;
const MIN_SIDE = 5;
const PAD_COUNT = 4;
const PAIR_SIZE = 2;

const CHECKS = [
  checkSides,
  checkCharacters,
  checkBorder,
  checkSymmetry,
  checkCenter,
  checkPads,
  checkSpawns,
  checkReachability,
];

/** Returns why the rows aren't a valid map, or null if they are. */
export function mapError(rows: MapRows): string | null {
  for (const check of CHECKS) {
    const error = check(rows);
    if (error !== null) return error;
  }
  return null;
}

function checkSides(rows: MapRows): string | null {
  const sides = [rows.length, ...rows.map((row) => row.length)];
  if (rows.some((row) => row.length !== rows[0]!.length)) return "its rows differ in length";
  const hasValidSize = sides.every((side) => side >= MIN_SIDE && side <= MAX_SIDE);
  if (!hasValidSize) return `its sides must be ${MIN_SIDE} to ${MAX_SIDE} tiles`;
  return sides.every((side) => side % 2 === 1) ? null : "its sides must be odd";
}

function checkCharacters(rows: MapRows): string | null {
  const unknownTile = rows.join("").match(/[^#o.+12]/u);
  return unknownTile === null ? null : `it has an unknown tile ${JSON.stringify(unknownTile[0])}`;
}

function checkBorder(rows: MapRows): string | null {
  const last = rows[0]!.length - 1;
  const isClosed = rows.every((row, y) => {
    const isEdge = y === 0 || y === rows.length - 1;
    return isWall(rows, 0, y) && isWall(rows, last, y) && (!isEdge || /^#+$/u.test(row));
  });
  return isClosed ? null : "its border must be wall";
}

function checkSymmetry(rows: MapRows): string | null {
  const text = rows.join("");
  const isSame = text.split("").reverse().join("") === text;
  return isSame ? null : "it must be unchanged by a turn of 180 degrees";
}

function checkCenter(rows: MapRows): string | null {
  const x = (rows[0]!.length - 1) / 2;
  const y = (rows.length - 1) / 2;
  let isFree = isFloor(rows, x, y);
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    isFree &&= isFloor(rows, x + DIRECTION_X[direction]!, y + DIRECTION_Y[direction]!);
  }
  return isFree ? null : "its middle must be 3 by 3 floor tiles";
}

function countOf(rows: MapRows, character: string): number {
  return rows.join("").split(character).length - 1;
}

function checkPads(rows: MapRows): string | null {
  return countOf(rows, "+") === PAD_COUNT ? null : `it must have ${PAD_COUNT} pads`;
}

function checkSpawns(rows: MapRows): string | null {
  const hasPairs = countOf(rows, "1") === PAIR_SIZE && countOf(rows, "2") === PAIR_SIZE;
  return hasPairs ? null : "it must have two spawn pairs";
}

function checkReachability(rows: MapRows): string | null {
  const width = rows[0]!.length;
  const visited = new Set<number>();
  const queue = [((rows.length - 1) / 2) * width + (width - 1) / 2];
  for (const tile of queue) {
    if (visited.has(tile)) continue;
    visited.add(tile);
    queue.push(...reachableNeighbours(rows, tile % width, Math.floor(tile / width)));
  }
  const floor = rows.flatMap((row, y) => row.split("").filter((_, x) => isFloor(rows, x, y)));
  return visited.size === floor.length ? null : "its floor must be reachable everywhere";
}

function reachableNeighbours(rows: MapRows, x: number, y: number): number[] {
  const neighbours: number[] = [];
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    if (!canStep(rows, x, y, direction)) continue;
    neighbours.push((y + DIRECTION_Y[direction]!) * rows[0]!.length + x + DIRECTION_X[direction]!);
  }
  return neighbours;
}
