import { RULES } from "#core/engine/rules.ts";
import { DIRECTIONS } from "#core/engine/types.ts";
import type { FightEvent } from "#core/engine/types.ts";

import type { BoltFlight, TilePoint } from "./bolt-flight.ts";
import { inPixels, textSize } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { beatOf, isWithinSpan, spanProgress } from "./tick-timing.ts";
import type { BeatName, TickScene } from "./tick-timing.ts";

const FULL_TURN = 2 * Math.PI;
/** While paused, effects of the last tick stay faintly visible. */
const FAINT_ALPHA = 0.45;

/** Draws strikes, hooks, waves and bolts, below the fighters. */
export function drawAttacks(surface: DrawingSurface, scene: TickScene, progress: number): void {
  const { spans } = scene.timing;
  for (const event of scene.tick.events) {
    if (event.type === "attack") drawQuickAttack(surface, scene, event, progress);
  }
  for (const flight of scene.tick.flights)
    drawBolt(surface, flight, spanProgress(spans.bolt, progress), progress);
}

/** Draws slams and damage, above the fighters. */
export function drawImpacts(surface: DrawingSurface, scene: TickScene, progress: number): void {
  const { thrown } = scene.timing.spans;
  if (isWithinSpan(thrown, progress)) drawSlams(surface, scene, spanProgress(thrown, progress));
  drawDamage(surface, scene, progress);
}

/** Returns how far a slam shakes the view, in tiles. */
export function screenShake(scene: TickScene, progress: number): number {
  const { thrown } = scene.timing.spans;
  const hasSlam = scene.tick.events.some((event) => {
    return event.type === "hit" && event.name === "wall_slam";
  });
  if (!hasSlam || !isWithinSpan(thrown, progress)) return 0;
  const beatProgress = spanProgress(thrown, progress);
  return beatProgress < 0.5 ? 0 : 0.14 * Math.sin(beatProgress * 40) * (1 - beatProgress) * 2;
}

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

function attackStep({ target }: AttackEvent): TilePoint {
  const direction = typeof target === "string" ? DIRECTIONS.indexOf(target) : 0;
  return STEPS[direction]!;
}

const STEPS: readonly TilePoint[] = [
  { x: 0, y: -1 },
  { x: 1, y: -1 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
  { x: -1, y: 1 },
  { x: -1, y: 0 },
  { x: -1, y: -1 },
];

function drawStrike(
  context: CanvasRenderingContext2D,
  from: TilePoint,
  step: TilePoint,
  beatProgress: number,
): void {
  const angle = Math.atan2(step.y, step.x);
  const reach = Math.hypot(step.x, step.y) * 0.95;
  context.lineWidth = 0.16;
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
  context.lineWidth = 0.08;
  context.setLineDash([0.16, 0.14]);
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(from.x + step.x * reach, from.y + step.y * reach);
  context.stroke();
  context.setLineDash([]);
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

function drawSparks(
  context: CanvasRenderingContext2D,
  { x, y }: TilePoint,
  color: string,
  size: number,
): void {
  context.strokeStyle = color;
  context.lineWidth = 0.07;
  context.beginPath();
  for (let ray = 0; ray < 8; ray += 1) {
    const angle = (ray / 8) * FULL_TURN;
    context.moveTo(x + 0.3 * size * Math.cos(angle), y + 0.3 * size * Math.sin(angle));
    context.lineTo(x + size * Math.cos(angle), y + size * Math.sin(angle));
  }
  context.stroke();
}

function drawSlams(surface: DrawingSurface, scene: TickScene, beatProgress: number): void {
  if (beatProgress < 0.5) return;
  for (const event of scene.tick.events) {
    if (event.type !== "hit" || event.name !== "wall_slam") continue;
    const position = { x: event.x + 0.5, y: event.y + 0.5 };
    drawSparks(surface.context, position, surface.palette.gold, 0.5 + beatProgress * 0.6);
  }
}

/** Fraction of each beat after which its hits land. */
const IMPACT_PROGRESS: Record<BeatName, number> = {
  quick: 0.4,
  thrown: 0.5,
  move: 0.5,
  bolt: 0.9,
  end: 0.1,
};

/** Draws damage numbers that rise from a fighter, starting in the beat of the hit. */
function drawDamage(surface: DrawingSurface, scene: TickScene, progress: number): void {
  const rows = new Map<string, number>();
  scene.tick.events.forEach((event, index) => {
    if (event.type !== "hit" && event.type !== "zone_damage") return;
    const beatName = beatOf(scene.tick.events, index);
    const beatProgress = spanProgress(scene.timing.spans[beatName], progress);
    const row = rows.get(event.target) ?? 0;
    rows.set(event.target, row + 1);
    if (beatProgress > IMPACT_PROGRESS[beatName])
      drawNumber(surface, event, event.damage, row, beatProgress);
  });
}

function drawNumber(
  surface: DrawingSurface,
  position: TilePoint,
  damage: number,
  row: number,
  beatProgress: number,
): void {
  const { context, palette, scale } = surface;
  const size = textSize(surface, 0.5);
  const y = position.y + 0.2 - 0.35 * beatProgress - (row * size) / scale;
  inPixels(surface, position.x + 0.95, y, () => {
    context.font = `800 ${size}px system-ui, sans-serif`;
    context.lineWidth = size / 4;
    context.strokeStyle = palette.floor;
    context.fillStyle = palette.bad;
    context.strokeText(`−${damage}`, 0, 0);
    context.fillText(`−${damage}`, 0, 0);
  });
}
