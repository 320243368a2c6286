// The fighters themselves: bodies, hp rings, stun stars, shouts.
import { RULES } from "#core/engine/rules.ts";
import type { FighterId } from "#core/engine/types.ts";

import { inPixels, textSize } from "./canvas.ts";
import type { Surface } from "./canvas.ts";
import { drawStar } from "./draw-ground.ts";
import type { FighterFrame, Film } from "./film.ts";
import type { Point } from "./flight.ts";
import { passed, placeOf } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

const BODY = 0.4;
const FULL_TURN = 2 * Math.PI;
/** A walk is one tile; anything longer leaves a trail. */
const TRAIL_TILES = 1.5;
const TRAIL_STEPS = 4;
/** How long a shout stays readable, in ticks. */
const BUBBLE_TICKS = 4;
/** Bubbles keep this far from the edge of the map, in tiles. */
const EDGE = 0.6;

export function drawFighters(surface: Surface, scene: TickScene, share: number): void {
  scene.before.fighters.forEach((fighter, seat) => {
    if (fighter.alive) drawLiving(surface, scene, seat, share);
    else drawFallen(surface, fighter, 1);
  });
}

function drawLiving(surface: Surface, scene: TickScene, seat: number, share: number): void {
  const before = scene.before.fighters[seat]!;
  const after = scene.after.fighters[seat]!;
  const ending = passed(scene.score.spans.end, share);
  const at = placeOf(scene, seat, share);
  if (!after.alive && ending === 1) return drawFallen(surface, after, 1);
  drawTrail(surface, scene, seat, share);
  const shown = ending === 1 ? after : before;
  const slammed = isSlammed(scene, before.id) && passed(scene.score.spans.thrown, share) === 1;
  surface.context.globalAlpha = after.alive ? 1 : 1 - 0.7 * ending;
  drawNose(surface, shown.id, at, foeOf(scene, seat, share));
  drawBody(surface, shown, at);
  if (shown.stun > 0 || slammed) drawStars(surface, at, scene.tick.tick + share);
  surface.context.globalAlpha = 1;
}

function isSlammed(scene: TickScene, id: FighterId): boolean {
  return scene.tick.events.some((event) => {
    return event.type === "hit" && event.name === "wall_slam" && event.target === id;
  });
}

/** Ghosts along the path of a dash or throw while it lasts. */
function drawTrail(surface: Surface, scene: TickScene, seat: number, share: number): void {
  const { thrown, move } = scene.score.spans;
  const span = passed(thrown, share) < 1 ? thrown : move;
  const from = placeOf(scene, seat, span.from);
  const to = placeOf(scene, seat, share);
  const length = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  if (length < TRAIL_TILES || share >= span.to) return;
  const { context, palette } = surface;
  context.fillStyle = palette.corner[scene.before.fighters[seat]!.id];
  for (let ghost = 0; ghost < TRAIL_STEPS; ghost += 1) {
    const part = ghost / TRAIL_STEPS;
    context.globalAlpha = 0.08 + 0.25 * part;
    disc(context, from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part, BODY * 0.9);
  }
  context.globalAlpha = 1;
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, radius, 0, FULL_TURN);
  context.fill();
}

/** Where the other fighter stands: each one faces the other. */
function foeOf(scene: TickScene, seat: number, share: number): Point {
  const other = scene.before.fighters.findIndex((_, index) => index !== seat);
  return placeOf(scene, Math.max(0, other), share);
}

function drawNose({ context, palette }: Surface, id: FighterId, at: Point, foe: Point): void {
  const angle = Math.atan2(foe.y - at.y, foe.x - at.x);
  context.fillStyle = palette.corner[id];
  context.beginPath();
  for (const [turn, reach] of [
    [-0.5, BODY + 0.02],
    [0, BODY + 0.26],
    [0.5, BODY + 0.02],
  ] as const) {
    const [x, y] = [Math.cos(angle + turn) * reach, Math.sin(angle + turn) * reach];
    context.lineTo(at.x + 0.5 + x, at.y + 0.5 + y);
  }
  context.fill();
}

function drawBody(surface: Surface, fighter: FighterFrame, { x, y }: Point): void {
  const { context, palette, scale } = surface;
  if (fighter.power > 0) {
    context.fillStyle = palette.gold;
    context.beginPath();
    drawStar(context, x + 0.5, y + 0.5, 0.66);
    context.fill();
  }
  context.fillStyle = palette.floor;
  disc(context, x, y, BODY + 0.1);
  context.fillStyle = palette.corner[fighter.id];
  disc(context, x, y, BODY - 0.04);
  context.strokeStyle = palette.corner[fighter.id];
  context.lineWidth = 0.09;
  context.beginPath();
  const end = FULL_TURN * (fighter.hp / RULES.hp) - FULL_TURN / 4;
  context.arc(x + 0.5, y + 0.5, BODY + 0.05, -FULL_TURN / 4, end);
  context.stroke();
  context.fillStyle = palette.onAccent;
  inPixels(surface, x + 0.5, y + 0.52, () => {
    context.font = `800 ${0.42 * scale}px system-ui, sans-serif`;
    context.fillText(fighter.id, 0, 0);
  });
}

function drawFallen(
  { context, palette }: Surface,
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

/** Three stars that circle the head. */
function drawStars({ context, palette }: Surface, { x, y }: Point, time: number): void {
  context.fillStyle = palette.gold;
  for (let star = 0; star < 3; star += 1) {
    const angle = time * 4 + (star / 3) * FULL_TURN;
    context.beginPath();
    drawStar(context, x + 0.5 + 0.42 * Math.cos(angle), y + 0.12 + 0.12 * Math.sin(angle), 0.15);
    context.fill();
  }
}

/** Shouts of the last ticks: above the upper fighter, below the lower one. */
export function drawBubbles(surface: Surface, film: Film, scene: TickScene, share: number): void {
  const now = scene.tick.tick;
  const said = new Map<FighterId, string>();
  for (const { events } of film.ticks.slice(Math.max(0, now - BUBBLE_TICKS), now + 1)) {
    for (const event of events) if (event.type === "shout") said.set(event.by, event.text);
  }
  if (share === 0) return;
  const places = scene.before.fighters.map((_, seat) => placeOf(scene, seat, share));
  const top = Math.min(...places.map(({ y }) => y));
  scene.before.fighters.forEach(({ id }, seat) => {
    const text = said.get(id);
    const isUpper = places[seat]!.y === top;
    if (text !== undefined) drawBubble(surface, text, places[seat]!, isUpper);
  });
}

function drawBubble(surface: Surface, text: string, at: Point, isUpper: boolean): void {
  const { context, grid, scale } = surface;
  const size = textSize(surface, 0.4);
  const lines = twoLines(text);
  context.font = `${size}px system-ui, sans-serif`;
  const widest = Math.max(...lines.map((line) => context.measureText(line).width));
  const [width, height] = [(widest + size) / scale, ((lines.length * 1.2 + 0.6) * size) / scale];
  const x = Math.max(EDGE, Math.min(grid.width - EDGE - width, at.x + 0.5 - width / 2));
  const y = isUpper ? at.y - 0.15 - height : at.y + 1.15;
  const inside = Math.max(EDGE, Math.min(grid.height - EDGE - height, y));
  inPixels(surface, x, inside, () => {
    paintBubble(surface, lines, size, width * scale, height * scale);
  });
}

/** In device pixels. */
function paintBubble(
  { context, palette }: Surface,
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

/** Breaks a long text once, at the space nearest to its middle. */
export function twoLines(text: string): string[] {
  const letters = Array.from(text);
  if (letters.length <= BUBBLE_LINE) return [text];
  const middle = letters.length / 2;
  const spaces = letters.flatMap((letter, index) => (letter === " " ? [index] : []));
  const [best] = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  const cut = best ?? Math.ceil(middle);
  return [letters.slice(0, cut).join("").trim(), letters.slice(cut).join("").trim()];
}
