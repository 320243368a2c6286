// The map as characters, two columns per tile, with numbered columns and rows.

import { sure } from "#base/units/sure.ts";
import { distanceBetween, isSeen } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import type { AreaView, Cooldowns, PickupView, Tile, ZoneView } from "#core/engine/types.ts";

import { paint } from "./color.ts";
import type { TextStyle } from "./color.ts";

/** A fighter on the board; `?` marks where one was last seen. */
export type Piece = { mark: "A" | "B" | "C" | "D" | "?"; x: number; y: number };

export type Scene = {
  grid: Grid;
  pieces: readonly Piece[];
  areas: readonly AreaView[];
  pickups: readonly PickupView[];
  zone: ZoneView;
  /** Drawn in brackets. */
  cursor: Tile | null;
};

export const LEGEND =
  "# wall  o low wall  + pad  : outside the zone  * blast  ~ scorch  h/p health or power to come  H/P lies there";

type Cell = { character: string; styles: readonly TextStyle[] };

const PIECE_STYLES: Record<Piece["mark"], readonly TextStyle[]> = {
  A: ["bold", "cyan"],
  B: ["bold", "magenta"],
  C: ["bold", "yellow"],
  D: ["bold", "green"],
  "?": ["magenta"],
};

/** The lines of the board, with colours only if the output is a terminal that wants them. */
export function drawBoard(scene: Scene): string[] {
  const { grid, cursor } = scene;
  const columns = Array.from({ length: grid.width }, (_, x) => String(x % 10)).join(" ");
  const lines = [`    ${columns}`];
  for (let y = 0; y < grid.height; y += 1) {
    let line = `${String(y).padStart(2)} `;
    for (let x = 0; x < grid.width; x += 1) {
      const isAimed = cursor !== null && cursor[1] === y && cursor[0] === x;
      const wasAimed = cursor !== null && cursor[1] === y && cursor[0] === x - 1;
      line += `${isAimed ? "[" : wasAimed ? "]" : " "}${cellText(cellAt(scene, x, y))}`;
    }
    lines.push(
      cursor !== null && cursor[1] === y && cursor[0] === grid.width - 1 ? `${line}]` : line,
    );
  }
  return lines;
}

const cellText = ({ character, styles }: Cell): string => paint(styles, character);

function cellAt(scene: Scene, x: number, y: number): Cell {
  const { grid, pieces, pickups, zone } = scene;
  const tile = y * grid.width + x;
  const piece = pieces.find((piece) => piece.x === x && piece.y === y);
  if (piece !== undefined) return { character: piece.mark, styles: PIECE_STYLES[piece.mark] };
  const ground = grid.rows[y]?.[x] ?? " ";
  if (grid.floor[tile] === 0) return { character: ground, styles: ["dim"] };
  const pickup = pickups.find((pickup) => pickup.x === x && pickup.y === y);
  if (pickup !== undefined) return { character: pickupMark(pickup), styles: ["green"] };
  const area = scene.areas.find((area) => covers(grid, area, tile));
  if (area !== undefined) return { character: area.name === "blast" ? "*" : "~", styles: ["red"] };
  if (sure(grid.level[tile], "tile") > zone.radius) return { character: ":", styles: ["yellow"] };
  return { character: ground === "+" ? "+" : ".", styles: [] };
}

function pickupMark({ kind, in: ticks }: PickupView): string {
  const letter = kind === "health" ? "h" : "p";
  return ticks === 0 ? letter.toUpperCase() : letter;
}

function covers(grid: Grid, { x, y, radius }: AreaView, tile: number): boolean {
  const center = y * grid.width + x;
  return distanceBetween(grid, center, tile) <= radius && isSeen(grid, center, tile);
}

export function zoneWords({ radius, shrinks_in }: ZoneView): string {
  const change = shrinks_in === null ? "stays" : `shrinks in ${shrinks_in}`;
  return `zone radius ${radius} (${change})`;
}

type Body = { hp: number; power: number; stun?: number; cooldowns?: Partial<Cooldowns> };

/** Hit points and everything that runs on a fighter, in a few words. */
export function bodyWords({ hp, power, stun = 0, cooldowns = {} }: Body): string {
  const waits = Object.entries(cooldowns).filter(([, ticks]) => ticks > 0);
  const parts = [
    `${String(hp).padStart(3)} hp`,
    power > 0 && `power ${power}`,
    stun > 0 && `stunned ${stun}`,
    waits.length > 0 && `waits for ${waits.map(([name, ticks]) => `${name} ${ticks}`).join(", ")}`,
  ];
  return parts.filter((part) => part !== false).join("  ");
}
