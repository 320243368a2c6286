// What the arena shows a person beyond the fight itself: what is in sight, where steps lead, what
// is aimed at.
import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import type { AttackName, Tile } from "#core/engine/types.ts";
import { inPixels, textSize } from "#site/viewer/canvas.ts";
import type { Surface } from "#site/viewer/canvas.ts";
import { flightsOf } from "#site/viewer/flight.ts";
import type { Point } from "#site/viewer/flight.ts";

import { aimedTile, directionTo, hindrance, offsetOf, stepHindrance } from "./choice.ts";
import type { TurnChoice } from "./choice.ts";
import type { Seen } from "./messages.ts";

const FULL_TURN = 2 * Math.PI;

/** What is drawn in addition to the scene. */
export type Overlay = { seen: Seen; choice: TurnChoice; isDashing: boolean };

/** Below the fighters: the tiles out of sight, the harm to come and where steps lead. */
export function drawBelow(surface: Surface, { seen, choice, isDashing }: Overlay): void {
  drawUnseen(surface, seen);
  drawHarm(surface, seen);
  drawSteps(surface, seen, isDashing);
  drawStep(surface, seen, choice);
}

/** Above them: the aim and, once the tick was played, where the opponent was last seen. */
export function drawAbove(surface: Surface, { seen, choice }: Overlay, isAtRest: boolean): void {
  if (isAtRest) drawLastSeen(surface, seen);
  drawAim(surface, seen, choice);
}

function drawUnseen({ context, grid, palette }: Surface, { self }: Seen): void {
  const from = (self.y * grid.width + self.x) * grid.tileCount;
  context.fillStyle = palette.shade;
  context.globalAlpha = 0.16;
  for (let tile = 0; tile < grid.tileCount; tile += 1)
    if (grid.floor[tile] === 1 && grid.sight[from + tile] === 0)
      context.fillRect(tile % grid.width, Math.floor(tile / grid.width), 1.01, 1.01);
  context.globalAlpha = 1;
}

/** Tiles that a running area will hurt, with the ticks that are left. */
function drawHarm(surface: Surface, { danger }: Seen): void {
  const { context, palette } = surface;
  for (const [x, y, ticks] of danger) {
    context.fillStyle = palette.bad;
    inPixels(surface, x + 0.82, y + 0.24, () => {
      context.font = `700 ${textSize(surface, 0.26)}px system-ui, sans-serif`;
      context.fillText(String(ticks), 0, 0);
    });
  }
}

/** A dot where a step leads, or a ring where a dash does. */
function drawSteps({ context, palette }: Surface, seen: Seen, isDashing: boolean): void {
  const { self, moves, dashes } = seen;
  const kind = isDashing ? "dash" : "move";
  for (const direction of moves) {
    if (stepHindrance(kind, direction, seen) !== null) continue;
    const [x, y] = offsetOf(direction);
    const tiles = isDashing ? (dashes[direction] ?? 1) : 1;
    context.beginPath();
    context.arc(self.x + 0.5 + x * tiles, self.y + 0.5 + y * tiles, 0.13, 0, FULL_TURN);
    context.globalAlpha = 0.75;
    context.lineWidth = 0.06;
    context.strokeStyle = palette.muted;
    context.fillStyle = palette.muted;
    if (isDashing) context.stroke();
    else context.fill();
  }
  context.globalAlpha = 1;
}

/** The chosen step, as an arrow. */
function drawStep({ context, palette }: Surface, seen: Seen, { step }: TurnChoice): void {
  if (step === null || stepHindrance(step.kind, step.direction, seen) !== null) return;
  const { self, dashes } = seen;
  const [x, y] = offsetOf(step.direction);
  const tiles = step.kind === "dash" ? (dashes[step.direction] ?? 1) : 1;
  const [fromX, fromY] = [self.x + 0.5, self.y + 0.5];
  context.strokeStyle = palette.gold;
  context.fillStyle = palette.gold;
  context.lineWidth = 0.14;
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(fromX + x * tiles, fromY + y * tiles);
  context.stroke();
  context.beginPath();
  context.arc(fromX + x * tiles, fromY + y * tiles, 0.22, 0, FULL_TURN);
  context.fill();
}

/** A ring with a question mark where an opponent out of sight was last. */
function drawLastSeen(surface: Surface, { fighters }: Seen): void {
  const { context, palette } = surface;
  for (const fighter of fighters) {
    if ("alive" in fighter || fighter.visible || fighter.last_seen === null) continue;
    const { x, y } = fighter.last_seen;
    context.strokeStyle = palette.corner[fighter.id];
    context.fillStyle = palette.corner[fighter.id];
    context.lineWidth = 0.07;
    context.setLineDash([0.16, 0.12]);
    context.beginPath();
    context.arc(x + 0.5, y + 0.5, 0.4, 0, FULL_TURN);
    context.stroke();
    context.setLineDash([]);
    inPixels(surface, x + 0.5, y + 0.53, () => {
      context.font = `800 ${textSize(surface, 0.45)}px system-ui, sans-serif`;
      context.fillText("?", 0, 0);
    });
  }
}

/** Crossed hairs; with an attack chosen, also what it would reach. */
function drawAim(surface: Surface, seen: Seen, choice: TurnChoice): void {
  const { context, grid, palette } = surface;
  const tile = aimedTile(choice, seen);
  if (tile === null) return;
  context.strokeStyle = palette.gold;
  const { attack } = choice;
  if (attack !== null && hindrance(attack, choice, seen, grid) === null)
    drawReach(surface, seen, attack, tile);
  if (choice.aim === null) return;
  const [x, y] = tile;
  context.lineWidth = 0.07;
  context.strokeRect(x + 0.08, y + 0.08, 0.84, 0.84);
  context.beginPath();
  for (const [fromX, fromY, toX, toY] of HAIRS) {
    context.moveTo(x + fromX, y + fromY);
    context.lineTo(x + toX, y + toY);
  }
  context.stroke();
}

const HAIRS = [
  [0.5, 0, 0.5, 0.3],
  [0.5, 0.7, 0.5, 1],
  [0, 0.5, 0.3, 0.5],
  [0.7, 0.5, 1, 0.5],
] as const;

function drawReach(surface: Surface, seen: Seen, attack: AttackName, [x, y]: Tile): void {
  const { context, grid } = surface;
  context.lineWidth = 0.08;
  context.setLineDash([0.2, 0.16]);
  if (attack === "repulse") square(context, seen.self, RULES.attacks.repulse.radius);
  else if (attack === "blast" || attack === "scorch")
    square(context, { x, y }, RULES.attacks[attack].radius);
  else path(context, wayOf(grid, seen, attack, [x, y]));
  context.setLineDash([]);
}

function square(context: CanvasRenderingContext2D, { x, y }: Point, radius: number): void {
  const side = 2 * radius + 1;
  context.strokeRect(x - radius, y - radius, side, side);
}

function path(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
  context.stroke();
}

/** The centres of the tiles on the way of an attack with a direction. */
function wayOf(grid: Grid, { self }: Seen, attack: AttackName, tile: Tile): Point[] {
  const direction = directionTo([self.x, self.y], tile);
  if (direction === null) return [];
  if (attack === "bolt") {
    const { id: by, x, y } = self;
    const event = { type: "attack", name: "bolt", by, x, y, target: direction } as const;
    return flightsOf(grid, [event], []).flatMap(({ points }) => points);
  }
  const [dx, dy] = offsetOf(direction);
  const reach = attack === "hook" ? RULES.attacks.hook.range : 1;
  const start = { x: self.x + 0.5, y: self.y + 0.5 };
  return [start, { x: start.x + dx * reach, y: start.y + dy * reach }];
}
