// Map thumbnail shapes use one unit per tile.

import { assertDefined } from "#base/util/assert-defined.ts";
import { mapRows } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import type { MapRows } from "#core/engine/types.ts";

/** A start tile. A match uses both tiles of one pair. */
type StartTile = { x: number; y: number; pair: "1" | "2"; side: "a" | "b" };

/**
 * `walls`, `lowWalls`, `pickupPads` and `zone` are SVG paths. `zone` is the area that stays safe
 * until the end.
 */
type MapShapes = {
  width: number;
  height: number;
  walls: string;
  lowWalls: string;
  pickupPads: string;
  zone: string;
  startTiles: StartTile[];
};

/** Cached, because a page can show the same map a dozen times. */
const shapesByMap = new Map<string, MapShapes>();

export function mapShapes(name: string): MapShapes | null {
  const cachedShapes = shapesByMap.get(name);
  if (cachedShapes !== undefined) return cachedShapes;
  const rows = mapRows(name);
  if (rows === null) return null;
  const newShapes = buildShapes(rows);
  shapesByMap.set(name, newShapes);
  return newShapes;
}

function buildShapes(rows: MapRows): MapShapes {
  const [width, height] = [assertDefined(rows[0], "a row").length, rows.length];
  return {
    width,
    height,
    walls: wallRuns(rows, "#").join(""),
    lowWalls: tileCentres(rows, "o")
      .map(({ x, y }) => squarePath(x, y, 0.35))
      .join(""),
    pickupPads: tileCentres(rows, "+")
      .map(({ x, y }) => `M${x} ${y - 0.4}l.4.4-.4.4-.4-.4z`)
      .join(""),
    zone: squarePath(width / 2, height / 2, RULES.zone.min_radius + 0.5),
    startTiles: (["1", "2"] as const).flatMap((pair) =>
      tileCentres(rows, pair).map((tile, index) => ({
        ...tile,
        pair,
        side: index === 0 ? "a" : "b",
      })),
    ),
  };
}

/** Merges adjacent walls in a row into rectangles that overlap slightly, to hide seams. */
function wallRuns(rows: MapRows, character: string): string[] {
  return rows.flatMap((row, y) =>
    [...row.matchAll(new RegExp(`${character}+`, "g"))].map(
      ({ index, 0: { length } }) => `M${index} ${y}h${length}v1.02h${-length}z`,
    ),
  );
}

/** Returns the centers of all tiles with this character, in reading order. */
function tileCentres(rows: MapRows, character: string): { x: number; y: number }[] {
  return rows.flatMap((row, y) =>
    row
      .split("")
      .flatMap((tileCharacter, x) =>
        tileCharacter === character ? [{ x: x + 0.5, y: y + 0.5 }] : [],
      ),
  );
}

const squarePath = (x: number, y: number, halfSize: number): string =>
  `M${x - halfSize} ${y - halfSize}h${2 * halfSize}v${2 * halfSize}h${-2 * halfSize}z`;
