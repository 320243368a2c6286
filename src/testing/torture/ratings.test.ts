import assert from "node:assert/strict";
import { test } from "node:test";

import { exactDeviations } from "#core/rating/deviation.ts";
import { readBoardPage } from "#live/matchmaker/board-page.ts";
import { beginCompetition, stateOf } from "#live/matchmaker/competition.ts";
import type { Competitions } from "#live/matchmaker/competition.ts";
import type { CompetitionHistory, RatedMatch } from "#live/matchmaker/matchmaker.ts";
import { rateMatch, loadCompetition } from "#live/matchmaker/ratings.ts";

const PUBLIC = { ladderId: "public", season: "2026-01" };

type Result = [first: string, second: string, score: 0 | 0.5 | 1];

function playedGame([first, second, score]: Result, number: number): RatedMatch {
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

const WORST_HISTORIES: [history: string, games: number, resultOf: (game: number) => Result][] = [
  ["a bot that only wins and one that only loses", 300, () => ["a", "b", 1]],
  ["a chain of bots that each beat the next", 900, (n) => [`${n % 30}`, `${(n % 30) + 1}`, 1]],
  ["groups that never meet", 600, (n) => [`${n % 20}`, `${(n % 20) + 20}`, n % 7 === 0 ? 0 : 1]],
  ["draws only", 200, (n) => [`${n % 5}`, `${(n % 5) + 1}`, 0.5]],
  ["a new bot in every game, beaten by the same bot", 300, (n) => ["champion", `${n}`, 1]],
];
for (const [history, games, resultOf] of WORST_HISTORIES)
  test(`T82: all numbers stay finite, on boards and in rating changes, for ${history}`, () => {
    const competitions: Competitions = new Map();
    beginCompetition(competitions, PUBLIC, ["bot-a", "bot-0", "bot-champion"]);
    for (let game = 0; game < games; game += 1) {
      const change = rateMatch(competitions, playedGame(resultOf(game), game));
      assert.ok([...change.before, ...change.after].every(Number.isInteger), `${game}`);
      if (game % 50 === 0) assertFinite(competitions);
    }
    assertFinite(competitions);
  });

/** JSON converts non-finite numbers to null. */
function assertFinite(competitions: Competitions): void {
  const page = readBoardPage(competitions, PUBLIC);
  assert.deepEqual(JSON.parse(JSON.stringify(page)), page);
  for (const { deviation, rating } of page.lines) {
    assert.ok(deviation >= 0 && deviation < 1000, `${deviation}`);
    assert.ok(Math.abs(rating) < 10_000, `${rating}`);
  }
}

function longHistory(games: number): CompetitionHistory {
  const [first, second] = playedGame(["a", "b", 1], 1).versionIds;
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

test("T82: a pair of bots with ten thousand games or more is loaded and continued as a single pair", () => {
  for (const games of [10_000, 10_000_000]) {
    const competitions: Competitions = new Map();
    loadCompetition(competitions, longHistory(games));
    const { results, matchups } = stateOf(competitions, PUBLIC);
    assert.deepEqual([results.pairs.count, matchups.count], [1, 1]);
    const { before: entriesBefore, after: entriesAfter } = rateMatch(
      competitions,
      playedGame(["a", "b", 0], 1),
    );
    for (const seat of [0, 1]) assert.ok(Math.abs(entriesAfter[seat]! - entriesBefore[seat]!) <= 1);
    assert.ok(results.fit!.steps <= 3, `${results.fit!.steps} steps`);
    assertFinite(competitions);
    const expected = 1500 - 400 * Math.log10(9);
    assert.ok(Math.abs(readBoardPage(competitions, PUBLIC).lines[1]!.rating - expected) < 1);
    assert.ok([...exactDeviations(results).values()].every((points) => points < 10));
  }
});
