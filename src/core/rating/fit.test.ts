import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { denseFit } from "#testing/fixtures/dense-fit.ts";
import type { DenseFit } from "#testing/fixtures/dense-fit.ts";
import { assertClose, deviation, name, resultsOf } from "#testing/fixtures/rated-games.ts";
import type { RatedGame } from "#testing/fixtures/rated-games.ts";

import {
  addGame,
  addResults,
  addVersion,
  createCompetitionResults,
  removeGame,
  setAnchors,
} from "./competition-results.ts";
import { deviations, refreshDeviations, rememberedDeviation } from "./deviation.ts";
import { currentFit, rating, refit } from "./fit.ts";
import { CENTRE, expectedScore, leaderboardScore, POINTS_PER_UNIT } from "./score.ts";
import type { CompetitionResults, Score } from "./types.ts";

/** Most Newton steps that a refit after one game may take. */
const MOST_STEPS = 8;

function assertMatches(scope: CompetitionResults, expected: DenseFit): void {
  for (const [i, points] of expected.ratings.entries()) {
    assertClose(rating(scope, name(i)), points, 1e-5, `rating of ${i}`);
    assertClose(deviation(scope, name(i)), expected.deviations[i]!, 1e-4, `deviation of ${i}`);
  }
  const all = deviations(scope);
  for (const [i, points] of expected.deviations.entries()) {
    assertClose(all.get(name(i))!, points, 1e-4, `deviation of ${i} in the full pass`);
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

/** Anchors without a game do not count. */
function playing(games: readonly RatedGame[], anchors: readonly number[]): number[] {
  return anchors.filter((k) => games.some(([i, j]) => i === k || j === k));
}

test("ratings and deviations agree with an independent dense fit", () => {
  fc.assert(
    fc.property(history, ({ size, games, anchors }) => {
      const scope = resultsOf(size, games, anchors);
      assertMatches(scope, denseFit(size, games, playing(games, anchors)));
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("a warm fit after every game ends where a fit from nothing ends", () => {
  fc.assert(
    fc.property(history, ({ size, games, anchors }) => {
      const warm = resultsOf(size, [], anchors);
      for (const [i, j, s] of games) {
        addGame(warm, name(i), name(j), s);
        refit(warm);
      }
      const cold = resultsOf(size, games.toReversed(), anchors);
      for (let i = 0; i < size; i += 1) {
        assertClose(rating(warm, name(i)), rating(cold, name(i)), 1e-5);
        assertClose(deviation(warm, name(i)), deviation(cold, name(i)), 1e-4);
      }
    }),
    { numRuns: 200, seed: 2 },
  );
});

test("taking a game back restores ratings and deviations", () => {
  fc.assert(
    fc.property(history, score, ({ size, games, anchors }, s) => {
      const scope = resultsOf(size, games, anchors);
      const before = scope.versions.map((v) => [rating(scope, v), deviation(scope, v)]);
      addGame(scope, name(1), name(0), s);
      refit(scope);
      removeGame(scope, name(1), name(0), s);
      for (const [i, [points, error]] of before.entries()) {
        assertClose(rating(scope, name(i)), points!, 1e-5);
        assertClose(deviation(scope, name(i)), error!, 1e-4);
      }
    }),
    { numRuns: 200, seed: 3 },
  );
});

test("two versions without anchors can be solved by hand", () => {
  const scope = createCompetitionResults();
  addGame(scope, "a", "b", 1);
  // The winner's strength x satisfies 1 - p(2x) = p(x) - 1/2.
  const x = (rating(scope, "a") - CENTRE) / POINTS_PER_UNIT;
  const p = (v: number): number => 1 / (1 + Math.exp(-v));
  assertClose(1 - p(2 * x), p(x) - 0.5, 1e-9);
  assertClose(rating(scope, "a") + rating(scope, "b"), 2 * CENTRE, 1e-6);
});

test("an anchor that plays alone is the centre without error", () => {
  const scope = createCompetitionResults();
  setAnchors(scope, ["house", "unplayed"]);
  for (const s of [1, 1, 0.5, 0] as const) addGame(scope, "a", "house", s);
  // 2.5 of 4 against the centre and half of one against the phantom: 3 of 5.
  assertClose(rating(scope, "a"), CENTRE + POINTS_PER_UNIT * Math.log(3 / 2), 1e-6);
  assertClose(deviation(scope, "a"), POINTS_PER_UNIT / Math.sqrt(5 * 0.6 * 0.4), 1e-6);
  assertClose(rating(scope, "house"), CENTRE, 1e-9);
  assert.equal(deviation(scope, "house"), 0);
  assertClose(deviations(scope).get("house")!, 0, 1e-9);
});

const perfect = [
  { record: "30 wins", wins: 30, losses: 0, points: 2191, error: 248, board: 1695 },
  { record: "30 losses", wins: 0, losses: 30, points: 763, error: 248, board: 268 },
];
for (const { record, wins, losses, points, error, board } of perfect) {
  test(`${record} against an established 1476 give ${points}, deviation ${error}`, () => {
    const scope = createCompetitionResults();
    setAnchors(scope, ["house"]);
    const many = 1e9;
    const won = Math.round(many * expectedScore(1476, CENTRE));
    addResults(scope, "rival", "house", { wins: won, losses: many - won, draws: 0 });
    addResults(scope, "young", "rival", { wins, losses, draws: 0 });
    assertClose(rating(scope, "young"), points, 0.5);
    assertClose(deviation(scope, "young"), error, 0.5);
    const own = leaderboardScore(rating(scope, "young"), deviation(scope, "young"));
    assertClose(own, board, 1);
  });
}

test("a version without games has the centre, deviation 347 and score 805", () => {
  const scope = createCompetitionResults();
  addGame(scope, "a", "b", 1);
  addVersion(scope, "new");
  for (const version of ["new", "never heard of"]) {
    assert.equal(rating(scope, version), CENTRE);
    assert.equal(Math.round(deviation(scope, version)), 347);
    assert.equal(Math.round(rememberedDeviation(scope, version)), 347);
    assert.equal(leaderboardScore(rating(scope, version), deviation(scope, version)), 805);
  }
});

test("an empty scope fits", () => {
  const scope = createCompetitionResults();
  refit(scope);
  refreshDeviations(scope, 5);
  assert.equal(deviations(scope).size, 0);
});

test("T82: groups that never met, all wins and all losses stay finite", () => {
  const scope = createCompetitionResults();
  setAnchors(scope, ["house"]);
  for (let k = 0; k < 30; k += 1) {
    addGame(scope, "a", "b", 1);
    addGame(scope, "b", "c", 1);
    addGame(scope, "x", "y", 0);
    addGame(scope, "house", "z", 0.5);
  }
  for (const version of scope.versions) {
    assert.ok(Number.isFinite(rating(scope, version)), version);
    assert.ok(deviation(scope, version) < 500, version);
  }
  assertClose(rating(scope, "x") + rating(scope, "y"), 2 * CENTRE, 1e-6);
  assert.ok(rating(scope, "a") > rating(scope, "b") && rating(scope, "b") > rating(scope, "c"));
});

test("T82: ten thousand games of two bots stay finite, and turn round when the loser wins", () => {
  const scope = createCompetitionResults();
  setAnchors(scope, ["b"]);
  for (let game = 0; game < 10_000; game += 1) {
    addGame(scope, "a", "b", 1);
    assert.ok(currentFit(scope).steps <= MOST_STEPS, `${scope.fit?.steps} steps`);
  }
  assert.equal(scope.pairs.count, 1, "work grows with pairs, not with games");
  const top = rating(scope, "a");
  assert.ok(top > 2500 && top < 3500, `${top}`);
  assert.ok(Number.isFinite(deviation(scope, "a")));
  addResults(scope, "b", "a", { wins: 10_000_000, losses: 0, draws: 0 });
  assertClose(rating(scope, "a"), CENTRE - POINTS_PER_UNIT * Math.log(1000), 1);
  assert.ok(currentFit(scope).steps <= 30, `${scope.fit?.steps} steps to turn round`);
});

const WORST: readonly [history: string, gameOf: (game: number) => RatedGame][] = [
  ["only wins", () => [0, 1, 1]],
  ["only losses", () => [0, 1, 0]],
  ["wins by turns", (game) => [0, 1, game % 2 === 0 ? 1 : 0]],
  ["a ladder of wins only", (game) => [game % 8, (game % 8) + 1, 1]],
  [
    "groups that never meet",
    (game) => [2 * (game % 5), 2 * (game % 5) + 1, game % 3 === 0 ? 0 : 1],
  ],
  ["a new bot each time", (game) => [game % 40, 40 + game, game % 40 < 20 ? 1 : 0]],
];
for (const [history, gameOf] of WORST)
  test(`T82: ${history}, and every refit is a few steps to finite numbers`, () => {
    const scope = createCompetitionResults();
    setAnchors(scope, [name(0), name(3)]);
    for (let game = 0; game < 400; game += 1) {
      const [first, second, s] = gameOf(game);
      addGame(scope, name(first), name(second), s);
      assert.ok(currentFit(scope).steps <= MOST_STEPS, `${scope.fit?.steps} steps at ${game}`);
      for (const version of [name(first), name(second)]) {
        assert.ok(Number.isFinite(rating(scope, version)), version);
        assert.ok(deviation(scope, version) < 500, version);
      }
    }
    for (const points of deviations(scope).values()) assert.ok(points >= 0 && points < 500);
  });

test("the house average is the centre to a millionth after every refit", () => {
  fc.assert(
    fc.property(history, ({ size, games }) => {
      const scope = resultsOf(size, [], [0, 1]);
      for (const [count, [i, j, s]] of games.entries()) {
        addGame(scope, name(i), name(j), s);
        const house = playing(games.slice(0, count + 1), [0, 1]).map((k) => rating(scope, name(k)));
        if (house.length > 0)
          assertClose(house.reduce((a, b) => a + b) / house.length, CENTRE, 1e-6);
      }
    }),
    { numRuns: 100, seed: 4 },
  );
});

test("anchors that lose their only game stop holding the scale", () => {
  const scope = createCompetitionResults();
  setAnchors(scope, ["house"]);
  addGame(scope, "a", "b", 1);
  const before = rating(scope, "a");
  addGame(scope, "a", "house", 1);
  refit(scope);
  removeGame(scope, "a", "house", 1);
  assertClose(rating(scope, "a"), before, 1e-6);
  assertClose(rating(scope, "house"), CENTRE, 1e-9);
});
