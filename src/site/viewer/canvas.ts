// The canvas uses tiles as its unit.
import type { Grid } from "#core/engine/grid.ts";
import type { FighterId } from "#core/engine/types.ts";

type Palette = {
  floor: string;
  grid: string;
  wall: string;
  lowWall: string;
  shade: string;
  ink: string;
  paper: string;
  card: string;
  muted: string;
  gold: string;
  good: string;
  bad: string;
  onAccent: string;
  corner: Record<FighterId, string>;
};

export type DrawingSurface = {
  context: CanvasRenderingContext2D;
  grid: Grid;
  palette: Palette;
  scale: number;
  /** Floor, walls and pads, prerendered for the current size and theme. */
  backdrop: HTMLCanvasElement;
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

/** Fits the canvas to its space and the screen's resolution, and renders the backdrop. */
export function fitSurface(
  canvas: HTMLCanvasElement,
  grid: Grid,
  space: CanvasSpace,
): DrawingSurface | null {
  const context = canvas.getContext("2d");
  if (context === null) return null;
  const [columns, rows] = [grid.width - 2 * WALL_CROP_TILES, grid.height - 2 * WALL_CROP_TILES];
  const ratio = globalThis.devicePixelRatio;
  const fittingScale = Math.min(space.width / columns, space.height / rows);
  const scale = Math.max(1, Math.floor(Math.max(MIN_TILE_PX, fittingScale) * ratio));
  canvas.width = Math.floor(columns * scale);
  canvas.height = Math.floor(rows * scale);
  canvas.style.width = `${canvas.width / ratio}px`;
  const palette = readPalette(canvas);
  return { context, grid, palette, scale, backdrop: paintBackdrop(canvas, grid, palette, scale) };
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

function readPalette(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const readColor = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const [a, b, gold, good] = [
    readColor("a"),
    readColor("b"),
    readColor("gold-fill"),
    readColor("good"),
  ];
  return {
    floor: readColor("floor"),
    grid: readColor("grid-line"),
    wall: readColor("wall"),
    lowWall: readColor("low-wall"),
    shade: readColor("shade"),
    ink: readColor("ink"),
    paper: readColor("paper"),
    card: readColor("card"),
    muted: readColor("muted"),
    gold,
    good,
    bad: readColor("bad"),
    onAccent: readColor("on-accent"),
    corner: { A: a, B: b, C: gold, D: good },
  };
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
  grid.rows.forEach((row, y) => {
    Array.from(row).forEach((character, x) => paintTile(context, character, x, y, palette));
  });
  grid.rows.forEach((row, y) => {
    Array.from(row).forEach((character, x) => {
      const hasVisibleSide =
        character === "#" && y + 1 < grid.height && grid.rows[y + 1]![x] !== "#";
      if (hasVisibleSide) paintWallSide(context, x, y, palette);
    });
  });
  return backdrop;
}

function paintWallSide(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  palette: Palette,
): void {
  context.fillStyle = palette.ink;
  context.globalAlpha = 0.1;
  context.fillRect(x, y + 1, 1.02, 0.14);
  context.fillStyle = palette.shade;
  context.globalAlpha = 0.35;
  context.fillRect(x, y + 0.74, 1.02, 0.28);
  context.globalAlpha = 1;
}

function paintTile(
  context: CanvasRenderingContext2D,
  character: string,
  x: number,
  y: number,
  palette: Palette,
): void {
  context.fillStyle = character === "#" ? palette.wall : palette.floor;
  // Slightly larger than a tile, to avoid seams at fractional tile sizes.
  context.fillRect(x, y, 1.02, 1.02);
  if (character === "#") return;
  context.strokeStyle = palette.grid;
  context.lineWidth = 0.03;
  context.strokeRect(x, y, 1, 1);
  if (character === "o") paintLowWall(context, x, y, palette);
  if (character === "+") paintPad(context, x, y, palette);
}

function paintLowWall(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  palette: Palette,
): void {
  context.fillStyle = palette.lowWall;
  context.beginPath();
  context.roundRect(x + 0.1, y + 0.1, 0.8, 0.8, 0.18);
  context.fill();
}

function paintPad(context: CanvasRenderingContext2D, x: number, y: number, palette: Palette): void {
  context.strokeStyle = palette.lowWall;
  context.lineWidth = 0.06;
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, 0.3, 0, 2 * Math.PI);
  context.stroke();
}
