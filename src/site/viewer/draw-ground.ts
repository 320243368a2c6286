import { RULES } from "#core/engine/rules.ts";
import type { AreaView, PickupView } from "#core/engine/types.ts";

import { inPixels, textSize } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { drawStar } from "./draw-star.ts";
import { drawZone } from "./draw-zone.ts";
import { spanProgress } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

const FULL_TURN = 2 * Math.PI;

export function drawGround(surface: DrawingSurface, scene: TickScene, progress: number): void {
  const { before, after } = scene;
  const endProgress = spanProgress(scene.timing.spans.end, progress);
  drawZone(surface, scene, progress);
  const isTickOver = progress === 1;
  for (const area of isTickOver ? after.areas : before.areas) {
    drawArea(surface, area, isTickOver ? 0 : progress, scene.tick.tick + progress);
  }
  if (!isTickOver && endProgress > 0) {
    const newAreas = after.areas.filter(
      (area) => !before.areas.some((previousArea) => isSameArea(previousArea, area)),
    );
    for (const area of newAreas) drawArea(surface, area, 0, scene.tick.tick);
  }
  drawExplosions(surface, scene, progress);
  for (const pickup of endProgress === 1 ? after.pickups : before.pickups)
    drawPickup(surface, pickup, endProgress === 1 ? 0 : progress);
  for (const area of isTickOver ? after.areas : before.areas) drawCountdown(surface, area);
}

/** Draws how many ticks an area lasts, in a box at its top left corner. */
function drawCountdown(surface: DrawingSurface, area: AreaView): void {
  const { context, palette } = surface;
  const ticks = area.in ?? area.left ?? 0;
  const size = textSize(surface, 0.42);
  inPixels(surface, area.x - area.radius, area.y - area.radius, () => {
    context.fillStyle = palette.corner[area.by];
    context.beginPath();
    context.roundRect(0, 0, size * 1.3, size * 1.3, [0, 0, size * 0.4, 0]);
    context.fill();
    context.font = `800 ${size}px system-ui, sans-serif`;
    context.fillStyle = palette.onAccent;
    context.fillText(String(ticks), size * 0.65, size * 0.7);
  });
}

function isSameArea(areaA: AreaView, areaB: AreaView): boolean {
  return (
    areaA.name === areaB.name && areaA.by === areaB.by && areaA.x === areaB.x && areaA.y === areaB.y
  );
}

type AreaPosition = { x: number; y: number; radius: number };

/** Returns the tiles an area affects: within its radius and visible from its center. */
function areaPath({ grid }: DrawingSurface, { x, y, radius }: AreaPosition): Path2D {
  const path = new Path2D();
  const centerTile = y * grid.width + x;
  for (let row = y - radius; row <= y + radius; row += 1) {
    for (let column = x - radius; column <= x + radius; column += 1) {
      const isInside = column >= 0 && row >= 0 && column < grid.width && row < grid.height;
      const tile = row * grid.width + column;
      if (isInside && grid.sight[centerTile * grid.tileCount + tile] === 1)
        path.rect(column, row, 1, 1);
    }
  }
  return path;
}

function drawArea(surface: DrawingSurface, area: AreaView, progress: number, time: number): void {
  if (area.name === "blast") drawFuse(surface, area, progress);
  else drawFlames(surface, area, time);
}

/** Draws a square that fills from its center until the blast explodes. */
function drawFuse(surface: DrawingSurface, area: AreaView, progress: number): void {
  const { context, palette } = surface;
  const reach = areaPath(surface, area);
  const remainingTicks = (area.in ?? 0) - progress;
  const edgeLength = 2 * area.radius + 1;
  const sideLength = edgeLength * (1 - remainingTicks / (RULES.attacks.blast.fuse + 0.5));
  context.save();
  context.fillStyle = palette.corner[area.by];
  context.globalAlpha = 0.14;
  context.fill(reach);
  context.clip(reach);
  context.globalAlpha = 0.4;
  context.fillRect(
    area.x + 0.5 - sideLength / 2,
    area.y + 0.5 - sideLength / 2,
    sideLength,
    sideLength,
  );
  context.restore();
  context.strokeStyle = palette.corner[area.by];
  context.lineWidth = 0.1;
  context.setLineDash([0.3, 0.2]);
  context.strokeRect(area.x - area.radius, area.y - area.radius, edgeLength, edgeLength);
  context.setLineDash([]);
}

function drawFlames(surface: DrawingSurface, area: AreaView, time: number): void {
  const { context, palette } = surface;
  context.save();
  context.fillStyle = palette.corner[area.by];
  context.globalAlpha = 0.26;
  const reach = areaPath(surface, area);
  context.fill(reach);
  context.clip(reach);
  context.globalAlpha = 0.9;
  for (let flame = 0; flame < FLAMES; flame += 1)
    drawFlame(context, area, flame, time, palette.gold);
  context.restore();
}

const FLAMES = 18;

function drawFlame(
  context: CanvasRenderingContext2D,
  area: AreaView,
  flame: number,
  time: number,
  color: string,
): void {
  const column = flame % 6;
  const row = Math.floor(flame / 6);
  const x = area.x - 1 + 0.25 + column / 2 + (row % 2) * 0.12;
  const y = area.y - 1 + 0.85 + row;
  const height = 0.4 + 0.18 * Math.sin(time * 9 + flame * 2.4);
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(x, y - height);
  context.quadraticCurveTo(x + 0.2, y - height / 3, x, y);
  context.quadraticCurveTo(x - 0.2, y - height / 3, x, y - height);
  context.fill();
}

function drawExplosions(surface: DrawingSurface, scene: TickScene, progress: number): void {
  const { context, palette } = surface;
  const span = scene.timing.spans.end;
  for (const event of scene.tick.events) {
    if (event.type !== "area_explode" || progress <= span.from) continue;
    const opacity = 1 - spanProgress(span, progress);
    const sideLength = (2 * event.radius + 1) * (0.5 + 0.5 * (1 - opacity));
    context.save();
    context.clip(areaPath(surface, event));
    context.globalAlpha = 0.25 + 0.65 * opacity;
    context.fillStyle = opacity > 0.6 ? palette.paper : palette.gold;
    context.fillRect(
      event.x + 0.5 - sideLength / 2,
      event.y + 0.5 - sideLength / 2,
      sideLength,
      sideLength,
    );
    context.restore();
    context.strokeStyle = palette.corner[event.by];
    context.lineWidth = 0.16;
    context.strokeRect(
      event.x + 0.5 - sideLength / 2,
      event.y + 0.5 - sideLength / 2,
      sideLength,
      sideLength,
    );
  }
}

/**
 * Draws an announced pickup as a ring that shrinks onto the pad, with the remaining ticks, and an
 * available one as itself.
 */
function drawPickup(surface: DrawingSurface, pickup: PickupView, progress: number): void {
  const { context, palette } = surface;
  const [x, y] = [pickup.x + 0.5, pickup.y + 0.5];
  const ticksToSpawn = Math.max(0, pickup.in - progress);
  const color = pickup.kind === "health" ? palette.good : palette.gold;
  context.globalAlpha = ticksToSpawn > 0 ? 0.55 : 1;
  context.fillStyle = color;
  context.beginPath();
  if (pickup.kind === "health") drawCross(context, x, y);
  else drawStar(context, x, y);
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = color;
  context.lineWidth = 0.07;
  context.beginPath();
  context.arc(x, y, 0.4 + (0.9 * ticksToSpawn) / RULES.pickups.lead, 0, FULL_TURN);
  context.stroke();
  if (ticksToSpawn === 0) return;
  inPixels(surface, x + 0.36, y + 0.34, () => {
    const size = textSize(surface, 0.36);
    context.font = `700 ${size}px system-ui, sans-serif`;
    context.lineWidth = size / 4;
    context.strokeStyle = palette.floor;
    context.fillStyle = palette.ink;
    context.strokeText(String(Math.ceil(ticksToSpawn)), 0, 0);
    context.fillText(String(Math.ceil(ticksToSpawn)), 0, 0);
  });
}

function drawCross(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.rect(x - 0.09, y - 0.27, 0.18, 0.54);
  context.rect(x - 0.27, y - 0.09, 0.54, 0.18);
}
