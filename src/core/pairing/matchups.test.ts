import assert from "node:assert/strict";
import { test } from "node:test";

import { createMatchups, recordGame, recordResults, matchupRow, unrecordGame } from "./matchups.ts";
import type { Matchups, MatchupGame } from "./matchups.ts";

function totals(matchups: Matchups, version: string, opponent: string): [number, number] {
  const matchup = matchupRow(matchups, version, opponent);
  assert.ok(matchup !== null);
  const { totals } = matchups.table;
  return [totals[2 * matchup]!, totals[2 * matchup + 1]! / 2];
}

const GAMES: MatchupGame[] = [
  { version: "b", opponent: "a", map: "lanes", score: 1 },
  { version: "a", opponent: "b", map: "cage", score: 0.5 },
  { version: "a", opponent: "b", map: "lanes", score: 0 },
  { version: "c", opponent: "b", map: "keep", score: 1 },
];

test("counts games for both versions, per map and in total", () => {
  const matchups = createMatchups();
  for (const game of GAMES) recordGame(matchups, game);
  assert.deepEqual(totals(matchups, "a", "b"), [3, 2.5]);
  assert.deepEqual(totals(matchups, "b", "a"), [3, 2.5]);
  assert.deepEqual(totals(matchups, "c", "b"), [1, 0]);
  assert.equal(matchupRow(matchups, "a", "c"), null);
  assert.equal(matchupRow(matchups, "a", "unknown"), null);
  const { width, onMaps } = matchups.table;
  const row = width * matchupRow(matchups, "a", "b")!;
  assert.deepEqual([...onMaps.subarray(row, row + width)], [2, 4, 1, 1, 0, 0]);
});

test("restores the results when a game is removed", () => {
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

test("counts aggregated results like single games", () => {
  const countedOneByOne = createMatchups();
  const aggregated = createMatchups();
  const pair = { version: "b", opponent: "a", map: "lanes" };
  for (const score of [1, 1, 1, 0.5, 0] as const) recordGame(countedOneByOne, { ...pair, score });
  recordResults(aggregated, { ...pair, wins: 3, draws: 1, losses: 1 });
  assert.deepEqual(aggregated, countedOneByOne);
});

test("keeps results when the table grows by matchups and maps", () => {
  const matchups = createMatchups();
  const opponents = Array.from({ length: 200 }, (_, index) => `v${index}`);
  for (const [index, opponent] of opponents.entries())
    for (let game = 0; game <= index % 3; game += 1)
      recordGame(matchups, { version: "a", opponent, map: `map${index % 7}`, score: 1 });
  for (const [index, opponent] of opponents.entries())
    assert.deepEqual(totals(matchups, opponent, "a"), [(index % 3) + 1, (index % 3) + 1]);
});
