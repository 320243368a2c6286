// The outline of a fighter. Each seat has its own shape, so that the seats differ without color.
import type { FighterId } from "#core/engine/types.ts";

const FULL_TURN = 2 * Math.PI;

/** Corners of a frame in units of its radius, clockwise from the middle of the top. */
type Corners = readonly (readonly [x: number, y: number])[];

const SQUARE = 0.92;
const DIAMOND = 1.24;
const [HEXAGON_X, HEXAGON_Y] = [0.98, 0.56];

/** Seat A has a circle. */
const FRAME_CORNERS: Record<Exclude<FighterId, "A">, Corners> = {
  B: [
    [0, -SQUARE],
    [SQUARE, -SQUARE],
    [SQUARE, SQUARE],
    [-SQUARE, SQUARE],
    [-SQUARE, -SQUARE],
  ],
  C: [
    [0, -DIAMOND],
    [DIAMOND, 0],
    [0, DIAMOND],
    [-DIAMOND, 0],
  ],
  D: [
    [0, -2 * HEXAGON_Y],
    [HEXAGON_X, -HEXAGON_Y],
    [HEXAGON_X, HEXAGON_Y],
    [0, 2 * HEXAGON_Y],
    [-HEXAGON_X, HEXAGON_Y],
    [-HEXAGON_X, -HEXAGON_Y],
  ],
};

/**
 * Adds the outline of a seat to the current path, clockwise from the top. Returns its length. `x`
 * and `y` are the center.
 */
export function traceSeatFrame(
  context: CanvasRenderingContext2D,
  id: FighterId,
  x: number,
  y: number,
  radius: number,
): number {
  if (id === "A") {
    context.arc(x, y, radius, -FULL_TURN / 4, (3 * FULL_TURN) / 4);
    return FULL_TURN * radius;
  }
  const corners = FRAME_CORNERS[id];
  corners.forEach(([cornerX, cornerY], index) => {
    const [toX, toY] = [x + cornerX * radius, y + cornerY * radius];
    if (index === 0) context.moveTo(toX, toY);
    else context.lineTo(toX, toY);
  });
  context.closePath();
  return corners.reduce((length, [cornerX, cornerY], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [cornerX, cornerY];
    return length + radius * Math.hypot(nextX - cornerX, nextY - cornerY);
  }, 0);
}
