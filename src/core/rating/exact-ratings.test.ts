import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createRandomDraw } from "#core/pairing/random.ts";
import type { RandomDraw } from "#core/pairing/random.ts";
import { denseFit } from "#testing/fixtures/dense-rating-fit.ts";
import type { GameSeries } from "#testing/fixtures/dense-rating-fit.ts";
import { assertClose, versionName, competitionResults } from "#testing/fixtures/rated-games.ts";
import type { RatedGame } from "#testing/fixtures/rated-games.ts";

import { addRatedGame, addPairResults, removeRatedGame } from "./competition-results.ts";
import { exactDeviations, refreshDeviations, cachedDeviation } from "./deviation.ts";
import { exactRatings } from "./exact-ratings.ts";
import type { ExactRating } from "./exact-ratings.ts";
import { refit } from "./fit.ts";
import { exactScore } from "./score.ts";
import type { CompetitionResults, Score } from "./types.ts";

/** Maximum difference, in points, between two orders of the same games and from a dense fit. */
const TOLERANCE = 1e-6;

function play(scope: CompetitionResults, [first, second, score]: RatedGame): void {
  addRatedGame(scope, versionName(first), versionName(second), score);
  refit(scope);
}

function assertSame(
  actual: readonly ExactRating[],
  expected: readonly ExactRating[],
  description = "",
): void {
  for (const [position, { rating, deviation, score }] of expected.entries()) {
    assertClose(actual[position]!.rating, rating, TOLERANCE, `rating ${description}`);
    assertClose(actual[position]!.deviation, deviation, TOLERANCE, `deviation ${description}`);
    assertClose(actual[position]!.score, score, TOLERANCE, `score ${description}`);
  }
}

function denselyRated(
  size: number,
  meetings: readonly GameSeries[],
  anchors: readonly number[],
): ExactRating[] {
  const played = anchors.filter((anchor) =>
    meetings.some(([player, opponent]) => player === anchor || opponent === anchor),
  );
  const fit = denseFit(size, meetings, played);
  return fit.ratings.map((rating, index) => {
    const deviation = fit.deviations[index]!;
    return { rating, deviation, score: exactScore(rating, deviation) };
  });
}

const history = fc.integer({ min: 2, max: 9 }).chain((size) => {
  const game = fc
    .tuple(
      fc.nat(size - 1),
      fc.integer({ min: 1, max: size - 1 }),
      fc.constantFrom<Score[]>(0, 0.5, 1),
    )
    .map(([player, step, score]): RatedGame => [player, (player + step) % size, score]);
  const anchors = fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 });
  return fc.record({
    size: fc.constant(size),
    games: fc.array(game, { maxLength: 60 }),
    anchors,
    last: game,
  });
});

test("matches a dense fit of all games for both versions of a game", () => {
  fc.assert(
    fc.property(history, ({ size, games, anchors, last }) => {
      const scope = competitionResults(size, [], anchors);
      for (const game of [...games, last]) play(scope, game);
      const dense = denselyRated(size, [...games, last], anchors);
      const [first, second] = last;
      assertSame(exactRatings(scope, [versionName(first), versionName(second)]), [
        dense[first]!,
        dense[second]!,
      ]);
    }),
    { numRuns: 300, seed: 5 },
  );
});

test("a game that was added and removed has no effect on the ratings after the next game", () => {
  fc.assert(
    fc.property(history, fc.constantFrom<Score[]>(0, 0.5, 1), (world, score) => {
      const { size, games, anchors, last } = world;
      const sequential = competitionResults(size, [], anchors);
      const reversed = competitionResults(size, [], anchors);
      for (const game of games) {
        play(sequential, game);
        play(reversed, game);
      }
      play(reversed, [last[0], last[1], score]);
      removeRatedGame(reversed, versionName(last[0]), versionName(last[1]), score);
      refit(reversed);
      for (const scope of [sequential, reversed]) play(scope, last);
      const both = [versionName(last[0]), versionName(last[1])];
      assertSame(exactRatings(reversed, both), exactRatings(sequential, both));
    }),
    { numRuns: 200, seed: 6 },
  );
});

type Ladder = { name: string; size: number; islands: number; met: number; games: number };

/** Only the prior connects groups that never meet, which is the hardest case. */
const LADDERS: readonly Ladder[] = [
  { name: "a young ladder", size: 130, islands: 1, met: 6, games: 1 },
  { name: "a settled ladder", size: 130, islands: 1, met: 20, games: 1000 },
  { name: "a chain", size: 130, islands: 1, met: 1, games: 30 },
  { name: "old groups that never meet", size: 130, islands: 4, met: 8, games: 5000 },
];

function meetingsOf({ size, islands, met, games }: Ladder, draw: RandomDraw): GameSeries[] {
  const meetings: GameSeries[] = [];
  for (let player = 0; player < size; player += 1) {
    for (let step = 1; step <= met; step += 1) {
      const opponent = player + step * islands;
      if (opponent >= size) break;
      const expected = 1 / (1 + Math.exp((player - opponent) / size));
      meetings.push([player, opponent, Math.round(games * expected * (0.8 + 0.4 * draw())), games]);
    }
  }
  return meetings;
}

function loadAggregated(
  size: number,
  meetings: readonly GameSeries[],
  anchors: readonly number[],
): CompetitionResults {
  const scope = competitionResults(size, [], anchors);
  for (const [player, opponent, wins, games = 1] of meetings)
    addPairResults(scope, versionName(player), versionName(opponent), {
      wins,
      losses: games - wins,
      draws: 0,
    });
  return scope;
}

for (const ladder of LADDERS)
  test(`${ladder.name} matches a dense fit for every version`, () => {
    const { size } = ladder;
    const anchors = [0, 1, 2];
    const meetings = meetingsOf(ladder, createRandomDraw(3));
    const scope = loadAggregated(size, meetings, anchors);
    refit(scope);
    const game: RatedGame = [5, 5 + ladder.islands, 1];
    play(scope, game);
    const dense = denselyRated(size, [...meetings, game], anchors);
    for (let player = 0; player + 1 < size; player += 2)
      assertSame(
        exactRatings(scope, [versionName(player), versionName(player + 1)]),
        dense.slice(player, player + 2),
        versionName(player),
      );
  });

for (const ladder of [
  { name: "a young ladder", size: 700, islands: 1, met: 3, games: 1 },
  { name: "a settled ladder", size: 400, islands: 1, met: 15, games: 200 },
])
  test(`${ladder.name} has the same ratings after two different routes to the same counts`, () => {
    const draw = createRandomDraw(ladder.size);
    const meetings = meetingsOf(ladder, draw);
    const live = loadAggregated(ladder.size, meetings, [0, 1, 2]);
    refit(live);
    const played: GameSeries[] = [];
    for (let count = 1; count <= 120; count += 1) {
      const first = Math.floor(ladder.size * draw());
      const game: RatedGame = [first, (first + 1 + Math.floor(9 * draw())) % ladder.size, 1];
      play(live, game);
      played.push(game);
      if (count % 10 === 0) refreshDeviations(live, 20);
      if (count % 30 > 0) continue;
      const both = [versionName(game[0]), versionName(game[1])];
      const recount = loadAggregated(ladder.size, [...meetings, ...played].toReversed(), [2, 0, 1]);
      assertSame(exactRatings(live, both), exactRatings(recount, both), `after ${count}`);
    }
  });

test("leaves all cached values unchanged", () => {
  const scope = loadAggregated(130, meetingsOf(LADDERS[0]!, createRandomDraw(4)), [0]);
  exactDeviations(scope);
  play(scope, [7, 9, 1]);
  const cachedRating = scope.versions.map((version) => cachedDeviation(scope, version));
  exactRatings(scope, [versionName(7), versionName(9)]);
  assert.deepEqual(
    scope.versions.map((version) => cachedDeviation(scope, version)),
    cachedRating,
  );
});
