import { RULES } from "#core/engine/rules.ts";
import { DIRECTIONS } from "#core/engine/types.ts";
import type { FightEvent } from "#core/engine/types.ts";

import type { BoltFlight, TilePoint } from "./bolt-flight.ts";
import type { DrawingSurface } from "./canvas.ts";
import { drawSparks } from "./draw-sparks.ts";
import { stepOf } from "./facing.ts";
import { fighterPosition, isWithinSpan, spanProgress } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

const FULL_TURN = 2 * Math.PI;
/** While paused, effects of the last tick stay faintly visible. */
const FAINT_ALPHA = 0.45;

/** Draws strikes, hooks, waves, bolts and casts, below the fighters. */
export function drawAttacks(surface: DrawingSurface, scene: TickScene, progress: number): void {
  const { spans } = scene.timing;
  for (const event of scene.tick.events) {
    if (event.type === "attack") drawQuickAttack(surface, scene, event, progress);
    if (event.type === "attack") drawCast(surface, scene, event, progress);
    if (event.type === "pull") drawPull(surface, scene, event, progress);
  }
  for (const flight of scene.tick.flights)
    drawBolt(surface, flight, spanProgress(spans.bolt, progress), progress);
}

/** Returns how far a slam or a knockout shakes the view, in tiles. */
export function screenShake(scene: TickScene, progress: number): number {
  const { thrown, end } = scene.timing.spans;
  const { events } = scene.tick;
  const hasSlam = events.some((event) => event.type === "hit" && event.name === "wall_slam");
  if (hasSlam && isWithinSpan(thrown, progress))
    return shakeAt(2 * spanProgress(thrown, progress) - 1);
  const hasDeath = events.some(({ type }) => type === "death");
  return hasDeath && isWithinSpan(end, progress) ? shakeAt(2 * spanProgress(end, progress)) : 0;
}

/** A damped oscillation from 0 to 1. */
const shakeAt = (progress: number): number =>
  progress < 0 || progress > 1 ? 0 : 0.14 * Math.sin(progress * 20) * (1 - progress);

type AttackEvent = Extract<FightEvent, { type: "attack" }>;

function drawQuickAttack(
  surface: DrawingSurface,
  scene: TickScene,
  event: AttackEvent,
  progress: number,
): void {
  const isPaused = progress === 1;
  const beatProgress = spanProgress(scene.timing.spans.quick, progress);
  if (beatProgress === 0 || (beatProgress === 1 && !isPaused)) return;
  const { context, palette } = surface;
  const from = { x: (event.x ?? 0) + 0.5, y: (event.y ?? 0) + 0.5 };
  context.strokeStyle = palette.corner[event.by];
  context.globalAlpha = isPaused ? FAINT_ALPHA : 1;
  if (event.name === "strike") drawStrike(context, from, attackStep(event), beatProgress);
  if (event.name === "hook") {
    const reach =
      hookReach(surface, scene, event) * (isPaused || beatProgress > 0.5 ? 1 : 2 * beatProgress);
    drawHook(context, from, attackStep(event), reach);
  }
  if (event.name === "repulse") drawWave(context, from, beatProgress);
  context.globalAlpha = 1;
}

const attackStep = ({ target }: AttackEvent): TilePoint =>
  stepOf(typeof target === "string" ? target : "n");

/** Draws a dotted line from the caster of a blast or scorch to its target. */
function drawCast(
  { context, palette }: DrawingSurface,
  scene: TickScene,
  { by, target }: AttackEvent,
  progress: number,
): void {
  const { end } = scene.timing.spans;
  const seat = scene.before.fighters.findIndex(({ id }) => id === by);
  if (seat === -1 || typeof target === "string" || target === null || target === undefined) return;
  if (progress <= end.from) return;
  const from = fighterPosition(scene, seat, end.from);
  const reach = Math.min(1, 2 * spanProgress(end, progress));
  const [x, y] = [from.x + (target[0] - from.x) * reach, from.y + (target[1] - from.y) * reach];
  context.strokeStyle = palette.corner[by];
  context.globalAlpha = progress === 1 ? FAINT_ALPHA : 0.9;
  context.lineWidth = 0.1;
  context.setLineDash([0.05, 0.25]);
  context.beginPath();
  context.moveTo(from.x + 0.5, from.y + 0.5);
  context.lineTo(x + 0.5, y + 0.5);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

type PullEvent = Extract<FightEvent, { type: "pull" }>;

/** Draws the hook's line while it pulls. */
function drawPull(
  { context, palette }: DrawingSurface,
  scene: TickScene,
  { by, target }: PullEvent,
  progress: number,
): void {
  if (!isWithinSpan(scene.timing.spans.thrown, progress)) return;
  const seats = [by, target].map((id) =>
    scene.before.fighters.findIndex((fighter) => fighter.id === id),
  );
  if (seats.includes(-1)) return;
  context.strokeStyle = palette.corner[by];
  context.lineWidth = 0.12;
  context.setLineDash([0.2, 0.1]);
  context.beginPath();
  for (const seat of seats) {
    const { x, y } = fighterPosition(scene, seat, progress);
    context.lineTo(x + 0.5, y + 0.5);
  }
  context.stroke();
  context.setLineDash([]);
}

function drawStrike(
  context: CanvasRenderingContext2D,
  from: TilePoint,
  step: TilePoint,
  beatProgress: number,
): void {
  const angle = Math.atan2(step.y, step.x);
  const reach = Math.hypot(step.x, step.y) * 0.95;
  context.lineWidth = 0.2;
  context.beginPath();
  context.arc(from.x, from.y, reach, angle - 0.6, angle - 0.6 + 1.2 * beatProgress);
  context.stroke();
}

/**
 * Returns the length of a hook in tiles. The hook ends at the caught fighter, the first wall or its
 * maximum range.
 */
function hookReach(
  { grid }: DrawingSurface,
  scene: TickScene,
  { by, x = 0, y = 0, target }: AttackEvent,
): number {
  const direction = DIRECTIONS.indexOf(typeof target === "string" ? target : "n");
  const straight = grid.rayStraight[(y * grid.width + x) * DIRECTIONS.length + direction]!;
  for (const event of scene.tick.events) {
    if (event.type === "hit" && event.name === "hook" && event.by === by)
      return Math.max(Math.abs(event.x - x), Math.abs(event.y - y));
  }
  return Math.min(RULES.attacks.hook.range, straight);
}

function drawHook(
  context: CanvasRenderingContext2D,
  from: TilePoint,
  step: TilePoint,
  reach: number,
): void {
  context.lineWidth = 0.12;
  context.setLineDash([0.2, 0.14]);
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(from.x + step.x * reach, from.y + step.y * reach);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  const tip = { x: from.x + step.x * reach, y: from.y + step.y * reach };
  const angle = Math.atan2(step.y, step.x);
  context.arc(tip.x, tip.y, 0.2, angle - 1.9, angle + 1.9);
  context.stroke();
}

function drawWave(context: CanvasRenderingContext2D, from: TilePoint, beatProgress: number): void {
  context.lineWidth = 0.14;
  for (const delay of [0, 0.3]) {
    const radius = Math.max(0, beatProgress - delay) * (RULES.attacks.repulse.radius + 0.5);
    context.beginPath();
    context.arc(from.x, from.y, radius, 0, FULL_TURN);
    context.stroke();
  }
}

function drawBolt(
  surface: DrawingSurface,
  flight: BoltFlight,
  beatProgress: number,
  progress: number,
): void {
  const isPaused = progress === 1;
  if (beatProgress === 0 || flight.points.length < 2) return;
  const { context, palette } = surface;
  const visiblePoints = pathUpTo(flight.points, beatProgress);
  context.globalAlpha = isPaused ? FAINT_ALPHA : beatProgress === 1 ? 0.7 : 1;
  for (const [color, width] of [
    [palette.corner[flight.by], 0.2],
    [palette.gold, 0.08],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    for (const { x, y } of visiblePoints) context.lineTo(x, y);
    context.stroke();
  }
  const reachedSparks = flight.sparks.filter(
    ({ pointIndex }) => visiblePoints[pointIndex] === flight.points[pointIndex],
  );
  for (const spark of reachedSparks) drawSparks(context, spark, palette.gold, 0.32);
  context.globalAlpha = 1;
}

/** Returns the first `progress` (0 to 1) of a path, measured by length. */
export function pathUpTo(points: readonly TilePoint[], progress: number): TilePoint[] {
  const lengths = points.slice(1).map((point, index) => distanceBetween(points[index]!, point));
  let remainingLength = progress * lengths.reduce((sum, length) => sum + length, 0);
  const visiblePath = [points[0]!];
  for (const [index, length] of lengths.entries()) {
    const [from, to] = [points[index]!, points[index + 1]!];
    if (remainingLength < length) {
      visiblePath.push({
        x: from.x + ((to.x - from.x) * remainingLength) / length,
        y: from.y + ((to.y - from.y) * remainingLength) / length,
      });
      return visiblePath;
    }
    visiblePath.push(to);
    remainingLength -= length;
  }
  return visiblePath;
}

function distanceBetween(from: TilePoint, to: TilePoint): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}
