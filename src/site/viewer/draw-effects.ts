// What happens within a tick: blows, hooks, waves, bolts, and the damage they do.
import { RULES } from "#core/engine/rules.ts";
import { DIRECTIONS } from "#core/engine/types.ts";
import type { FightEvent } from "#core/engine/types.ts";

import { inPixels, textSize } from "./canvas.ts";
import type { Surface } from "./canvas.ts";
import type { Flight, Point } from "./flight.ts";
import { beatOf, isDuring, passed } from "./tick-timing.ts";
import type { BeatName, TickScene } from "./tick-timing.ts";

const FULL_TURN = 2 * Math.PI;
/** In a paused picture, effects of the last tick stay visible but faint. */
const TRACE_ALPHA = 0.45;

/** Blows, hooks, waves and bolts, drawn beneath the fighters. */
export function drawAttacks(surface: Surface, scene: TickScene, share: number): void {
  const { spans } = scene.score;
  for (const event of scene.tick.events) {
    if (event.type === "attack") drawQuick(surface, scene, event, share);
  }
  for (const flight of scene.tick.flights)
    drawBolt(surface, flight, passed(spans.bolt, share), share);
}

/** Slams and damage, drawn above the fighters. */
export function drawImpacts(surface: Surface, scene: TickScene, share: number): void {
  const { thrown } = scene.score.spans;
  if (isDuring(thrown, share)) drawSlams(surface, scene, passed(thrown, share));
  drawDamage(surface, scene, share);
}

/** How far a slam shifts the picture, in tiles. */
export function shakeOf(scene: TickScene, share: number): number {
  const { thrown } = scene.score.spans;
  const slams = scene.tick.events.some((event) => {
    return event.type === "hit" && event.name === "wall_slam";
  });
  if (!slams || !isDuring(thrown, share)) return 0;
  const at = passed(thrown, share);
  return at < 0.5 ? 0 : 0.14 * Math.sin(at * 40) * (1 - at) * 2;
}

type Attack = Extract<FightEvent, { type: "attack" }>;

function drawQuick(surface: Surface, scene: TickScene, event: Attack, share: number): void {
  const isAtRest = share === 1;
  const done = passed(scene.score.spans.quick, share);
  if (done === 0 || (done === 1 && !isAtRest)) return;
  const { context, palette } = surface;
  const from = { x: (event.x ?? 0) + 0.5, y: (event.y ?? 0) + 0.5 };
  context.strokeStyle = palette.corner[event.by];
  context.globalAlpha = isAtRest ? TRACE_ALPHA : 1;
  if (event.name === "strike") drawStrike(context, from, stepOf(event), done);
  if (event.name === "hook") {
    const reach = hookReach(surface, scene, event) * (isAtRest || done > 0.5 ? 1 : 2 * done);
    drawHook(context, from, stepOf(event), reach);
  }
  if (event.name === "repulse") drawWave(context, from, done);
  context.globalAlpha = 1;
}

function stepOf({ target }: Attack): Point {
  const direction = typeof target === "string" ? DIRECTIONS.indexOf(target) : 0;
  return STEPS[direction]!;
}

const STEPS: readonly Point[] = [
  { x: 0, y: -1 },
  { x: 1, y: -1 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
  { x: -1, y: 1 },
  { x: -1, y: 0 },
  { x: -1, y: -1 },
];

/** A blade that sweeps over the next tile. */
function drawStrike(
  context: CanvasRenderingContext2D,
  from: Point,
  step: Point,
  done: number,
): void {
  const angle = Math.atan2(step.y, step.x);
  const reach = Math.hypot(step.x, step.y) * 0.95;
  context.lineWidth = 0.16;
  context.beginPath();
  context.arc(from.x, from.y, reach, angle - 0.6, angle - 0.6 + 1.2 * done);
  context.stroke();
}

/** To the fighter it caught, else to the first wall or the end of its range, in tiles. */
function hookReach(
  { grid }: Surface,
  scene: TickScene,
  { by, x = 0, y = 0, target }: Attack,
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
  from: Point,
  step: Point,
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

function drawWave(context: CanvasRenderingContext2D, from: Point, done: number): void {
  context.lineWidth = 0.14;
  for (const delay of [0, 0.3]) {
    const radius = Math.max(0, done - delay) * (RULES.attacks.repulse.radius + 0.5);
    context.beginPath();
    context.arc(from.x, from.y, radius, 0, FULL_TURN);
    context.stroke();
  }
}

function drawBolt(surface: Surface, flight: Flight, done: number, share: number): void {
  const isAtRest = share === 1;
  if (done === 0 || flight.points.length < 2) return;
  const { context, palette } = surface;
  const shown = partOf(flight.points, done);
  context.globalAlpha = isAtRest ? TRACE_ALPHA : done === 1 ? 0.7 : 1;
  for (const [colour, width] of [
    [palette.corner[flight.by], 0.2],
    [palette.gold, 0.08],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (const { x, y } of shown) context.lineTo(x, y);
    context.stroke();
  }
  const reached = flight.sparks.filter(({ reached: at }) => shown[at] === flight.points[at]);
  for (const spark of reached) drawBurst(context, spark, palette.gold, 0.32);
  context.globalAlpha = 1;
}

/** The first `share` of a path, by length. */
export function partOf(points: readonly Point[], share: number): Point[] {
  const lengths = points.slice(1).map((point, index) => lengthOf(points[index]!, point));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  const part = [points[0]!];
  for (const [index, length] of lengths.entries()) {
    const [from, to] = [points[index]!, points[index + 1]!];
    if (left < length) {
      part.push({
        x: from.x + ((to.x - from.x) * left) / length,
        y: from.y + ((to.y - from.y) * left) / length,
      });
      return part;
    }
    part.push(to);
    left -= length;
  }
  return part;
}

function lengthOf(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

function drawBurst(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  colour: string,
  size: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = 0.07;
  context.beginPath();
  for (let ray = 0; ray < 8; ray += 1) {
    const angle = (ray / 8) * FULL_TURN;
    context.moveTo(x + 0.3 * size * Math.cos(angle), y + 0.3 * size * Math.sin(angle));
    context.lineTo(x + size * Math.cos(angle), y + size * Math.sin(angle));
  }
  context.stroke();
}

function drawSlams(surface: Surface, scene: TickScene, done: number): void {
  if (done < 0.5) return;
  for (const event of scene.tick.events) {
    if (event.type !== "hit" || event.name !== "wall_slam") continue;
    const at = { x: event.x + 0.5, y: event.y + 0.5 };
    drawBurst(surface.context, at, surface.palette.gold, 0.5 + done * 0.6);
  }
}

/** The share of a beat that has passed when its blows land. */
const IMPACT: Record<BeatName, number> = {
  quick: 0.4,
  thrown: 0.5,
  move: 0.5,
  bolt: 0.9,
  end: 0.1,
};

/** Numbers that rise from a hurt fighter, starting at the beat of the blow. */
function drawDamage(surface: Surface, scene: TickScene, share: number): void {
  const rows = new Map<string, number>();
  scene.tick.events.forEach((event, index) => {
    if (event.type !== "hit" && event.type !== "zone_damage") return;
    const beat = beatOf(scene.tick.events, index);
    const done = passed(scene.score.spans[beat], share);
    const row = rows.get(event.target) ?? 0;
    rows.set(event.target, row + 1);
    if (done > IMPACT[beat]) drawNumber(surface, event, event.damage, row, done);
  });
}

function drawNumber(surface: Surface, at: Point, damage: number, row: number, done: number): void {
  const { context, palette, scale } = surface;
  const size = textSize(surface, 0.5);
  const y = at.y + 0.2 - 0.35 * done - (row * size) / scale;
  inPixels(surface, at.x + 0.95, y, () => {
    context.font = `800 ${size}px system-ui, sans-serif`;
    context.lineWidth = size / 4;
    context.strokeStyle = palette.floor;
    context.fillStyle = palette.bad;
    context.strokeText(`−${damage}`, 0, 0);
    context.fillText(`−${damage}`, 0, 0);
  });
}
