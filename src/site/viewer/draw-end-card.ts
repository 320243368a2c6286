import { inPixels, textSize } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import type { EndRow, EndSummary } from "./end-summary.ts";
// Draws the decisive numbers over the arena after the last tick.
import { PORTRAIT_TILES } from "./portraits.ts";
import { traceSeatFrame } from "./seat-frame.ts";
import type { TickScene } from "./tick-timing.ts";

/** Distance of the card from the map edge, in tiles. */
const EDGE_TILES = 0.8;
/** Sizes in units of the text size. */
const [TITLE_SIZE, ROW_HEIGHT, PADDING] = [1.5, 1.9, 0.9];
const HEADER_HEIGHT = 3.9;
const MAX_WIDTH = 26;

type Card = { width: number; height: number; size: number };

/** Covers the half of the arena in which no fighter fell. */
export function drawEndCard(
  surface: DrawingSurface,
  summary: EndSummary,
  { after }: TickScene,
): void {
  const { context, grid, palette, scale } = surface;
  const space = (grid.width - 2 * EDGE_TILES) * scale;
  const size = Math.min(textSize(surface, 0.42), space / 17);
  const width = Math.min(space, MAX_WIDTH * size);
  const height = (HEADER_HEIGHT + summary.rows.length * ROW_HEIGHT + PADDING) * size;
  const card = { width, height, size };
  const fallen = after.fighters.filter(({ alive }) => !alive);
  const isTopFree = fallen.some(({ y }) => y > grid.center[1]) || fallen.length === 0;
  const y = isTopFree ? EDGE_TILES : grid.height - EDGE_TILES - height / scale;
  inPixels(surface, grid.width / 2 - width / scale / 2, Math.max(EDGE_TILES, y), () => {
    context.globalAlpha = 0.95;
    context.fillStyle = palette.card;
    context.strokeStyle = palette.gold;
    context.lineWidth = size / 7;
    context.beginPath();
    context.roundRect(0, 0, width, height, size * 0.6);
    context.fill();
    context.stroke();
    context.globalAlpha = 1;
    drawHeader(surface, summary, card);
    summary.rows.forEach((row, index) => drawRow(surface, row, index, card));
  });
}

function drawHeader(
  { context, palette }: DrawingSurface,
  { title, decision }: EndSummary,
  { width, size }: Card,
): void {
  const space = width - 2 * PADDING * size;
  context.fillStyle = palette.ink;
  context.font = `800 ${TITLE_SIZE * size}px system-ui, sans-serif`;
  context.fillText(fitText(context, title, space), width / 2, 1.5 * size);
  context.fillStyle = palette.muted;
  context.font = `${size}px system-ui, sans-serif`;
  context.fillText(fitText(context, decision, space), width / 2, 3.1 * size);
}

function drawRow(
  surface: DrawingSurface,
  { id, name, damageDealt, hp }: EndRow,
  index: number,
  { width, size }: Card,
): void {
  const { context, palette } = surface;
  const y = (HEADER_HEIGHT + (index + 0.5) * ROW_HEIGHT) * size;
  drawSeatMark(surface, id, (PADDING + 0.8) * size, y, 0.8 * size);
  const numbers = `${damageDealt} dealt · ${hp} HP`;
  context.fillStyle = palette.ink;
  context.textAlign = "right";
  context.font = `700 ${size}px system-ui, sans-serif`;
  const numbersWidth = context.measureText(numbers).width;
  context.fillText(numbers, width - PADDING * size, y);
  context.textAlign = "left";
  const nameX = (PADDING + 2.1) * size;
  const nameSpace = width - nameX - numbersWidth - (PADDING + 0.5) * size;
  context.fillStyle = palette.corner[id];
  context.fillText(fitText(context, name, nameSpace), nameX, y);
  context.textAlign = "center";
}

function drawSeatMark(
  { context, palette, portraits }: DrawingSurface,
  id: EndRow["id"],
  x: number,
  y: number,
  radius: number,
): void {
  const portrait = portraits.get(id);
  const half = (radius * PORTRAIT_TILES) / 0.84;
  context.beginPath();
  traceSeatFrame(context, id, x, y, radius);
  context.fillStyle = palette.corner[id];
  context.fill();
  if (portrait !== undefined) context.drawImage(portrait, x - half, y - half, 2 * half, 2 * half);
  context.strokeStyle = palette.corner[id];
  context.lineWidth = radius / 6;
  context.stroke();
}

/** Shortens a text to a width. The font must be set. */
export function fitText(
  context: Pick<CanvasRenderingContext2D, "measureText">,
  text: string,
  width: number,
): string {
  if (context.measureText(text).width <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 1 && context.measureText(`${characters.join("")}…`).width > width)
    characters.pop();
  return `${characters.join("")}…`;
}
