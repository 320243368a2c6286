import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { findMatchProblems } from "./match-problems.ts";
import type { ListedMatch } from "./response-schemas.ts";

const SEASON = {
  id: "2026-01",
  opens_at: "2026-01-01T00:00:00.000Z",
  closes_at: "2026-02-01T00:00:00.000Z",
  archived_at: null,
  state: "live",
};

const bot = (id: string, ratings: object = { rating_before: 1500, rating_after: 1510 }) => {
  return { id, name: `name-of-${id}`, version: "v1", house: false, ...ratings };
};

const RATED_MATCH: ListedMatch = {
  id: "m-1",
  ladder_id: "public",
  started: "2026-01-01T00:00:00.000Z",
  ended: "2026-01-01T00:01:00.000Z",
  winner: "a",
  voided: false,
  bots: [bot("a"), bot("b")],
};
const UNRATED_MATCH = { bots: [bot("a", {}), bot("b", {})] };
const VOID_MATCH = { voided: true, winner: null, ...UNRATED_MATCH };

const findProblems = (changes: Partial<ListedMatch>, ladder = "public"): string[] => {
  const competition = { ladder, season: ladder === "public" ? SEASON : null };
  return findMatchProblems({ ...RATED_MATCH, ladder_id: ladder, ...changes }, competition).map(
    ({ problem }) => problem,
  );
};

describe("a listed match", () => {
  const validMatches: Record<string, Partial<ListedMatch>> = {
    "rated game": {},
    draw: { winner: null },
    "void match": VOID_MATCH,
    "match that ended after its month": {
      started: "2026-01-31T23:59:59.999Z",
      ended: "2026-02-01T00:03:00.000Z",
    },
    "match that started as a clock was set back": { started: "2025-12-31T23:59:59.500Z" },
  };
  for (const [name, changes] of Object.entries(validMatches))
    it(`is accepted as a ${name}`, () => assert.deepEqual(findProblems(changes), []));

  type Wrong = [problem: string, changes: Partial<ListedMatch>];
  const invalidMatches: Wrong[] = [
    ["belongs to the ladder other", { ladder_id: "other" }],
    [
      "started at 2026-02-02T00:00:00.000Z, outside the season 2026-01",
      { started: "2026-02-02T00:00:00.000Z" },
    ],
    ["pairs name-of-a with itself", { bots: [bot("a"), bot("a")] }],
    ["was won by neither of its bots", { winner: "c" }],
    ["is void, but has a winner", { ...VOID_MATCH, winner: "a" }],
    ["is void, but has ratings", { voided: true, winner: null }],
    [
      "is void, but has ratings",
      { ...VOID_MATCH, bots: [bot("a", { rating_after: 1 }), bot("b", {})] },
    ],
    ["is not void, but has no ratings", UNRATED_MATCH],
    ["lacks some ratings", { bots: [bot("a"), bot("b", {})] }],
    ["lacks some ratings", { bots: [bot("a"), bot("b", { rating_after: 1 })] }],
    ...[1490.5, -1e308].map((rating_after): Wrong => [
      "has a rating that is not a whole number within ±100000",
      { bots: [bot("a"), bot("b", { rating_before: 1500, rating_after })] },
    ]),
  ];
  for (const [problem, changes] of invalidMatches)
    it(`is reported if it ${problem}`, () => assert.deepEqual(findProblems(changes), [problem]));

  it("is reported if it has no start time", () => {
    const { started: _, ...missingRating } = RATED_MATCH;
    const faults = findMatchProblems(missingRating, { ladder: "public", season: SEASON });
    assert.deepEqual(
      faults.map(({ problem }) => problem),
      ["has no start time"],
    );
  });

  it("may be unrated on a ladder without seasons", () => {
    assert.deepEqual(findProblems(UNRATED_MATCH, "event"), []);
    assert.deepEqual(findProblems({ bots: [bot("a"), bot("b", {})] }, "event"), [
      "lacks some ratings",
    ]);
  });
});
