import assert from "node:assert/strict";
import { it } from "node:test";

import { areRatingsSettled } from "./highlight.ts";

const QUALIFYING = 30;
const cases: [what: string, season: string | null, games: [number, number], isSettled: boolean][] =
  [
    ["both ranked in a season", "2026-01", [30, 30], true],
    ["one unranked in a season", "2026-01", [31, 29], false],
    ["five games of both without seasons", null, [5, 5], true],
    ["four games of one without seasons", null, [4, 90], false],
  ];
for (const [description, season, games, isSettled] of cases)
  it(`${isSettled ? "counts" : "does not count"} a swing with ${description}`, () => {
    assert.equal(areRatingsSettled({ season }, games, QUALIFYING), isSettled);
  });
