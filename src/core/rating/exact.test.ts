import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createDraw } from "#core/pairing/random.ts";
import type { Draw } from "#core/pairing/random.ts";
import { denseFit } from "#testing/fixtures/dense-fit.ts";
import type { GameSeries } from "#testing/fixtures/dense-fit.ts";
import { assertClose, name, resultsOf } from "#testing/fixtures/rated-games.ts";
import type { RatedGame } from "#testing/fixtures/rated-games.ts";

import { addGame, addResults, removeGame } from "./competition-results.ts";
import { deviations, refreshDeviations, rememberedDeviation } from "./deviation.ts";
import { exactRatings } from "./exact.ts";
import type { ExactRating } from "./exact.ts";
import { refit } from "./fit.ts";
import { exactScore } from "./score.ts";
import type { CompetitionResults, Score } from "./types.ts";

/** Points that two ways to the same counts may lie apart, and from a dense fit of them. */
const APART = 1e-6;

function play(scope: CompetitionResults, [first, second, score]: RatedGame): void {
  addGame(scope, name(first), name(second), score);
  refit(scope);
}

function same(actual: readonly ExactRating[], expected: readonly ExactRating[], what = ""): void {
  for (const [at, { rating, deviation, score }] of expected.entries()) {
    assertClose(actual[at]!.rating, rating, APART, `rating ${what}`);
    assertClose(actual[at]!.deviation, deviation, APART, `deviation ${what}`);
    assertClose(actual[at]!.score, score, APART, `score ${what}`);
  }
}

function denselyRated(
  size: number,
  meetings: readonly GameSeries[],
  anchors: readonly number[],
): ExactRating[] {
  const played = anchors.filter((anchor) =>
    meetings.some(([one, other]) => one === anchor || other === anchor),
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
    .map(([one, step, score]): RatedGame => [one, (one + step) % size, score]);
  const anchors = fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 });
  return fc.record({
    size: fc.constant(size),
    games: fc.array(game, { maxLength: 60 }),
    anchors,
    last: game,
  });
});

test("both versions of a game are told what a dense fit of all games says", () => {
  fc.assert(
    fc.property(history, ({ size, games, anchors, last }) => {
      const scope = resultsOf(size, [], anchors);
      for (const game of [...games, last]) play(scope, game);
      const dense = denselyRated(size, [...games, last], anchors);
      const [first, second] = last;
      same(exactRatings(scope, [name(first), name(second)]), [dense[first]!, dense[second]!]);
    }),
    { numRuns: 300, seed: 5 },
  );
});

test("a game taken back leaves no trace in what is told after the next one", () => {
  fc.assert(
    fc.property(history, fc.constantFrom<Score[]>(0, 0.5, 1), (world, score) => {
      const { size, games, anchors, last } = world;
      const straight = resultsOf(size, [], anchors);
      const turned = resultsOf(size, [], anchors);
      for (const game of games) {
        play(straight, game);
        play(turned, game);
      }
      play(turned, [last[0], last[1], score]);
      removeGame(turned, name(last[0]), name(last[1]), score);
      refit(turned);
      for (const scope of [straight, turned]) play(scope, last);
      const both = [name(last[0]), name(last[1])];
      same(exactRatings(turned, both), exactRatings(straight, both));
    }),
    { numRuns: 200, seed: 6 },
  );
});

type Ladder = { name: string; size: number; islands: number; met: number; games: number };

/** Groups that never meet are joined by the prior alone, which is where a solution is hardest. */
const LADDERS: readonly Ladder[] = [
  { name: "a young ladder", size: 130, islands: 1, met: 6, games: 1 },
  { name: "a settled ladder", size: 130, islands: 1, met: 20, games: 1000 },
  { name: "a chain", size: 130, islands: 1, met: 1, games: 30 },
  { name: "old groups that never meet", size: 130, islands: 4, met: 8, games: 5000 },
];

/** Each version meets those after it in its group, which are weaker by a little. */
function meetingsOf({ size, islands, met, games }: Ladder, draw: Draw): GameSeries[] {
  const meetings: GameSeries[] = [];
  for (let one = 0; one < size; one += 1) {
    for (let step = 1; step <= met; step += 1) {
      const other = one + step * islands;
      if (other >= size) break;
      const expected = 1 / (1 + Math.exp((one - other) / size));
      meetings.push([one, other, Math.round(games * expected * (0.8 + 0.4 * draw())), games]);
    }
  }
  return meetings;
}

function loaded(
  size: number,
  meetings: readonly GameSeries[],
  anchors: readonly number[],
): CompetitionResults {
  const scope = resultsOf(size, [], anchors);
  for (const [one, other, wins, games = 1] of meetings)
    addResults(scope, name(one), name(other), { wins, losses: games - wins, draws: 0 });
  return scope;
}

for (const ladder of LADDERS)
  test(`${ladder.name} is told what a dense fit says, for every version`, () => {
    const { size } = ladder;
    const anchors = [0, 1, 2];
    const meetings = meetingsOf(ladder, createDraw(3));
    const scope = loaded(size, meetings, anchors);
    refit(scope);
    const game: RatedGame = [5, 5 + ladder.islands, 1];
    play(scope, game);
    const dense = denselyRated(size, [...meetings, game], anchors);
    for (let one = 0; one + 1 < size; one += 2)
      same(exactRatings(scope, [name(one), name(one + 1)]), dense.slice(one, one + 2), name(one));
  });

for (const ladder of [
  { name: "a young ladder", size: 700, islands: 1, met: 3, games: 1 },
  { name: "a settled ladder", size: 400, islands: 1, met: 15, games: 200 },
])
  test(`${ladder.name} tells the same on two ways to the same counts`, () => {
    const draw = createDraw(ladder.size);
    const meetings = meetingsOf(ladder, draw);
    const live = loaded(ladder.size, meetings, [0, 1, 2]);
    refit(live);
    const played: GameSeries[] = [];
    for (let count = 1; count <= 120; count += 1) {
      const first = Math.floor(ladder.size * draw());
      const game: RatedGame = [first, (first + 1 + Math.floor(9 * draw())) % ladder.size, 1];
      play(live, game);
      played.push(game);
      if (count % 10 === 0) refreshDeviations(live, 20);
      if (count % 30 > 0) continue;
      const both = [name(game[0]), name(game[1])];
      const recount = loaded(ladder.size, [...meetings, ...played].toReversed(), [2, 0, 1]);
      same(exactRatings(live, both), exactRatings(recount, both), `after ${count}`);
    }
  });

test("telling the exact ratings changes nothing that is remembered", () => {
  const scope = loaded(130, meetingsOf(LADDERS[0]!, createDraw(4)), [0]);
  deviations(scope);
  play(scope, [7, 9, 1]);
  const remembered = scope.versions.map((version) => rememberedDeviation(scope, version));
  exactRatings(scope, [name(7), name(9)]);
  assert.deepEqual(
    scope.versions.map((version) => rememberedDeviation(scope, version)),
    remembered,
  );
});
