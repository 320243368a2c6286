import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { denseFit } from "#testing/fixtures/dense-fit.ts";
import { assertClose, name, resultsOf } from "#testing/fixtures/rated-games.ts";
import type { RatedGame } from "#testing/fixtures/rated-games.ts";

import { chanceAboveZero, ratingDifference } from "./difference.ts";
import { refit } from "./fit.ts";
import type { Score } from "./types.ts";

/** Points that a difference may lie apart from that of a dense fit. */
const APART = 1e-6;

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
        .map(([one, step, score]): RatedGame => [one, (one + step) % size, score]),
      { maxLength: 60 },
    ),
    anchors: fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }),
  }),
);

test("difference and deviation are those of a dense fit", () => {
  let compared = 0;
  fc.assert(
    fc.property(history, ({ size, games, anchors }) => {
      const scope = resultsOf(size, games, anchors);
      refit(scope);
      const hasPlayed = (index: number) => games.some(([a, b]) => a === index || b === index);
      const dense = denseFit(size, games, anchors.filter(hasPlayed));
      for (let first = 0; first < size; first += 1)
        for (let second = 0; second < size; second += 1) {
          if (first === second) continue;
          const found = ratingDifference(scope, name(first), name(second));
          if (!hasPlayed(first) || !hasPlayed(second)) {
            assert.equal(found, null);
            continue;
          }
          compared += 1;
          const difference = dense.ratings[first]! - dense.ratings[second]!;
          assertClose(found!.difference, difference, APART, "difference");
          assertClose(found!.deviation, dense.deviationOf(first, second), APART, "deviation");
        }
    }),
    { numRuns: 200, seed: 13 },
  );
  assert.ok(compared > 1000);
});

test("opponents in common tell two versions apart better than their own deviations do", () => {
  const games = [0, 1].flatMap((version) =>
    Array.from({ length: 40 }, (_, at): RatedGame => [version, 2, at % 2 === 0 ? 1 : 0]),
  );
  const scope = resultsOf(4, games, []);
  const { deviation } = ratingDifference(scope, name(0), name(1))!;
  const { deviations } = denseFit(3, games, []);
  assert.ok(deviation < Math.hypot(deviations[0]!, deviations[1]!) - 10);
});

test("an unknown version has no difference", () => {
  const scope = resultsOf(2, [[0, 1, 1]], []);
  assert.equal(ratingDifference(scope, name(0), "v9"), null);
});

test("the chance of being better follows the normal distribution", () => {
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
