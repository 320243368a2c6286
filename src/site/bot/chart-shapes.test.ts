import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";

import { renderHtml, importSiteModule } from "#testing/fixtures/site-components.ts";

import { CHART_BOX, buildChartShapes, gameNumberAt, versionRuns } from "./chart-shapes.ts";
import type * as ChartModule from "./chart.tsx";
import type { ChartData, ChartPoint } from "./data.ts";

const point = (rating: number, version = 0, deviation: number | null = 20): ChartPoint => [
  0,
  rating,
  deviation,
  version,
];

const chart = (...points: ChartPoint[]): ChartData => ({
  games: points.length,
  versions: ["v1", "v2"],
  points,
});

it("draws a line per version and a dot for a single game", () => {
  const data = chart(point(1500), point(1520), point(1400, 1), point(1510), point(1530));
  assert.deepEqual(versionRuns(data.points), [
    { version: 0, from: 0, to: 1 },
    { version: 1, from: 2, to: 2 },
    { version: 0, from: 3, to: 4 },
  ]);
  const { line, changes } = buildChartShapes(data);
  assert.equal(line.match(/M/g)?.length, 3);
  assert.match(line, /M500 [\d.]+h0M/);
  assert.equal(changes.match(/M/g)?.length, 2);
});

it("omits version markers when there are too many", () => {
  const points = Array.from({ length: 40 }, (_, index) => point(1500 + index, index % 2));
  assert.equal(buildChartShapes(chart(...points)).changes, "");
});

it("has round rating ticks that enclose the line and its band, highest first", () => {
  const { ticks } = buildChartShapes(chart(point(1500, 0, 30), point(1620, 0, 20)));
  assert.deepEqual(ticks, [1700, 1650, 1600, 1550, 1500, 1450, 1400]);
  const flat = buildChartShapes(chart(point(1500, 0, 0), point(1500, 0, 0)));
  assert.ok(flat.ticks.length > 1 && !flat.line.includes("NaN"));
});

it("draws a band of two deviations on each side", () => {
  const { band, ticks } = buildChartShapes(chart(point(1500, 0, 50), point(1500, 0, 50)));
  assert.deepEqual([ticks[0], ticks.at(-1)], [1600, 1400]);
  assert.equal(
    band,
    `M0 0L${CHART_BOX.width} 0L${CHART_BOX.width} ${CHART_BOX.height}L0 ${CHART_BOX.height}Z`,
  );
});

it("draws no band for games without a deviation", () => {
  const without = buildChartShapes(chart(point(1500, 0, null), point(1510, 0, null)));
  assert.equal(without.band, "");
  assert.match(buildChartShapes(chart(point(1500), point(1510))).band, /^M.*Z$/);
});

it("keeps a long history inside its box and limits the number of points", () => {
  const points = Array.from({ length: 1000 }, (_, index) => point(1500 + 300 * Math.sin(index)));
  const { line } = buildChartShapes(chart(...points));
  const spots = [...line.matchAll(/([\d.]+) ([\d.]+)/g)];
  assert.ok(spots.length > 200 && spots.length <= 301, `${spots.length} points`);
  for (const [, x, y] of spots)
    assert.ok(Number(x) <= CHART_BOX.width && Number(y) <= CHART_BOX.height);
  assert.ok(line.includes(`L${CHART_BOX.width} `), "the newest game is drawn");
});

it("numbers games correctly when some games have no point", () => {
  const data = { ...chart(point(1500), point(1510), point(1520)), games: 201 };
  assert.deepEqual(
    [0, 1, 2].map((index) => gameNumberAt(data, index)),
    [1, 101, 201],
  );
});

const SHOWN: [games: number, points: number, words: string | null][] = [
  [20, 20, null],
  [47, 47, "20 of 47 rated games, evenly spaced. Get all of them"],
  [2000, 1000, "20 of 2000 rated games, evenly spaced. Get 1000 of them"],
];
for (const [games, points, expectedText] of SHOWN)
  it(`says how much a table of ${points} points from ${games} games omits`, async () => {
    const { RatingChart } = await importSiteModule<typeof ChartModule>("bot/chart.tsx");
    const data = { ...chart(...Array.from({ length: points }, () => point(1500))), games };
    const html = renderHtml(RatingChart, { data, dataUrl: "/api/x?a=b" });
    assert.equal(html.match(/<th scope="row">/g)?.length, 20);
    const text = html.replaceAll(/<[^>]+>/g, "");
    assert.ok(
      expectedText === null ? !text.includes("evenly spaced") : text.includes(expectedText),
      text,
    );
    assert.equal(html.includes('href="/api/x?a=b"'), expectedText !== null);
  });

it("uses only colors that the style sheets declare", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const sheets = read("../ui/tokens.css") + read("./style-chart.css");
  const usedTokens = [...read("./interactive-chart.ts").matchAll(/color\("([\w-]+)"\)/g)].map(
    ([, name]) => name,
  );
  assert.ok(usedTokens.length > 0);
  assert.deepEqual(
    usedTokens.filter((name) => !sheets.includes(`  --${name}:`)),
    [],
  );
});
