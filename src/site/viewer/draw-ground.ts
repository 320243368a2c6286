import { RULES } from "#core/engine/rules.ts";
import type { AreaView, PickupView } from "#core/engine/types.ts";
import { zoneRadius, zoneShrinksIn } from "#core/engine/zone.ts";

import type { DrawingSurface } from "./canvas.ts";
import { isWithinSpan, spanProgress } from "./tick-timing.ts";
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
}

function isSameArea(areaA: AreaView, areaB: AreaView): boolean {
  return (
    areaA.name === areaB.name && areaA.by === areaB.by && areaA.x === areaB.x && areaA.y === areaB.y
  );
}

/**
 * Darkens the area outside the zone. Outlines the safe area, and draws the next safe area as a
 * dashed line.
 */
function drawZone(
  { context, grid, palette }: DrawingSurface,
  scene: TickScene,
  progress: number,
): void {
  const { radius, tick } = progress === 1 ? scene.after : scene.before;
  const [x, y] = grid.center;
  if (radius < grid.fullRadius) {
    // Only the outline pulses, because flashing images can trigger seizures.
    const hasZoneDamage = scene.tick.events.some(({ type }) => type === "zone_damage");
    const isPulsing = hasZoneDamage && isWithinSpan(scene.timing.spans.end, progress);
    context.fillStyle = palette.bad;
    context.globalAlpha = 0.16;
    context.beginPath();
    context.rect(0, 0, grid.width, grid.height);
    context.rect(x - radius, y - radius, 2 * radius + 1, 2 * radius + 1);
    context.fill("evenodd");
    context.globalAlpha = 1;
    context.lineWidth = isPulsing ? 0.2 : 0.08;
    strokeFrame(context, x, y, radius, palette.bad, []);
  }
  const ticksToShrink = zoneShrinksIn(grid, tick);
  context.lineWidth = 0.08;
  if (ticksToShrink !== null && ticksToShrink <= RULES.zone.every)
    strokeFrame(context, x, y, zoneRadius(grid, tick + ticksToShrink), palette.bad, [0.25, 0.25]);
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
  const sideLength =
    (2 * area.radius + 1) * (1 - remainingTicks / (RULES.attacks.blast.fuse + 0.5));
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
  context.lineWidth = 0.06;
  const edgeLength = 2 * area.radius + 1;
  context.strokeRect(area.x - area.radius, area.y - area.radius, edgeLength, edgeLength);
}

function drawFlames(surface: DrawingSurface, area: AreaView, time: number): void {
  const { context, palette } = surface;
  context.save();
  context.fillStyle = palette.corner[area.by];
  context.globalAlpha = 0.22;
  context.fill(areaPath(surface, area));
  context.clip(areaPath(surface, area));
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
  }
}

/**
 * Draws an announced pickup as a ring that shrinks onto the pad, and an available one as itself.
 */
function drawPickup(
  { context, palette }: DrawingSurface,
  pickup: PickupView,
  progress: number,
): void {
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
}

function drawCross(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.rect(x - 0.09, y - 0.27, 0.18, 0.54);
  context.rect(x - 0.27, y - 0.09, 0.54, 0.18);
}

export function drawStar(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size = 0.3,
): void {
  for (let corner = 0; corner < 10; corner += 1) {
    const reach = corner % 2 === 0 ? size : size * 0.45;
    const angle = (corner / 10) * FULL_TURN - FULL_TURN / 4;
    context.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
  }
  context.closePath();
}
