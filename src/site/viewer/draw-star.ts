const FULL_TURN = 2 * Math.PI;

/** Adds a five-pointed star to the current path. */
export function drawStar(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size = 0.3,
): void {
  for (let corner = 0; corner < 10; corner += 1) {
    const reach = corner % 2 === 0 ? size : size * 0.45;
    const angle = (corner / 10) * FULL_TURN - FULL_TURN / 4;
    context.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
  }
  context.closePath();
}
