// A rating history as shapes in a box that is stretched to the place it has.

import { sure } from "#base/units/sure.ts";
import { rangeOf } from "#site/look/interval-words.ts";

import type { ChartData, ChartPoint } from "./data.ts";

export const BOX = { width: 1000, height: 300 } as const;

/** A stretch of games of one version, as indexes of points; `to` is the last of them. */
export type Run = { version: number; from: number; to: number };

export type ChartShapes = {
  /** Paths. */
  line: string;
  band: string;
  grid: string;
  /** Where another version begins; empty if there are too many to tell them apart. */
  changes: string;
  /** Ratings at even distances, the highest first. */
  ticks: readonly number[];
};

/** With more runs than this, marks of their beginnings say nothing any more. */
export const RUNS_MARKED = 12;

export function runsOf(points: readonly ChartPoint[]): Run[] {
  const runs: Run[] = [];
  for (const [at, [, , , version]] of points.entries()) {
    const last = runs.at(-1);
    if (last?.version === version) last.to = at;
    else runs.push({ version, from: at, to: at });
  }
  return runs;
}

/** The number of the game that a point is of: points are spread evenly over the games. */
export function gameAt({ games, points }: ChartData, at: number): number {
  if (points.length < 2) return games;
  return Math.round(1 + (at / (points.length - 1)) * (games - 1));
}

export function chartShapes({ points }: ChartData): ChartShapes {
  const ticks = ticksFor(points);
  const [top, bottom] = [sure(ticks[0], "tick"), sure(ticks.at(-1), "tick")];
  const x = (at: number) => round((at / Math.max(1, points.length - 1)) * BOX.width);
  const y = (rating: number) => round(((top - rating) / (top - bottom)) * BOX.height);
  const runs = runsOf(points);
  const stride = Math.ceil(points.length / POINTS_DRAWN);
  const line = runs.map((run) => {
    const spots = shownIn(run, stride).map((at) => `${x(at)} ${y(sure(points[at], "point")[1])}`);
    // A line of no length is drawn as a dot.
    return `M${spots.join("L")}${spots.length === 1 ? "h0" : ""}`;
  });
  const band = runs.map((run) => {
    const edges = shownIn(run, stride).flatMap((at) => {
      const [, rating, deviation] = sure(points[at], "point");
      return deviation === null ? [] : [{ x: x(at), ...rangeOf(rating, deviation) }];
    });
    const upper = edges.map((edge) => `${edge.x} ${y(edge.high)}`);
    const lower = edges.map((edge) => `${edge.x} ${y(edge.low)}`);
    return edges.length < 2 ? "" : `M${[...upper, ...lower.toReversed()].join("L")}Z`;
  });
  const marked = runs.length > RUNS_MARKED ? [] : runs.slice(1);
  return {
    line: line.join(""),
    band: band.join(""),
    grid: ticks.map((rating) => `M0 ${y(rating)}H${BOX.width}`).join(""),
    changes: marked.map(({ from }) => `M${x(from - 0.5)} 0V${BOX.height}`).join(""),
    ticks,
  };
}

/** Every point of a run that is a whole number of strides from its first, and its last one. */
function shownIn({ from, to }: Run, stride: number): number[] {
  const count = Math.ceil((to - from) / stride);
  return [...Array.from({ length: count }, (_, step) => from + step * stride), to];
}

/** More cannot be told apart at the width of a page. */
const POINTS_DRAWN = 300;

const STEPS = [10, 20, 50, 100, 200, 500] as const;
const MOST_STEPS = 5;

/** Round ratings that hold the line and its band. */
function ticksFor(points: readonly ChartPoint[]): number[] {
  const ranges = points.map(([, rating, deviation]) => rangeOf(rating, deviation ?? 0));
  const low = Math.min(...ranges.map((range) => range.low));
  const high = Math.max(...ranges.map((range) => range.high));
  const step = STEPS.find((one) => (high - low) / one <= MOST_STEPS) ?? 1000;
  const [from, to] = [
    Math.floor(low / step),
    Math.max(Math.ceil(high / step), Math.floor(low / step) + 1),
  ];
  return Array.from({ length: to - from + 1 }, (_, at) => (to - at) * step);
}

const round = (value: number): number => Math.round(value * 10) / 10;
