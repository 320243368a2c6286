import assert from "node:assert/strict";
import { test } from "node:test";

import { lineChart } from "./chart.ts";
import { median, quantile, spearman } from "./statistics.ts";
import type { RatedLife } from "./study.ts";
import { gamesToTruth } from "./summary.ts";

test("quantiles are nearest ranks", () => {
  const values = [5, 1, 4, 2, 3];
  assert.equal(median(values), 3);
  assert.equal(quantile(values, 0.9), 5);
  assert.equal(quantile(values, 0), 1);
  assert.equal(quantile([], 0.5), NaN);
});

const orders: [one: number[], other: number[], rho: number][] = [
  [[1, 2, 3, 4], [10, 20, 30, 40], 1],
  [[1, 2, 3, 4], [4, 3, 2, 1], -1],
  [[1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8],
];

test("rank correlation depends on the order alone", () => {
  for (const [one, other, rho] of orders)
    assert.equal(spearman(one, other).toFixed(6), rho.toFixed(6));
});

const life = (ours: number[]): RatedLife => {
  return { truth: 1600, isFromStart: true, ours, elo: [], glicko: [] };
};
const near = Array.from({ length: 10 }, () => 1590);

const lives: [what: string, ratings: number[], games: number][] = [
  ["from the first game", near, 1],
  ["after three games", [1500, 1520, 1540, ...near], 4],
  ["after it was there and left", [1590, 1700, ...near], 3],
  ["never, for it does not stay", near.slice(1), Infinity],
  ["never, for it has no games", [], Infinity],
];

for (const [what, ratings, games] of lives)
  test(`a rating arrives ${what}`, () => {
    assert.equal(gamesToTruth(life(ratings), "ours"), games);
  });

test("a chart has axes, a named line for each series, and labels that do not overlap", () => {
  const axis = { name: "games", from: 0, to: 10, ticks: [0, 5, 10] };
  const points = [
    [0, 0],
    [10, 5],
  ] as const;
  const svg = lineChart({
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
