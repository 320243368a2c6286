import type { FighterFrame } from "#core/engine/frame.ts";
import { RULES } from "#core/engine/rules.ts";
import type { FighterId } from "#core/engine/types.ts";

import type { TilePoint } from "./bolt-flight.ts";
import { inPixels } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { drawRoute } from "./draw-route.ts";
import { drawStar } from "./draw-star.ts";
import { facingAngle } from "./facing.ts";
import { PORTRAIT_RADIUS, PORTRAIT_TILES } from "./portraits.ts";
import { traceSeatFrame } from "./seat-frame.ts";
import { spanProgress, fighterPosition } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

const FRAME_RADIUS = PORTRAIT_RADIUS + 0.05;
const FRAME_WIDTH = 0.1;
const FULL_TURN = 2 * Math.PI;
/** Moves longer than this leave a trail. A step is one tile. */
const TRAIL_TILES = 1.5;
const TRAIL_STEPS = 5;

export function drawFighters(surface: DrawingSurface, scene: TickScene, progress: number): void {
  scene.before.fighters.forEach((fighter, seat) => {
    if (fighter.alive) drawAlive(surface, scene, seat, progress);
    else drawFallen(surface, fighter);
  });
}

function drawAlive(
  surface: DrawingSurface,
  scene: TickScene,
  seat: number,
  progress: number,
): void {
  const before = scene.before.fighters[seat]!;
  const after = scene.after.fighters[seat]!;
  const endProgress = spanProgress(scene.timing.spans.end, progress);
  const position = fighterPosition(scene, seat, progress);
  if (!after.alive && endProgress === 1) return drawFallen(surface, after);
  drawMotionTrail(surface, scene, seat, progress);
  const shownFrame = endProgress === 1 ? after : before;
  const isStunnedBySlam =
    isSlammed(scene, before.id) && spanProgress(scene.timing.spans.thrown, progress) === 1;
  surface.context.globalAlpha = after.alive ? 1 : 1 - 0.7 * endProgress;
  drawFacing(surface, shownFrame.id, position, facingAngle(scene, seat, progress));
  drawBody(surface, shownFrame, position);
  if (shownFrame.stun > 0 || isStunnedBySlam)
    drawStun(surface, position, scene.tick.tick + progress);
  surface.context.globalAlpha = 1;
}

function isSlammed(scene: TickScene, id: FighterId): boolean {
  return scene.tick.events.some((event) => {
    return event.type === "hit" && event.name === "wall_slam" && event.target === id;
  });
}

/** Draws dashes and throws: a trail while they happen, and a route after the tick. */
function drawMotionTrail(
  surface: DrawingSurface,
  scene: TickScene,
  seat: number,
  progress: number,
): void {
  const { thrown, move } = scene.timing.spans;
  const { id } = scene.before.fighters[seat]!;
  if (progress === 1) {
    for (const span of [thrown, move]) {
      const route = [span.from, span.to].map((end) => fighterPosition(scene, seat, end));
      if (tileDistance(route[0]!, route[1]!) >= TRAIL_TILES)
        drawRoute(surface, id, route[0]!, route[1]!);
    }
    return;
  }
  const span = spanProgress(thrown, progress) < 1 ? thrown : move;
  const from = fighterPosition(scene, seat, span.from);
  const to = fighterPosition(scene, seat, progress);
  if (tileDistance(from, to) < TRAIL_TILES || progress >= span.to) return;
  drawAfterimages(surface, id, from, to);
}

const tileDistance = (from: TilePoint, to: TilePoint): number =>
  Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));

function drawAfterimages(
  { context, palette }: DrawingSurface,
  id: FighterId,
  from: TilePoint,
  to: TilePoint,
): void {
  context.fillStyle = palette.corner[id];
  for (let index = 0; index < TRAIL_STEPS; index += 1) {
    const share = index / TRAIL_STEPS;
    const x = from.x + (to.x - from.x) * share + 0.5;
    const y = from.y + (to.y - from.y) * share + 0.5;
    context.globalAlpha = 0.08 + 0.3 * share;
    context.beginPath();
    traceSeatFrame(context, id, x, y, PORTRAIT_RADIUS * (0.6 + 0.35 * share));
    context.fill();
  }
  context.globalAlpha = 1;
}

function drawFacing(
  { context, palette }: DrawingSurface,
  id: FighterId,
  position: TilePoint,
  angle: number | null,
): void {
  if (angle === null) return;
  context.fillStyle = palette.corner[id];
  context.strokeStyle = palette.floor;
  context.lineWidth = 0.12;
  context.beginPath();
  for (const [angleOffset, reach] of [
    [-0.55, FRAME_RADIUS],
    [0, FRAME_RADIUS + 0.34],
    [0.55, FRAME_RADIUS],
  ] as const) {
    const [x, y] = [Math.cos(angle + angleOffset) * reach, Math.sin(angle + angleOffset) * reach];
    context.lineTo(position.x + 0.5 + x, position.y + 0.5 + y);
  }
  context.closePath();
  context.stroke();
  context.fill();
}

function drawBody(surface: DrawingSurface, fighter: FighterFrame, { x, y }: TilePoint): void {
  const { context, palette } = surface;
  const [centerX, centerY] = [x + 0.5, y + 0.5];
  if (fighter.power > 0) drawPower(surface, centerX, centerY, fighter.power);
  context.fillStyle = palette.floor;
  context.beginPath();
  traceSeatFrame(context, fighter.id, centerX, centerY, FRAME_RADIUS + 0.09);
  context.fill();
  drawPortrait(surface, fighter.id, centerX, centerY);
  drawHp(surface, fighter, centerX, centerY);
}

/** Draws a star behind the fighter, and how much of the power is left as an arc. */
function drawPower(
  { context, palette }: DrawingSurface,
  x: number,
  y: number,
  ticks: number,
): void {
  context.fillStyle = palette.gold;
  context.beginPath();
  drawStar(context, x, y, 0.86);
  context.fill();
  context.strokeStyle = palette.gold;
  context.lineWidth = 0.08;
  context.beginPath();
  const end = FULL_TURN * Math.min(1, ticks / RULES.power.ticks) - FULL_TURN / 4;
  context.arc(x, y, 0.72, -FULL_TURN / 4, end);
  context.stroke();
}

function drawPortrait(surface: DrawingSurface, id: FighterId, x: number, y: number): void {
  const { context, palette, portraits, scale } = surface;
  const portrait = portraits.get(id);
  if (portrait !== undefined) {
    const corner = PORTRAIT_TILES / 2;
    context.drawImage(portrait, x - corner, y - corner, PORTRAIT_TILES, PORTRAIT_TILES);
    return;
  }
  context.fillStyle = palette.corner[id];
  context.beginPath();
  traceSeatFrame(context, id, x, y, PORTRAIT_RADIUS);
  context.fill();
  context.fillStyle = palette.onAccent;
  inPixels(surface, x, y + 0.02, () => {
    context.font = `800 ${0.42 * scale}px system-ui, sans-serif`;
    context.fillText(id, 0, 0);
  });
}

/** Draws the frame in the seat's color. Its solid part shows the remaining HP. */
function drawHp(
  { context, palette }: DrawingSurface,
  { id, hp }: FighterFrame,
  x: number,
  y: number,
): void {
  const { globalAlpha } = context;
  context.strokeStyle = palette.corner[id];
  context.lineWidth = FRAME_WIDTH;
  context.globalAlpha = globalAlpha * 0.3;
  context.beginPath();
  const length = traceSeatFrame(context, id, x, y, FRAME_RADIUS);
  context.stroke();
  context.globalAlpha = globalAlpha;
  if (hp <= 0) return;
  context.lineCap = "butt";
  context.setLineDash([(length * hp) / RULES.hp, length]);
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "round";
}

function drawFallen(surface: DrawingSurface, { id, x, y }: FighterFrame): void {
  const { context, palette } = surface;
  context.globalAlpha = 0.6;
  drawPortrait(surface, id, x + 0.5, y + 0.5);
  context.globalAlpha = 1;
  for (const [color, width] of [
    [palette.floor, 0.2],
    [palette.corner[id], 0.11],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    for (const side of [-0.28, 0.28]) {
      context.moveTo(x + 0.5 - side, y + 0.22);
      context.lineTo(x + 0.5 + side, y + 0.78);
    }
    context.stroke();
  }
}

function drawStun({ context, palette }: DrawingSurface, { x, y }: TilePoint, time: number): void {
  context.fillStyle = palette.gold;
  context.strokeStyle = palette.floor;
  context.lineWidth = 0.06;
  for (let star = 0; star < 3; star += 1) {
    const angle = time * 4 + (star / 3) * FULL_TURN;
    context.beginPath();
    drawStar(context, x + 0.5 + 0.46 * Math.cos(angle), y + 0.04 + 0.14 * Math.sin(angle), 0.19);
    context.stroke();
    context.fill();
  }
}
