// The canvas as a surface of tiles: size, sharpness, colours. One unit is one tile.
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

export type Surface = {
  context: CanvasRenderingContext2D;
  grid: Grid;
  palette: Palette;
  /** Device pixels per tile. */
  scale: number;
  /** Floor, walls and pads, painted once for this size and these colours. */
  backdrop: HTMLCanvasElement;
};

/** How much of the outermost wall is cropped on each side, in tiles. */
const CROP = 0.45;
const LEAST_TILE_PX = 6;
/**
 * Largest share of the window's height, so that the bars above and the controls below stay visible.
 */
const HEIGHT_SHARE = 0.5;
const LEAST_TEXT_PX = 12;

/** The space for a canvas, in CSS pixels. */
export type Room = { width: number; height: number };

/** The space in a box that is as wide as its column of a page. */
export const roomOnPage = ({ clientWidth }: HTMLElement): Room => ({
  width: clientWidth,
  height: globalThis.innerHeight * HEIGHT_SHARE,
});

/** Fits the canvas to its space and the screen's pixels, and paints the backdrop. */
export function fitSurface(canvas: HTMLCanvasElement, grid: Grid, room: Room): Surface | null {
  const context = canvas.getContext("2d");
  if (context === null) return null;
  const [columns, rows] = [grid.width - 2 * CROP, grid.height - 2 * CROP];
  const ratio = globalThis.devicePixelRatio;
  const fitting = Math.min(room.width / columns, room.height / rows);
  const scale = Math.max(1, Math.floor(Math.max(LEAST_TILE_PX, fitting) * ratio));
  canvas.width = Math.floor(columns * scale);
  canvas.height = Math.floor(rows * scale);
  canvas.style.width = `${canvas.width / ratio}px`;
  const palette = paletteOf(canvas);
  return { context, grid, palette, scale, backdrop: backdropOf(canvas, grid, palette, scale) };
}

/** Resets the picture to the backdrop and the unit to one tile, shifted by `shake` tiles. */
export function openPicture(surface: Surface, shake: number): void {
  const { context, scale, backdrop, palette } = surface;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = palette.wall;
  context.fillRect(0, 0, backdrop.width, backdrop.height);
  context.setTransform(scale, 0, 0, scale, (shake - CROP) * scale, (shake / 2 - CROP) * scale);
  context.drawImage(backdrop, CROP, CROP, backdrop.width / scale, backdrop.height / scale);
  context.lineCap = "round";
  context.lineJoin = "round";
  context.textAlign = "center";
  context.textBaseline = "middle";
}

/**
 * Calls back with the unit set to one device pixel and the origin at a point given in tiles. Text
 * sized in fractions of a unit would be rendered badly.
 */
export function inPixels(surface: Surface, x: number, y: number, paint: () => void): void {
  const { context, scale } = surface;
  context.save();
  context.translate(x, y);
  context.scale(1 / scale, 1 / scale);
  paint();
  context.restore();
}

/** The size of text in device pixels: proportional to the tiles, but never too small to read. */
export function textSize({ scale }: Surface, tiles: number): number {
  return Math.max(tiles * scale, LEAST_TEXT_PX * globalThis.devicePixelRatio);
}

function paletteOf(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const [a, b, gold, good] = [read("a"), read("b"), read("gold-fill"), read("good")];
  return {
    floor: read("floor"),
    grid: read("grid-line"),
    wall: read("wall"),
    lowWall: read("low-wall"),
    shade: read("shade"),
    ink: read("ink"),
    paper: read("paper"),
    card: read("card"),
    muted: read("muted"),
    gold,
    good,
    bad: read("bad"),
    onAccent: read("on-accent"),
    corner: { A: a, B: b, C: gold, D: good },
  };
}

function backdropOf(
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
  context.setTransform(scale, 0, 0, scale, -CROP * scale, -CROP * scale);
  grid.rows.forEach((row, y) => {
    Array.from(row).forEach((character, x) => paintTile(context, character, x, y, palette));
  });
  grid.rows.forEach((row, y) => {
    Array.from(row).forEach((character, x) => {
      const hasFoot = character === "#" && y + 1 < grid.height && grid.rows[y + 1]![x] !== "#";
      if (hasFoot) paintFoot(context, x, y, palette);
    });
  });
  return backdrop;
}

/** The side of a wall that faces the viewer, and its shadow on the floor. */
function paintFoot(
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
  // A little more than a tile, or seams show between tiles of fractional sizes.
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
