import { RULES } from "#core/engine/rules.ts";
import type { FighterId } from "#core/engine/types.ts";

import type { TilePoint } from "./bolt-flight.ts";
import { inPixels, textSize } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { drawStar } from "./draw-ground.ts";
import type { FighterFrame, SimulatedReplay } from "./simulated-replay.ts";
import { spanProgress, fighterPosition } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

const BODY_RADIUS = 0.4;
const FULL_TURN = 2 * Math.PI;
/** Moves longer than this leave a trail. A step is one tile. */
const TRAIL_TILES = 1.5;
const TRAIL_STEPS = 4;
const BUBBLE_TICKS = 4;
/** Minimum distance of speech bubbles from the map edge, in tiles. */
const BUBBLE_EDGE_TILES = 0.6;

export function drawFighters(surface: DrawingSurface, scene: TickScene, progress: number): void {
  scene.before.fighters.forEach((fighter, seat) => {
    if (fighter.alive) drawAlive(surface, scene, seat, progress);
    else drawFallen(surface, fighter, 1);
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
  if (!after.alive && endProgress === 1) return drawFallen(surface, after, 1);
  drawMotionTrail(surface, scene, seat, progress);
  const shownFrame = endProgress === 1 ? after : before;
  const isStunnedBySlam =
    isSlammed(scene, before.id) && spanProgress(scene.timing.spans.thrown, progress) === 1;
  surface.context.globalAlpha = after.alive ? 1 : 1 - 0.7 * endProgress;
  drawFacing(surface, shownFrame.id, position, opponentPosition(scene, seat, progress));
  drawBody(surface, shownFrame, position);
  if (shownFrame.stun > 0 || isStunnedBySlam)
    drawStars(surface, position, scene.tick.tick + progress);
  surface.context.globalAlpha = 1;
}

function isSlammed(scene: TickScene, id: FighterId): boolean {
  return scene.tick.events.some((event) => {
    return event.type === "hit" && event.name === "wall_slam" && event.target === id;
  });
}

function drawMotionTrail(
  surface: DrawingSurface,
  scene: TickScene,
  seat: number,
  progress: number,
): void {
  const { thrown, move } = scene.timing.spans;
  const span = spanProgress(thrown, progress) < 1 ? thrown : move;
  const from = fighterPosition(scene, seat, span.from);
  const to = fighterPosition(scene, seat, progress);
  const length = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  if (length < TRAIL_TILES || progress >= span.to) return;
  const { context, palette } = surface;
  context.fillStyle = palette.corner[scene.before.fighters[seat]!.id];
  for (let trailIndex = 0; trailIndex < TRAIL_STEPS; trailIndex += 1) {
    const trailFraction = trailIndex / TRAIL_STEPS;
    context.globalAlpha = 0.08 + 0.25 * trailFraction;
    fillDisc(
      context,
      from.x + (to.x - from.x) * trailFraction,
      from.y + (to.y - from.y) * trailFraction,
      BODY_RADIUS * 0.9,
    );
  }
  context.globalAlpha = 1;
}

function fillDisc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, radius, 0, FULL_TURN);
  context.fill();
}

function opponentPosition(scene: TickScene, seat: number, progress: number): TilePoint {
  const opponentSeat = scene.before.fighters.findIndex((_, index) => index !== seat);
  return fighterPosition(scene, Math.max(0, opponentSeat), progress);
}

function drawFacing(
  { context, palette }: DrawingSurface,
  id: FighterId,
  position: TilePoint,
  opponent: TilePoint,
): void {
  const angle = Math.atan2(opponent.y - position.y, opponent.x - position.x);
  context.fillStyle = palette.corner[id];
  context.beginPath();
  for (const [angleOffset, reach] of [
    [-0.5, BODY_RADIUS + 0.02],
    [0, BODY_RADIUS + 0.26],
    [0.5, BODY_RADIUS + 0.02],
  ] as const) {
    const [x, y] = [Math.cos(angle + angleOffset) * reach, Math.sin(angle + angleOffset) * reach];
    context.lineTo(position.x + 0.5 + x, position.y + 0.5 + y);
  }
  context.fill();
}

function drawBody(surface: DrawingSurface, fighter: FighterFrame, { x, y }: TilePoint): void {
  const { context, palette, scale } = surface;
  if (fighter.power > 0) {
    context.fillStyle = palette.gold;
    context.beginPath();
    drawStar(context, x + 0.5, y + 0.5, 0.66);
    context.fill();
  }
  context.fillStyle = palette.floor;
  fillDisc(context, x, y, BODY_RADIUS + 0.1);
  context.fillStyle = palette.corner[fighter.id];
  fillDisc(context, x, y, BODY_RADIUS - 0.04);
  context.strokeStyle = palette.corner[fighter.id];
  context.lineWidth = 0.09;
  context.beginPath();
  const end = FULL_TURN * (fighter.hp / RULES.hp) - FULL_TURN / 4;
  context.arc(x + 0.5, y + 0.5, BODY_RADIUS + 0.05, -FULL_TURN / 4, end);
  context.stroke();
  context.fillStyle = palette.onAccent;
  inPixels(surface, x + 0.5, y + 0.52, () => {
    context.font = `800 ${0.42 * scale}px system-ui, sans-serif`;
    context.fillText(fighter.id, 0, 0);
  });
}

function drawFallen(
  { context, palette }: DrawingSurface,
  { id, x, y }: FighterFrame,
  alpha: number,
): void {
  context.globalAlpha = alpha;
  context.strokeStyle = palette.corner[id];
  context.lineWidth = 0.14;
  context.beginPath();
  for (const side of [-0.25, 0.25]) {
    context.moveTo(x + 0.5 - side, y + 0.25);
    context.lineTo(x + 0.5 + side, y + 0.75);
  }
  context.stroke();
  context.globalAlpha = 1;
}

function drawStars({ context, palette }: DrawingSurface, { x, y }: TilePoint, time: number): void {
  context.fillStyle = palette.gold;
  for (let star = 0; star < 3; star += 1) {
    const angle = time * 4 + (star / 3) * FULL_TURN;
    context.beginPath();
    drawStar(context, x + 0.5 + 0.42 * Math.cos(angle), y + 0.12 + 0.12 * Math.sin(angle), 0.15);
    context.fill();
  }
}

/** Draws recent shouts above the upper fighter and below the lower fighter. */
export function drawBubbles(
  surface: DrawingSurface,
  simulation: SimulatedReplay,
  scene: TickScene,
  progress: number,
): void {
  const currentTick = scene.tick.tick;
  const shoutByFighter = new Map<FighterId, string>();
  for (const { events } of simulation.ticks.slice(
    Math.max(0, currentTick - BUBBLE_TICKS),
    currentTick + 1,
  )) {
    for (const event of events)
      if (event.type === "shout") shoutByFighter.set(event.by, event.text);
  }
  if (progress === 0) return;
  const positions = scene.before.fighters.map((_, seat) => fighterPosition(scene, seat, progress));
  const top = Math.min(...positions.map(({ y }) => y));
  scene.before.fighters.forEach(({ id }, seat) => {
    const text = shoutByFighter.get(id);
    const isUpperFighter = positions[seat]!.y === top;
    if (text !== undefined) drawBubble(surface, text, positions[seat]!, isUpperFighter);
  });
}

function drawBubble(
  surface: DrawingSurface,
  text: string,
  position: TilePoint,
  isUpperFighter: boolean,
): void {
  const { context, grid, scale } = surface;
  const size = textSize(surface, 0.4);
  const lines = breakIntoTwoLines(text);
  context.font = `${size}px system-ui, sans-serif`;
  const widest = Math.max(...lines.map((line) => context.measureText(line).width));
  const [width, height] = [(widest + size) / scale, ((lines.length * 1.2 + 0.6) * size) / scale];
  const x = Math.max(
    BUBBLE_EDGE_TILES,
    Math.min(grid.width - BUBBLE_EDGE_TILES - width, position.x + 0.5 - width / 2),
  );
  const y = isUpperFighter ? position.y - 0.15 - height : position.y + 1.15;
  const clampedY = Math.max(
    BUBBLE_EDGE_TILES,
    Math.min(grid.height - BUBBLE_EDGE_TILES - height, y),
  );
  inPixels(surface, x, clampedY, () => {
    paintBubble(surface, lines, size, width * scale, height * scale);
  });
}

/** Coordinates are in device pixels. */
function paintBubble(
  { context, palette }: DrawingSurface,
  lines: readonly string[],
  size: number,
  width: number,
  height: number,
): void {
  context.font = `${size}px system-ui, sans-serif`;
  context.globalAlpha = 0.9;
  context.fillStyle = palette.card;
  context.strokeStyle = palette.muted;
  context.lineWidth = size / 12;
  context.beginPath();
  context.roundRect(0, 0, width, height, size * 0.5);
  context.fill();
  context.stroke();
  context.fillStyle = palette.ink;
  lines.forEach((line, index) => {
    context.fillText(line, width / 2, size * (0.9 + index * 1.2));
  });
}

const BUBBLE_LINE = 22;

/** Breaks a long text into two lines at the space nearest to its middle. */
export function breakIntoTwoLines(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length <= BUBBLE_LINE) return [text];
  const middle = characters.length / 2;
  const spaces = characters.flatMap((character, index) => (character === " " ? [index] : []));
  const [nearestSpace] = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  const breakIndex = nearestSpace ?? Math.ceil(middle);
  return [
    characters.slice(0, breakIndex).join("").trim(),
    characters.slice(breakIndex).join("").trim(),
  ];
}
