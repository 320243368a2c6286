import assert from "node:assert/strict";
import { test } from "node:test";

import { deviations } from "#core/rating/deviation.ts";
import { boardOf } from "#live/matchmaker/board.ts";
import { beginCompetition, stateOf } from "#live/matchmaker/competition.ts";
import type { Competitions } from "#live/matchmaker/competition.ts";
import type { CompetitionHistory, PlayedGame } from "#live/matchmaker/matchmaker.ts";
import { rateGame, loadCompetition } from "#live/matchmaker/ratings.ts";

const PUBLIC = { ladderId: "public", season: "2026-01" };

type Result = [first: string, second: string, score: 0 | 0.5 | 1];

function gameOf([first, second, score]: Result, number: number): PlayedGame {
  return {
    ...PUBLIC,
    matchId: `m-${number}`,
    botIds: [`bot-${first}`, `bot-${second}`],
    versionIds: [`v-${first}`, `v-${second}`],
    map: "cage",
    score,
    ended: new Date(Date.UTC(2026, 0, 5) + number * 1000).toISOString(),
  };
}

const WORST: [history: string, games: number, resultOf: (game: number) => Result][] = [
  ["a bot that only wins and one that only loses", 300, () => ["a", "b", 1]],
  ["a chain of bots of which each beats the next", 900, (n) => [`${n % 30}`, `${(n % 30) + 1}`, 1]],
  ["groups that never meet", 600, (n) => [`${n % 20}`, `${(n % 20) + 20}`, n % 7 === 0 ? 0 : 1]],
  ["draws alone", 200, (n) => [`${n % 5}`, `${(n % 5) + 1}`, 0.5]],
  ["a new bot in every game, beaten by one", 300, (n) => ["champion", `${n}`, 1]],
];
for (const [history, games, resultOf] of WORST)
  test(`T82: ${history} have numbers on every board and in every change`, () => {
    const competitions: Competitions = new Map();
    beginCompetition(competitions, PUBLIC, ["bot-a", "bot-0", "bot-champion"]);
    for (let game = 0; game < games; game += 1) {
      const change = rateGame(competitions, gameOf(resultOf(game), game));
      assert.ok([...change.before, ...change.after].every(Number.isInteger), `${game}`);
      if (game % 50 === 0) assertNumbers(competitions);
    }
    assertNumbers(competitions);
  });

/** A number that is not finite turns into null in JSON. */
function assertNumbers(competitions: Competitions): void {
  const page = boardOf(competitions, PUBLIC);
  assert.deepEqual(JSON.parse(JSON.stringify(page)), page);
  for (const { deviation, rating } of page.lines) {
    assert.ok(deviation >= 0 && deviation < 1000, `${deviation}`);
    assert.ok(Math.abs(rating) < 10_000, `${rating}`);
  }
}

/**
 * Two bots that have played `games` games, nine of ten won by the first, as the store keeps them.
 */
function longHistory(games: number): CompetitionHistory {
  const [first, second] = gameOf(["a", "b", 1], 1).versionIds;
  const results = { wins: 0.9 * games, draws: 0, losses: 0.1 * games };
  const lastPlayed = "2026-01-04T00:00:00.000Z";
  return {
    ...PUBLIC,
    anchorBots: ["bot-a"],
    pairs: [{ first, second, map: "cage", ...results }],
    activity: ["a", "b"].map((name) => {
      const ids = { versionId: `v-${name}`, botId: `bot-${name}`, lastMatchId: "m-0" };
      return { ...ids, lastPlayed, seatBalance: 0 };
    }),
  };
}

test("T82: ten thousand games of two bots are loaded and carried on in the work of one pair", () => {
  for (const games of [10_000, 10_000_000]) {
    const competitions: Competitions = new Map();
    loadCompetition(competitions, longHistory(games));
    const { scope, matchups } = stateOf(competitions, PUBLIC);
    assert.deepEqual([scope.pairs.count, matchups.count], [1, 1]);
    const { before, after } = rateGame(competitions, gameOf(["a", "b", 0], 1));
    for (const seat of [0, 1]) assert.ok(Math.abs(after[seat]! - before[seat]!) <= 1);
    assert.ok(scope.fit!.steps <= 3, `${scope.fit!.steps} steps`);
    assertNumbers(competitions);
    const expected = 1500 - 400 * Math.log10(9);
    assert.ok(Math.abs(boardOf(competitions, PUBLIC).lines[1]!.rating - expected) < 1);
    assert.ok([...deviations(scope).values()].every((points) => points < 10));
  }
});
