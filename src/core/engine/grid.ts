import { DIRECTION_COUNT, DIRECTION_X, DIRECTION_Y, NONE, distanceOf } from "./integer-codes.ts";
import { hasLineOfSight } from "./line-of-sight.ts";
import { mapError } from "./map-validation.ts";
import { traceRay } from "./ray.ts";
import { RULES } from "./rules.ts";
import { canStep, isFloor } from "./terrain.ts";
import type { Direction, MapRows, Tile } from "./types.ts";
import { DIRECTIONS } from "./types.ts";

/**
 * A map with precomputed tables. A tile is y * width + x; an edge is tile * 8 + direction. Tables
 * indexed by edge or by tile pair are filled only for floor tiles.
 */
export type Grid = {
  readonly name: string;
  readonly rows: MapRows;
  readonly width: number;
  readonly height: number;
  readonly center: Tile;
  readonly tileCount: number;
  readonly x: Uint8Array;
  readonly y: Uint8Array;
  readonly floor: Uint8Array;
  readonly level: Uint8Array;
  /** The highest level. A zone of this radius covers the whole map. */
  readonly fullRadius: number;
  /** Tile that a step leads to, or NONE, by edge. */
  readonly step: Int16Array;
  /** Unobstructed tiles for a dash, 0 to 3, by edge. */
  readonly dash: Uint8Array;
  /** Possible step directions, by tile. Frozen. */
  readonly moves: readonly (readonly Direction[])[];
  /** Unobstructed tiles per possible dash direction, by tile. Frozen. */
  readonly dashes: readonly Readonly<Partial<Record<Direction, number>>>[];
  /** 1 if tile b is visible from tile a. Indexed by a * tileCount + b. */
  readonly sight: Uint8Array;
  /** Steps from tile a to tile b, or tileCount if there is no path. Indexed like `sight`. */
  readonly walk: Uint16Array;
  /**
   * Start of each edge's bolt ray in `rayTiles` and `rayBounces`. A ray ends where the next one
   * starts.
   */
  readonly rayStart: Uint32Array;
  /** Tiles of the ray before its first bounce, by edge. */
  readonly rayStraight: Uint8Array;
  readonly rayTiles: Uint16Array;
  readonly rayBounces: Uint8Array;
  readonly pads: readonly number[];
  /** The two tiles of each spawn pair, in reading order. */
  readonly spawnPairs: readonly (readonly number[])[];
};

/** Builds the tables of a map. Throws an Error with the map's name if its rows are invalid. */
export function parseGrid(name: string, rows: MapRows): Grid {
  const problem = mapError(rows);
  if (problem !== null) throw new Error(`map ${name}: ${problem}`);
  const base = gridBase(name, rows);
  const step = stepTable(base);
  return {
    ...base,
    step,
    ...dashTables(base, step),
    sight: sightTable(base),
    walk: walkTable(base, step),
    ...rayTables(base),
    pads: tilesOf(base, "+"),
    spawnPairs: [tilesOf(base, "1"), tilesOf(base, "2")],
  };
}

/** Returns the tile's position after a 180-degree turn of the map. */
export function rotatedTile(grid: Grid, tile: number): number {
  return grid.tileCount - 1 - tile;
}

export function isTileVisible(grid: Grid, from: number, to: number): boolean {
  return grid.sight[from * grid.tileCount + to] === 1;
}

export function distanceBetween(grid: Grid, from: number, to: number): number {
  return distanceOf(grid.x[from]! - grid.x[to]!, grid.y[from]! - grid.y[to]!);
}

type GridBase = ReturnType<typeof gridBase>;

function gridBase(name: string, rows: MapRows) {
  const [width, height] = [rows[0]!.length, rows.length];
  const tileCount = width * height;
  const x = Uint8Array.from({ length: tileCount }, (_, tile) => tile % width);
  const y = Uint8Array.from({ length: tileCount }, (_, tile) => Math.floor(tile / width));
  const center: Tile = [(width - 1) / 2, (height - 1) / 2];
  const floor = x.map((column, tile) => (isFloor(rows, column, y[tile]!) ? 1 : 0));
  const level = x.map((column, tile) => distanceOf(column - center[0], y[tile]! - center[1]));
  const fullRadius = Math.max(...center);
  return { name, rows, width, height, center, tileCount, x, y, floor, level, fullRadius };
}

function tilesOf(base: GridBase, symbol: string): number[] {
  const text = base.rows.join("");
  return text.split("").flatMap((tileCharacter, tile) => (tileCharacter === symbol ? [tile] : []));
}

function forEachEdge(
  base: GridBase,
  visit: (edge: number, tile: number, direction: number) => void,
) {
  for (let edge = 0; edge < base.tileCount * DIRECTION_COUNT; edge += 1) {
    const tile = Math.floor(edge / DIRECTION_COUNT);
    if (base.floor[tile] === 1) visit(edge, tile, edge % DIRECTION_COUNT);
  }
}

function stepTable(base: GridBase): Int16Array {
  const step = new Int16Array(base.tileCount * DIRECTION_COUNT).fill(NONE);
  forEachEdge(base, (edge, tile, direction) => {
    if (!canStep(base.rows, base.x[tile]!, base.y[tile]!, direction)) return;
    step[edge] = tile + DIRECTION_Y[direction]! * base.width + DIRECTION_X[direction]!;
  });
  return step;
}

function dashTables(base: GridBase, step: Int16Array) {
  const dash = new Uint8Array(step.length);
  const moves: Direction[][] = Array.from({ length: base.tileCount }, () => []);
  const dashes: Partial<Record<Direction, number>>[] = moves.map(() => ({}));
  forEachEdge(base, (edge, tile, direction) => {
    for (
      let tileAhead = step[edge]!;
      tileAhead !== NONE;
      tileAhead = step[tileAhead * DIRECTION_COUNT + direction]!
    ) {
      if (dash[edge]! < RULES.dash.tiles) dash[edge]! += 1;
    }
    if (dash[edge] === 0) return;
    moves[tile]!.push(DIRECTIONS[direction]!);
    dashes[tile]![DIRECTIONS[direction]!] = dash[edge]!;
  });
  moves.forEach(Object.freeze);
  dashes.forEach(Object.freeze);
  return { dash, moves, dashes };
}

function sightTable({ rows, x, y, floor, tileCount }: GridBase): Uint8Array {
  const sight = new Uint8Array(tileCount * tileCount);
  for (let a = 0; a < tileCount; a += 1) {
    for (let b = a; floor[a] === 1 && b < tileCount; b += 1) {
      if (floor[b] === 0 || !hasLineOfSight(rows, x[a]!, y[a]!, x[b]!, y[b]!)) continue;
      sight[a * tileCount + b] = 1;
      sight[b * tileCount + a] = 1;
    }
  }
  return sight;
}

function walkTable({ floor, tileCount }: GridBase, step: Int16Array): Uint16Array {
  const walk = new Uint16Array(tileCount * tileCount).fill(tileCount);
  for (let from = 0; from < tileCount; from += 1) {
    if (floor[from] === 0) continue;
    const row = walk.subarray(from * tileCount, (from + 1) * tileCount);
    floodFrom(from, row, step);
  }
  return walk;
}

function floodFrom(from: number, steps: Uint16Array, step: Int16Array): void {
  const visited = new Set([from]);
  steps[from] = 0;
  for (const tile of visited) {
    for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
      const next = step[tile * DIRECTION_COUNT + direction]!;
      if (next === NONE || visited.has(next)) continue;
      visited.add(next);
      steps[next] = steps[tile]! + 1;
    }
  }
}

function rayTables(base: GridBase) {
  const { range, bounces: maxBounces } = RULES.attacks.bolt;
  const flights = new Map<number, ReturnType<typeof traceRay>>();
  forEachEdge(base, (edge, tile, direction) => {
    const start = { x: base.x[tile]!, y: base.y[tile]! };
    const heading = { dx: DIRECTION_X[direction]!, dy: DIRECTION_Y[direction]! };
    flights.set(edge, traceRay(base.rows, start, heading, range, maxBounces));
  });
  const flightTiles = [...flights.values()].flat();
  const rayStart = new Uint32Array(base.tileCount * DIRECTION_COUNT + 1);
  const rayStraight = new Uint8Array(base.tileCount * DIRECTION_COUNT);
  for (let edge = 0; edge < rayStraight.length; edge += 1) {
    const flight = flights.get(edge) ?? [];
    rayStart[edge + 1] = rayStart[edge]! + flight.length;
    rayStraight[edge] = flight.filter(({ bounces }) => bounces === 0).length;
  }
  const rayTiles = Uint16Array.from(flightTiles, ({ x, y }) => y * base.width + x);
  const rayBounces = Uint8Array.from(flightTiles, ({ bounces }) => bounces);
  return { rayStart, rayStraight, rayTiles, rayBounces };
}
