// A drawing of figures over time, as data.

/** A colour of the look. */
type PlotTone = "a" | "b" | "gold" | "muted" | "bad";

export type PlotLine = {
  title: string;
  tone: PlotTone;
  /** One for each instant; null where nothing is known. */
  values: readonly (number | null)[];
  /** Bars are for sums, a bound is a dashed line that the others should stay below. */
  kind: "line" | "bars" | "bound";
};

export type PlotData = {
  /** Rising, in seconds since 1970. */
  at: readonly number[];
  lines: readonly PlotLine[];
  /** What is shown, from and to, though there may be figures of a part of it only. */
  span: readonly [from: number, to: number];
  /** Seconds between the marks of the axis: the first of them for which there is room. */
  steps: readonly number[];
  /** An instant at the axis. */
  atWords: (at: number) => string;
  /** What an index holds, for who points at it. */
  reading: (index: number) => string;
  /** Whether there is nothing between whole numbers. */
  isWhole: boolean;
};

/** The highest value of the axis: some room above the highest figure, and never none at all. */
export function topOf(lines: readonly PlotLine[]): number {
  let most = 0;
  for (const { values } of lines)
    for (const value of values) if (value !== null && value > most) most = value;
  return most === 0 ? 1 : most * HEADROOM;
}

const HEADROOM = 1.15;
