import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { denseFit } from "#testing/fixtures/dense-rating-fit.ts";
import { assertClose, versionName, competitionResults } from "#testing/fixtures/rated-games.ts";
import type { RatedGame } from "#testing/fixtures/rated-games.ts";

import { refit } from "./fit.ts";
import { chanceAboveZero, ratingDifference } from "./rating-difference.ts";
import type { Score } from "./types.ts";

/** Maximum difference from a dense fit, in points. */
const TOLERANCE = 1e-6;

const history = fc.integer({ min: 2, max: 9 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    games: fc.array(
      fc
        .tuple(
          fc.nat(size - 1),
          fc.integer({ min: 1, max: size - 1 }),
          fc.constantFrom<Score[]>(0, 0.5, 1),
        )
        .map(([player, step, score]): RatedGame => [player, (player + step) % size, score]),
      { maxLength: 60 },
    ),
    anchors: fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }),
  }),
);

test("matches a dense fit in difference and deviation", () => {
  let compared = 0;
  fc.assert(
    fc.property(history, ({ size, games, anchors }) => {
      const scope = competitionResults(size, games, anchors);
      refit(scope);
      const hasPlayed = (index: number) => games.some(([a, b]) => a === index || b === index);
      const dense = denseFit(size, games, anchors.filter(hasPlayed));
      for (let first = 0; first < size; first += 1)
        for (let second = 0; second < size; second += 1) {
          if (first === second) continue;
          const actual = ratingDifference(scope, versionName(first), versionName(second));
          if (!hasPlayed(first) || !hasPlayed(second)) {
            assert.equal(actual, null);
            continue;
          }
          compared += 1;
          const difference = dense.ratings[first]! - dense.ratings[second]!;
          assertClose(actual!.difference, difference, TOLERANCE, "difference");
          assertClose(
            actual!.deviation,
            dense.differenceDeviation(first, second),
            TOLERANCE,
            "deviation",
          );
        }
    }),
    { numRuns: 200, seed: 13 },
  );
  assert.ok(compared > 1000);
});

test("has a smaller error than the two deviations suggest if opponents are shared", () => {
  const games = [0, 1].flatMap((version) =>
    Array.from({ length: 40 }, (_, at): RatedGame => [version, 2, at % 2 === 0 ? 1 : 0]),
  );
  const scope = competitionResults(4, games, []);
  const { deviation } = ratingDifference(scope, versionName(0), versionName(1))!;
  const { deviations } = denseFit(3, games, []);
  assert.ok(deviation < Math.hypot(deviations[0]!, deviations[1]!) - 10);
});

test("returns null for an unknown version", () => {
  const scope = competitionResults(2, [[0, 1, 1]], []);
  assert.equal(ratingDifference(scope, versionName(0), "v9"), null);
});

test("computes the chance of being better from the normal distribution", () => {
  for (const [difference, deviation, chance] of [
    [0, 20, 0.5],
    [20, 20, 0.841_344_746],
    [-20, 20, 0.158_655_254],
    [31, 18, 0.957_485_365],
    [58.8, 30, 0.975_002_105],
    [-400, 40, 0],
    [400, 40, 1],
  ] as const)
    assertClose(chanceAboveZero({ difference, deviation }), chance, 1e-7, `${difference}`);
});
