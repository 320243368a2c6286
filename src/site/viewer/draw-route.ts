import type { FighterId } from "#core/engine/types.ts";

import type { TilePoint } from "./bolt-flight.ts";
import type { DrawingSurface } from "./canvas.ts";

const FULL_TURN = 2 * Math.PI;

/** Draws a dotted line between the centers of two tiles, for moves of the last tick. */
export function drawRoute(
  { context, palette }: DrawingSurface,
  id: FighterId,
  from: TilePoint,
  to: TilePoint,
): void {
  context.strokeStyle = palette.corner[id];
  context.lineWidth = 0.09;
  context.setLineDash([0.02, 0.2]);
  context.beginPath();
  context.moveTo(from.x + 0.5, from.y + 0.5);
  context.lineTo(to.x + 0.5, to.y + 0.5);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  context.arc(from.x + 0.5, from.y + 0.5, 0.16, 0, FULL_TURN);
  context.stroke();
}
