// Draws the rating history as SVG paths. The page stretches the box to fit.

import { assertDefined } from "#base/util/assert-defined.ts";
import { estimateOf } from "#site/ui/rating-interval.ts";

import type { ChartData, ChartPoint } from "./data.ts";

export const CHART_BOX = { width: 1000, height: 300 } as const;

/**
 * Consecutive games played by one version. `from` and `to` are point indexes; `to` is inclusive.
 */
export type VersionRun = { version: number; from: number; to: number };

export type ChartShapes = {
  line: string;
  band: string;
  grid: string;
  /** Path of the version markers. Empty if there are too many versions. */
  changes: string;
  /** Evenly spaced ratings, highest first. */
  ticks: readonly number[];
};

/** Markers for more runs would be unreadable. */
export const MAX_MARKED_RUNS = 12;

export function versionRuns(points: readonly ChartPoint[]): VersionRun[] {
  const runs: VersionRun[] = [];
  for (const [pointIndex, [, , , version]] of points.entries()) {
    const last = runs.at(-1);
    if (last?.version === version) last.to = pointIndex;
    else runs.push({ version, from: pointIndex, to: pointIndex });
  }
  return runs;
}

/** Returns the game number of a point. Points are spread evenly over the games. */
export function gameNumberAt({ games, points }: ChartData, pointIndex: number): number {
  if (points.length < 2) return games;
  return Math.round(1 + (pointIndex / (points.length - 1)) * (games - 1));
}

export function buildChartShapes({ points }: ChartData): ChartShapes {
  const ticks = ratingTicks(points);
  const [top, bottom] = [assertDefined(ticks[0], "tick"), assertDefined(ticks.at(-1), "tick")];
  const x = (pointIndex: number) =>
    roundToTenth((pointIndex / Math.max(1, points.length - 1)) * CHART_BOX.width);
  const y = (rating: number) => roundToTenth(((top - rating) / (top - bottom)) * CHART_BOX.height);
  const runs = versionRuns(points);
  const stride = Math.ceil(points.length / MAX_DRAWN_POINTS);
  const line = runs.map((run) => {
    const coordinates = sampledPoints(run, stride).map(
      (pointIndex) => `${x(pointIndex)} ${y(assertDefined(points[pointIndex], "point")[1])}`,
    );
    // Adds a zero-length line to a single point, so it renders as a dot.
    return `M${coordinates.join("L")}${coordinates.length === 1 ? "h0" : ""}`;
  });
  const band = runs.map((run) => {
    const edges = sampledPoints(run, stride).flatMap((pointIndex) => {
      const [, rating, deviation] = assertDefined(points[pointIndex], "point");
      return deviation === null ? [] : [{ x: x(pointIndex), ...estimateOf(rating, deviation) }];
    });
    const upper = edges.map((edge) => `${edge.x} ${y(edge.high)}`);
    const lower = edges.map((edge) => `${edge.x} ${y(edge.low)}`);
    return edges.length < 2 ? "" : `M${[...upper, ...lower.toReversed()].join("L")}Z`;
  });
  const markedRuns = runs.length > MAX_MARKED_RUNS ? [] : runs.slice(1);
  return {
    line: line.join(""),
    band: band.join(""),
    grid: ticks.map((rating) => `M0 ${y(rating)}H${CHART_BOX.width}`).join(""),
    changes: markedRuns.map(({ from }) => `M${x(from - 0.5)} 0V${CHART_BOX.height}`).join(""),
    ticks,
  };
}

/** Returns every `stride`-th point index of a run, plus the last index. */
function sampledPoints({ from, to }: VersionRun, stride: number): number[] {
  const count = Math.ceil((to - from) / stride);
  return [...Array.from({ length: count }, (_, step) => from + step * stride), to];
}

/** More points would be indistinguishable at page width. */
const MAX_DRAWN_POINTS = 300;

const RATING_STEPS = [10, 20, 50, 100, 200, 500] as const;
const MAX_STEPS = 5;

function ratingTicks(points: readonly ChartPoint[]): number[] {
  const ranges = points.map(([, rating, deviation]) => estimateOf(rating, deviation ?? 0));
  const low = Math.min(...ranges.map((range) => range.low));
  const high = Math.max(...ranges.map((range) => range.high));
  const step = RATING_STEPS.find((stepSize) => (high - low) / stepSize <= MAX_STEPS) ?? 1000;
  const [from, to] = [
    Math.floor(low / step),
    Math.max(Math.ceil(high / step), Math.floor(low / step) + 1),
  ];
  return Array.from({ length: to - from + 1 }, (_, pointIndex) => (to - pointIndex) * step);
}

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;
