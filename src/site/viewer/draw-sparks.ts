import type { TilePoint } from "./bolt-flight.ts";

const FULL_TURN = 2 * Math.PI;

/** Draws eight rays around a point. `size` is their reach in tiles. */
export function drawSparks(
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
