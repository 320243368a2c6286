import assert from "node:assert/strict";
import { it } from "node:test";

import { rankMatchups } from "./matchup.ts";
import type { MatchupLimits } from "./matchup.ts";

const USUAL: MatchupLimits = { top: 2, bottom: 2, minimum: 10, all: false };

const OPPONENTS = Object.entries({
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

function rankedNames(limits: Partial<MatchupLimits>, opponents = OPPONENTS) {
  const { best, toughest, ...counts } = rankMatchups(opponents, { ...USUAL, ...limits });
  const names = (list: typeof best) => list.map(({ name, winRate }) => `${name} ${winRate}`);
  return { best: names(best), toughest: names(toughest), ...counts };
}

it("ranks the best and toughest among frequent opponents", () => {
  assert.deepEqual(rankedNames({}), {
    best: ["cleo 90", "bea 50"],
    toughest: ["ace 0", "eve 33.33"],
    total: 6,
    belowMinimum: 1,
    hidden: 1,
  });
});

const ALL_OPPONENTS = ["cleo bea fay eve ace", "ace eve bea fay cleo"] as const;
const tables: [what: string, limits: Partial<MatchupLimits>, best: string, toughest: string][] = [
  ["no toughest with a limit of zero", { bottom: 0 }, "cleo bea", ""],
  ["no opponents with limits of zero", { top: 0, bottom: 0 }, "", ""],
  ["all opponents in both lists with larger limits", { top: 20, bottom: 20 }, ...ALL_OPPONENTS],
  ["only the toughest", { top: 0, bottom: 20 }, "", ALL_OPPONENTS[1]],
  ["some in both lists if there are too few", { top: 3, bottom: 3 }, "cleo bea fay", "ace eve bea"],
  [
    "no opponent in both lists if there are enough",
    { top: 2, bottom: 3 },
    "cleo bea",
    "ace eve fay",
  ],
  [
    "all opponents in both lists, each in its order",
    { all: true, top: 0, bottom: 0 },
    ...ALL_OPPONENTS,
  ],
  ["also rare opponents", { minimum: 1, top: 1, bottom: 1 }, "dan", "ace"],
];
for (const [description, limits, best, toughest] of tables)
  it(`shows ${description}`, () => {
    const names = (list: string[]) => list.map((text) => text.split(" ")[0]).join(" ");
    const result = rankedNames(limits);
    assert.deepEqual([names(result.best), names(result.toughest)], [best, toughest]);
    const { total, belowMinimum, hidden } = result;
    const inBothLists = new Set([...result.best, ...result.toughest]);
    assert.equal(inBothLists.size + hidden + belowMinimum, total);
  });

it("lists more frequent opponents first among equals, in both lists", () => {
  const equalOpponents = (wins: number, losses: number) =>
    [1, 3, 2].map((meetings) => {
      return { name: `${meetings}x`, wins: wins * meetings, draws: 0, losses: losses * meetings };
    });
  const minimum = 1;
  assert.deepEqual(rankedNames({ minimum }, equalOpponents(2, 1)).best, ["3x 66.67", "2x 66.67"]);
  const toughest = rankedNames({ minimum, top: 0 }, equalOpponents(1, 2)).toughest;
  assert.deepEqual(toughest, ["3x 33.33", "2x 33.33"]);
});

it("distributes equal opponents across both lists before repeating one", () => {
  const equalOpponents = ["ann", "ben", "cem", "dee"].map((name, index) => {
    return { name, wins: 10 + index, draws: 0, losses: 0 };
  });
  const { best, toughest, hidden } = rankedNames({}, equalOpponents);
  assert.deepEqual([best, toughest, hidden], [["dee 100", "cem 100"], ["ben 100", "ann 100"], 0]);
  const fewOpponents = rankedNames({}, equalOpponents.slice(0, 3));
  assert.deepEqual(
    [fewOpponents.best, fewOpponents.toughest],
    [
      ["cem 100", "ben 100"],
      ["cem 100", "ann 100"],
    ],
  );
});

it("lists a single opponent as best and toughest, and returns empty lists without opponents", () => {
  const { best, toughest } = rankedNames({}, [OPPONENTS[0]!]);
  assert.deepEqual([best, toughest], [["ace 0"], ["ace 0"]]);
  const counts = { total: 0, belowMinimum: 0, hidden: 0 };
  assert.deepEqual(rankedNames({}, []), { best: [], toughest: [], ...counts });
});
