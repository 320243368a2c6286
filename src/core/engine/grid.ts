import { DIRECTION_COUNT, DIRECTION_X, DIRECTION_Y, NONE, distanceOf } from "./codes.ts";
import { mapProblem } from "./map-check.ts";
import { flyRay } from "./ray.ts";
import { RULES } from "./rules.ts";
import { isVisible } from "./sight.ts";
import { canStep, isFloor } from "./terrain.ts";
import type { Direction, MapRows, Tile } from "./types.ts";
import { DIRECTIONS } from "./types.ts";

/**
 * A map and everything that follows from it alone. A tile is y * width + x; a way is tile * 8 +
 * direction. Tables by way or by pair of tiles are only filled for floor tiles.
 */
export type Grid = {
  readonly name: string;
  readonly rows: MapRows;
  readonly width: number;
  readonly height: number;
  readonly center: Tile;
  /** Tiles of the whole rectangle, walls included. */
  readonly tileCount: number;
  /** Column and row, by tile. */
  readonly x: Uint8Array;
  readonly y: Uint8Array;
  /** 1 where a fighter can stand, by tile. */
  readonly floor: Uint8Array;
  /** Distance from the centre tile, by tile. */
  readonly level: Uint8Array;
  /** The highest level on a map of this size: a zone of this radius covers everything. */
  readonly fullRadius: number;
  /** The tile a step leads to, or NONE, by way. */
  readonly step: Int16Array;
  /** Free tiles of a dash, 0 to 3, by way. */
  readonly dash: Uint8Array;
  /** Directions in which a step is possible, by tile. Frozen. */
  readonly moves: readonly (readonly Direction[])[];
  /** Free tiles by each direction in which a dash is possible, by tile. Frozen. */
  readonly dashes: readonly Readonly<Partial<Record<Direction, number>>>[];
  /** 1 where tile b is visible from tile a, by a * tileCount + b. */
  readonly sight: Uint8Array;
  /** Steps from tile a to tile b, or tileCount if b cannot be reached; same index as `sight`. */
  readonly walk: Uint16Array;
  /**
   * Where the bolt ray of a way starts in the two ray tables; it ends where the next one starts.
   */
  readonly rayStart: Uint32Array;
  /** Tiles of the ray of a way before its first bounce, by way. */
  readonly rayStraight: Uint8Array;
  readonly rayTiles: Uint16Array;
  readonly rayBounces: Uint8Array;
  /** Pickup pads in reading order. */
  readonly pads: readonly number[];
  /** The tiles of pair 1, then of pair 2, in reading order within a pair. */
  readonly spawnPairs: readonly (readonly number[])[];
};

/** Builds the tables of a map. Throws an Error that names the map if its rows are invalid. */
export function parseGrid(name: string, rows: MapRows): Grid {
  const problem = mapProblem(rows);
  if (problem !== null) throw new Error(`map ${name}: ${problem}`);
  const plan = planOf(name, rows);
  const step = stepTable(plan);
  return {
    ...plan,
    step,
    ...dashTables(plan, step),
    sight: sightTable(plan),
    walk: walkTable(plan, step),
    ...rayTables(plan),
    pads: tilesOf(plan, "+"),
    spawnPairs: [tilesOf(plan, "1"), tilesOf(plan, "2")],
  };
}

/** The tile that a 180-degree turn of the map puts this one on. */
export function turnedTile(grid: Grid, tile: number): number {
  return grid.tileCount - 1 - tile;
}

export function isSeen(grid: Grid, from: number, to: number): boolean {
  return grid.sight[from * grid.tileCount + to] === 1;
}

export function distanceBetween(grid: Grid, from: number, to: number): number {
  return distanceOf(grid.x[from]! - grid.x[to]!, grid.y[from]! - grid.y[to]!);
}

type Plan = ReturnType<typeof planOf>;

function planOf(name: string, rows: MapRows) {
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

function tilesOf(plan: Plan, character: string): number[] {
  const text = plan.rows.join("");
  return text.split("").flatMap((found, tile) => (found === character ? [tile] : []));
}

/** Visits every floor tile and direction, in the order of the ways. */
function forEachWay(plan: Plan, visit: (way: number, tile: number, direction: number) => void) {
  for (let way = 0; way < plan.tileCount * DIRECTION_COUNT; way += 1) {
    const tile = Math.floor(way / DIRECTION_COUNT);
    if (plan.floor[tile] === 1) visit(way, tile, way % DIRECTION_COUNT);
  }
}

function stepTable(plan: Plan): Int16Array {
  const step = new Int16Array(plan.tileCount * DIRECTION_COUNT).fill(NONE);
  forEachWay(plan, (way, tile, direction) => {
    if (!canStep(plan.rows, plan.x[tile]!, plan.y[tile]!, direction)) return;
    step[way] = tile + DIRECTION_Y[direction]! * plan.width + DIRECTION_X[direction]!;
  });
  return step;
}

function dashTables(plan: Plan, step: Int16Array) {
  const dash = new Uint8Array(step.length);
  const moves: Direction[][] = Array.from({ length: plan.tileCount }, () => []);
  const dashes: Partial<Record<Direction, number>>[] = moves.map(() => ({}));
  forEachWay(plan, (way, tile, direction) => {
    for (let at = step[way]!; at !== NONE; at = step[at * DIRECTION_COUNT + direction]!) {
      if (dash[way]! < RULES.dash.tiles) dash[way]! += 1;
    }
    if (dash[way] === 0) return;
    moves[tile]!.push(DIRECTIONS[direction]!);
    dashes[tile]![DIRECTIONS[direction]!] = dash[way]!;
  });
  moves.forEach(Object.freeze);
  dashes.forEach(Object.freeze);
  return { dash, moves, dashes };
}

function sightTable({ rows, x, y, floor, tileCount }: Plan): Uint8Array {
  const sight = new Uint8Array(tileCount * tileCount);
  for (let a = 0; a < tileCount; a += 1) {
    for (let b = a; floor[a] === 1 && b < tileCount; b += 1) {
      if (floor[b] === 0 || !isVisible(rows, x[a]!, y[a]!, x[b]!, y[b]!)) continue;
      sight[a * tileCount + b] = 1;
      sight[b * tileCount + a] = 1;
    }
  }
  return sight;
}

function walkTable({ floor, tileCount }: Plan, step: Int16Array): Uint16Array {
  const walk = new Uint16Array(tileCount * tileCount).fill(tileCount);
  for (let from = 0; from < tileCount; from += 1) {
    if (floor[from] === 0) continue;
    const row = walk.subarray(from * tileCount, (from + 1) * tileCount);
    floodFrom(from, row, step);
  }
  return walk;
}

function floodFrom(from: number, steps: Uint16Array, step: Int16Array): void {
  const reached = new Set([from]);
  steps[from] = 0;
  for (const tile of reached) {
    for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
      const next = step[tile * DIRECTION_COUNT + direction]!;
      if (next === NONE || reached.has(next)) continue;
      reached.add(next);
      steps[next] = steps[tile]! + 1;
    }
  }
}

function rayTables(plan: Plan) {
  const { range, bounces: maxBounces } = RULES.attacks.bolt;
  const flights = new Map<number, ReturnType<typeof flyRay>>();
  forEachWay(plan, (way, tile, direction) => {
    const start = { x: plan.x[tile]!, y: plan.y[tile]! };
    const heading = { dx: DIRECTION_X[direction]!, dy: DIRECTION_Y[direction]! };
    flights.set(way, flyRay(plan.rows, start, heading, range, maxBounces));
  });
  const all = [...flights.values()].flat();
  const rayStart = new Uint32Array(plan.tileCount * DIRECTION_COUNT + 1);
  const rayStraight = new Uint8Array(plan.tileCount * DIRECTION_COUNT);
  for (let way = 0; way < rayStraight.length; way += 1) {
    const flight = flights.get(way) ?? [];
    rayStart[way + 1] = rayStart[way]! + flight.length;
    rayStraight[way] = flight.filter(({ bounces }) => bounces === 0).length;
  }
  const rayTiles = Uint16Array.from(all, ({ x, y }) => y * plan.width + x);
  const rayBounces = Uint8Array.from(all, ({ bounces }) => bounces);
  return { rayStart, rayStraight, rayTiles, rayBounces };
}
