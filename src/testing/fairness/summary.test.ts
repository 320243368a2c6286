import assert from "node:assert/strict";
import { test } from "node:test";

import { renderLineChart } from "./chart.ts";
import { medianValue, quantile, spearman } from "./statistics.ts";
import type { RatedLife } from "./study.ts";
import { gamesToTruth } from "./summary.ts";

test("quantile returns the nearest rank", () => {
  const values = [5, 1, 4, 2, 3];
  assert.equal(medianValue(values), 3);
  assert.equal(quantile(values, 0.9), 5);
  assert.equal(quantile(values, 0), 1);
  assert.equal(quantile([], 0.5), NaN);
});

const orders: [one: number[], other: number[], rho: number][] = [
  [[1, 2, 3, 4], [10, 20, 30, 40], 1],
  [[1, 2, 3, 4], [4, 3, 2, 1], -1],
  [[1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8],
];

test("rank correlation depends only on order", () => {
  for (const [first, second, rho] of orders)
    assert.equal(spearman(first, second).toFixed(6), rho.toFixed(6));
});

const life = (ours: number[]): RatedLife => {
  return { truth: 1600, isFromStart: true, ours, elo: [], glicko: [] };
};
const nearRatings = Array.from({ length: 10 }, () => 1590);

const lives: [what: string, ratings: number[], games: number][] = [
  ["from the first game", nearRatings, 1],
  ["after three games", [1500, 1520, 1540, ...nearRatings], 4],
  ["after a first time that didn't last", [1590, 1700, ...nearRatings], 3],
  ["never, if it doesn't stay correct", nearRatings.slice(1), Infinity],
  ["never, without games", [], Infinity],
];

for (const [what, ratings, games] of lives)
  test(`gamesToTruth counts the games until a rating becomes accurate: ${what}`, () => {
    assert.equal(gamesToTruth(life(ratings), "ours"), games);
  });

test("a chart has axes, a labelled line for each series, and labels that don't overlap", () => {
  const axis = { name: "games", from: 0, to: 10, ticks: [0, 5, 10] };
  const points = [
    [0, 0],
    [10, 5],
  ] as const;
  const svg = renderLineChart({
    title: "A title",
    x: axis,
    y: { ...axis, name: "share" },
    series: [
      { name: "one", points },
      { name: "other", points },
    ],
  });
  assert.equal(svg.match(/class="line"/g)?.length, 2);
  assert.equal(svg.match(/class="grid"/g)?.length, 6);
  for (const word of ["A title", "games", "share", "one", "other"])
    assert.ok(svg.includes(`>${word}</text>`), word);
  const labels = [...svg.matchAll(/y="([\d.]+)" >(?:one|other)</g)].map(([, y]) => Number(y));
  assert.ok(Math.abs(labels[0]! - labels[1]!) >= 16, labels.join(" "));
  assert.ok(svg.includes("prefers-color-scheme:dark"));
});
