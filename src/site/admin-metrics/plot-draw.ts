// Charts aren't animated, because every response redraws them.

import uPlot from "uplot";

import { assertDefined } from "#base/util/assert-defined.ts";
import { onThemeChange } from "#site/ui/theme.ts";

import { axisMaximum } from "./plot.ts";
import type { PlotData, PlotLine } from "./plot.ts";

export type PlotHandle = { update: (data: PlotData) => void; destroy: () => void };

const Y_AXIS_PX = 44;
const X_AXIS_PX = 24;
/** Top, right, bottom, left. */
const PADDING_PX: uPlot.Padding = [8, 12, 0, 0];
const LINE_PX = 2;
const DASH = [6, 4];
const WHOLE_STEPS = [1, 2, 5];
const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

/**
 * Draws the chart into `container`. Redraws when the container's width or the page's colors change.
 */
export function drawPlot(
  container: HTMLElement,
  initialData: PlotData,
  /** Called with null when the pointer leaves the chart. */
  onReading: (text: string | null) => void,
): PlotHandle {
  let data = initialData;
  const currentData = () => data;
  const reportReading = ({ cursor }: uPlot) => {
    const index = cursor.idx ?? data.seconds.length;
    onReading(index < data.seconds.length ? data.readingAt(index) : null);
  };
  const draw = () =>
    new uPlot(
      { ...plotOptions(container, currentData), hooks: { setCursor: [reportReading] } },
      plotColumns(data),
      container,
    );
  let plot = draw();
  const redraw = () => {
    plot.destroy();
    plot = draw();
  };
  const resizeObserver = new ResizeObserver(() => plot.setSize(containerSize(container)));
  resizeObserver.observe(container);
  const controller = new AbortController();
  onThemeChange(redraw, controller.signal);
  return {
    update: (nextData) => {
      data = nextData;
      plot.setData(plotColumns(data));
    },
    destroy: () => {
      controller.abort();
      resizeObserver.disconnect();
      plot.destroy();
    },
  };
}

const plotColumns = ({ seconds, lines }: PlotData): uPlot.AlignedData => [
  [...seconds],
  ...lines.map(({ values }) => [...values]),
];

const containerSize = (container: HTMLElement) => ({
  width: container.clientWidth,
  height: container.clientHeight,
});

function plotOptions(container: HTMLElement, currentData: () => PlotData): uPlot.Options {
  const style = getComputedStyle(container);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: color("muted"),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color("line"), width: 1 },
    ticks: { show: false },
  };
  const { lines, steps, hasWholeValues } = currentData();
  return {
    ...containerSize(container),
    padding: PADDING_PX,
    legend: { show: false },
    cursor: { y: false, points: { size: 8 }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => [...currentData().range] },
      y: { range: () => [0, axisMaximum(currentData().lines)] },
    },
    axes: [
      {
        ...axis,
        size: X_AXIS_PX,
        incrs: [...steps],
        space: 64,
        values: (_, instants) => instants.map((seconds) => currentData().formatX(seconds)),
      },
      {
        ...axis,
        size: Y_AXIS_PX,
        values: (_, axisValues) => axisValues.map(formatAxisValue),
        ...(hasWholeValues && {
          incrs: POWERS.flatMap((power) => WHOLE_STEPS.map((step) => step * power)),
        }),
      },
    ],
    series: [{}, ...lines.map((line) => seriesFor(line, color(line.tone)))],
  };
}

const AXIS_FORMAT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 3 });

const formatAxisValue = (value: number): string => AXIS_FORMAT.format(value);

function seriesFor({ kind }: PlotLine, stroke: string): uPlot.Series {
  if (kind === "bound") return { stroke, width: LINE_PX, dash: DASH, points: { show: false } };
  if (kind === "line") return { stroke, width: LINE_PX };
  const paths = assertDefined(uPlot.paths.bars, "bars")({ size: [0.75, 60] });
  return { stroke, fill: stroke, width: 0, paths, points: { show: false } };
}
