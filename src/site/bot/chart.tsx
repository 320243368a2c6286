import { useEffect, useRef, useState } from "preact/hooks";

import { assertDefined } from "#base/util/assert-defined.ts";
import { TimeLabel } from "#site/ui/time-label.tsx";

import {
  CHART_BOX,
  buildChartShapes,
  gameNumberAt,
  MAX_MARKED_RUNS,
  versionRuns,
} from "./chart-shapes.ts";
import type { ChartShapes } from "./chart-shapes.ts";
import type { ChartData } from "./data.ts";

const USAGE_HINT = "Hover over the line to see a game. Drag to zoom in, double-click to zoom out.";

type RatingChartProps = {
  data: ChartData;
  dataUrl: string;
};

/**
 * Shows the rating history with an error band. The server renders an SVG. A script that loads last
 * makes the chart interactive.
 */
export function RatingChart({ data, dataUrl }: RatingChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const [isInteractive, setInteractive] = useState(false);
  const [reading, setReading] = useState(USAGE_HINT);
  useEffect(() => {
    if (container.current === null) return undefined;
    const controller = new AbortController();
    void loadLiveChart(container.current, data, setReading, controller.signal).then(setInteractive);
    return () => controller.abort();
  }, []);
  if (data.points.length === 0)
    return <p class="empty">No rated games here yet. The chart starts with the first one.</p>;
  const shapes = buildChartShapes(data);
  return (
    <>
      <figure class={isInteractive ? "rating-chart live" : "rating-chart"}>
        <StaticChart shapes={shapes} games={data.games} />
        <div ref={container} class="rating-chart-live" aria-hidden="true" />
        <p class="rating-chart-reading sub" aria-hidden="true">
          {isInteractive && reading}
        </p>
        <figcaption class="sub">
          Rating after each rated game. The band shows ± two deviations. <VersionRuns data={data} />
        </figcaption>
      </figure>
      <RatingTable data={data} dataUrl={dataUrl} />
    </>
  );
}

/** Returns false if the script can't be loaded. The static chart then stays. */
async function loadLiveChart(
  container: HTMLElement,
  data: ChartData,
  onReading: (text: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { drawRatingChart } = await import("./interactive-chart.ts");
    if (signal.aborted) return false;
    drawRatingChart(container, data, (text) => onReading(text ?? USAGE_HINT), signal);
    return true;
  } catch {
    return false;
  }
}

function StaticChart({ shapes, games }: { shapes: ChartShapes; games: number }) {
  const { ticks, grid, changes, band, line } = shapes;
  return (
    <div class="rating-chart-still">
      <div class="rating-chart-ticks sub" aria-hidden="true">
        {ticks.map((rating) => (
          <span key={rating}>{rating}</span>
        ))}
      </div>
      <svg
        class="rating-chart-box"
        viewBox={`0 0 ${CHART_BOX.width} ${CHART_BOX.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path class="rating-chart-grid" d={grid} />
        <path class="rating-chart-changes" d={changes} />
        <path class="rating-chart-band" d={band} />
        <path class="rating-chart-line" d={line} />
      </svg>
      <div class="rating-chart-games sub" aria-hidden="true">
        <span>game 1</span> <span>game {games}</span>
      </div>
    </div>
  );
}

function VersionRuns({ data }: { data: ChartData }) {
  const runs = versionRuns(data.points);
  if (runs.length > MAX_MARKED_RUNS) return <>{data.versions.length} versions played.</>;
  return (
    <>
      {runs.map(({ version, from }, index) => (
        <span key={from}>
          {index > 0 && ", "}
          <bdi>{data.versions[version]}</bdi> from game {gameNumberAt(data, from)}
        </span>
      ))}
      .
    </>
  );
}

const TABLE_ROWS = 20;

/** Shows a sample of the points as a table, for screen readers. */
function RatingTable({ data, dataUrl }: RatingChartProps) {
  const { games, points, versions } = data;
  const count = Math.min(TABLE_ROWS, points.length);
  const sampledIndexes = Array.from({ length: count }, (_, row) =>
    Math.round((row / Math.max(1, count - 1)) * (points.length - 1)),
  );
  return (
    <details class="rating-chart-table">
      <summary>View as table</summary>
      {sampledIndexes.length < games && (
        <p class="sub">
          {sampledIndexes.length} of {games} rated games, evenly spaced.{" "}
          <a href={dataUrl}>
            {points.length < games ? `Get ${points.length} of them` : "Get all of them"}
          </a>{" "}
          as JSON.
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">Game</th>
            <th scope="col">Ended</th>
            <th scope="col">Version</th>
            <th scope="col" class="number">
              Rating
            </th>
          </tr>
        </thead>
        <tbody>
          {sampledIndexes.map((pointIndex) => {
            const [endedMs, rating, deviation, version] = assertDefined(
              points[pointIndex],
              "point",
            );
            return (
              <tr key={pointIndex}>
                <th scope="row">{gameNumberAt(data, pointIndex)}</th>
                <td>
                  <TimeLabel instant={new Date(endedMs).toISOString()} />
                </td>
                <td>
                  <bdi>{versions[version]}</bdi>
                </td>
                <td class="number">
                  {rating} {deviation !== null && `± ${deviation}`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}
