// Draws what doesn't change during a match: floor, walls and pads. The light comes from the top
// left.
import type { Grid } from "#core/engine/grid.ts";

import type { Palette } from "./palette.ts";

const FULL_TURN = 2 * Math.PI;
/** Slightly more than a tile, to avoid seams at fractional tile sizes. */
const TILE = 1.02;
/** Height of a wall's visible south side, in tiles. */
const WALL_SIDE = 0.3;
const WALL_SHADOW = { x: 0.26, y: 0.34 };
const LOW_WALL_SHADOW = { x: 0.12, y: 0.14 };

type Backdrop = { context: CanvasRenderingContext2D; grid: Grid; palette: Palette };

/** The unit of `context` is one tile. */
export function drawBackdrop(backdrop: Backdrop): void {
  drawFloor(backdrop);
  drawShadows(backdrop);
  eachTile(backdrop.grid, (character, x, y) => {
    if (character === "o") drawLowWall(backdrop, x, y);
    if (character === "#") drawWall(backdrop, x, y);
  });
}

function eachTile(grid: Grid, visit: (character: string, x: number, y: number) => void): void {
  grid.rows.forEach((row, y) => {
    Array.from(row).forEach((character, x) => visit(character, x, y));
  });
}

const tileAt = (grid: Grid, x: number, y: number): string => grid.rows[y]?.[x] ?? "#";

function drawFloor({ context, grid, palette }: Backdrop): void {
  context.fillStyle = palette.floor;
  context.fillRect(0, 0, grid.width, grid.height);
  context.fillStyle = palette.grid;
  context.globalAlpha = 0.4;
  eachTile(grid, (_, x, y) => {
    if ((x + y) % 2 === 0) context.fillRect(x, y, 1, 1);
  });
  context.globalAlpha = 1;
  context.strokeStyle = palette.grid;
  context.lineWidth = 0.03;
  eachTile(grid, (character, x, y) => {
    if (character === "#") return;
    context.strokeRect(x, y, 1, 1);
    if (character === "+") drawPad(context, x, y, palette);
  });
  drawLight(context, grid, palette);
}

/** Brightens the middle of the arena and darkens its corners. */
function drawLight(context: CanvasRenderingContext2D, grid: Grid, palette: Palette): void {
  const [x, y] = [grid.width / 2, grid.height / 2];
  const reach = Math.hypot(x, y);
  for (const [color, alpha, from, to] of [
    [palette.glow, 0.06, reach, 0],
    [palette.shade, 0.14, reach * 0.4, reach],
  ] as const) {
    const gradient = context.createRadialGradient(x, y, from, x, y, to);
    gradient.addColorStop(0, "transparent");
    gradient.addColorStop(1, color);
    context.globalAlpha = alpha;
    context.fillStyle = gradient;
    context.fillRect(0, 0, grid.width, grid.height);
  }
  context.globalAlpha = 1;
}

/** Fills one path, so that overlapping shadows aren't darker. */
function drawShadows({ context, grid, palette }: Backdrop): void {
  context.fillStyle = palette.shade;
  context.globalAlpha = palette.shadowAlpha;
  context.beginPath();
  eachTile(grid, (character, x, y) => {
    if (character === "#") traceShadow(context, x, y, 1, WALL_SHADOW);
    if (character === "o") traceShadow(context, x + 0.1, y + 0.1, 0.8, LOW_WALL_SHADOW);
  });
  context.fill();
  context.globalAlpha = 1;
}

/** The area that a square sweeps when it moves by `offset`. */
function traceShadow(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  side: number,
  offset: { x: number; y: number },
): void {
  context.moveTo(x, y);
  context.lineTo(x + side, y);
  context.lineTo(x + side + offset.x, y + offset.y);
  context.lineTo(x + side + offset.x, y + side + offset.y);
  context.lineTo(x + offset.x, y + side + offset.y);
  context.lineTo(x, y + side);
  context.closePath();
}

function drawWall({ context, grid, palette }: Backdrop, x: number, y: number): void {
  context.fillStyle = palette.wall;
  context.fillRect(x, y, TILE, TILE);
  const isOpen = (dx: number, dy: number): boolean => tileAt(grid, x + dx, y + dy) !== "#";
  if (isOpen(0, 1)) {
    context.fillStyle = palette.shade;
    context.globalAlpha = 0.4;
    context.fillRect(x, y + 1 - WALL_SIDE, TILE, WALL_SIDE + 0.02);
  }
  context.fillStyle = palette.glow;
  context.globalAlpha = 0.28;
  if (isOpen(0, -1)) context.fillRect(x, y, TILE, 0.07);
  if (isOpen(-1, 0)) context.fillRect(x, y, 0.07, isOpen(0, 1) ? 1 - WALL_SIDE : TILE);
  if (isOpen(0, 1)) context.fillRect(x, y + 1 - WALL_SIDE - 0.04, TILE, 0.04);
  context.globalAlpha = 1;
}

function drawLowWall({ context, palette }: Backdrop, x: number, y: number): void {
  context.fillStyle = palette.lowWall;
  context.beginPath();
  context.roundRect(x + 0.1, y + 0.1, 0.8, 0.8, 0.18);
  context.fill();
  context.fillStyle = palette.shade;
  context.globalAlpha = 0.25;
  context.beginPath();
  context.roundRect(x + 0.1, y + 0.72, 0.8, 0.18, [0, 0, 0.18, 0.18]);
  context.fill();
  context.fillStyle = palette.glow;
  context.globalAlpha = 0.35;
  context.beginPath();
  context.roundRect(x + 0.1, y + 0.1, 0.8, 0.1, [0.18, 0.18, 0, 0]);
  context.fill();
  context.globalAlpha = 1;
}

function drawPad(context: CanvasRenderingContext2D, x: number, y: number, palette: Palette): void {
  context.save();
  context.strokeStyle = palette.lowWall;
  context.lineWidth = 0.06;
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, 0.3, 0, FULL_TURN);
  context.stroke();
  context.restore();
}
