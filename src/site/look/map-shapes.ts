// The shapes of a small picture of a map, one unit a tile.

import { sure } from "#base/units/sure.ts";
import { mapRows } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import type { MapRows } from "#core/engine/types.ts";

/** A tile where a fighter may start; fights begin on both tiles of one pair. */
type Start = { x: number; y: number; pair: "1" | "2"; side: "a" | "b" };

/** `walls`, `lows`, `pads` and `zone` are SVG paths; `zone` is what stays safe to the end. */
type MapShapes = {
  width: number;
  height: number;
  walls: string;
  lows: string;
  pads: string;
  zone: string;
  starts: Start[];
};

/** A page may show a map a dozen times. */
const shapes = new Map<string, MapShapes>();

/** Null for a map that this version does not know. */
export function mapShapes(name: string): MapShapes | null {
  const known = shapes.get(name);
  if (known !== undefined) return known;
  const rows = mapRows(name);
  if (rows === null) return null;
  const made = shapesOf(rows);
  shapes.set(name, made);
  return made;
}

function shapesOf(rows: MapRows): MapShapes {
  const [width, height] = [sure(rows[0], "a row").length, rows.length];
  return {
    width,
    height,
    walls: runsOf(rows, "#").join(""),
    lows: tilesOf(rows, "o")
      .map(({ x, y }) => squareAround(x, y, 0.35))
      .join(""),
    pads: tilesOf(rows, "+")
      .map(({ x, y }) => `M${x} ${y - 0.4}l.4.4-.4.4-.4-.4z`)
      .join(""),
    zone: squareAround(width / 2, height / 2, RULES.zone.min_radius + 0.5),
    starts: (["1", "2"] as const).flatMap((pair) =>
      tilesOf(rows, pair).map((tile, at) => ({ ...tile, pair, side: at === 0 ? "a" : "b" })),
    ),
  };
}

/** Walls of a row that touch are one rectangle. They overlap a little, so that no seam shows. */
function runsOf(rows: MapRows, character: string): string[] {
  return rows.flatMap((row, y) =>
    [...row.matchAll(new RegExp(`${character}+`, "g"))].map(
      ({ index, 0: { length } }) => `M${index} ${y}h${length}v1.02h${-length}z`,
    ),
  );
}

/** The middles of all tiles with a character, in reading order. */
function tilesOf(rows: MapRows, character: string): { x: number; y: number }[] {
  return rows.flatMap((row, y) =>
    row.split("").flatMap((found, x) => (found === character ? [{ x: x + 0.5, y: y + 0.5 }] : [])),
  );
}

const squareAround = (x: number, y: number, half: number): string =>
  `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}z`;
