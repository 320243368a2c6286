// The rating history as a drawing that can be read point by point and zoomed.

import uPlot from "uplot";

import { sure } from "#base/units/sure.ts";
import { rangeOf } from "#site/look/interval-words.ts";
import { onThemeChange } from "#site/look/theme.ts";
import { whenWords } from "#site/look/when-words.ts";

import { gameAt, RUNS_MARKED, runsOf } from "./chart-shapes.ts";
import type { ChartData } from "./data.ts";

/** A row of the drawing: a point, or null for the gap between two versions. */
type Row = { game: number; at: number | null };

const AXIS_PX = 44;
const LINE_PX = 2;

/** Draws in the place, in its colours and width as they change, until the signal ends it. */
export function drawChart(
  place: HTMLElement,
  data: ChartData,
  /** Null when the pointer has left. */
  onReading: (text: string | null) => void,
  ended: AbortSignal,
): void {
  const rows = rowsOf(data);
  const read = ({ cursor }: uPlot) => {
    const at = rows[cursor.idx ?? -1]?.at ?? null;
    onReading(at === null ? null : readingOf(data, at));
  };
  let plot = draw();
  function draw(): uPlot {
    const hooks = { setCursor: [read], draw: [(self: uPlot) => markVersions(self, data)] };
    return new uPlot({ ...optionsFor(place), hooks }, columnsOf(data, rows), place);
  }
  const watcher = new ResizeObserver(() => plot.setSize(sizeOf(place)));
  watcher.observe(place);
  const redraw = () => {
    plot.destroy();
    plot = draw();
  };
  onThemeChange(redraw, ended);
  ended.addEventListener("abort", () => {
    watcher.disconnect();
    plot.destroy();
  });
}

function rowsOf(data: ChartData): Row[] {
  return runsOf(data.points).flatMap(({ from, to }) => {
    const points = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const rows = points.map((at): Row => ({ game: gameAt(data, at), at }));
    return from === 0 ? rows : [{ game: sure(rows[0], "row").game - 0.5, at: null }, ...rows];
  });
}

/** Games, ratings, upper and lower edge of the band. */
function columnsOf({ points }: ChartData, rows: readonly Row[]): uPlot.AlignedData {
  const edge = (end: "low" | "high") =>
    rows.map(({ at }) => {
      if (at === null) return null;
      const [, rating, deviation] = sure(points[at], "point");
      return deviation === null ? null : rangeOf(rating, deviation)[end];
    });
  return [
    rows.map(({ game }) => game),
    rows.map(({ at }) => (at === null ? null : sure(points[at], "point")[1])),
    edge("high"),
    edge("low"),
  ];
}

const sizeOf = (place: HTMLElement) => ({ width: place.clientWidth, height: place.clientHeight });

function optionsFor(place: HTMLElement): uPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: color("muted"),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color("line"), width: 1 },
    ticks: { show: false },
  };
  const edge = { stroke: "transparent", points: { show: false } };
  return {
    ...sizeOf(place),
    legend: { show: false },
    cursor: { y: false, points: { size: 8 } },
    scales: { x: { time: false } },
    axes: [axis, { ...axis, size: AXIS_PX, values: (_, ratings) => ratings.map(String) }],
    series: [{}, { stroke: color("b"), width: LINE_PX }, edge, edge],
    bands: [{ series: [2, 3], fill: color("rating-chart-band") }],
  };
}

/** A line with the label where another version begins, as long as they can be told apart. */
function markVersions(plot: uPlot, data: ChartData): void {
  const { ctx, bbox, root } = plot;
  const runs = runsOf(data.points);
  if (runs.length > RUNS_MARKED) return;
  const style = getComputedStyle(root);
  ctx.save();
  ctx.strokeStyle = style.getPropertyValue("--strong-line");
  ctx.fillStyle = style.getPropertyValue("--muted");
  ctx.font = `${12 * devicePixelRatio}px ${style.fontFamily}`;
  ctx.textAlign = "left";
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const { from, version } of runs) {
    const x = from === 0 ? bbox.left : plot.valToPos(gameAt(data, from) - 0.5, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    if (from > 0) ctx.moveTo(x, bbox.top);
    if (from > 0) ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(
      sure(data.versions[version], "version"),
      x + 4 * devicePixelRatio,
      bbox.top + 12 * devicePixelRatio,
    );
  }
  ctx.restore();
}

function readingOf(data: ChartData, at: number): string {
  const [ended, rating, deviation, version] = sure(data.points[at], "point");
  const error = deviation === null ? "" : ` ± ${deviation}`;
  const when = whenWords(new Date(ended).toISOString(), "minute");
  return `Game ${gameAt(data, at)}: ${data.versions[version]} at ${rating}${error}, ${when}`;
}
