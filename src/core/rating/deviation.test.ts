import assert from "node:assert/strict";
import { test } from "node:test";

import { createDraw } from "#core/pairing/random.ts";
import type { Draw } from "#core/pairing/random.ts";
import { assertClose, deviation, name, resultsOf } from "#testing/fixtures/rated-games.ts";
import type { RatedGame } from "#testing/fixtures/rated-games.ts";

import { believedVariances, noBeliefs } from "./beliefs.ts";
import { addGame } from "./competition-results.ts";
import {
  areDeviationsExact,
  deviations,
  refreshDeviations,
  rememberedDeviation,
} from "./deviation.ts";
import { currentFit, rating, refit } from "./fit.ts";
import { POINTS_PER_UNIT } from "./score.ts";
import type { CompetitionResults } from "./types.ts";

/**
 * Games of a ladder whose versions meet others within `reach` places; three in ten make a new pair.
 */
function* gamesOf(size: number, reach: number, draw: Draw): Generator<RatedGame> {
  const met: number[][] = Array.from({ length: size }, () => []);
  for (;;) {
    const one = Math.floor(size * draw());
    const known = met[one]!;
    const isNew = known.length === 0 || draw() < 0.3;
    const nearby = (one + Math.round((2 * draw() - 1) * reach) + size) % size;
    const other = isNew ? nearby : known[Math.floor(known.length * draw())]!;
    if (other === one) continue;
    met[one]!.push(other);
    met[other]!.push(one);
    const expected = 1 / (1 + Math.exp((5 * (other - one)) / size));
    yield [one, other, draw() < expected ? 1 : 0];
  }
}

function take(games: Generator<RatedGame>, count: number): RatedGame[] {
  return Array.from({ length: count }, () => games.next().value as RatedGame);
}

/** The same counts, fitted from scratch, with every deviation exact. */
function exactly(scope: CompetitionResults): {
  scope: CompetitionResults;
  points: Map<string, number>;
} {
  const copy = structuredClone(scope);
  Object.assign(copy, { fit: null, strengths: new Float64Array(0) });
  return { scope: copy, points: deviations(copy) };
}

/**
 * Games between readings of a busy board, and deviations that each reading makes exact in addition
 * to the players'.
 */
const READ_EVERY = 10;
const REFRESHED = 20;

const ladders: { name: string; size: number; games: number; reach: number }[] = [
  { name: "a young ladder", size: 300, games: 6, reach: 150 },
  { name: "a young ladder of near opponents", size: 300, games: 6, reach: 40 },
  { name: "a settled ladder", size: 200, games: 100, reach: 100 },
  { name: "a ladder that has outgrown the dense pass", size: 121, games: 10, reach: 60 },
];
for (const { name: ladder, size, games: before, reach } of ladders)
  test(`${ladder} has exact ratings and players between passes, and all others near`, () => {
    const games = gamesOf(size, reach, createDraw(size + before));
    const scope = resultsOf(size, take(games, (size * before) / 2), [0, 50, 99]);
    deviations(scope);
    const players = new Set<string>();
    for (let count = 1; count <= 600; count += 1) {
      const [first, second, score] = games.next().value as RatedGame;
      addGame(scope, name(first), name(second), score);
      refit(scope);
      players.add(name(first)).add(name(second));
      if (count % READ_EVERY !== 0) continue;
      refreshDeviations(scope, REFRESHED, players);
      const own = [...players].map((version) => rememberedDeviation(scope, version));
      const exact = exactly(scope);
      const errors = scope.versions.map((version) => {
        assertClose(rating(scope, version), rating(exact.scope, version), 1e-5, version);
        return Math.abs(rememberedDeviation(scope, version) - exact.points.get(version)!);
      });
      for (const [k, version] of [...players].entries())
        assertClose(own[k]!, exact.points.get(version)!, 0.001, version);
      players.clear();
      errors.sort((one, other) => one - other);
      assert.ok(errors[size >> 1]! < 0.1, `median ${errors[size >> 1]} after ${count}`);
      assert.ok(errors[size - 1]! < 1, `at most ${errors[size - 1]} after ${count}`);
    }
  });

test("believed variances are exact where the pairs form a tree", () => {
  const games: RatedGame[] = [];
  for (let index = 1; index < 40; index += 1) {
    for (let count = 0; count <= index % 5; count += 1)
      games.push([index, index >> 1, count % 2 === 0 ? 1 : 0]);
  }
  const scope = resultsOf(40, games, []);
  const believed = believedVariances(noBeliefs(), currentFit(scope).information);
  for (const [index, variance] of believed.entries())
    assertClose(
      POINTS_PER_UNIT * Math.sqrt(variance),
      deviation(scope, name(index)),
      1e-3,
      name(index),
    );
});

test("the only anchor has no deviation between passes either", () => {
  const games = gamesOf(150, 75, createDraw(5));
  const scope = resultsOf(150, take(games, 900), [7]);
  deviations(scope);
  for (const [first, second, score] of take(games, 30))
    addGame(scope, name(first), name(second), score);
  assert.equal(rememberedDeviation(scope, name(7)), 0);
});

test("the rotation comes round to every version that is not exact", () => {
  const games = gamesOf(300, 150, createDraw(6));
  const scope = resultsOf(300, take(games, 6000), [0, 1, 2]);
  refit(scope);
  const players = [name(3), name(4)];
  assert.equal(areDeviationsExact(scope), false);
  for (let slice = 0; slice < 2; slice += 1) refreshDeviations(scope, 100, players);
  assert.equal(areDeviationsExact(scope), false);
  refreshDeviations(scope, 100, players);
  assert.equal(areDeviationsExact(scope), true);
  const exact = exactly(scope).points;
  for (const version of scope.versions)
    assertClose(rememberedDeviation(scope, version), exact.get(version)!, 0.001, version);
});

test("the deviation of a version never asked for is remembered within a few percent", () => {
  const scope = resultsOf(150, [], []);
  for (let i = 0; i < 149; i += 1) addGame(scope, name(i), name(i + 1), i % 2 === 0 ? 1 : 0);
  for (const version of [name(0), name(70)]) {
    const remembered = rememberedDeviation(scope, version);
    const exact = deviation(scope, version);
    assert.ok(remembered > 0.9 * exact && remembered <= 1.001 * exact);
  }
});

test("the dense pass, single solutions and the rotation agree", () => {
  const size = 290;
  const games: RatedGame[] = [];
  for (let i = 0; i < size; i += 1) {
    for (const step of [1, 7, 40]) games.push([i, (i + step) % size, i % 3 === 0 ? 0.5 : 1]);
  }
  const scope = resultsOf(size, games, [0, 5, 9]);
  const turning = resultsOf(size, games, [0, 5, 9]);
  const expected = deviations(scope);
  refreshDeviations(turning, 100);
  for (let i = 0; i < size; i += 31)
    assertClose(deviation(turning, name(i)), expected.get(name(i))!, 1e-3);
  refreshDeviations(turning, size);
  for (let i = 0; i < size; i += 1) {
    assertClose(rememberedDeviation(turning, name(i)), expected.get(name(i))!, 1e-3);
  }
});
