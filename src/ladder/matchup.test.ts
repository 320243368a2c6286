import assert from "node:assert/strict";
import { it } from "node:test";

import { matchups } from "./matchup.ts";
import type { Limits } from "./matchup.ts";

const USUAL: Limits = { top: 2, bottom: 2, minimum: 10, all: false };

/** Opponents by name, with wins, draws and losses against them. */
const MET = Object.entries({
  ace: [0, 0, 20],
  bea: [5, 10, 5],
  cleo: [18, 0, 2],
  dan: [9, 0, 0],
  eve: [4, 0, 8],
  fay: [10, 0, 10],
}).map(([name, [wins, draws, losses]]) => ({ name, wins, draws, losses }));

function shown(limits: Partial<Limits>, met = MET) {
  const { best, toughest, ...counts } = matchups(met, { ...USUAL, ...limits });
  const names = (list: typeof best) => list.map(({ name, winRate }) => `${name} ${winRate}`);
  return { best: names(best), toughest: names(toughest), ...counts };
}

it("shows the best and the toughest of those that were met often enough", () => {
  assert.deepEqual(shown({}), {
    best: ["cleo 90"],
    toughest: ["ace 0", "eve 33.33"],
    total: 6,
    belowMinimum: 1,
    hidden: 2,
  });
});

const tables: [what: string, limits: Partial<Limits>, best: string, toughest: string][] = [
  ["no toughest when none are wanted", { bottom: 0 }, "cleo", ""],
  ["nobody when nobody is wanted", { top: 0, bottom: 0 }, "", ""],
  ["nobody that it is even with", { top: 20, bottom: 20 }, "cleo", "ace eve"],
  ["only the toughest", { top: 0, bottom: 20 }, "", "ace eve"],
  ["everybody, in two halves", { all: true, top: 0, bottom: 0 }, "cleo bea fay", "ace eve"],
  ["also those that were met seldom", { minimum: 1, top: 1, bottom: 1 }, "dan", "ace"],
];
for (const [what, limits, best, toughest] of tables)
  it(`shows ${what}`, () => {
    const names = (list: string[]) => list.map((text) => text.split(" ")[0]).join(" ");
    const found = shown(limits);
    assert.deepEqual([names(found.best), names(found.toughest)], [best, toughest]);
    const { total, belowMinimum, hidden } = found;
    assert.equal(found.best.length + found.toughest.length + hidden + belowMinimum, total);
  });

it("puts among equals those first that were met more often, in both lists", () => {
  const equals = (wins: number, losses: number) =>
    [1, 3, 2].map((times) => {
      return { name: `${times}x`, wins: wins * times, draws: 0, losses: losses * times };
    });
  const minimum = 1;
  assert.deepEqual(shown({ minimum }, equals(2, 1)).best, ["3x 66.67", "2x 66.67"]);
  assert.deepEqual(shown({ minimum }, equals(1, 2)).toughest, ["3x 33.33", "2x 33.33"]);
  const { best, toughest } = shown({ minimum, all: true }, [...equals(2, 1), ...equals(1, 2)]);
  assert.deepEqual(best, ["3x 66.67", "2x 66.67", "1x 66.67"]);
  assert.deepEqual(toughest, ["3x 33.33", "2x 33.33", "1x 33.33"]);
});

it("shows one that always wins as tough, however few there are", () => {
  assert.deepEqual(shown({}, [MET[0]]).toughest, ["ace 0"]);
  assert.deepEqual(shown({}, []), {
    best: [],
    toughest: [],
    total: 0,
    belowMinimum: 0,
    hidden: 0,
  });
});
