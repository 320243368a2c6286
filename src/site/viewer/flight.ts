// The path of a bolt as the viewer draws it: from centre to centre of the tiles it flies through.
import type { Grid } from "#core/engine/grid.ts";
import { DIRECTIONS } from "#core/engine/types.ts";
import type { FightEvent, FighterId } from "#core/engine/types.ts";

/** In tiles. A tile's centre is its coordinate plus one half. */
export type Point = { x: number; y: number };

export type Flight = {
  by: FighterId;
  points: Point[];
  sparks: Spark[];
  /** Bounces before it hit or ended. */
  bounces: number;
  hits: FighterId | null;
};

/** A wall was hit at this point, once the bolt has come to that point of its path. */
type Spark = Point & { reached: number };

type Standing = { id: FighterId; x: number; y: number };

/** How far the centre of a tile is from a wall next to it, in tiles. */
const WALL_REACH = 0.5;

/** The flights of a tick's bolts, with fighters where they stand after moving. */
export function flightsOf(
  grid: Grid,
  events: readonly FightEvent[],
  fighters: readonly Standing[],
): Flight[] {
  return events.flatMap((event) => {
    if (event.type !== "attack" || event.name !== "bolt" || typeof event.target !== "string")
      return [];
    const hit = events.find((other) => isBoltHit(other, event.by));
    const way = rayOf(grid, event.x ?? 0, event.y ?? 0, DIRECTIONS.indexOf(event.target));
    const others = fighters.filter(({ id }) => id !== event.by);
    const reached = way.findIndex((tile) => others.some((f) => f.x === tile.x && f.y === tile.y));
    const flown = hit === undefined ? way : way.slice(0, reached + 1);
    return flightAlong(event.by, { x: event.x ?? 0, y: event.y ?? 0 }, flown, hit?.target ?? null);
  });
}

type Hit = Extract<FightEvent, { type: "hit" }>;

function isBoltHit(event: FightEvent, by: FighterId): event is Hit {
  return event.type === "hit" && event.name === "bolt" && event.by === by;
}

type RayTile = Point & { bounces: number };

function rayOf(grid: Grid, x: number, y: number, direction: number): RayTile[] {
  const way = (y * grid.width + x) * DIRECTIONS.length + direction;
  const tiles: RayTile[] = [];
  for (let at = grid.rayStart[way]!; at < grid.rayStart[way + 1]!; at += 1) {
    const tile = grid.rayTiles[at]!;
    tiles.push({ x: grid.x[tile]!, y: grid.y[tile]!, bounces: grid.rayBounces[at]! });
  }
  return tiles;
}

function flightAlong(
  by: FighterId,
  start: Point,
  way: readonly RayTile[],
  hits: FighterId | null,
): Flight {
  const points = [centre(start)];
  const sparks: Spark[] = [];
  let before: RayTile = { ...start, bounces: 0 };
  let heading = { x: 0, y: 0 };
  for (const tile of way) {
    const next = { x: tile.x - before.x, y: tile.y - before.y };
    if (tile.bounces > before.bounces) {
      const wall = wallAt(centre(before), heading, next);
      const returns = next.x === -heading.x && next.y === -heading.y;
      // On its way back it passes the same centre again; past a wall at its side it turns there.
      if (returns) points.push(wall, centre(before));
      sparks.push({ ...wall, reached: points.length - (returns ? 2 : 1) });
    }
    points.push(centre(tile));
    heading = next;
    before = tile;
  }
  return { by, points, sparks, bounces: before.bounces, hits };
}

function centre({ x, y }: Point): Point {
  return { x: x + 0.5, y: y + 0.5 };
}

/** The point of the wall that turns a bolt: towards it, heading and next heading differ. */
function wallAt(at: Point, heading: Point, next: Point): Point {
  return {
    x: at.x + (heading.x === next.x ? 0 : heading.x * WALL_REACH),
    y: at.y + (heading.y === next.y ? 0 : heading.y * WALL_REACH),
  };
}
