import { isWall } from "./terrain.ts";
import type { MapRows } from "./types.ts";

export type RayTile = { x: number; y: number; bounces: number };

type Heading = { dx: number; dy: number };

/** Returns the heading for the next tile: unchanged if the tile ahead is free, else bounced. */
function lookAhead(rows: MapRows, x: number, y: number, heading: Heading): Heading {
  const { dx, dy } = heading;
  const ahead = isWall(rows, x + dx, y + dy);
  if (dx === 0 || dy === 0) return ahead ? { dx: -dx, dy: -dy } : heading;
  const beside = isWall(rows, x + dx, y);
  const above = isWall(rows, x, y + dy);
  if (beside && !above) return { dx: -dx, dy };
  if (above && !beside) return { dx, dy: -dy };
  return beside || ahead ? { dx: -dx, dy: -dy } : heading;
}

/**
 * Returns the tiles of a ray in flight order. The ray ends after `range` tiles, before a bounce
 * beyond the limit, or before it would return to its starting tile. It is empty if the first step
 * would bounce.
 */
export function traceRay(
  rows: MapRows,
  start: { x: number; y: number },
  direction: Heading,
  range: number,
  maxBounces: number,
): RayTile[] {
  const rayTiles: RayTile[] = [];
  let { x, y } = start;
  let heading = direction;
  let bounces = 0;
  while (rayTiles.length < range) {
    const next = lookAhead(rows, x, y, heading);
    if (next !== heading) {
      if (rayTiles.length === 0 || bounces === maxBounces) break;
      bounces += 1;
      heading = next;
      continue;
    }
    x += heading.dx;
    y += heading.dy;
    if (x === start.x && y === start.y) break;
    rayTiles.push({ x, y, bounces });
  }
  return rayTiles;
}
