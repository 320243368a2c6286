// Figures as a drawing that follows them. It never moves by itself: each answer is a new picture.

import uPlot from "uplot";

import { sure } from "#base/units/sure.ts";
import { onThemeChange } from "#site/look/theme.ts";

import { topOf } from "./plot.ts";
import type { PlotData, PlotLine } from "./plot.ts";

export type PlotDrawing = { show: (data: PlotData) => void; end: () => void };

const AXIS_PX = 44;
const FOOT_PX = 24;
/** Above, right, below and left. */
const PADDING_PX: uPlot.Padding = [8, 12, 0, 0];
const LINE_PX = 2;
const DASH = [6, 4];
const WHOLE_STEPS = [1, 2, 5];
const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

/** Draws in the place, in its colours and width as they change. */
export function drawPlot(
  place: HTMLElement,
  first: PlotData,
  /** Null when the pointer has left. */
  onReading: (text: string | null) => void,
): PlotDrawing {
  let data = first;
  const current = () => data;
  const read = ({ cursor }: uPlot) => {
    const index = cursor.idx ?? data.at.length;
    onReading(index < data.at.length ? data.reading(index) : null);
  };
  const draw = () =>
    new uPlot(
      { ...optionsFor(place, current), hooks: { setCursor: [read] } },
      columnsOf(data),
      place,
    );
  let plot = draw();
  const redraw = () => {
    plot.destroy();
    plot = draw();
  };
  const watcher = new ResizeObserver(() => plot.setSize(sizeOf(place)));
  watcher.observe(place);
  const ended = new AbortController();
  onThemeChange(redraw, ended.signal);
  return {
    show: (next) => {
      data = next;
      plot.setData(columnsOf(data));
    },
    end: () => {
      ended.abort();
      watcher.disconnect();
      plot.destroy();
    },
  };
}

const columnsOf = ({ at, lines }: PlotData): uPlot.AlignedData => [
  [...at],
  ...lines.map(({ values }) => [...values]),
];

const sizeOf = (place: HTMLElement) => ({ width: place.clientWidth, height: place.clientHeight });

function optionsFor(place: HTMLElement, current: () => PlotData): uPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: color("muted"),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color("line"), width: 1 },
    ticks: { show: false },
  };
  const { lines, steps, isWhole } = current();
  return {
    ...sizeOf(place),
    padding: PADDING_PX,
    legend: { show: false },
    cursor: { y: false, points: { size: 8 }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => [...current().span] },
      y: { range: () => [0, topOf(current().lines)] },
    },
    axes: [
      {
        ...axis,
        size: FOOT_PX,
        incrs: [...steps],
        space: 64,
        values: (_, instants) => instants.map((at) => current().atWords(at)),
      },
      {
        ...axis,
        size: AXIS_PX,
        values: (_, figures) => figures.map(axisWords),
        ...(isWhole && { incrs: POWERS.flatMap((power) => WHOLE_STEPS.map((one) => one * power)) }),
      },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, color(line.tone)))],
  };
}

const AXIS_FORMAT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 3 });

const axisWords = (figure: number): string => AXIS_FORMAT.format(figure);

function seriesOf({ kind }: PlotLine, stroke: string): uPlot.Series {
  if (kind === "bound") return { stroke, width: LINE_PX, dash: DASH, points: { show: false } };
  if (kind === "line") return { stroke, width: LINE_PX };
  const paths = sure(uPlot.paths.bars, "bars")({ size: [0.75, 60] });
  return { stroke, fill: stroke, width: 0, paths, points: { show: false } };
}
