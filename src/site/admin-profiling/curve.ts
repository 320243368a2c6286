export const CURVE_WIDTH = 240;
export const CURVE_HEIGHT = 56;
/** Keeps the line at the top from being clipped. */
const CURVE_TOP = 2;

/**
 * Returns an SVG path scaled from 0 to the highest value. `isArea` closes the path along the
 * bottom.
 */
export function curvePath(values: readonly number[], sampleCount: number, isArea: boolean): string {
  const maxValue = Math.max(...values, 0);
  const step = CURVE_WIDTH / Math.max(1, sampleCount - 1);
  const startX = CURVE_WIDTH - (values.length - 1) * step;
  const points = values.map((value, index) => {
    const fraction = maxValue === 0 ? 0 : value / maxValue;
    return `${roundToTenth(startX + index * step)},${roundToTenth(CURVE_HEIGHT - fraction * (CURVE_HEIGHT - CURVE_TOP))}`;
  });
  if (points.length === 0) return "";
  const line = `M${points.join("L")}`;
  return isArea
    ? `${line}L${CURVE_WIDTH},${CURVE_HEIGHT}L${roundToTenth(startX)},${CURVE_HEIGHT}Z`
    : line;
}

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;
