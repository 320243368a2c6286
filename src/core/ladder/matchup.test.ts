import assert from "node:assert/strict";
import { it } from "node:test";

import { matchups } from "./matchup.ts";
import type { MatchupLimits } from "./matchup.ts";

const USUAL: MatchupLimits = { top: 2, bottom: 2, minimum: 10, all: false };

/** Opponents by name, with wins, draws and losses against them. */
const MET = Object.entries({
  ace: [0, 0, 20],
  bea: [5, 10, 5],
  cleo: [18, 0, 2],
  dan: [9, 0, 0],
  eve: [4, 0, 8],
  fay: [10, 0, 10],
}).map(([name, results]) => {
  const [wins, draws, losses] = results as [number, number, number];
  return { name, wins, draws, losses };
});

function shown(limits: Partial<MatchupLimits>, met = MET) {
  const { best, toughest, ...counts } = matchups(met, { ...USUAL, ...limits });
  const names = (list: typeof best) => list.map(({ name, winRate }) => `${name} ${winRate}`);
  return { best: names(best), toughest: names(toughest), ...counts };
}

it("shows the best and the toughest of those that were met often enough", () => {
  assert.deepEqual(shown({}), {
    best: ["cleo 90", "bea 50"],
    toughest: ["ace 0", "eve 33.33"],
    total: 6,
    belowMinimum: 1,
    hidden: 1,
  });
});

const ALL = ["cleo bea fay eve ace", "ace eve bea fay cleo"] as const;
const tables: [what: string, limits: Partial<MatchupLimits>, best: string, toughest: string][] = [
  ["no toughest when none are wanted", { bottom: 0 }, "cleo bea", ""],
  ["nobody when nobody is wanted", { top: 0, bottom: 0 }, "", ""],
  ["all that there are in both when more are wanted", { top: 20, bottom: 20 }, ...ALL],
  ["only the toughest", { top: 0, bottom: 20 }, "", ALL[1]],
  ["some in both when they are too few", { top: 3, bottom: 3 }, "cleo bea fay", "ace eve bea"],
  ["nobody in both when they are enough", { top: 2, bottom: 3 }, "cleo bea", "ace eve fay"],
  ["everybody in both lists, each in its order", { all: true, top: 0, bottom: 0 }, ...ALL],
  ["also those that were met seldom", { minimum: 1, top: 1, bottom: 1 }, "dan", "ace"],
];
for (const [what, limits, best, toughest] of tables)
  it(`shows ${what}`, () => {
    const names = (list: string[]) => list.map((text) => text.split(" ")[0]).join(" ");
    const found = shown(limits);
    assert.deepEqual([names(found.best), names(found.toughest)], [best, toughest]);
    const { total, belowMinimum, hidden } = found;
    const inEither = new Set([...found.best, ...found.toughest]);
    assert.equal(inEither.size + hidden + belowMinimum, total);
  });

it("puts opponents met more often first among equals, in both lists", () => {
  const equals = (wins: number, losses: number) =>
    [1, 3, 2].map((times) => {
      return { name: `${times}x`, wins: wins * times, draws: 0, losses: losses * times };
    });
  const minimum = 1;
  assert.deepEqual(shown({ minimum }, equals(2, 1)).best, ["3x 66.67", "2x 66.67"]);
  const toughest = shown({ minimum, top: 0 }, equals(1, 2)).toughest;
  assert.deepEqual(toughest, ["3x 33.33", "2x 33.33"]);
});

it("shares equals out before it shows one of them twice", () => {
  const equals = ["ann", "ben", "cem", "dee"].map((name, index) => {
    return { name, wins: 10 + index, draws: 0, losses: 0 };
  });
  const { best, toughest, hidden } = shown({}, equals);
  assert.deepEqual([best, toughest, hidden], [["dee 100", "cem 100"], ["ben 100", "ann 100"], 0]);
  const few = shown({}, equals.slice(0, 3));
  assert.deepEqual(
    [few.best, few.toughest],
    [
      ["cem 100", "ben 100"],
      ["cem 100", "ann 100"],
    ],
  );
});

it("shows the only opponent as best and toughest, and nobody where there is none", () => {
  const { best, toughest } = shown({}, [MET[0]!]);
  assert.deepEqual([best, toughest], [["ace 0"], ["ace 0"]]);
  const counts = { total: 0, belowMinimum: 0, hidden: 0 };
  assert.deepEqual(shown({}, []), { best: [], toughest: [], ...counts });
});
