// The outline of a small chart: values from the left to the right, the latest at the right edge.

export const WIDTH = 240;
export const HEIGHT = 56;
/** So that the line at the top is not cut. */
const TOP = 2;

/** A path from 0 up to the greatest value; `isArea` closes it along the bottom. */
export function curveOf(values: readonly number[], places: number, isArea: boolean): string {
  const most = Math.max(...values, 0);
  const step = WIDTH / Math.max(1, places - 1);
  const left = WIDTH - (values.length - 1) * step;
  const points = values.map((value, at) => {
    const share = most === 0 ? 0 : value / most;
    return `${rounded(left + at * step)},${rounded(HEIGHT - share * (HEIGHT - TOP))}`;
  });
  if (points.length === 0) return "";
  const line = `M${points.join("L")}`;
  return isArea ? `${line}L${WIDTH},${HEIGHT}L${rounded(left)},${HEIGHT}Z` : line;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
