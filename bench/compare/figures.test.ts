import assert from "node:assert/strict";
import { test } from "node:test";

import { comparisonsOf, figuresOf, linesOfOne } from "./figures.ts";
import type { Round } from "./figures.ts";

test("a figure is named by its line, and of several the one that is meant", () => {
  const printed = "step              2.81 million ticks a second, 0.27 of the reference\n";
  assert.deepEqual(
    [...figuresOf(printed)],
    [
      ["\nstep * million ticks a second, # of the reference", 2.81],
      ["\nstep # million ticks a second, * of the reference", 0.27],
    ],
  );
});

test("an indented line is named by the heading above it as well", () => {
  const printed = [
    "1000 versions, 20 opponents of each",
    "  refit          1.79  0.16 of anew",
    "  ratings are off by 2.5e-8 at the most",
    "5000 versions, 20 opponents of each",
    "  refit         10.01  0.19 of anew",
  ].join("\n");
  const figures = figuresOf(printed);
  assert.equal(figures.get("1000 versions, 20 opponents of each\nrefit * # of anew"), 1.79);
  assert.equal(figures.get("5000 versions, 20 opponents of each\nrefit # * of anew"), 0.19);
  const off = "1000 versions, 20 opponents of each\nratings are off by * at the most";
  assert.equal(figures.get(off), 2.5e-8);
});

test("digits within a word are none, and thousands may be set apart", () => {
  const figures = figuresOf("thread V8Worker: 12,345 a second, p99 too\n");
  assert.deepEqual([...figures], [["\nthread V8Worker: * a second, p99 too", 12_345]]);
});

const round = (before: string, after: string): Round => {
  return { before: figuresOf(before), after: figuresOf(after) };
};

test("ratios are taken within a round, so a machine that changes its speed does not matter", () => {
  const speeds = [1, 5, 2, 9, 3, 7];
  const rounds = speeds.map((speed) => round(`takes ${10 * speed} ms`, `takes ${8 * speed} ms`));
  assert.deepEqual(comparisonsOf(rounds), [
    { name: "\ntakes * ms", before: 40, after: 32, ratio: 0.8, interval: [0.8, 0.8] },
  ]);
});

test("what never changes is no measurement, and what is zero has no ratio", () => {
  const rounds = [1, 2].map((at) => round(`640 bots\nfailed 0`, `640 bots\nfailed ${at}`));
  assert.deepEqual(comparisonsOf(rounds), []);
});

test("what only one of the trees prints is told by name and not compared", () => {
  const rounds = [round("old 3\nboth 4", "new 3\nboth 5"), round("both 4", "new 3\nboth 5")];
  assert.deepEqual(
    comparisonsOf(rounds).map(({ name }) => name),
    ["\nboth *"],
  );
  assert.deepEqual(linesOfOne(rounds).toSorted(), ["new #", "old #"]);
});
