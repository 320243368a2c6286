import { useEffect, useRef, useState } from "preact/hooks";

import { sure } from "#base/units/sure.ts";
import { When } from "#site/look/when.tsx";

import { BOX, chartShapes, gameAt, RUNS_MARKED, runsOf } from "./chart-shapes.ts";
import type { ChartShapes } from "./chart-shapes.ts";
import type { ChartData } from "./data.ts";

const HINT = "Point at the line to read a game. Drag to zoom in, double-click to zoom out.";

type ChartProps = {
  data: ChartData;
  /** Address of the answer that has every point. */
  source: string;
};

/**
 * The rating after each game with its error. The server draws it; a script that comes last makes
 * it readable point by point.
 */
export function Chart({ data, source }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isLive, setLive] = useState(false);
  const [reading, setReading] = useState(HINT);
  useEffect(() => {
    if (place.current === null) return undefined;
    const ended = new AbortController();
    void show(place.current, data, setReading, ended.signal).then(setLive);
    return () => ended.abort();
  }, []);
  if (data.points.length === 0)
    return (
      <p class="empty">No rated game in these standings yet: the curve begins with the first.</p>
    );
  const shapes = chartShapes(data);
  return (
    <>
      <figure class={isLive ? "rating-chart live" : "rating-chart"}>
        <Still shapes={shapes} games={data.games} />
        <div ref={place} class="rating-chart-live" aria-hidden="true" />
        <p class="rating-chart-reading sub" aria-hidden="true">
          {isLive && reading}
        </p>
        <figcaption class="sub">
          Rating after each rated game; the band is one standard error to either side.{" "}
          <Runs data={data} />
        </figcaption>
      </figure>
      <Table data={data} source={source} />
    </>
  );
}

/** False if the code cannot be loaded: then the drawing of the server stays. */
async function show(
  place: HTMLElement,
  data: ChartData,
  onReading: (text: string) => void,
  ended: AbortSignal,
): Promise<boolean> {
  try {
    const { drawChart } = await import("./chart-live.ts");
    if (ended.aborted) return false;
    drawChart(place, data, (text) => onReading(text ?? HINT), ended);
    return true;
  } catch {
    return false;
  }
}

function Still({ shapes, games }: { shapes: ChartShapes; games: number }) {
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
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
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

/** From which game each version played. */
function Runs({ data }: { data: ChartData }) {
  const runs = runsOf(data.points);
  if (runs.length > RUNS_MARKED) return <>{data.versions.length} versions played.</>;
  return (
    <>
      {runs.map(({ version, from }, index) => (
        <span key={from}>
          {index > 0 && ", "}
          <bdi>{data.versions[version]}</bdi> from game {gameAt(data, from)}
        </span>
      ))}
      .
    </>
  );
}

const ROWS_SHOWN = 20;

/** Some of the points, for readers who do not see the drawing. */
function Table({ data, source }: ChartProps) {
  const { games, points, versions } = data;
  const count = Math.min(ROWS_SHOWN, points.length);
  const shown = Array.from({ length: count }, (_, row) =>
    Math.round((row / Math.max(1, count - 1)) * (points.length - 1)),
  );
  return (
    <details class="rating-chart-table">
      <summary>As a table</summary>
      {shown.length < games && (
        <p class="sub">
          {shown.length} of {games} rated games, evenly spread from the first to the last.{" "}
          <a href={source}>{points.length < games ? `${points.length} of them` : "All of them"}</a>{" "}
          as data.
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
          {shown.map((at) => {
            const [ended, rating, deviation, version] = sure(points[at], "point");
            return (
              <tr key={at}>
                <th scope="row">{gameAt(data, at)}</th>
                <td>
                  <When instant={new Date(ended).toISOString()} />
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
