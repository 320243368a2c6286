import assert from "node:assert/strict";
import { test } from "node:test";

import { canonicalCopy } from "./canonical.ts";
import {
  addGame,
  createCompetitionResults,
  removeGame,
  setAnchors,
  tally,
} from "./competition-results.ts";
import { deviations } from "./deviation.ts";
import { rating, refit } from "./fit.ts";
import type { CompetitionResults, Score } from "./types.ts";

type Game = [version: string, opponent: string, score: Score];

/** Games among `versions` versions, in an arbitrary order. */
function games(versions: number, count: number): Game[] {
  return Array.from({ length: count }, (_, number) => {
    const one = (number * 7919) % versions;
    const other = (one + 1 + ((number * 104_729) % (versions - 1))) % versions;
    const score = ([1, 0, 0.5, 1, 1] as const)[(number * 31 + one) % 5]!;
    return [`v${(one * 37) % versions}`, `v${(other * 37) % versions}`, score];
  });
}

/** Fitted after each game, as on a ladder. */
function played(list: readonly Game[], anchors: string[]): CompetitionResults {
  const scope = createCompetitionResults();
  setAnchors(scope, anchors);
  for (const game of list) {
    addGame(scope, ...game);
    refit(scope);
  }
  return scope;
}

function figures(scope: CompetitionResults) {
  const copy = canonicalCopy(scope);
  const errors = deviations(copy);
  return copy.versions.map((version) => {
    return { version, rating: rating(copy, version), error: errors.get(version) };
  });
}

const mirrored = ([one, other, score]: Game): Game => [other, one, (1 - score) as Score];

for (const [versions, count] of [
  [2, 5],
  [30, 400],
  [150, 900],
])
  test(`with ${versions} versions it is the same to the last digit, in whatever order the games came`, () => {
    const list = games(versions!, count!);
    const anchors = ["v1", "v0"];
    const expected = figures(played(list, anchors));
    assert.deepEqual(figures(played(list.toReversed(), anchors)), expected);
    assert.deepEqual(figures(played(list.map(mirrored), anchors.toReversed())), expected);
  });

test("it leaves no trace of games that were taken back", () => {
  const list = games(12, 100);
  const scope = played(list, ["v3"]);
  for (const [one, other, score] of [["v0", "stranger", 1], list[5]] as Game[]) {
    addGame(scope, one, other, score);
    refit(scope);
    removeGame(scope, one, other, score);
  }
  assert.deepEqual(figures(scope), figures(played(list, ["v3"])));
});

test("it has the counts and ratings of the scope it was made from", () => {
  const scope = played(games(40, 600), ["v2"]);
  const copy = canonicalCopy(scope);
  for (const version of scope.versions) {
    assert.deepEqual(tally(copy, version), tally(scope, version));
    assert.ok(Math.abs(rating(copy, version) - rating(scope, version)) < 1e-6);
  }
  assert.deepEqual(canonicalCopy(createCompetitionResults()).versions, []);
});
