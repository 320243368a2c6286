import assert from "node:assert/strict";
import { test } from "node:test";

import type { PlayedGame } from "./judge.ts";
import { boardOf, judgeGame, loadLadder, pairWaiting, takeBackGame } from "./judgement.ts";
import type { Judgement } from "./judgement.ts";

const VERSIONS = ["v-a", "v-b", "v-c", "v-d"];

/** Games between the versions by a fixed pattern, in the order they were played. */
function games(count: number): PlayedGame[] {
  return Array.from({ length: count }, (_, number) => {
    const first = number % 4;
    const second = (first + 1 + (number % 3)) % 4;
    return {
      matchId: `m-${number}`,
      ladderId: "public",
      botIds: [`bot-${first}`, `bot-${second}`],
      versionIds: [VERSIONS[first], VERSIONS[second]],
      map: ["cage", "keep", "halls"][number % 3],
      score: ([1, 0.5, 0, 1, 1] as const)[number % 5],
      ended: new Date(Date.UTC(2026, 0, 5) + number * 1000).toISOString(),
    };
  });
}

function judged(played: readonly PlayedGame[]): Judgement {
  const judgement: Judgement = new Map();
  for (const game of played) judgeGame(judgement, game);
  return judgement;
}

const rounded = (judgement: Judgement) =>
  boardOf(judgement, "public")
    .lines.map((line) => ({
      ...line,
      rating: line.rating.toFixed(4),
      deviation: line.deviation.toFixed(2),
    }))
    .toSorted((one, other) => (one.versionId < other.versionId ? -1 : 1));

test("ratings before and after are whole points, and after is the next before", () => {
  const judgement: Judgement = new Map();
  const [game] = games(1);
  const first = judgeGame(judgement, game);
  assert.deepEqual(first.before, [1500, 1500]);
  assert.ok(first.after[0] > 1500 && first.after[1] < 1500);
  assert.ok([...first.after].every(Number.isInteger));
  const second = judgeGame(judgement, { ...game, matchId: "m-2" });
  assert.deepEqual(second.before, first.after);
  assert.deepEqual([first.sequence, second.sequence], [1, 2]);
});

test("the winner is the one whose seat took the point", () => {
  for (const [score, sign] of [
    [1, 1],
    [0, -1],
    [0.5, 0],
  ] as const) {
    const { after } = judgeGame(new Map(), { ...games(1)[0], score });
    assert.equal(Math.sign(after[0] - 1500), sign);
    assert.equal(Math.sign(1500 - after[1]), sign);
  }
});

test("the order of games does not matter, only what was played", () => {
  const played = games(40);
  const backwards = judged(played.toReversed());
  const ratings = (judgement: Judgement) =>
    rounded(judgement).map(({ versionId, rating }) => [versionId, rating]);
  assert.deepEqual(ratings(backwards), ratings(judged(played)));
});

test("a game that is taken back leaves no trace", () => {
  const played = games(30);
  const last = played[29];
  const judgement = judged(played);
  takeBackGame(judgement, last);
  assert.deepEqual(rounded(judgement), rounded(judged(played.slice(0, 29))));
  judgeGame(judgement, last);
  assert.deepEqual(rounded(judgement), rounded(judged(played)));
});

test("a version whose only game is taken back is on no board", () => {
  const [game] = games(1);
  const judgement = judged([game]);
  takeBackGame(judgement, game);
  assert.deepEqual(boardOf(judgement, "public").lines, []);
});

test("taking a game back spares games of others that were rated meanwhile", () => {
  const played = games(12);
  const judgement = judged(played);
  const other: PlayedGame = {
    ...played[0],
    matchId: "m-other",
    botIds: ["bot-x", "bot-y"],
    versionIds: ["v-x", "v-y"],
    ended: "2026-02-01T00:00:00.000Z",
  };
  judgeGame(judgement, other);
  takeBackGame(judgement, played[11]);
  assert.deepEqual(rounded(judgement), rounded(judged([...played.slice(0, 11), other])));
});

test("what the store kept makes the same ratings as the games themselves", () => {
  const played = games(50);
  const pairs = new Map<string, { first: string; second: string; map: string; tally: number[] }>();
  for (const { versionIds, map, score } of played) {
    const [first, second] = [...versionIds].toSorted();
    const own = versionIds[0] === first ? score : 1 - score;
    const key = `${first} ${second} ${map}`;
    const pair = pairs.get(key) ?? { first, second, map, tally: [0, 0, 0] };
    pair.tally[own === 1 ? 0 : own === 0.5 ? 1 : 2] += 1;
    pairs.set(key, pair);
  }
  const live = judged(played);
  const judgement: Judgement = new Map();
  loadLadder(judgement, {
    ladderId: "public",
    pairs: [...pairs.values()].map(({ tally: [wins, draws, losses], ...pair }) => {
      return { ...pair, wins, draws, losses };
    }),
    activity: boardOf(live, "public").lines.map(({ versionId, botId, lastPlayed, lastMatchId }) => {
      return { versionId, botId, lastPlayed, lastMatchId, seatBalance: 0 };
    }),
    anchors: [],
  });
  assert.deepEqual(rounded(judgement), rounded(live));
});

test("the mean of the anchors that have played is 1500", () => {
  const judgement: Judgement = new Map();
  const anchors = ["v-a", "v-b", "v-never"];
  loadLadder(judgement, { ladderId: "public", pairs: [], activity: [], anchors });
  for (const game of games(40)) judgeGame(judgement, game);
  const ratings = boardOf(judgement, "public").lines.filter(({ versionId }) =>
    ["v-a", "v-b"].includes(versionId),
  );
  const mean = ratings.reduce((sum, { rating }) => sum + rating, 0) / 2;
  assert.ok(Math.abs(mean - 1500) < 1e-6);
});

test("a board tells up to which game it reaches", () => {
  const judgement = judged(games(3));
  assert.equal(boardOf(judgement, "public").upTo, 3);
  assert.equal(boardOf(judgement, "elsewhere").upTo, 0);
  takeBackGame(judgement, games(3)[2]);
  assert.equal(boardOf(judgement, "public").upTo, 3);
});

const NOBODY = { house: false, waitSeconds: 30, recentGames: 0, lastOpponent: null } as const;

/** Pairs three bots, of which the first two are as given. */
function paired(changes: object, met: [string, string][] = []) {
  const waiting = ["a", "b"].map((name) => ({
    ...NOBODY,
    botId: `bot-${name}`,
    owner: name,
    versionId: `v-${name}`,
    sinceStartSeconds: Infinity,
    ...changes,
  }));
  return pairWaiting(new Map(), {
    ladderId: "public",
    waiting,
    met: met.map((botIds) => ({ botIds, seconds: 1 })),
    seatsTaken: new Map([["busy", 40]]),
    limits: { freeMatches: 10, ownerConcurrency: 40, matchIntervalSeconds: 0.3 },
    seed: 1,
  });
}

test("a pairing names both bots, a map and its reasons", () => {
  const [pairing, ...others] = paired({});
  assert.deepEqual(others, []);
  assert.deepEqual([...pairing.botIds].toSorted(), ["bot-a", "bot-b"]);
  const { ground, terms, weight } = pairing.reasons as Record<string, unknown>;
  assert.equal(ground, "window");
  assert.equal(typeof terms, "object");
  assert.equal(typeof weight, "number");
});

const apart: [name: string, changes: object, met?: [string, string][]][] = [
  ["of one owner, whatever the letter case", { owner: "Same" }],
  ["of the house", { house: true }],
  ["that met within the hold", {}, [["bot-a", "bot-b"]]],
  ["that started a match just now", { sinceStartSeconds: 0.1 }],
  ["whose owner has no room left", { owner: "busy" }],
];
for (const [name, changes, met] of apart)
  test(`two bots ${name} are not paired`, () => {
    assert.deepEqual(paired(changes, met), []);
  });
