import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addRatedGame,
  addPairResults,
  createCompetitionResults,
  gamesPlayed,
  removeRatedGame,
  versionResults,
} from "./competition-results.ts";
import { ratingOf } from "./fit.ts";

test("counts a game for both versions, whichever is named first", () => {
  const scope = createCompetitionResults();
  addRatedGame(scope, "a", "b", 1);
  addRatedGame(scope, "b", "a", 1);
  addRatedGame(scope, "b", "a", 0.5);
  addRatedGame(scope, "c", "a", 0);
  assert.deepEqual(versionResults(scope, "a"), { wins: 2, losses: 1, draws: 1 });
  assert.deepEqual(versionResults(scope, "b"), { wins: 1, losses: 1, draws: 1 });
  assert.deepEqual(versionResults(scope, "c"), { wins: 0, losses: 1, draws: 0 });
  assert.equal(gamesPlayed(versionResults(scope, "a")), 4);
  assert.equal(gamesPlayed(versionResults(scope, "unknown")), 0);
});

test("rates aggregated results like single games", () => {
  const singleGames = createCompetitionResults();
  const aggregated = createCompetitionResults();
  for (const score of [1, 1, 0, 0.5] as const) addRatedGame(singleGames, "a", "b", score);
  addPairResults(aggregated, "b", "a", { wins: 1, losses: 2, draws: 1 });
  assert.deepEqual(versionResults(aggregated, "a"), versionResults(singleGames, "a"));
  assert.ok(Math.abs(ratingOf(aggregated, "a") - ratingOf(singleGames, "a")) < 1e-6);
});

test("restores the counts when a game is removed", () => {
  const scope = createCompetitionResults();
  addRatedGame(scope, "a", "b", 1);
  addRatedGame(scope, "b", "a", 0.5);
  removeRatedGame(scope, "a", "b", 0.5);
  assert.deepEqual(versionResults(scope, "a"), { wins: 1, losses: 0, draws: 0 });
  assert.deepEqual(versionResults(scope, "b"), { wins: 0, losses: 1, draws: 0 });
});

test("rejects impossible games without counting them", () => {
  const scope = createCompetitionResults();
  addRatedGame(scope, "a", "b", 1);
  assert.throws(() => addRatedGame(scope, "a", "a", 1), RangeError);
  assert.throws(() => removeRatedGame(scope, "a", "b", 0), RangeError);
  assert.throws(() => removeRatedGame(scope, "a", "c", 1), RangeError);
  assert.deepEqual(versionResults(scope, "a"), { wins: 1, losses: 0, draws: 0 });
});
