import assert from "node:assert/strict";
import { it } from "node:test";

import { htmlOf, siteModule } from "#testing/fixtures/components.ts";

import { BOX, chartShapes, gameAt, runsOf } from "./chart-shapes.ts";
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

it("draws a line for each stretch of one version, and a dot for a single game", () => {
  const data = chart(point(1500), point(1520), point(1400, 1), point(1510), point(1530));
  assert.deepEqual(runsOf(data.points), [
    { version: 0, from: 0, to: 1 },
    { version: 1, from: 2, to: 2 },
    { version: 0, from: 3, to: 4 },
  ]);
  const { line, changes } = chartShapes(data);
  assert.equal(line.match(/M/g)?.length, 3);
  assert.match(line, /M500 [\d.]+h0M/);
  assert.equal(changes.match(/M/g)?.length, 2);
});

it("marks no changes when there are too many to tell apart", () => {
  const points = Array.from({ length: 40 }, (_, at) => point(1500 + at, at % 2));
  assert.equal(chartShapes(chart(...points)).changes, "");
});

it("has round ratings around the line and its band, the highest first", () => {
  const { ticks } = chartShapes(chart(point(1500, 0, 60), point(1620, 0, 40)));
  assert.deepEqual(ticks, [1700, 1650, 1600, 1550, 1500, 1450, 1400]);
  const flat = chartShapes(chart(point(1500, 0, 0), point(1500, 0, 0)));
  assert.ok(flat.ticks.length > 1 && !flat.line.includes("NaN"));
});

it("draws no band where games have no deviation", () => {
  const without = chartShapes(chart(point(1500, 0, null), point(1510, 0, null)));
  assert.equal(without.band, "");
  assert.match(chartShapes(chart(point(1500), point(1510))).band, /^M.*Z$/);
});

it("stays inside its box and short, however long the history is", () => {
  const points = Array.from({ length: 1000 }, (_, at) => point(1500 + 300 * Math.sin(at)));
  const { line } = chartShapes(chart(...points));
  const spots = [...line.matchAll(/([\d.]+) ([\d.]+)/g)];
  assert.ok(spots.length > 200 && spots.length <= 301, `${spots.length} points`);
  for (const [, x, y] of spots) assert.ok(Number(x) <= BOX.width && Number(y) <= BOX.height);
  assert.ok(line.includes(`L${BOX.width} `), "the newest game is drawn");
});

it("numbers the games that points are of, though some have no point", () => {
  const data = { ...chart(point(1500), point(1510), point(1520)), games: 201 };
  assert.deepEqual(
    [0, 1, 2].map((at) => gameAt(data, at)),
    [1, 101, 201],
  );
});

const SHOWN: [games: number, points: number, words: string | null][] = [
  [20, 20, null],
  [47, 47, "20 of 47 rated games, evenly spread from the first to the last. All of them as data."],
  [2000, 1000, "20 of 2000 rated games, evenly spread from the first to the last. 1000 of them"],
];
for (const [games, points, words] of SHOWN)
  it(`says what a table of ${points} points of ${games} games leaves out`, async () => {
    const { Chart } = await siteModule<typeof ChartModule>("bot/chart.tsx");
    const data = { ...chart(...Array.from({ length: points }, () => point(1500))), games };
    const html = htmlOf(Chart, { data, source: "/api/x?a=b" });
    assert.equal(html.match(/<th scope="row">/g)?.length, 20);
    const text = html.replaceAll(/<[^>]+>/g, "");
    assert.ok(words === null ? !text.includes("evenly spread") : text.includes(words), text);
    assert.equal(html.includes('href="/api/x?a=b"'), words !== null);
  });
