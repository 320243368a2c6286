// Data of a time series chart.

/** A color token. */
type PlotTone = "a" | "b" | "gold" | "muted" | "bad";

export type PlotLine = {
  title: string;
  tone: PlotTone;
  /** One value per timestamp; null if unknown. */
  values: readonly (number | null)[];
  /** Bars show sums. A bound is a dashed line that the other series should stay below. */
  kind: "line" | "bars" | "bound";
};

export type PlotData = {
  /** Ascending Unix timestamps, in seconds. */
  seconds: readonly number[];
  lines: readonly PlotLine[];
  /** Visible range; the data may cover only a part of it. */
  range: readonly [from: number, to: number];
  /** Candidate tick intervals in seconds; the first that fits is used. */
  steps: readonly number[];
  /** Formats an axis label. */
  formatX: (seconds: number) => string;
  /** Formats the tooltip of a data point. */
  readingAt: (index: number) => string;
  /** Whether values are integers. */
  hasWholeValues: boolean;
};

/** The maximum of the axis: above the highest value, and never 0. */
export function axisMaximum(lines: readonly PlotLine[]): number {
  let maxValue = 0;
  for (const { values } of lines)
    for (const value of values) if (value !== null && value > maxValue) maxValue = value;
  return maxValue === 0 ? 1 : maxValue * HEADROOM;
}

const HEADROOM = 1.15;
