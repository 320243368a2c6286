// Draws the map in characters, two columns per tile, with numbered columns and rows.

import { assertDefined } from "#base/util/assert-defined.ts";
import { distanceBetween, isTileVisible } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import type { AreaView, Cooldowns, PickupView, Tile, ZoneView } from "#core/engine/types.ts";

import { paint } from "./color.ts";
import type { TextStyle } from "./color.ts";

/** A fighter on the board. `?` marks its last known position. */
export type BoardPiece = { mark: "A" | "B" | "C" | "D" | "?"; x: number; y: number };

export type BoardScene = {
  grid: Grid;
  pieces: readonly BoardPiece[];
  areas: readonly AreaView[];
  pickups: readonly PickupView[];
  zone: ZoneView;
  /** Drawn in brackets. */
  cursor: Tile | null;
};

export const BOARD_LEGEND =
  "# wall  o low wall  + pad  : outside the zone  * blast  ~ scorch  h/p announced health or power pickup  H/P pickup";

type BoardCell = { character: string; styles: readonly TextStyle[] };

const PIECE_STYLES: Record<BoardPiece["mark"], readonly TextStyle[]> = {
  A: ["bold", "cyan"],
  B: ["bold", "magenta"],
  C: ["bold", "yellow"],
  D: ["bold", "green"],
  "?": ["magenta"],
};

/** Returns the lines of the board, colored if the output supports it. */
export function drawBoard(scene: BoardScene): string[] {
  const { grid, cursor } = scene;
  const columns = Array.from({ length: grid.width }, (_, x) => String(x % 10)).join(" ");
  const lines = [`    ${columns}`];
  for (let y = 0; y < grid.height; y += 1) {
    let line = `${String(y).padStart(2)} `;
    for (let x = 0; x < grid.width; x += 1) {
      const isCursorTile = cursor !== null && cursor[1] === y && cursor[0] === x;
      const isAfterCursor = cursor !== null && cursor[1] === y && cursor[0] === x - 1;
      line += `${isCursorTile ? "[" : isAfterCursor ? "]" : " "}${formatCell(findCell(scene, x, y))}`;
    }
    lines.push(
      cursor !== null && cursor[1] === y && cursor[0] === grid.width - 1 ? `${line}]` : line,
    );
  }
  return lines;
}

const formatCell = ({ character, styles }: BoardCell): string => paint(styles, character);

function findCell(scene: BoardScene, x: number, y: number): BoardCell {
  const { grid, pieces, pickups, zone } = scene;
  const tile = y * grid.width + x;
  const piece = pieces.find((piece) => piece.x === x && piece.y === y);
  if (piece !== undefined) return { character: piece.mark, styles: PIECE_STYLES[piece.mark] };
  const tileCharacter = grid.rows[y]?.[x] ?? " ";
  if (grid.floor[tile] === 0) return { character: tileCharacter, styles: ["dim"] };
  const pickup = pickups.find((pickup) => pickup.x === x && pickup.y === y);
  if (pickup !== undefined) return { character: pickupCharacter(pickup), styles: ["green"] };
  const area = scene.areas.find((area) => coversTile(grid, area, tile));
  if (area !== undefined) return { character: area.name === "blast" ? "*" : "~", styles: ["red"] };
  if (assertDefined(grid.level[tile], "tile") > zone.radius)
    return { character: ":", styles: ["yellow"] };
  return { character: tileCharacter === "+" ? "+" : ".", styles: [] };
}

function pickupCharacter({ kind, in: ticks }: PickupView): string {
  const pickupLetter = kind === "health" ? "h" : "p";
  return ticks === 0 ? pickupLetter.toUpperCase() : pickupLetter;
}

function coversTile(grid: Grid, { x, y, radius }: AreaView, tile: number): boolean {
  const center = y * grid.width + x;
  return distanceBetween(grid, center, tile) <= radius && isTileVisible(grid, center, tile);
}

export function describeZone({ radius, shrinks_in }: ZoneView): string {
  const changeText = shrinks_in === null ? "stays" : `shrinks in ${shrinks_in}`;
  return `zone radius ${radius} (${changeText})`;
}

type FighterBody = { hp: number; power: number; stun?: number; cooldowns?: Partial<Cooldowns> };

export function describeFighter({ hp, power, stun = 0, cooldowns = {} }: FighterBody): string {
  const activeCooldowns = Object.entries(cooldowns).filter(([, ticks]) => ticks > 0);
  const parts = [
    `${String(hp).padStart(3)} hp`,
    power > 0 && `power ${power}`,
    stun > 0 && `stunned ${stun}`,
    activeCooldowns.length > 0 &&
      `cooldowns: ${activeCooldowns.map(([name, ticks]) => `${name} ${ticks}`).join(", ")}`,
  ];
  return parts.filter((part) => part !== false).join("  ");
}
