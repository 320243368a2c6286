import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addGame,
  addResults,
  createCompetitionResults,
  games,
  removeGame,
  tally,
} from "./competition-results.ts";
import { rating } from "./fit.ts";

test("games count for both sides, whichever is named first", () => {
  const scope = createCompetitionResults();
  addGame(scope, "a", "b", 1);
  addGame(scope, "b", "a", 1);
  addGame(scope, "b", "a", 0.5);
  addGame(scope, "c", "a", 0);
  assert.deepEqual(tally(scope, "a"), { wins: 2, losses: 1, draws: 1 });
  assert.deepEqual(tally(scope, "b"), { wins: 1, losses: 1, draws: 1 });
  assert.deepEqual(tally(scope, "c"), { wins: 0, losses: 1, draws: 0 });
  assert.equal(games(tally(scope, "a")), 4);
  assert.equal(games(tally(scope, "unknown")), 0);
});

test("aggregated counts load to the same ratings as single games", () => {
  const single = createCompetitionResults();
  const loaded = createCompetitionResults();
  for (const score of [1, 1, 0, 0.5] as const) addGame(single, "a", "b", score);
  addResults(loaded, "b", "a", { wins: 1, losses: 2, draws: 1 });
  assert.deepEqual(tally(loaded, "a"), tally(single, "a"));
  assert.ok(Math.abs(rating(loaded, "a") - rating(single, "a")) < 1e-6);
});

test("a removed game leaves the counts as they were", () => {
  const scope = createCompetitionResults();
  addGame(scope, "a", "b", 1);
  addGame(scope, "b", "a", 0.5);
  removeGame(scope, "a", "b", 0.5);
  assert.deepEqual(tally(scope, "a"), { wins: 1, losses: 0, draws: 0 });
  assert.deepEqual(tally(scope, "b"), { wins: 0, losses: 1, draws: 0 });
});

test("what cannot have happened is refused and counts nothing", () => {
  const scope = createCompetitionResults();
  addGame(scope, "a", "b", 1);
  assert.throws(() => addGame(scope, "a", "a", 1), RangeError);
  assert.throws(() => removeGame(scope, "a", "b", 0), RangeError);
  assert.throws(() => removeGame(scope, "a", "c", 1), RangeError);
  assert.deepEqual(tally(scope, "a"), { wins: 1, losses: 0, draws: 0 });
});
