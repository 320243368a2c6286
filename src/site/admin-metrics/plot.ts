type PlotTone = "a" | "b" | "gold" | "muted" | "bad";

export type PlotLine = {
  title: string;
  tone: PlotTone;
  /** One value per timestamp, or null if unknown. */
  values: readonly (number | null)[];
  /** Bars show sums. A bound is a dashed line that the other series should stay below. */
  kind: "line" | "bars" | "bound";
};

export type PlotData = {
  /** Ascending Unix timestamps, in seconds. */
  seconds: readonly number[];
  lines: readonly PlotLine[];
  /** Visible range. The data may cover only part of the range. */
  range: readonly [from: number, to: number];
  /**
   * Candidate tick intervals in seconds, ascending. The chart uses the first interval that fits.
   */
  steps: readonly number[];
  formatX: (seconds: number) => string;
  /** Formats the values at an index for the readout below the chart. */
  readingAt: (index: number) => string;
  hasWholeValues: boolean;
};

/** Returns the axis maximum, which is above the highest value and never 0. */
export function axisMaximum(lines: readonly PlotLine[]): number {
  let maxValue = 0;
  for (const { values } of lines)
    for (const value of values) if (value !== null && value > maxValue) maxValue = value;
  return maxValue === 0 ? 1 : maxValue * HEADROOM;
}

const HEADROOM = 1.15;
