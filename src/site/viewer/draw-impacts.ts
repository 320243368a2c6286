// Draws what attacks do to fighters: impacts, damage, pickups, rejected turns and knockouts.
import { RULES } from "#core/engine/rules.ts";
import type { FightEvent, FighterId } from "#core/engine/types.ts";

import type { TilePoint } from "./bolt-flight.ts";
import { inPixels, textSize } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { drawSparks } from "./draw-sparks.ts";
import { beatOf, fighterPosition, spanProgress } from "./tick-timing.ts";
import type { BeatName, TickScene } from "./tick-timing.ts";

const FULL_TURN = 2 * Math.PI;

/** Fraction of each beat after which its hits land. */
const IMPACT_PROGRESS: Record<BeatName, number> = {
  quick: 0.4,
  thrown: 0.5,
  move: 0.5,
  bolt: 0.9,
  end: 0.1,
};

/** Draws above the fighters. */
export function drawImpacts(surface: DrawingSurface, scene: TickScene, progress: number): void {
  const rows = new Map<FighterId, number>();
  const takeRow = (id: FighterId): number => {
    const row = rows.get(id) ?? 0;
    rows.set(id, row + 1);
    return row;
  };
  scene.tick.events.forEach((event, index) => {
    const beatName = beatOf(scene.tick.events, index);
    const beatProgress = spanProgress(scene.timing.spans[beatName], progress);
    if (beatProgress <= IMPACT_PROGRESS[beatName]) return;
    const moment = { surface, scene, progress, beatProgress };
    drawImpact(moment, event, takeRow);
  });
}

type Moment = {
  surface: DrawingSurface;
  scene: TickScene;
  progress: number;
  beatProgress: number;
};

/** `takeRow` returns a row for a text next to a fighter, so that several texts don't overlap. */
function drawImpact(moment: Moment, event: FightEvent, takeRow: (id: FighterId) => number): void {
  const { palette } = moment.surface;
  switch (event.type) {
    case "hit":
      drawHit(moment, event);
      drawDamage(moment, event, takeRow(event.target));
      break;
    case "zone_damage":
      drawRing(moment, event, palette.bad, 0.62);
      drawDamage(moment, event, takeRow(event.target));
      break;
    case "pickup":
      drawTakenPickup(moment, event, takeRow(event.by));
      break;
    case "pickup_spawn":
      drawRing(moment, event, event.kind === "health" ? palette.good : palette.gold, 1.3);
      break;
    case "rejected":
      drawRejection(moment, event);
      break;
    case "death":
      drawKnockout(moment, event);
      break;
    // Drawn on the ground, with the fighters or as a bubble.
    case "attack":
    case "repulse":
    case "pull":
    case "area_spawn":
    case "area_explode":
    case "shout":
  }
}

function drawHit(moment: Moment, event: Extract<FightEvent, { type: "hit" }>): void {
  const { surface, beatProgress } = moment;
  const isSlam = event.name === "wall_slam";
  if (beatProgress === 1) return;
  const { gold, corner } = surface.palette;
  const center = { x: event.x + 0.5, y: event.y + 0.5 };
  const color = isSlam ? gold : corner[event.by];
  drawSparks(surface.context, center, color, (isSlam ? 0.5 : 0.4) + beatProgress * 0.5);
  if (isSlam) drawRing(moment, event, gold, 0.9);
}

/** Draws a ring that grows around a tile and fades during the beat. */
function drawRing(
  { surface, beatProgress }: Moment,
  { x, y }: TilePoint,
  color: string,
  reach: number,
): void {
  if (beatProgress === 1) return;
  const { context } = surface;
  context.strokeStyle = color;
  context.globalAlpha = 1 - 0.8 * beatProgress;
  context.lineWidth = 0.12;
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, reach * (0.5 + 0.5 * beatProgress), 0, FULL_TURN);
  context.stroke();
  context.globalAlpha = 1;
}

/** Draws a text that rises next to a tile. */
function drawText(
  { surface, beatProgress }: Moment,
  { x, y }: TilePoint,
  text: string,
  color: string,
  row: number,
): void {
  const { context, palette, scale } = surface;
  const size = textSize(surface, 0.52);
  const textY = y + 0.1 - 0.35 * beatProgress - (row * size) / scale;
  inPixels(surface, x + 0.98, textY, () => {
    context.font = `800 ${size}px system-ui, sans-serif`;
    context.lineWidth = size / 3;
    context.strokeStyle = palette.floor;
    context.fillStyle = color;
    context.strokeText(text, 0, 0);
    context.fillText(text, 0, 0);
  });
}

/** The number follows its fighter, which can move on after the hit. */
function drawDamage(
  moment: Moment,
  event: Extract<FightEvent, { type: "hit" | "zone_damage" }>,
  row: number,
): void {
  const position = positionOf(moment, event.target) ?? event;
  drawText(moment, position, `−${event.damage}`, moment.surface.palette.bad, row);
}

function drawTakenPickup(
  moment: Moment,
  { by, kind, healed = 0 }: Extract<FightEvent, { type: "pickup" }>,
  row: number,
): void {
  const { good, gold } = moment.surface.palette;
  const position = positionOf(moment, by);
  if (position === null) return;
  const color = kind === "health" ? good : gold;
  const text = kind === "health" ? `+${healed}` : `×${RULES.power.times / RULES.power.over}`;
  drawRing(moment, position, color, 0.9);
  drawText(moment, position, text, color, row);
}

/** Draws a small cross at the fighter's foot. A stun has its own sign. */
function drawRejection(
  moment: Moment,
  { by, part, field }: Extract<FightEvent, { type: "rejected" }>,
): void {
  const isStun = part === "turn" && field === undefined;
  const position = by === undefined || isStun ? null : positionOf(moment, by);
  if (position === null) return;
  const { context, palette } = moment.surface;
  const [x, y] = [position.x + 0.08, position.y + 0.92];
  context.fillStyle = palette.card;
  context.strokeStyle = palette.muted;
  context.lineWidth = 0.05;
  context.beginPath();
  context.arc(x, y, 0.17, 0, FULL_TURN);
  context.fill();
  context.stroke();
  context.lineWidth = 0.07;
  context.beginPath();
  for (const side of [-0.08, 0.08]) {
    context.moveTo(x - side, y - 0.08);
    context.lineTo(x + side, y + 0.08);
  }
  context.stroke();
}

function drawKnockout(moment: Moment, event: Extract<FightEvent, { type: "death" }>): void {
  const { surface, beatProgress } = moment;
  if (beatProgress === 1) return;
  const color = surface.palette.corner[event.target];
  for (const reach of [1.2, 2.2]) drawRing(moment, event, color, reach);
  const center = { x: event.x + 0.5, y: event.y + 0.5 };
  drawSparks(surface.context, center, surface.palette.gold, 0.5 + 1.2 * beatProgress);
}

function positionOf({ scene, progress }: Moment, id: FighterId): TilePoint | null {
  const seat = scene.before.fighters.findIndex((fighter) => fighter.id === id);
  return seat === -1 ? null : fighterPosition(scene, seat, progress);
}
