// Draws shouts as speech bubbles.
import type { FightEvent, FighterId } from "#core/engine/types.ts";

import type { TilePoint } from "./bolt-flight.ts";
import { inPixels, textSize } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { fighterPosition } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

/** How long a shout stays, in ticks. */
const BUBBLE_TICKS = 4;
/** Minimum distance of speech bubbles from the map edge, in tiles. */
const BUBBLE_EDGE_TILES = 0.6;
/** Width and height of the tail that points at the speaker, as parts of the text size. */
const TAIL = { width: 0.5, height: 0.45 };

export type Shouts = ReadonlyMap<FighterId, string>;

type TickEvents = { tick: number; events: readonly FightEvent[] };

/** Returns the latest shout of each fighter. `ticks` are in order. */
export function recentShouts(ticks: readonly TickEvents[], currentTick: number): Shouts {
  const shouts = new Map<FighterId, string>();
  for (const { tick, events } of ticks) {
    if (tick > currentTick || tick < currentTick - BUBBLE_TICKS) continue;
    for (const event of events) if (event.type === "shout") shouts.set(event.by, event.text);
  }
  return shouts;
}

/** Draws shouts above the upper fighter and below the lower fighter. */
export function drawBubbles(
  surface: DrawingSurface,
  shouts: Shouts,
  scene: TickScene,
  progress: number,
): void {
  if (progress === 0 || shouts.size === 0) return;
  const positions = scene.before.fighters.map((_, seat) => fighterPosition(scene, seat, progress));
  const top = Math.min(...positions.map(({ y }) => y));
  scene.before.fighters.forEach(({ id }, seat) => {
    const text = shouts.get(id);
    const position = positions[seat];
    if (text !== undefined && position !== undefined)
      drawBubble(surface, text, position, position.y === top);
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
  const tailTiles = (TAIL.height * size) / scale;
  const y = isUpperFighter ? position.y - 0.15 - tailTiles - height : position.y + 1.15 + tailTiles;
  const clampedY = Math.max(
    BUBBLE_EDGE_TILES,
    Math.min(grid.height - BUBBLE_EDGE_TILES - height, y),
  );
  const box = { width: width * scale, height: height * scale };
  const tailX = (position.x + 0.5 - x) * scale;
  inPixels(surface, x, clampedY, () => {
    paintBubble(surface, lines, size, box);
    if (clampedY === y) paintTail(surface, tailX, size, isUpperFighter ? box.height : 0);
  });
}

/** Coordinates are in device pixels. */
function paintBubble(
  { context, palette }: DrawingSurface,
  lines: readonly string[],
  size: number,
  { width, height }: { width: number; height: number },
): void {
  context.font = `${size}px system-ui, sans-serif`;
  context.globalAlpha = 0.94;
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

/** `edge` is the y of the bubble's edge at the speaker: 0 is its top. */
function paintTail(
  { context, palette }: DrawingSurface,
  x: number,
  size: number,
  edge: number,
): void {
  const tip = edge === 0 ? -TAIL.height * size : edge + TAIL.height * size;
  const half = (TAIL.width * size) / 2;
  context.beginPath();
  context.moveTo(x - half, edge);
  context.lineTo(x, tip);
  context.lineTo(x + half, edge);
  context.fillStyle = palette.card;
  context.fill();
  context.stroke();
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
