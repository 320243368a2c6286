import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { ListedMatch } from "./answers.ts";
import { faultsOf } from "./fault.ts";

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

const RATED: ListedMatch = {
  id: "m-1",
  ladder_id: "public",
  started: "2026-01-01T00:00:00.000Z",
  ended: "2026-01-01T00:01:00.000Z",
  winner: "a",
  voided: false,
  bots: [bot("a"), bot("b")],
};
const UNRATED = { bots: [bot("a", {}), bot("b", {})] };
const VOID = { voided: true, winner: null, ...UNRATED };

const problemsIn = (changes: Partial<ListedMatch>, ladder = "public"): string[] => {
  const scope = { ladder, season: ladder === "public" ? SEASON : null };
  return faultsOf({ ...RATED, ladder_id: ladder, ...changes }, scope).map(({ problem }) => problem);
};

describe("a match in a list", () => {
  const right: Record<string, Partial<ListedMatch>> = {
    "rated game": {},
    draw: { winner: null },
    "void match": VOID,
    "game that ended after its month": {
      started: "2026-01-31T23:59:59.999Z",
      ended: "2026-02-01T00:03:00.000Z",
    },
    "game that started as a clock was set back": { started: "2025-12-31T23:59:59.500Z" },
  };
  for (const [name, changes] of Object.entries(right))
    it(`is without fault as a ${name}`, () => assert.deepEqual(problemsIn(changes), []));

  type Wrong = [problem: string, changes: Partial<ListedMatch>];
  const wrong: Wrong[] = [
    ["is of the ladder other", { ladder_id: "other" }],
    [
      "started at 2026-02-02T00:00:00.000Z, outside of the season 2026-01",
      { started: "2026-02-02T00:00:00.000Z" },
    ],
    ["lets name-of-a meet itself", { bots: [bot("a"), bot("a")] }],
    ["was won by neither of its bots", { winner: "c" }],
    ["is void, but has a winner", { ...VOID, winner: "a" }],
    ["is void, but has ratings", { voided: true, winner: null }],
    ["is void, but has ratings", { ...VOID, bots: [bot("a", { rating_after: 1 }), bot("b", {})] }],
    ["is not void, but has no ratings", UNRATED],
    ["lacks some of its ratings", { bots: [bot("a"), bot("b", {})] }],
    ["lacks some of its ratings", { bots: [bot("a"), bot("b", { rating_after: 1 })] }],
    ...[1490.5, -1e308].map((rating_after): Wrong => [
      "has ratings that are no whole points within 100000",
      { bots: [bot("a"), bot("b", { rating_before: 1500, rating_after })] },
    ]),
  ];
  for (const [problem, changes] of wrong)
    it(`is told when it ${problem}`, () => assert.deepEqual(problemsIn(changes), [problem]));

  it("is told when it does not say when it started", () => {
    const { started: _, ...untold } = RATED;
    const faults = faultsOf(untold, { ladder: "public", season: SEASON });
    assert.deepEqual(
      faults.map(({ problem }) => problem),
      ["does not say when it started"],
    );
  });

  it("may be unrated on a ladder without seasons", () => {
    assert.deepEqual(problemsIn(UNRATED, "event"), []);
    assert.deepEqual(problemsIn({ bots: [bot("a"), bot("b", {})] }, "event"), [
      "lacks some of its ratings",
    ]);
  });
});
