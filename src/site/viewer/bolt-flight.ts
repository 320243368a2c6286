// Computes the drawn path of a bolt, which runs through the centers of its tiles.
import type { Grid } from "#core/engine/grid.ts";
import { DIRECTIONS } from "#core/engine/types.ts";
import type { FightEvent, FighterId } from "#core/engine/types.ts";

/** In tiles. A tile's center is its coordinate plus 0.5. */
export type TilePoint = { x: number; y: number };

export type BoltFlight = {
  by: FighterId;
  points: TilePoint[];
  sparks: WallSpark[];
  bounces: number;
  hits: FighterId | null;
};

/** Where the bolt hits a wall. `pointIndex` is the path point at which the hit happens. */
type WallSpark = TilePoint & { pointIndex: number };

type FighterPosition = { id: FighterId; x: number; y: number };

/** Distance from a tile's center to an adjacent wall, in tiles. */
const WALL_REACH = 0.5;

/** Returns the bolt paths of a tick. Fighters are at their positions after moving. */
export function boltFlights(
  grid: Grid,
  events: readonly FightEvent[],
  fighters: readonly FighterPosition[],
): BoltFlight[] {
  return events.flatMap((event) => {
    if (event.type !== "attack" || event.name !== "bolt" || typeof event.target !== "string")
      return [];
    const hit = events.find((candidateHit) => isBoltHit(candidateHit, event.by));
    const rayTiles = tracedRay(grid, event.x ?? 0, event.y ?? 0, DIRECTIONS.indexOf(event.target));
    const opponents = fighters.filter(({ id }) => id !== event.by);
    const pointIndex = rayTiles.findIndex((tile) =>
      opponents.some((opponent) => opponent.x === tile.x && opponent.y === tile.y),
    );
    const flownTiles = hit === undefined ? rayTiles : rayTiles.slice(0, pointIndex + 1);
    return buildFlight(
      event.by,
      { x: event.x ?? 0, y: event.y ?? 0 },
      flownTiles,
      hit?.target ?? null,
    );
  });
}

type Hit = Extract<FightEvent, { type: "hit" }>;

function isBoltHit(event: FightEvent, by: FighterId): event is Hit {
  return event.type === "hit" && event.name === "bolt" && event.by === by;
}

type RayTile = TilePoint & { bounces: number };

function tracedRay(grid: Grid, x: number, y: number, direction: number): RayTile[] {
  const rayIndex = (y * grid.width + x) * DIRECTIONS.length + direction;
  const tracedTiles: RayTile[] = [];
  for (
    let tileIndex = grid.rayStart[rayIndex]!;
    tileIndex < grid.rayStart[rayIndex + 1]!;
    tileIndex += 1
  ) {
    const tile = grid.rayTiles[tileIndex]!;
    tracedTiles.push({ x: grid.x[tile]!, y: grid.y[tile]!, bounces: grid.rayBounces[tileIndex]! });
  }
  return tracedTiles;
}

function buildFlight(
  by: FighterId,
  start: TilePoint,
  rayTiles: readonly RayTile[],
  hits: FighterId | null,
): BoltFlight {
  const points = [tileCenter(start)];
  const sparks: WallSpark[] = [];
  let previousTile: RayTile = { ...start, bounces: 0 };
  let direction = { x: 0, y: 0 };
  for (const tile of rayTiles) {
    const nextDirection = { x: tile.x - previousTile.x, y: tile.y - previousTile.y };
    if (tile.bounces > previousTile.bounces) {
      const wall = wallPoint(tileCenter(previousTile), direction, nextDirection);
      const isReversing = nextDirection.x === -direction.x && nextDirection.y === -direction.y;
      // A reversing bolt passes the same tile center again. At a side wall, the bolt turns at the
      // tile center.
      if (isReversing) points.push(wall, tileCenter(previousTile));
      sparks.push({ ...wall, pointIndex: points.length - (isReversing ? 2 : 1) });
    }
    points.push(tileCenter(tile));
    direction = nextDirection;
    previousTile = tile;
  }
  return { by, points, sparks, bounces: previousTile.bounces, hits };
}

function tileCenter({ x, y }: TilePoint): TilePoint {
  return { x: x + 0.5, y: y + 0.5 };
}

function wallPoint(center: TilePoint, direction: TilePoint, nextDirection: TilePoint): TilePoint {
  return {
    x: center.x + (direction.x === nextDirection.x ? 0 : direction.x * WALL_REACH),
    y: center.y + (direction.y === nextDirection.y ? 0 : direction.y * WALL_REACH),
  };
}
