// Draws what the player sees and chooses: visibility, possible steps and aim.
import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import type { AttackName, Tile } from "#core/engine/types.ts";
import { boltFlights } from "#site/viewer/bolt-flight.ts";
import type { TilePoint } from "#site/viewer/bolt-flight.ts";
import { inPixels, textSize } from "#site/viewer/canvas.ts";
import type { DrawingSurface } from "#site/viewer/canvas.ts";

import type { PlayObservation } from "./messages.ts";
import { aimedTile, directionTo, attackHindrance, offsetOf, stepHindrance } from "./turn-choice.ts";
import type { TurnChoice } from "./turn-choice.ts";

const FULL_TURN = 2 * Math.PI;

export type ChoiceOverlay = {
  observation: PlayObservation;
  choice: TurnChoice;
  isDashing: boolean;
};

/** Draws below the fighters: upcoming damage and possible steps. */
export function drawOverlayBelow(
  surface: DrawingSurface,
  { observation, choice, isDashing }: ChoiceOverlay,
): void {
  drawDanger(surface, observation);
  drawSteps(surface, observation, isDashing);
  drawStep(surface, observation, choice);
}

/** Draws above the fighters: the aim and, after the tick, the opponent's last known position. */
export function drawOverlayAbove(
  surface: DrawingSurface,
  { observation, choice }: ChoiceOverlay,
  isResting: boolean,
): void {
  if (isResting) drawLastSeen(surface, observation);
  drawAim(surface, observation, choice);
}

/** Distance of the stripes on tiles out of sight, in tiles. */
const FOG_STRIPE_TILES = 0.5;

/** Covers the floor out of sight with fog and stripes. Pickups and areas are drawn above it. */
export function drawFog(
  { context, grid, palette }: DrawingSurface,
  { self }: PlayObservation,
): void {
  const sightOffset = (self.y * grid.width + self.x) * grid.tileCount;
  context.save();
  context.beginPath();
  for (let tile = 0; tile < grid.tileCount; tile += 1)
    if (grid.floor[tile] === 1 && grid.sight[sightOffset + tile] === 0)
      context.rect(tile % grid.width, Math.floor(tile / grid.width), 1, 1);
  context.fillStyle = palette.fog;
  context.fill();
  context.clip();
  context.strokeStyle = palette.shade;
  context.globalAlpha = 0.18;
  context.lineWidth = 0.06;
  context.beginPath();
  for (let start = -grid.height; start < grid.width; start += FOG_STRIPE_TILES) {
    context.moveTo(start, 0);
    context.lineTo(start + grid.height, grid.height);
  }
  context.stroke();
  context.restore();
}

/** Draws the tiles that active areas will hit, with the remaining ticks. */
function drawDanger(surface: DrawingSurface, { danger }: PlayObservation): void {
  const { context, palette } = surface;
  for (const [x, y, remainingTicks] of danger) {
    context.fillStyle = palette.bad;
    inPixels(surface, x + 0.82, y + 0.24, () => {
      context.font = `700 ${textSize(surface, 0.26)}px system-ui, sans-serif`;
      context.fillText(String(remainingTicks), 0, 0);
    });
  }
}

function drawSteps(
  { context, palette }: DrawingSurface,
  observation: PlayObservation,
  isDashing: boolean,
): void {
  const { self, moves, dashes } = observation;
  const kind = isDashing ? "dash" : "move";
  for (const direction of moves) {
    if (stepHindrance(kind, direction, observation) !== null) continue;
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

function drawStep(
  { context, palette }: DrawingSurface,
  observation: PlayObservation,
  { step }: TurnChoice,
): void {
  if (step === null || stepHindrance(step.kind, step.direction, observation) !== null) return;
  const { self, dashes } = observation;
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

function drawLastSeen(surface: DrawingSurface, { fighters }: PlayObservation): void {
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

function drawAim(surface: DrawingSurface, observation: PlayObservation, choice: TurnChoice): void {
  const { context, grid, palette } = surface;
  const tile = aimedTile(choice, observation);
  if (tile === null) return;
  context.strokeStyle = palette.gold;
  const { attack } = choice;
  if (attack !== null && attackHindrance(attack, choice, observation, grid) === null)
    drawAttackReach(surface, observation, attack, tile);
  if (choice.aim === null) return;
  const [x, y] = tile;
  context.lineWidth = 0.07;
  context.strokeRect(x + 0.08, y + 0.08, 0.84, 0.84);
  context.beginPath();
  for (const [fromX, fromY, toX, toY] of CROSSHAIR_LINES) {
    context.moveTo(x + fromX, y + fromY);
    context.lineTo(x + toX, y + toY);
  }
  context.stroke();
}

const CROSSHAIR_LINES = [
  [0.5, 0, 0.5, 0.3],
  [0.5, 0.7, 0.5, 1],
  [0, 0.5, 0.3, 0.5],
  [0.7, 0.5, 1, 0.5],
] as const;

function drawAttackReach(
  surface: DrawingSurface,
  observation: PlayObservation,
  attack: AttackName,
  [x, y]: Tile,
): void {
  const { context, grid } = surface;
  context.lineWidth = 0.08;
  context.setLineDash([0.2, 0.16]);
  if (attack === "repulse") strokeSquare(context, observation.self, RULES.attacks.repulse.radius);
  else if (attack === "blast" || attack === "scorch")
    strokeSquare(context, { x, y }, RULES.attacks[attack].radius);
  else strokePath(context, attackPath(grid, observation, attack, [x, y]));
  context.setLineDash([]);
}

function strokeSquare(
  context: CanvasRenderingContext2D,
  { x, y }: TilePoint,
  radius: number,
): void {
  const side = 2 * radius + 1;
  context.strokeRect(x - radius, y - radius, side, side);
}

function strokePath(context: CanvasRenderingContext2D, points: readonly TilePoint[]): void {
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
  context.stroke();
}

function attackPath(
  grid: Grid,
  { self }: PlayObservation,
  attack: AttackName,
  tile: Tile,
): TilePoint[] {
  const direction = directionTo([self.x, self.y], tile);
  if (direction === null) return [];
  if (attack === "bolt") {
    const { id: by, x, y } = self;
    const event = { type: "attack", name: "bolt", by, x, y, target: direction } as const;
    return boltFlights(grid, [event], []).flatMap(({ points }) => points);
  }
  const [dx, dy] = offsetOf(direction);
  const reach = attack === "hook" ? RULES.attacks.hook.range : 1;
  const start = { x: self.x + 0.5, y: self.y + 0.5 };
  return [start, { x: start.x + dx * reach, y: start.y + dy * reach }];
}
