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
    best: ["cleo 90", "bea 50"],
    toughest: ["ace 0", "eve 33.33"],
    total: 6,
    belowMinimum: 1,
    hidden: 1,
  });
});

const tables: [what: string, limits: Partial<Limits>, best: string, toughest: string][] = [
  ["no toughest when none are wanted", { bottom: 0 }, "cleo bea", ""],
  ["nobody when nobody is wanted", { top: 0, bottom: 0 }, "", ""],
  ["each opponent once, shared in proportion", { top: 20, bottom: 5 }, "cleo bea fay eve", "ace"],
  ["only the toughest", { top: 0, bottom: 20 }, "", "ace eve fay bea cleo"],
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

it("shows one opponent alone as the best", () => {
  assert.deepEqual(shown({}, [MET[0]]).best, ["ace 0"]);
  assert.deepEqual(shown({}, []), {
    best: [],
    toughest: [],
    total: 0,
    belowMinimum: 0,
    hidden: 0,
  });
});
