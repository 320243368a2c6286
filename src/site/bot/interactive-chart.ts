// Rating chart with zoom and a readout for each point.

import uPlot from "uplot";

import { assertDefined } from "#base/util/assert-defined.ts";
import { estimateOf } from "#site/ui/rating-interval.ts";
import { onThemeChange } from "#site/ui/theme.ts";
import { formatTime } from "#site/ui/time-format.ts";

import { gameNumberAt, MAX_MARKED_RUNS, versionRuns } from "./chart-shapes.ts";
import type { ChartData } from "./data.ts";

/** A chart row. `pointIndex` is null for the gap between versions. */
type ChartRow = { game: number; pointIndex: number | null };

const AXIS_PX = 44;
const LINE_PX = 2;

/**
 * Draws the chart into `container`. Redraws when the container's width or the page's colors change,
 * until the signal aborts.
 */
export function drawRatingChart(
  container: HTMLElement,
  data: ChartData,
  /** Called with null when the pointer leaves the chart. */
  onReading: (text: string | null) => void,
  signal: AbortSignal,
): void {
  const rows = chartRows(data);
  const reportReading = ({ cursor }: uPlot) => {
    const pointIndex = rows[cursor.idx ?? -1]?.pointIndex ?? null;
    onReading(pointIndex === null ? null : describePoint(data, pointIndex));
  };
  let plot = draw();
  function draw(): uPlot {
    const hooks = {
      setCursor: [reportReading],
      draw: [(self: uPlot) => drawVersionMarks(self, data)],
    };
    return new uPlot({ ...chartOptions(container), hooks }, chartColumns(data, rows), container);
  }
  const resizeObserver = new ResizeObserver(() => plot.setSize(containerSize(container)));
  resizeObserver.observe(container);
  const redraw = () => {
    plot.destroy();
    plot = draw();
  };
  onThemeChange(redraw, signal);
  signal.addEventListener("abort", () => {
    resizeObserver.disconnect();
    plot.destroy();
  });
}

function chartRows(data: ChartData): ChartRow[] {
  return versionRuns(data.points).flatMap(({ from, to }) => {
    const points = Array.from({ length: to - from + 1 }, (_, pointIndex) => from + pointIndex);
    const rows = points.map((pointIndex): ChartRow => ({
      game: gameNumberAt(data, pointIndex),
      pointIndex,
    }));
    return from === 0
      ? rows
      : [{ game: assertDefined(rows[0], "row").game - 0.5, pointIndex: null }, ...rows];
  });
}

function chartColumns({ points }: ChartData, rows: readonly ChartRow[]): uPlot.AlignedData {
  const bandEdge = (bound: "low" | "high") =>
    rows.map(({ pointIndex }) => {
      if (pointIndex === null) return null;
      const [, rating, deviation] = assertDefined(points[pointIndex], "point");
      return deviation === null ? null : estimateOf(rating, deviation)[bound];
    });
  return [
    rows.map(({ game }) => game),
    rows.map(({ pointIndex }) =>
      pointIndex === null ? null : assertDefined(points[pointIndex], "point")[1],
    ),
    bandEdge("high"),
    bandEdge("low"),
  ];
}

const containerSize = (container: HTMLElement) => ({
  width: container.clientWidth,
  height: container.clientHeight,
});

function chartOptions(container: HTMLElement): uPlot.Options {
  const style = getComputedStyle(container);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: color("muted"),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color("line"), width: 1 },
    ticks: { show: false },
  };
  const edgeSeries = { stroke: "transparent", points: { show: false } };
  return {
    ...containerSize(container),
    legend: { show: false },
    cursor: { y: false, points: { size: 8 } },
    scales: { x: { time: false } },
    axes: [axis, { ...axis, size: AXIS_PX, values: (_, ratings) => ratings.map(String) }],
    series: [{}, { stroke: color("b"), width: LINE_PX }, edgeSeries, edgeSeries],
    bands: [{ series: [2, 3], fill: color("rating-chart-band") }],
  };
}

/** Marks where each version begins with a labelled line, if there is room. */
function drawVersionMarks(plot: uPlot, data: ChartData): void {
  const { ctx, bbox, root } = plot;
  const runs = versionRuns(data.points);
  if (runs.length > MAX_MARKED_RUNS) return;
  const style = getComputedStyle(root);
  ctx.save();
  ctx.strokeStyle = style.getPropertyValue("--strong-line");
  ctx.fillStyle = style.getPropertyValue("--muted");
  ctx.font = `${12 * devicePixelRatio}px ${style.fontFamily}`;
  ctx.textAlign = "left";
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const { from, version } of runs) {
    const x = from === 0 ? bbox.left : plot.valToPos(gameNumberAt(data, from) - 0.5, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    if (from > 0) ctx.moveTo(x, bbox.top);
    if (from > 0) ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(
      assertDefined(data.versions[version], "version"),
      x + 4 * devicePixelRatio,
      bbox.top + 12 * devicePixelRatio,
    );
  }
  ctx.restore();
}

function describePoint(data: ChartData, pointIndex: number): string {
  const [endedMs, rating, deviation, version] = assertDefined(data.points[pointIndex], "point");
  const error = deviation === null ? "" : ` ± ${deviation}`;
  const endedText = formatTime(new Date(endedMs).toISOString(), "minute");
  return `Game ${gameNumberAt(data, pointIndex)}: ${data.versions[version]} at ${rating}${error}, ${endedText}`;
}
