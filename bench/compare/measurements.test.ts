import assert from "node:assert/strict";
import { test } from "node:test";

import { compareRounds, parseMeasurements, findUnmatchedLines } from "./measurements.ts";
import type { Round } from "./measurements.ts";

test("names a measurement after its line and marks its position if the line has several measurements", () => {
  const output = "step              2.81 million ticks a second, 0.27 of the reference\n";
  assert.deepEqual(
    [...parseMeasurements(output)],
    [
      ["\nstep * million ticks a second, # of the reference", 2.81],
      ["\nstep # million ticks a second, * of the reference", 0.27],
    ],
  );
});

test("includes the heading in an indented line's name", () => {
  const output = [
    "1000 versions, 20 opponents of each",
    "  refit          1.79  0.16 of anew",
    "  ratings are off by 2.5e-8 at the most",
    "5000 versions, 20 opponents of each",
    "  refit         10.01  0.19 of anew",
  ].join("\n");
  const measurements = parseMeasurements(output);
  assert.equal(measurements.get("1000 versions, 20 opponents of each\nrefit * # of anew"), 1.79);
  assert.equal(measurements.get("5000 versions, 20 opponents of each\nrefit # * of anew"), 0.19);
  const offName = "1000 versions, 20 opponents of each\nratings are off by * at the most";
  assert.equal(measurements.get(offName), 2.5e-8);
});

test("ignores digits within words and accepts thousands separators", () => {
  const measurements = parseMeasurements("thread V8Worker: 12,345 a second, p99 too\n");
  assert.deepEqual([...measurements], [["\nthread V8Worker: * a second, p99 too", 12_345]]);
});

const sampleRound = (before: string, after: string): Round => {
  return { before: parseMeasurements(before), after: parseMeasurements(after) };
};

test("computes ratios within a round, so changes in machine speed cancel out", () => {
  const speeds = [1, 5, 2, 9, 3, 7];
  const rounds = speeds.map((speed) =>
    sampleRound(`takes ${10 * speed} ms`, `takes ${8 * speed} ms`),
  );
  assert.deepEqual(compareRounds(rounds), [
    { name: "\ntakes * ms", before: 40, after: 32, ratio: 0.8, interval: [0.8, 0.8] },
  ]);
});

test("skips constants and measurements that contain a zero", () => {
  const rounds = [1, 2].map((value) =>
    sampleRound(`640 bots\nfailed 0`, `640 bots\nfailed ${value}`),
  );
  assert.deepEqual(compareRounds(rounds), []);
});

test("lists measurements found in only one tree without comparing them", () => {
  const rounds = [
    sampleRound("old 3\nboth 4", "new 3\nboth 5"),
    sampleRound("both 4", "new 3\nboth 5"),
  ];
  assert.deepEqual(
    compareRounds(rounds).map(({ name }) => name),
    ["\nboth *"],
  );
  assert.deepEqual(findUnmatchedLines(rounds).toSorted(), ["new #", "old #"]);
});
