// Draws the zone: the tiles outside it, and which tiles it takes next.
import { RULES } from "#core/engine/rules.ts";
import { zoneRadius, zoneShrinksIn } from "#core/engine/zone.ts";

import { inPixels, textSize } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { isWithinSpan } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

/** How long the tiles that close next are marked, in ticks. */
const WARNING_TICKS = 5;
/** Distance of the stripes outside the zone, in tiles. */
const STRIPE_TILES = 0.5;

export function drawZone(surface: DrawingSurface, scene: TickScene, progress: number): void {
  const { context, grid, palette } = surface;
  const { radius, tick } = progress === 1 ? scene.after : scene.before;
  const [x, y] = grid.center;
  if (radius < grid.fullRadius) {
    // Only the outline pulses, because flashing images can trigger seizures.
    const hasZoneDamage = scene.tick.events.some(({ type }) => type === "zone_damage");
    const isPulsing = hasZoneDamage && isWithinSpan(scene.timing.spans.end, progress);
    drawOutside(surface, radius);
    context.lineWidth = isPulsing ? 0.22 : 0.1;
    strokeFrame(context, x, y, radius, palette.bad, []);
  }
  const ticksToShrink = zoneShrinksIn(grid, tick);
  if (ticksToShrink === null || ticksToShrink > RULES.zone.every) return;
  const nextRadius = zoneRadius(grid, tick + ticksToShrink);
  context.lineWidth = 0.08;
  strokeFrame(context, x, y, nextRadius, palette.bad, [0.25, 0.25]);
  if (ticksToShrink <= WARNING_TICKS) drawWarning(surface, radius, nextRadius, ticksToShrink);
}

function drawOutside({ context, grid, palette }: DrawingSurface, radius: number): void {
  const [x, y] = grid.center;
  context.save();
  context.beginPath();
  context.rect(0, 0, grid.width, grid.height);
  context.rect(x - radius, y - radius, 2 * radius + 1, 2 * radius + 1);
  context.clip("evenodd");
  context.fillStyle = palette.bad;
  context.globalAlpha = 0.2;
  context.fillRect(0, 0, grid.width, grid.height);
  context.strokeStyle = palette.bad;
  context.globalAlpha = 0.35;
  context.lineWidth = 0.05;
  context.beginPath();
  for (let start = -grid.height; start < grid.width; start += STRIPE_TILES) {
    context.moveTo(start, grid.height);
    context.lineTo(start + grid.height, 0);
  }
  context.stroke();
  context.restore();
}

/** Marks the tiles that are outside the zone in a few ticks, and counts down. */
function drawWarning(
  surface: DrawingSurface,
  radius: number,
  nextRadius: number,
  ticks: number,
): void {
  const { context, grid, palette } = surface;
  const [x, y] = grid.center;
  context.fillStyle = palette.bad;
  context.globalAlpha = 0.16;
  context.beginPath();
  context.rect(x - radius, y - radius, 2 * radius + 1, 2 * radius + 1);
  context.rect(x - nextRadius, y - nextRadius, 2 * nextRadius + 1, 2 * nextRadius + 1);
  context.fill("evenodd");
  context.globalAlpha = 1;
  const size = textSize(surface, 0.4);
  inPixels(surface, x + 0.5, y - nextRadius, () => {
    drawLabel(surface, `closes in ${ticks}`, size);
  });
}

/** Draws text on a filled box around the origin. The unit is one device pixel. */
function drawLabel({ context, palette }: DrawingSurface, text: string, size: number): void {
  context.font = `700 ${size}px system-ui, sans-serif`;
  const width = context.measureText(text).width + size;
  context.fillStyle = palette.bad;
  context.beginPath();
  context.roundRect(-width / 2, -0.75 * size, width, 1.5 * size, size * 0.4);
  context.fill();
  context.fillStyle = palette.onAccent;
  context.fillText(text, 0, 0);
}

function strokeFrame(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  color: string,
  dash: number[],
): void {
  context.strokeStyle = color;
  context.setLineDash(dash);
  context.strokeRect(x - radius, y - radius, 2 * radius + 1, 2 * radius + 1);
  context.setLineDash([]);
}
