import assert from "node:assert/strict";
import { test } from "node:test";

import { createMatchups, recordGame, recordResults, matchupOf, unrecordGame } from "./matchups.ts";
import type { Matchups, MatchupGame } from "./matchups.ts";

/** Games and points of the first of two versions, over all maps. */
function totals(matchups: Matchups, version: string, opponent: string): [number, number] {
  const place = matchupOf(matchups, version, opponent);
  assert.ok(place !== null);
  const { totals } = matchups.table;
  return [totals[2 * place]!, totals[2 * place + 1]! / 2];
}

const GAMES: MatchupGame[] = [
  { version: "b", opponent: "a", map: "lanes", score: 1 },
  { version: "a", opponent: "b", map: "cage", score: 0.5 },
  { version: "a", opponent: "b", map: "lanes", score: 0 },
  { version: "c", opponent: "b", map: "keep", score: 1 },
];

test("games count for both versions, on their map and in all", () => {
  const matchups = createMatchups();
  for (const game of GAMES) recordGame(matchups, game);
  assert.deepEqual(totals(matchups, "a", "b"), [3, 2.5]);
  assert.deepEqual(totals(matchups, "b", "a"), [3, 2.5]);
  assert.deepEqual(totals(matchups, "c", "b"), [1, 0]);
  assert.equal(matchupOf(matchups, "a", "c"), null);
  assert.equal(matchupOf(matchups, "a", "never heard of"), null);
  const { width, onMaps } = matchups.table;
  const row = width * matchupOf(matchups, "a", "b")!;
  assert.deepEqual([...onMaps.subarray(row, row + width)], [2, 4, 1, 1, 0, 0]);
});

test("a game taken back leaves the results as they were", () => {
  const matchups = createMatchups();
  for (const game of GAMES) recordGame(matchups, game);
  const before = structuredClone(matchups);
  for (const score of [0, 0.5, 1] as const) {
    const game = { ...GAMES[0]!, score };
    recordGame(matchups, game);
    unrecordGame(matchups, game);
  }
  assert.deepEqual(matchups, before);
});

test("aggregated results count like single games", () => {
  const single = createMatchups();
  const loaded = createMatchups();
  const pair = { version: "b", opponent: "a", map: "lanes" };
  for (const score of [1, 1, 1, 0.5, 0] as const) recordGame(single, { ...pair, score });
  recordResults(loaded, { ...pair, wins: 3, draws: 1, losses: 1 });
  assert.deepEqual(loaded, single);
});

test("results stay when the table grows by matchups and by maps", () => {
  const matchups = createMatchups();
  const opponents = Array.from({ length: 200 }, (_, index) => `v${index}`);
  for (const [index, opponent] of opponents.entries())
    for (let game = 0; game <= index % 3; game += 1)
      recordGame(matchups, { version: "a", opponent, map: `map${index % 7}`, score: 1 });
  for (const [index, opponent] of opponents.entries())
    assert.deepEqual(totals(matchups, opponent, "a"), [(index % 3) + 1, (index % 3) + 1]);
});
