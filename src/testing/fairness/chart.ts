// Draws line charts as SVG. Colours are legible on light and dark backgrounds, and each line is
// labelled at its end.

export type Series = { name: string; points: readonly (readonly [x: number, y: number])[] };

export type Chart = {
  title: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
};

type Axis = { name: string; from: number; to: number; ticks: readonly number[] };

const WIDTH = 760;
const HEIGHT = 400;
const PLOT = { left: 64, right: 590, top: 44, bottom: 344 } as const;
const LABEL_GAP = 16;
const STYLES = [
  { colour: "#2f7fd6", dash: "" },
  { colour: "#d9701f", dash: "8 4" },
  { colour: "#2f9e63", dash: "2 4" },
  { colour: "#a44fc4", dash: "10 3 2 3" },
] as const;

const STYLE = `text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-size:15px;font-weight:600}
.grid{stroke:#8c959f;stroke-opacity:.35}.line{fill:none;stroke-width:2.2}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}}`;

type Point = { x: number; y: number };

export function renderLineChart(chart: Chart): string {
  const { title, x, y, series } = chart;
  const toPlotPoint = ([px, py]: readonly [number, number]): Point => ({
    x: PLOT.left + ((px - x.from) / (x.to - x.from)) * (PLOT.right - PLOT.left),
    y: PLOT.bottom - ((py - y.from) / (y.to - y.from)) * (PLOT.bottom - PLOT.top),
  });
  const plotPoints = series.map(({ points }) => points.map(toPlotPoint));
  const labels = spreadLabels(plotPoints.map((points) => points.at(-1)?.y ?? PLOT.bottom));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">`,
    `<style>${STYLE}</style>`,
    renderText({ x: PLOT.left, y: 20 }, title, 'class="title"'),
    ...x.ticks.map((tick) => renderVerticalTick(toPlotPoint([tick, y.from]).x, tick)),
    ...y.ticks.map((tick) => renderHorizontalTick(toPlotPoint([x.from, tick]).y, tick)),
    renderText(
      { x: (PLOT.left + PLOT.right) / 2, y: PLOT.bottom + 42 },
      x.name,
      'text-anchor="middle"',
    ),
    renderText({ x: PLOT.left, y: PLOT.top - 6 }, y.name),
    ...series.map(({ name }, index) => renderLine(plotPoints[index]!, name, labels[index]!, index)),
    "</svg>\n",
  ].join("\n");
}

const formatCoordinate = (value: number): string => String(Math.round(value * 10) / 10);

function renderText({ x, y }: Point, content: string, attributes = ""): string {
  return `<text x="${formatCoordinate(x)}" y="${formatCoordinate(y)}" ${attributes}>${content}</text>`;
}

function renderVerticalTick(x: number, tick: number): string {
  const line = `<path class="grid" d="M${formatCoordinate(x)} ${PLOT.top}V${PLOT.bottom}"/>`;
  return line + renderText({ x, y: PLOT.bottom + 20 }, String(tick), 'text-anchor="middle"');
}

function renderHorizontalTick(y: number, tick: number): string {
  const line = `<path class="grid" d="M${PLOT.left} ${formatCoordinate(y)}H${PLOT.right}"/>`;
  return line + renderText({ x: PLOT.left - 8, y: y + 4 }, String(tick), 'text-anchor="end"');
}

function renderLine(points: readonly Point[], name: string, labelY: number, index: number): string {
  const { colour, dash } = STYLES[index % STYLES.length]!;
  const path = points.map(({ x, y }) => `${formatCoordinate(x)} ${formatCoordinate(y)}`).join("L");
  const line = `<path class="line" stroke="${colour}" stroke-dasharray="${dash}" d="M${path}"/>`;
  const end = points.at(-1)?.x ?? PLOT.right;
  const leaderLine = `<path stroke="${colour}" d="M${formatCoordinate(end)} ${formatCoordinate(points.at(-1)?.y ?? labelY)}L${PLOT.right + 8} ${formatCoordinate(labelY - 4)}"/>`;
  return line + leaderLine + renderText({ x: PLOT.right + 12, y: labelY }, name);
}

function spreadLabels(heights: readonly number[]): number[] {
  const placed = heights.map((height) => height + 4);
  let lowest = -Infinity;
  for (const index of [...heights.keys()].toSorted((a, b) => heights[a]! - heights[b]!)) {
    placed[index] = Math.max(placed[index]!, lowest + LABEL_GAP);
    lowest = placed[index];
  }
  return placed;
}
