import assert from "node:assert/strict";
import { test } from "node:test";

import { canonicalCopy } from "./canonical-copy.ts";
import {
  addRatedGame,
  createCompetitionResults,
  removeRatedGame,
  setAnchors,
  versionResults,
} from "./competition-results.ts";
import { exactDeviations } from "./deviation.ts";
import { ratingOf, refit } from "./fit.ts";
import type { CompetitionResults, Score } from "./types.ts";

type Game = [version: string, opponent: string, score: Score];

function games(versions: number, count: number): Game[] {
  return Array.from({ length: count }, (_, number) => {
    const versionA = (number * 7919) % versions;
    const versionB = (versionA + 1 + ((number * 104_729) % (versions - 1))) % versions;
    const score = ([1, 0, 0.5, 1, 1] as const)[(number * 31 + versionA) % 5]!;
    return [`v${(versionA * 37) % versions}`, `v${(versionB * 37) % versions}`, score];
  });
}

function addGames(gameList: readonly Game[], anchors: string[]): CompetitionResults {
  const scope = createCompetitionResults();
  setAnchors(scope, anchors);
  for (const game of gameList) {
    addRatedGame(scope, ...game);
    refit(scope);
  }
  return scope;
}

function figures(scope: CompetitionResults) {
  const copy = canonicalCopy(scope);
  const errors = exactDeviations(copy);
  return copy.versions.map((version) => {
    return { version, rating: ratingOf(copy, version), error: errors.get(version) };
  });
}

const mirrored = ([versionA, versionB, score]: Game): Game => [
  versionB,
  versionA,
  (1 - score) as Score,
];

for (const [versions, count] of [
  [2, 5],
  [30, 400],
  [150, 900],
])
  test(`with ${versions} versions, returns identical digits for any order of games`, () => {
    const gameList = games(versions!, count!);
    const anchors = ["v1", "v0"];
    const expected = figures(addGames(gameList, anchors));
    assert.deepEqual(figures(addGames(gameList.toReversed(), anchors)), expected);
    assert.deepEqual(figures(addGames(gameList.map(mirrored), anchors.toReversed())), expected);
  });

test("ignores games that were removed", () => {
  const gameList = games(12, 100);
  const scope = addGames(gameList, ["v3"]);
  for (const [versionA, versionB, score] of [["v0", "stranger", 1], gameList[5]] as Game[]) {
    addRatedGame(scope, versionA, versionB, score);
    refit(scope);
    removeRatedGame(scope, versionA, versionB, score);
  }
  assert.deepEqual(figures(scope), figures(addGames(gameList, ["v3"])));
});

test("has the counts and ratings of the original", () => {
  const scope = addGames(games(40, 600), ["v2"]);
  const copy = canonicalCopy(scope);
  for (const version of scope.versions) {
    assert.deepEqual(versionResults(copy, version), versionResults(scope, version));
    assert.ok(Math.abs(ratingOf(copy, version) - ratingOf(scope, version)) < 1e-6);
  }
  assert.deepEqual(canonicalCopy(createCompetitionResults()).versions, []);
});
