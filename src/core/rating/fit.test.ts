import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { denseFit } from "#testing/fixtures/dense-rating-fit.ts";
import type { DenseFit } from "#testing/fixtures/dense-rating-fit.ts";
import {
  assertClose,
  ratingDeviation,
  versionName,
  competitionResults,
} from "#testing/fixtures/rated-games.ts";
import type { RatedGame } from "#testing/fixtures/rated-games.ts";

import {
  addRatedGame,
  addPairResults,
  ensureVersion,
  createCompetitionResults,
  removeRatedGame,
  setAnchors,
} from "./competition-results.ts";
import { exactDeviations, refreshDeviations, cachedDeviation } from "./deviation.ts";
import { currentFit, ratingOf, refit } from "./fit.ts";
import { CENTRE, expectedScore, leaderboardScore, POINTS_PER_UNIT } from "./score.ts";
import type { CompetitionResults, Score } from "./types.ts";

const MOST_STEPS = 8;

function assertMatches(scope: CompetitionResults, expected: DenseFit): void {
  for (const [i, points] of expected.ratings.entries()) {
    assertClose(ratingOf(scope, versionName(i)), points, 1e-5, `rating of ${i}`);
    assertClose(
      ratingDeviation(scope, versionName(i)),
      expected.deviations[i]!,
      1e-4,
      `deviation of ${i}`,
    );
  }
  const allGames = exactDeviations(scope);
  for (const [i, points] of expected.deviations.entries()) {
    assertClose(allGames.get(versionName(i))!, points, 1e-4, `deviation of ${i} in the full pass`);
  }
}

const score = fc.constantFrom<Score[]>(0, 0.5, 1);
const history = fc.integer({ min: 2, max: 9 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    games: fc.array(
      fc
        .tuple(fc.nat(size - 1), fc.integer({ min: 1, max: size - 1 }), score)
        .map(([i, step, s]): RatedGame => [i, (i + step) % size, s]),
      { maxLength: 60 },
    ),
    anchors: fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }),
  }),
);

function competitionOf(games: readonly RatedGame[], anchors: readonly number[]): number[] {
  return anchors.filter((k) => games.some(([i, j]) => i === k || j === k));
}

test("agrees with an independent dense fit in ratings and deviations", () => {
  fc.assert(
    fc.property(history, ({ size, games, anchors }) => {
      const scope = competitionResults(size, games, anchors);
      assertMatches(scope, denseFit(size, games, competitionOf(games, anchors)));
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("reaches the same result with refits after every game as with a single fit", () => {
  fc.assert(
    fc.property(history, ({ size, games, anchors }) => {
      const warm = competitionResults(size, [], anchors);
      for (const [i, j, s] of games) {
        addRatedGame(warm, versionName(i), versionName(j), s);
        refit(warm);
      }
      const cold = competitionResults(size, games.toReversed(), anchors);
      for (let i = 0; i < size; i += 1) {
        assertClose(ratingOf(warm, versionName(i)), ratingOf(cold, versionName(i)), 1e-5);
        assertClose(
          ratingDeviation(warm, versionName(i)),
          ratingDeviation(cold, versionName(i)),
          1e-4,
        );
      }
    }),
    { numRuns: 200, seed: 2 },
  );
});

test("restores ratings and deviations when a game is removed", () => {
  fc.assert(
    fc.property(history, score, ({ size, games, anchors }, s) => {
      const scope = competitionResults(size, games, anchors);
      const previousFit = scope.versions.map((v) => [
        ratingOf(scope, v),
        ratingDeviation(scope, v),
      ]);
      addRatedGame(scope, versionName(1), versionName(0), s);
      refit(scope);
      removeRatedGame(scope, versionName(1), versionName(0), s);
      for (const [i, [points, error]] of previousFit.entries()) {
        assertClose(ratingOf(scope, versionName(i)), points!, 1e-5);
        assertClose(ratingDeviation(scope, versionName(i)), error!, 1e-4);
      }
    }),
    { numRuns: 200, seed: 3 },
  );
});

test("matches the analytic solution for two versions without anchors", () => {
  const scope = createCompetitionResults();
  addRatedGame(scope, "a", "b", 1);
  // The winner's strength x satisfies 1 - p(2x) = p(x) - 1/2.
  const x = (ratingOf(scope, "a") - CENTRE) / POINTS_PER_UNIT;
  const p = (v: number): number => 1 / (1 + Math.exp(-v));
  assertClose(1 - p(2 * x), p(x) - 0.5, 1e-9);
  assertClose(ratingOf(scope, "a") + ratingOf(scope, "b"), 2 * CENTRE, 1e-6);
});

test("puts the only playing anchor at the centre with deviation 0", () => {
  const scope = createCompetitionResults();
  setAnchors(scope, ["house", "unplayed"]);
  for (const s of [1, 1, 0.5, 0] as const) addRatedGame(scope, "a", "house", s);
  // 2.5 points in 4 games against the centre and half a point in the virtual draw make 3 of 5.
  assertClose(ratingOf(scope, "a"), CENTRE + POINTS_PER_UNIT * Math.log(3 / 2), 1e-6);
  assertClose(ratingDeviation(scope, "a"), POINTS_PER_UNIT / Math.sqrt(5 * 0.6 * 0.4), 1e-6);
  assertClose(ratingOf(scope, "house"), CENTRE, 1e-9);
  assert.equal(ratingDeviation(scope, "house"), 0);
  assertClose(exactDeviations(scope).get("house")!, 0, 1e-9);
});

const perfect = [
  { record: "30 wins", wins: 30, losses: 0, points: 2191, error: 248, board: 1695 },
  { record: "30 losses", wins: 0, losses: 30, points: 763, error: 248, board: 268 },
];
for (const { record, wins, losses, points, error, board } of perfect) {
  test(`${record} against an established 1476 give ${points}, deviation ${error}`, () => {
    const scope = createCompetitionResults();
    setAnchors(scope, ["house"]);
    const manyGames = 1e9;
    const won = Math.round(manyGames * expectedScore(1476, CENTRE));
    addPairResults(scope, "rival", "house", { wins: won, losses: manyGames - won, draws: 0 });
    addPairResults(scope, "young", "rival", { wins, losses, draws: 0 });
    assertClose(ratingOf(scope, "young"), points, 0.5);
    assertClose(ratingDeviation(scope, "young"), error, 0.5);
    const ownStrength = leaderboardScore(ratingOf(scope, "young"), ratingDeviation(scope, "young"));
    assertClose(ownStrength, board, 1);
  });
}

test("a version without games is at the centre, with deviation 347 and score 805", () => {
  const scope = createCompetitionResults();
  addRatedGame(scope, "a", "b", 1);
  ensureVersion(scope, "new");
  for (const version of ["new", "unknown"]) {
    assert.equal(ratingOf(scope, version), CENTRE);
    assert.equal(Math.round(ratingDeviation(scope, version)), 347);
    assert.equal(Math.round(cachedDeviation(scope, version)), 347);
    assert.equal(leaderboardScore(ratingOf(scope, version), ratingDeviation(scope, version)), 805);
  }
});

test("fits an empty scope", () => {
  const scope = createCompetitionResults();
  refit(scope);
  refreshDeviations(scope, 5);
  assert.equal(exactDeviations(scope).size, 0);
});

test("T82: ratings stay finite for groups that never met, only wins and only losses", () => {
  const scope = createCompetitionResults();
  setAnchors(scope, ["house"]);
  for (let k = 0; k < 30; k += 1) {
    addRatedGame(scope, "a", "b", 1);
    addRatedGame(scope, "b", "c", 1);
    addRatedGame(scope, "x", "y", 0);
    addRatedGame(scope, "house", "z", 0.5);
  }
  for (const version of scope.versions) {
    assert.ok(Number.isFinite(ratingOf(scope, version)), version);
    assert.ok(ratingDeviation(scope, version) < 500, version);
  }
  assertClose(ratingOf(scope, "x") + ratingOf(scope, "y"), 2 * CENTRE, 1e-6);
  assert.ok(
    ratingOf(scope, "a") > ratingOf(scope, "b") && ratingOf(scope, "b") > ratingOf(scope, "c"),
  );
});

test("T82: ratings after ten thousand games between two bots stay finite, and reverse when the loser starts to win", () => {
  const scope = createCompetitionResults();
  setAnchors(scope, ["b"]);
  for (let game = 0; game < 10_000; game += 1) {
    addRatedGame(scope, "a", "b", 1);
    assert.ok(currentFit(scope).steps <= MOST_STEPS, `${scope.fit?.steps} steps`);
  }
  assert.equal(scope.pairs.count, 1, "work grows with pairs, not with games");
  const top = ratingOf(scope, "a");
  assert.ok(top > 2500 && top < 3500, `${top}`);
  assert.ok(Number.isFinite(ratingDeviation(scope, "a")));
  addPairResults(scope, "b", "a", { wins: 10_000_000, losses: 0, draws: 0 });
  assertClose(ratingOf(scope, "a"), CENTRE - POINTS_PER_UNIT * Math.log(1000), 1);
  assert.ok(currentFit(scope).steps <= 30, `${scope.fit?.steps} steps to turn round`);
});

const WORST: readonly [history: string, gameOf: (game: number) => RatedGame][] = [
  ["only wins", () => [0, 1, 1]],
  ["only losses", () => [0, 1, 0]],
  ["alternating wins", (game) => [0, 1, game % 2 === 0 ? 1 : 0]],
  ["a ladder of wins only", (game) => [game % 8, (game % 8) + 1, 1]],
  [
    "groups that never meet",
    (game) => [2 * (game % 5), 2 * (game % 5) + 1, game % 3 === 0 ? 0 : 1],
  ],
  ["a new bot each time", (game) => [game % 40, 40 + game, game % 40 < 20 ? 1 : 0]],
];
for (const [history, gameOf] of WORST)
  test(`T82: ${history}, and every refit takes a few steps to finite values`, () => {
    const scope = createCompetitionResults();
    setAnchors(scope, [versionName(0), versionName(3)]);
    for (let game = 0; game < 400; game += 1) {
      const [first, second, s] = gameOf(game);
      addRatedGame(scope, versionName(first), versionName(second), s);
      assert.ok(currentFit(scope).steps <= MOST_STEPS, `${scope.fit?.steps} steps at ${game}`);
      for (const version of [versionName(first), versionName(second)]) {
        assert.ok(Number.isFinite(ratingOf(scope, version)), version);
        assert.ok(ratingDeviation(scope, version) < 500, version);
      }
    }
    for (const points of exactDeviations(scope).values()) assert.ok(points >= 0 && points < 500);
  });

test("keeps the house average within a millionth of the centre after every refit", () => {
  fc.assert(
    fc.property(history, ({ size, games }) => {
      const scope = competitionResults(size, [], [0, 1]);
      for (const [count, [i, j, s]] of games.entries()) {
        addRatedGame(scope, versionName(i), versionName(j), s);
        const house = competitionOf(games.slice(0, count + 1), [0, 1]).map((k) =>
          ratingOf(scope, versionName(k)),
        );
        if (house.length > 0)
          assertClose(house.reduce((a, b) => a + b) / house.length, CENTRE, 1e-6);
      }
    }),
    { numRuns: 100, seed: 4 },
  );
});

test("ignores anchors that have lost their only game", () => {
  const scope = createCompetitionResults();
  setAnchors(scope, ["house"]);
  addRatedGame(scope, "a", "b", 1);
  const previousFit = ratingOf(scope, "a");
  addRatedGame(scope, "a", "house", 1);
  refit(scope);
  removeRatedGame(scope, "a", "house", 1);
  assertClose(ratingOf(scope, "a"), previousFit, 1e-6);
  assertClose(ratingOf(scope, "house"), CENTRE, 1e-9);
});
