// The canvas uses tiles as its unit.
import type { Grid } from "#core/engine/grid.ts";

import { drawBackdrop } from "./draw-backdrop.ts";
import { readPalette, readTones } from "./palette.ts";
import type { Palette } from "./palette.ts";
import { paintPortraits } from "./portraits.ts";
import type { FighterBots, Portraits } from "./portraits.ts";

export type DrawingSurface = {
  context: CanvasRenderingContext2D;
  grid: Grid;
  palette: Palette;
  scale: number;
  /** Floor, walls and pads, prerendered for the current size and theme. */
  backdrop: HTMLCanvasElement;
  portraits: Portraits;
};

/** Width cropped from each side of the outer wall, in tiles. */
const WALL_CROP_TILES = 0.45;
const MIN_TILE_PX = 6;
/** Maximum share of the window height. Leaves room for the bars above and the controls below. */
const MAX_HEIGHT_FRACTION = 0.5;
const MIN_TEXT_PX = 12;

/** Available size for a canvas, in CSS pixels. */
export type CanvasSpace = { width: number; height: number };

export const canvasSpaceOnPage = ({ clientWidth }: HTMLElement): CanvasSpace => ({
  width: clientWidth,
  height: globalThis.innerHeight * MAX_HEIGHT_FRACTION,
});

/** On low windows, the board keeps at least this share of the height, and the page scrolls. */
const MIN_HEIGHT_FRACTION = 0.4;
const WINDOW_MARGIN_PX = 8;

/**
 * Returns the space that the window leaves for the board if everything above it on the page, and
 * its later siblings, are to be visible without scrolling.
 */
export function canvasSpaceInWindow(box: HTMLElement): CanvasSpace {
  const { top, bottom, width } = box.getBoundingClientRect();
  const scrolled = document.fullscreenElement === null ? globalThis.scrollY : 0;
  const lastSibling = box.parentElement?.lastElementChild ?? box;
  const heightBelow = lastSibling.getBoundingClientRect().bottom - bottom;
  const freeHeight = globalThis.innerHeight - top - scrolled - heightBelow - WINDOW_MARGIN_PX;
  return { width, height: Math.max(freeHeight, globalThis.innerHeight * MIN_HEIGHT_FRACTION) };
}

/**
 * Fits the canvas to its space and the screen's resolution, and renders the backdrop. Returns null
 * if the canvas isn't in the page anymore, because it has no colors then.
 */
export function fitSurface(
  canvas: HTMLCanvasElement,
  grid: Grid,
  space: CanvasSpace,
  bots: FighterBots,
): DrawingSurface | null {
  const context = canvas.getContext("2d");
  if (context === null || !canvas.isConnected) return null;
  const [columns, rows] = [grid.width - 2 * WALL_CROP_TILES, grid.height - 2 * WALL_CROP_TILES];
  const ratio = globalThis.devicePixelRatio;
  const fittingScale = Math.min(space.width / columns, space.height / rows);
  const scale = Math.max(1, Math.floor(Math.max(MIN_TILE_PX, fittingScale) * ratio));
  canvas.width = Math.floor(columns * scale);
  canvas.height = Math.floor(rows * scale);
  canvas.style.width = `${canvas.width / ratio}px`;
  const style = getComputedStyle(canvas);
  const palette = readPalette(style);
  const backdrop = paintBackdrop(canvas, grid, palette, scale);
  const portraits = paintPortraits(bots, readTones(style), scale);
  return { context, grid, palette, scale, backdrop, portraits };
}

/** Draws the backdrop and sets the unit to one tile. Offsets the view by `shakeTiles` tiles. */
export function beginFrame(surface: DrawingSurface, shakeTiles: number): void {
  const { context, scale, backdrop, palette } = surface;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = palette.wall;
  context.fillRect(0, 0, backdrop.width, backdrop.height);
  context.setTransform(
    scale,
    0,
    0,
    scale,
    (shakeTiles - WALL_CROP_TILES) * scale,
    (shakeTiles / 2 - WALL_CROP_TILES) * scale,
  );
  context.drawImage(
    backdrop,
    WALL_CROP_TILES,
    WALL_CROP_TILES,
    backdrop.width / scale,
    backdrop.height / scale,
  );
  context.lineCap = "round";
  context.lineJoin = "round";
  context.textAlign = "center";
  context.textBaseline = "middle";
}

/**
 * Calls `paint` with a unit of one device pixel and the origin at (`x`, `y`) in tiles. Text whose
 * size is a fraction of a unit renders poorly.
 */
export function inPixels(surface: DrawingSurface, x: number, y: number, paint: () => void): void {
  const { context, scale } = surface;
  context.save();
  context.translate(x, y);
  context.scale(1 / scale, 1 / scale);
  paint();
  context.restore();
}

/** Returns a text size in device pixels, proportional to the tiles but never unreadably small. */
export function textSize({ scale }: DrawingSurface, tiles: number): number {
  return Math.max(tiles * scale, MIN_TEXT_PX * globalThis.devicePixelRatio);
}

function paintBackdrop(
  canvas: HTMLCanvasElement,
  grid: Grid,
  palette: Palette,
  scale: number,
): HTMLCanvasElement {
  const backdrop = document.createElement("canvas");
  backdrop.width = canvas.width;
  backdrop.height = canvas.height;
  const context = backdrop.getContext("2d");
  if (context === null) return backdrop;
  context.setTransform(scale, 0, 0, scale, -WALL_CROP_TILES * scale, -WALL_CROP_TILES * scale);
  drawBackdrop({ context, grid, palette });
  return backdrop;
}
