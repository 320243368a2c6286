import assert from "node:assert/strict";
import { test } from "node:test";

import { createRandomDraw } from "#core/pairing/random.ts";
import type { RandomDraw } from "#core/pairing/random.ts";
import {
  assertClose,
  ratingDeviation,
  versionName,
  competitionResults,
} from "#testing/fixtures/rated-games.ts";
import type { RatedGame } from "#testing/fixtures/rated-games.ts";

import { estimateVariances, createBeliefs } from "./belief-propagation.ts";
import { addRatedGame } from "./competition-results.ts";
import {
  areDeviationsExact,
  exactDeviations,
  refreshDeviations,
  cachedDeviation,
} from "./deviation.ts";
import { currentFit, ratingOf, refit } from "./fit.ts";
import { POINTS_PER_UNIT } from "./score.ts";
import type { CompetitionResults } from "./types.ts";

/**
 * Yields games on a ladder where versions meet only versions within `reach` ranks. In about 30% of
 * games, the pair is new.
 */
function* gamesOf(size: number, reach: number, draw: RandomDraw): Generator<RatedGame> {
  const hasMet: number[][] = Array.from({ length: size }, () => []);
  for (;;) {
    const player = Math.floor(size * draw());
    const known = hasMet[player]!;
    const isNew = known.length === 0 || draw() < 0.3;
    const nearby = (player + Math.round((2 * draw() - 1) * reach) + size) % size;
    const opponent = isNew ? nearby : known[Math.floor(known.length * draw())]!;
    if (opponent === player) continue;
    hasMet[player]!.push(opponent);
    hasMet[opponent]!.push(player);
    const expected = 1 / (1 + Math.exp((5 * (opponent - player)) / size));
    yield [player, opponent, draw() < expected ? 1 : 0];
  }
}

function takeGames(games: Generator<RatedGame>, count: number): RatedGame[] {
  return Array.from({ length: count }, () => games.next().value as RatedGame);
}

function exactValues(scope: CompetitionResults): {
  scope: CompetitionResults;
  points: Map<string, number>;
} {
  const copy = structuredClone(scope);
  Object.assign(copy, { fit: null, strengths: new Float64Array(0) });
  return { scope: copy, points: exactDeviations(copy) };
}

/**
 * Games between two reads of a busy leaderboard, and how many deviations each read refreshes
 * besides those of the players.
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
  test(`${ladder} keeps ratings and players' deviations exact between full passes, and all other deviations close`, () => {
    const games = gamesOf(size, reach, createRandomDraw(size + before));
    const scope = competitionResults(size, takeGames(games, (size * before) / 2), [0, 50, 99]);
    exactDeviations(scope);
    const players = new Set<string>();
    for (let count = 1; count <= 600; count += 1) {
      const [first, second, score] = games.next().value as RatedGame;
      addRatedGame(scope, versionName(first), versionName(second), score);
      refit(scope);
      players.add(versionName(first)).add(versionName(second));
      if (count % READ_EVERY !== 0) continue;
      refreshDeviations(scope, REFRESHED, players);
      const ownDeviation = [...players].map((version) => cachedDeviation(scope, version));
      const exact = exactValues(scope);
      const errors = scope.versions.map((version) => {
        assertClose(ratingOf(scope, version), ratingOf(exact.scope, version), 1e-5, version);
        return Math.abs(cachedDeviation(scope, version) - exact.points.get(version)!);
      });
      for (const [k, version] of [...players].entries())
        assertClose(ownDeviation[k]!, exact.points.get(version)!, 0.001, version);
      players.clear();
      errors.sort((player, opponent) => player - opponent);
      assert.ok(errors[size >> 1]! < 0.1, `median ${errors[size >> 1]} after ${count}`);
      assert.ok(errors[size - 1]! < 1, `at most ${errors[size - 1]} after ${count}`);
    }
  });

test("estimates variances exactly if the pairs form a tree", () => {
  const games: RatedGame[] = [];
  for (let index = 1; index < 40; index += 1) {
    for (let count = 0; count <= index % 5; count += 1)
      games.push([index, index >> 1, count % 2 === 0 ? 1 : 0]);
  }
  const scope = competitionResults(40, games, []);
  const estimated = estimateVariances(createBeliefs(), currentFit(scope).information);
  for (const [index, variance] of estimated.entries())
    assertClose(
      POINTS_PER_UNIT * Math.sqrt(variance),
      ratingDeviation(scope, versionName(index)),
      1e-3,
      versionName(index),
    );
});

test("the only anchor has deviation 0 between full passes too", () => {
  const games = gamesOf(150, 75, createRandomDraw(5));
  const scope = competitionResults(150, takeGames(games, 900), [7]);
  exactDeviations(scope);
  for (const [first, second, score] of takeGames(games, 30))
    addRatedGame(scope, versionName(first), versionName(second), score);
  assert.equal(cachedDeviation(scope, versionName(7)), 0);
});

test("the rotation reaches every inexact version", () => {
  const games = gamesOf(300, 150, createRandomDraw(6));
  const scope = competitionResults(300, takeGames(games, 6000), [0, 1, 2]);
  refit(scope);
  const players = [versionName(3), versionName(4)];
  assert.equal(areDeviationsExact(scope), false);
  for (let slice = 0; slice < 2; slice += 1) refreshDeviations(scope, 100, players);
  assert.equal(areDeviationsExact(scope), false);
  refreshDeviations(scope, 100, players);
  assert.equal(areDeviationsExact(scope), true);
  const exact = exactValues(scope).points;
  for (const version of scope.versions)
    assertClose(cachedDeviation(scope, version), exact.get(version)!, 0.001, version);
});

test("the cached deviation of a version that was never requested is accurate to a few percent", () => {
  const scope = competitionResults(150, [], []);
  for (let i = 0; i < 149; i += 1)
    addRatedGame(scope, versionName(i), versionName(i + 1), i % 2 === 0 ? 1 : 0);
  for (const version of [versionName(0), versionName(70)]) {
    const cached = cachedDeviation(scope, version);
    const exact = ratingDeviation(scope, version);
    assert.ok(cached > 0.9 * exact && cached <= 1.001 * exact);
  }
});

test("the dense pass, sparse solutions and the rotation agree", () => {
  const size = 290;
  const games: RatedGame[] = [];
  for (let i = 0; i < size; i += 1) {
    for (const step of [1, 7, 40]) games.push([i, (i + step) % size, i % 3 === 0 ? 0.5 : 1]);
  }
  const scope = competitionResults(size, games, [0, 5, 9]);
  const rotation = competitionResults(size, games, [0, 5, 9]);
  const expected = exactDeviations(scope);
  refreshDeviations(rotation, 100);
  for (let i = 0; i < size; i += 31)
    assertClose(ratingDeviation(rotation, versionName(i)), expected.get(versionName(i))!, 1e-3);
  refreshDeviations(rotation, size);
  for (let i = 0; i < size; i += 1) {
    assertClose(cachedDeviation(rotation, versionName(i)), expected.get(versionName(i))!, 1e-3);
  }
});
