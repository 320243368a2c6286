import assert from "node:assert/strict";
import { test } from "node:test";

import { bothOf, sure } from "#base/units/sure.ts";
import { exactScore } from "#core/rating/score.ts";
import type { VersionActivity } from "#data/store/figures.ts";

import { boardOf, settleBoard } from "./board.ts";
import { forgetCompetition, liveState } from "./competition.ts";
import type { Competitions } from "./competition.ts";
import type { BoardPage, CompetitionHistory, PlayedGame, RatingChange } from "./matchmaker.ts";
import { compareVersions, rateGame, loadCompetition, unrateGame } from "./ratings.ts";

const JANUARY = { ladderId: "public", season: "2026-01" };
const FEBRUARY = { ladderId: "public", season: "2026-02" };
const VERSIONS = ["v-a", "v-b", "v-c", "v-d"];

/** Games between the versions in a fixed pattern, in the order played. */
function games(count: number): PlayedGame[] {
  return Array.from({ length: count }, (_, number) => {
    const first = number % 4;
    const second = (first + 1 + (number % 3)) % 4;
    return {
      matchId: `m-${number}`,
      ...JANUARY,
      botIds: [`bot-${first}`, `bot-${second}`],
      versionIds: [VERSIONS[first]!, VERSIONS[second]!],
      map: ["cage", "keep", "halls"][number % 3]!,
      score: ([1, 0.5, 0, 1, 1] as const)[number % 5]!,
      ended: new Date(Date.UTC(2026, 0, 5) + number * 1000).toISOString(),
    };
  });
}

function ratedAll(played: readonly PlayedGame[]): Competitions {
  const competitions: Competitions = new Map();
  for (const game of played) rateGame(competitions, game);
  return competitions;
}

const rounded = (competitions: Competitions) =>
  boardOf(competitions, JANUARY)
    .lines.map((line) => ({
      ...line,
      rating: line.rating.toFixed(4),
      deviation: line.deviation.toFixed(2),
    }))
    .toSorted((one, other) => (one.versionId < other.versionId ? -1 : 1));

test("ratings before and after are whole points, and after is the next before", () => {
  const competitions: Competitions = new Map();
  const game = games(1)[0]!;
  const first = rateGame(competitions, game);
  assert.deepEqual(first.before, [1500, 1500]);
  assert.ok(first.after[0] > 1500 && first.after[1] < 1500);
  assert.ok([...first.after].every(Number.isInteger));
  const second = rateGame(competitions, { ...game, matchId: "m-2" });
  assert.deepEqual(second.before, first.after);
  assert.deepEqual([first.sequence, second.sequence], [1, 2]);
});

/** How many points two ways to the same games may differ by. */
const APART = 1e-6;

function assertSame(told: RatingChange["exact"], recounted: RatingChange["exact"]): void {
  for (const [seat, { rating, deviation, score }] of told.entries()) {
    const again = recounted[seat]!;
    const apart = [again.rating - rating, again.deviation - deviation, again.score - score];
    assert.ok(Math.max(...apart.map(Math.abs)) <= APART, `seat ${seat} is off by ${apart.join()}`);
  }
}

test("a game tells both ratings unrounded, their exact deviations and the board's scores", () => {
  const played = wideGames(60, 300);
  const competitions = ratedAll(played.slice(0, 299));
  const { after, exact } = rateGame(competitions, played[299]!);
  const { lines } = boardOf(competitions, JANUARY);
  for (const [seat, { rating, deviation, score }] of exact.entries()) {
    const line = sure(
      lines.find(({ versionId }) => versionId === played[299]!.versionIds[seat]),
      "line",
    );
    assert.ok(Math.abs(rating - line.rating) < 1e-5);
    assert.ok(Math.abs(deviation - line.deviation) < 1e-5);
    assert.ok(Math.abs(score - exactScore(line.rating, line.deviation)) < 1e-5);
    assert.equal(Math.round(rating), after[seat]);
  }
});

test("a recount in order reproduces every game's ratings, even after a restart on the way", () => {
  const played = wideGames(130, 700);
  const live = ratedAll(played.slice(0, 400));
  boardOf(live, JANUARY);
  const restarted: Competitions = new Map();
  loadCompetition(restarted, historyOf(played.slice(0, 400), live));
  const recount: Competitions = new Map();
  for (const [number, game] of played.entries()) {
    const { exact } = rateGame(recount, game);
    if (number < 400) continue;
    if (number % 50 === 0) boardOf(restarted, JANUARY);
    assertSame(exact, rateGame(restarted, game).exact);
  }
});

test("a game's ratings are the same after another one was rated and taken back", () => {
  for (const played of [games(30), wideGames(300, 500)]) {
    const last = played.at(-1)!;
    const wrong = { ...last, score: last.score === 1 ? 0 : 1, matchId: "m-wrong" } as const;
    const turned = ratedAll(played.slice(0, -1));
    rateGame(turned, wrong);
    unrateGame(turned, wrong);
    const straight = ratedAll(played.slice(0, -1));
    assertSame(rateGame(turned, last).exact, rateGame(straight, last).exact);
  }
});

test("reading a forgotten competition begins none: the live one stays live", () => {
  const competitions = ratedAll(games(4));
  loadCompetition(competitions, { ...FEBRUARY, pairs: [], activity: [], anchorBots: [] });
  forgetCompetition(competitions, JANUARY);
  const nothing = { upTo: 0, isExact: true, lines: [] };
  assert.deepEqual(boardOf(competitions, JANUARY), nothing);
  assert.deepEqual(settleBoard(competitions, JANUARY), nothing);
  assert.deepEqual(liveState(competitions, "public").competition, FEBRUARY);
  liveState(competitions, "empty");
  assert.equal(competitions.size, 1);
});

test("the winner is the bot whose seat scored the point", () => {
  for (const [score, sign] of [
    [1, 1],
    [0, -1],
    [0.5, 0],
  ] as const) {
    const { after } = rateGame(new Map(), { ...games(1)[0]!, score });
    assert.equal(Math.sign(after[0] - 1500), sign);
    assert.equal(Math.sign(1500 - after[1]), sign);
  }
});

test("the order of games does not matter, only what was played", () => {
  const played = games(40);
  const backwards = ratedAll(played.toReversed());
  const ratings = (competitions: Competitions) =>
    rounded(competitions).map(({ versionId, rating }) => [versionId, rating]);
  assert.deepEqual(ratings(backwards), ratings(ratedAll(played)));
});

test("a game that is taken back leaves no trace", () => {
  const played = games(30);
  const last = played[29]!;
  const competitions = ratedAll(played);
  unrateGame(competitions, last);
  assert.deepEqual(rounded(competitions), rounded(ratedAll(played.slice(0, 29))));
  rateGame(competitions, last);
  assert.deepEqual(rounded(competitions), rounded(ratedAll(played)));
});

test("a version whose only game is taken back is on no board", () => {
  const game = games(1)[0]!;
  const competitions = ratedAll([game]);
  unrateGame(competitions, game);
  assert.deepEqual(boardOf(competitions, JANUARY).lines, []);
});

test("taking a game back spares games of others that were rated meanwhile", () => {
  const played = games(12);
  const competitions = ratedAll(played);
  const other: PlayedGame = {
    ...played[0]!,
    matchId: "m-other",
    botIds: ["bot-x", "bot-y"],
    versionIds: ["v-x", "v-y"],
    ended: "2026-02-01T00:00:00.000Z",
  };
  rateGame(competitions, other);
  unrateGame(competitions, played[11]!);
  assert.deepEqual(rounded(competitions), rounded(ratedAll([...played.slice(0, 11), other])));
});

/** What the store would return after these games, in its order. */
function historyOf(played: readonly PlayedGame[], live: Competitions): CompetitionHistory {
  type Tally = [wins: number, draws: number, losses: number];
  const pairs = new Map<string, { first: string; second: string; map: string; tally: Tally }>();
  for (const { versionIds, map, score } of played) {
    const [first, second] = bothOf([...versionIds].toSorted());
    const own = versionIds[0] === first ? score : 1 - score;
    const key = `${first} ${second} ${map}`;
    const pair = pairs.get(key) ?? { first, second, map, tally: [0, 0, 0] };
    pair.tally[own === 1 ? 0 : own === 0.5 ? 1 : 2]! += 1;
    pairs.set(key, pair);
  }
  const activity = boardOf(live, JANUARY).lines.map(
    ({ versionId, botId, lastPlayed, lastMatchId }): VersionActivity => {
      return { versionId, botId, lastPlayed, lastMatchId, seatBalance: 0 };
    },
  );
  return {
    ...JANUARY,
    pairs: [...pairs]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { tally, ...pair }]) => {
        const [wins, draws, losses] = tally;
        return { ...pair, wins, draws, losses };
      }),
    activity: activity.toSorted((one, other) => (one.versionId < other.versionId ? -1 : 1)),
    anchorBots: [],
  };
}

const sorted = (page: BoardPage | null) =>
  page?.lines.toSorted((one, other) => (one.versionId < other.versionId ? -1 : 1));

for (const [versions, count] of [
  [4, 50],
  [90, 400],
  [210, 600],
])
  test(`ratings of ${versions} versions survive a restart to the last digit`, () => {
    const played = wideGames(versions!, count!);
    const live = ratedAll(played);
    boardOf(live, JANUARY);
    unrateGame(live, played[count! - 1]!);
    rateGame(live, played[count! - 1]!);
    const restarted: Competitions = new Map();
    loadCompetition(restarted, historyOf(played, live));
    const ratings = (competitions: Competitions) =>
      sorted(boardOf(competitions, JANUARY))?.map(({ deviation, ...line }) => ({
        ...line,
        // With many versions, deviations are updated from game to game until a full pass.
        deviation: versions! <= 200 ? deviation : 0,
      }));
    assert.deepEqual(ratings(restarted), ratings(live));
    assert.deepEqual(sorted(settled(restarted)), sorted(settled(live)));
  });

/** Games among many versions, some of them strong, in a scrambled order. */
function wideGames(versions: number, count: number): PlayedGame[] {
  return games(count).map((game, number) => {
    const first = (number * 7919) % versions;
    const second = (first + 1 + ((number * 104_729) % (versions - 1))) % versions;
    const score = (number * 31) % 5 === 0 ? 0.5 : (first * number) % 3 === 0 ? 1 : 0;
    return {
      ...game,
      botIds: [`bot-${first}`, `bot-${second}`],
      versionIds: [`v-${(first * 37) % versions}`, `v-${(second * 37) % versions}`],
      score,
    };
  });
}

/** The board after a full pass. */
function settled(competitions: Competitions): BoardPage | null {
  for (let part = 0; part < 100; part += 1) {
    const page = settleBoard(competitions, JANUARY);
    if (page !== null) return page;
  }
  return null;
}

test("a board equals the fit from game to game to a millionth of a point", () => {
  const live = ratedAll(wideGames(60, 900));
  const { lines } = boardOf(live, JANUARY);
  const game = wideGames(60, 1)[0]!;
  const line = (versionId: string) => lines.find((one) => one.versionId === versionId);
  const { before } = rateGame(live, game);
  assert.deepEqual(
    before,
    game.versionIds.map((versionId) => Math.round(line(versionId)?.rating ?? NaN)),
  );
});

test("a full pass goes in parts and ends with every deviation exact", () => {
  const competitions = ratedAll(wideGames(250, 1500));
  assert.equal(settleBoard(competitions, JANUARY), null);
  const page = settled(competitions);
  assert.equal(page?.lines.length, 250);
  assert.deepEqual(sorted(settleBoard(competitions, JANUARY)), sorted(page));
});

test("each competition counts for itself, and bots are paired in the one begun last", () => {
  const competitions = ratedAll(games(10));
  const empty = { pairs: [], activity: [], anchorBots: [] };
  loadCompetition(competitions, { ...FEBRUARY, ...empty });
  rateGame(competitions, { ...games(1)[0]!, ...FEBRUARY });
  assert.equal(boardOf(competitions, JANUARY).upTo, 10);
  assert.equal(boardOf(competitions, FEBRUARY).upTo, 1);
  const before = rounded(competitions);
  rateGame(competitions, { ...games(2)[1]!, ...FEBRUARY });
  assert.deepEqual(rounded(competitions), before);
  forgetCompetition(competitions, JANUARY);
  assert.deepEqual(boardOf(competitions, JANUARY).lines, []);
});

test("loading a competition again does not count its games twice", () => {
  const played = games(20);
  const live = ratedAll(played);
  const again: Competitions = new Map();
  for (let load = 0; load < 2; load += 1) loadCompetition(again, historyOf(played, live));
  assert.deepEqual(rounded(again), rounded(live));
});

test("a game tells how many rated games both had before it", () => {
  const competitions: Competitions = new Map();
  const game = games(1)[0]!;
  assert.deepEqual(rateGame(competitions, game).games, [0, 0]);
  const other = { ...game, versionIds: [game.versionIds[0], "v-new"] as const };
  assert.deepEqual(rateGame(competitions, other).games, [1, 0]);
});

test("when a version last played goes by the clock, as in the store", () => {
  const [early, late] = bothOf(games(2));
  const back = { ...early, matchId: "m-back", ended: "2026-01-04T00:00:00.000Z" };
  const competitions = ratedAll([early, late, back]);
  const ids = boardOf(competitions, JANUARY).lines.map(({ lastMatchId }) => lastMatchId);
  assert.ok(!ids.includes("m-back"));
});

test("the mean of the anchors that have played is 1500", () => {
  const competitions: Competitions = new Map();
  const anchorBots = ["bot-0", "bot-1", "bot-never"];
  loadCompetition(competitions, { ...JANUARY, pairs: [], activity: [], anchorBots });
  for (const game of games(40)) rateGame(competitions, game);
  assert.ok(Math.abs(meanOf(competitions, ["v-a", "v-b"]) - 1500) < 1e-6);
});

test("an anchor moves on with the version that its bot plays, and back with a game", () => {
  const competitions: Competitions = new Map();
  loadCompetition(competitions, { ...JANUARY, pairs: [], activity: [], anchorBots: ["bot-0"] });
  for (const game of games(40)) rateGame(competitions, game);
  assert.ok(Math.abs(meanOf(competitions, ["v-a"]) - 1500) < 1e-6);
  const update: PlayedGame = {
    ...games(1)[0]!,
    matchId: "m-update",
    versionIds: ["v-a2", "v-b"],
    ended: "2026-02-01T00:00:00.000Z",
  };
  rateGame(competitions, update);
  assert.ok(Math.abs(meanOf(competitions, ["v-a2"]) - 1500) < 1e-6);
  assert.ok(Math.abs(meanOf(competitions, ["v-a"]) - 1500) > 1);
  unrateGame(competitions, update);
  assert.ok(Math.abs(meanOf(competitions, ["v-a"]) - 1500) < 1e-6);
});

function meanOf(competitions: Competitions, versionIds: string[]): number {
  const lines = boardOf(competitions, JANUARY).lines.filter(({ versionId }) =>
    versionIds.includes(versionId),
  );
  return lines.reduce((sum, { rating }) => sum + rating, 0) / versionIds.length;
}

test("a board tells the last game that it includes", () => {
  const competitions = ratedAll(games(3));
  assert.equal(boardOf(competitions, JANUARY).upTo, 3);
  assert.equal(boardOf(competitions, FEBRUARY).upTo, 0);
  unrateGame(competitions, games(3)[2]!);
  assert.equal(boardOf(competitions, JANUARY).upTo, 3);
});

test("two versions are compared within one competition", () => {
  const competitions = ratedAll(games(30));
  const compared = compareVersions(competitions, JANUARY, ["v-a", "v-b"]);
  const { lines } = boardOf(competitions, JANUARY);
  const line = (id: string) => lines.find(({ versionId }) => versionId === id)!;
  const difference = line("v-a").rating - line("v-b").rating;
  assert.ok(Math.abs(compared.ratings!.difference - difference) < 1e-6);
  assert.deepEqual(
    compared.games,
    ["v-a", "v-b"].map((id) => line(id).wins + line(id).draws + line(id).losses),
  );
  assert.deepEqual(compareVersions(competitions, FEBRUARY, ["v-a", "v-b"]), {
    games: [0, 0],
    ratings: null,
  });
});
