// What lies on the floor of the arena: zone, areas, pickups.
import { RULES } from "#core/engine/rules.ts";
import type { AreaView, PickupView } from "#core/engine/types.ts";
import { zoneRadius, zoneShrinksIn } from "#core/engine/zone.ts";

import type { Surface } from "./canvas.ts";
import { isDuring, passed } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

const FULL_TURN = 2 * Math.PI;

export function drawGround(surface: Surface, scene: TickScene, share: number): void {
  const { before, after } = scene;
  const ending = passed(scene.score.spans.end, share);
  drawZone(surface, scene, share);
  const isOver = share === 1;
  for (const area of isOver ? after.areas : before.areas) {
    drawArea(surface, area, isOver ? 0 : share, scene.tick.tick + share);
  }
  if (!isOver && ending > 0) {
    const fresh = after.areas.filter((area) => !before.areas.some((old) => isSame(old, area)));
    for (const area of fresh) drawArea(surface, area, 0, scene.tick.tick);
  }
  drawExplosions(surface, scene, share);
  for (const pickup of ending === 1 ? after.pickups : before.pickups)
    drawPickup(surface, pickup, ending === 1 ? 0 : share);
}

function isSame(one: AreaView, other: AreaView): boolean {
  return one.name === other.name && one.by === other.by && one.x === other.x && one.y === other.y;
}

/** Darkens what is outside the zone, frames what is safe now, and dashes what will be safe next. */
function drawZone({ context, grid, palette }: Surface, scene: TickScene, share: number): void {
  const { radius, tick } = share === 1 ? scene.after : scene.before;
  const [x, y] = grid.center;
  if (radius < grid.fullRadius) {
    // Only the frame pulses: a whole picture that flashes strains the eyes, and harms some viewers.
    const isHurting = scene.tick.events.some(({ type }) => type === "zone_damage");
    const isPulse = isHurting && isDuring(scene.score.spans.end, share);
    context.fillStyle = palette.bad;
    context.globalAlpha = 0.16;
    context.beginPath();
    context.rect(0, 0, grid.width, grid.height);
    context.rect(x - radius, y - radius, 2 * radius + 1, 2 * radius + 1);
    context.fill("evenodd");
    context.globalAlpha = 1;
    context.lineWidth = isPulse ? 0.2 : 0.08;
    frame(context, x, y, radius, palette.bad, []);
  }
  const shrinksIn = zoneShrinksIn(grid, tick);
  context.lineWidth = 0.08;
  if (shrinksIn !== null && shrinksIn <= RULES.zone.every)
    frame(context, x, y, zoneRadius(grid, tick + shrinksIn), palette.bad, [0.25, 0.25]);
}

function frame(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  colour: string,
  dash: number[],
): void {
  context.strokeStyle = colour;
  context.setLineDash(dash);
  context.strokeRect(x - radius, y - radius, 2 * radius + 1, 2 * radius + 1);
  context.setLineDash([]);
}

type Place = { x: number; y: number; radius: number };

/** The tiles an area reaches: within its radius and in sight of its centre. */
function reachOf({ grid }: Surface, { x, y, radius }: Place): Path2D {
  const path = new Path2D();
  const centre = y * grid.width + x;
  for (let row = y - radius; row <= y + radius; row += 1) {
    for (let column = x - radius; column <= x + radius; column += 1) {
      const isInside = column >= 0 && row >= 0 && column < grid.width && row < grid.height;
      const tile = row * grid.width + column;
      if (isInside && grid.sight[centre * grid.tileCount + tile] === 1)
        path.rect(column, row, 1, 1);
    }
  }
  return path;
}

function drawArea(surface: Surface, area: AreaView, share: number, time: number): void {
  if (area.name === "blast") drawFuse(surface, area, share);
  else drawFlames(surface, area, time);
}

/** A square that fills from its centre until the blast explodes. */
function drawFuse(surface: Surface, area: AreaView, share: number): void {
  const { context, palette } = surface;
  const reach = reachOf(surface, area);
  const left = (area.in ?? 0) - share;
  const side = (2 * area.radius + 1) * (1 - left / (RULES.attacks.blast.fuse + 0.5));
  context.save();
  context.fillStyle = palette.corner[area.by];
  context.globalAlpha = 0.14;
  context.fill(reach);
  context.clip(reach);
  context.globalAlpha = 0.4;
  context.fillRect(area.x + 0.5 - side / 2, area.y + 0.5 - side / 2, side, side);
  context.restore();
  context.strokeStyle = palette.corner[area.by];
  context.lineWidth = 0.06;
  const edge = 2 * area.radius + 1;
  context.strokeRect(area.x - area.radius, area.y - area.radius, edge, edge);
}

function drawFlames(surface: Surface, area: AreaView, time: number): void {
  const { context, palette } = surface;
  context.save();
  context.fillStyle = palette.corner[area.by];
  context.globalAlpha = 0.22;
  context.fill(reachOf(surface, area));
  context.clip(reachOf(surface, area));
  context.globalAlpha = 0.9;
  for (let flame = 0; flame < FLAMES; flame += 1)
    drawFlame(context, area, flame, time, palette.gold);
  context.restore();
}

const FLAMES = 18;

/** One flame. Its place depends on its number, its height on the time. */
function drawFlame(
  context: CanvasRenderingContext2D,
  area: AreaView,
  flame: number,
  time: number,
  colour: string,
): void {
  const column = flame % 6;
  const row = Math.floor(flame / 6);
  const x = area.x - 1 + 0.25 + column / 2 + (row % 2) * 0.12;
  const y = area.y - 1 + 0.85 + row;
  const height = 0.4 + 0.18 * Math.sin(time * 9 + flame * 2.4);
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, y - height);
  context.quadraticCurveTo(x + 0.2, y - height / 3, x, y);
  context.quadraticCurveTo(x - 0.2, y - height / 3, x, y - height);
  context.fill();
}

function drawExplosions(surface: Surface, scene: TickScene, share: number): void {
  const { context, palette } = surface;
  const span = scene.score.spans.end;
  for (const event of scene.tick.events) {
    if (event.type !== "area_explode" || share <= span.from) continue;
    const fade = 1 - passed(span, share);
    const side = (2 * event.radius + 1) * (0.5 + 0.5 * (1 - fade));
    context.save();
    context.clip(reachOf(surface, event));
    context.globalAlpha = 0.25 + 0.65 * fade;
    context.fillStyle = fade > 0.6 ? palette.paper : palette.gold;
    context.fillRect(event.x + 0.5 - side / 2, event.y + 0.5 - side / 2, side, side);
    context.restore();
  }
}

/** Announced: a ring that shrinks onto the pad. Lying: the pickup itself. */
function drawPickup({ context, palette }: Surface, pickup: PickupView, share: number): void {
  const [x, y] = [pickup.x + 0.5, pickup.y + 0.5];
  const wait = Math.max(0, pickup.in - share);
  const colour = pickup.kind === "health" ? palette.good : palette.gold;
  context.globalAlpha = wait > 0 ? 0.55 : 1;
  context.fillStyle = colour;
  context.beginPath();
  if (pickup.kind === "health") drawCross(context, x, y);
  else drawStar(context, x, y);
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = 0.07;
  context.beginPath();
  context.arc(x, y, 0.4 + (0.9 * wait) / RULES.pickups.lead, 0, FULL_TURN);
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
