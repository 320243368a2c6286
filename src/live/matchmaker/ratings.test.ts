import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo, assertDefined } from "#base/util/assert-defined.ts";
import { exactScore } from "#core/rating/score.ts";
import type { VersionActivity } from "#data/store/stats.ts";

import { readBoardPage, computeFinalBoard } from "./board-page.ts";
import { dropCompetition, liveState } from "./competition.ts";
import type { Competitions } from "./competition.ts";
import type { BoardPage, CompetitionHistory, RatedMatch, RatingChange } from "./matchmaker.ts";
import { compareVersions, rateMatch, loadCompetition, unrateMatch } from "./ratings.ts";

const JANUARY = { ladderId: "public", season: "2026-01" };
const FEBRUARY = { ladderId: "public", season: "2026-02" };
const VERSIONS = ["v-a", "v-b", "v-c", "v-d"];

function fixedMatches(count: number): RatedMatch[] {
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

function rateAll(matches: readonly RatedMatch[]): Competitions {
  const competitions: Competitions = new Map();
  for (const match of matches) rateMatch(competitions, match);
  return competitions;
}

const roundedBoard = (competitions: Competitions) =>
  readBoardPage(competitions, JANUARY)
    .lines.map((line) => ({
      ...line,
      rating: line.rating.toFixed(4),
      deviation: line.deviation.toFixed(2),
    }))
    .toSorted((one, b) => (one.versionId < b.versionId ? -1 : 1));

test("reports whole points, and each version's rating after a match equals its rating before the next", () => {
  const competitions: Competitions = new Map();
  const match = fixedMatches(1)[0]!;
  const first = rateMatch(competitions, match);
  assert.deepEqual(first.before, [1500, 1500]);
  assert.ok(first.after[0] > 1500 && first.after[1] < 1500);
  assert.ok([...first.after].every(Number.isInteger));
  const second = rateMatch(competitions, { ...match, matchId: "m-2" });
  assert.deepEqual(second.before, first.after);
  assert.deepEqual([first.sequence, second.sequence], [1, 2]);
});

/** Allowed rating difference in points between two orders of the same matches. */
const TOLERANCE = 1e-6;

function assertSame(expected: RatingChange["exact"], actual: RatingChange["exact"]): void {
  for (const [seat, { rating, deviation, score }] of expected.entries()) {
    const actualRating = actual[seat]!;
    const differences = [
      actualRating.rating - rating,
      actualRating.deviation - deviation,
      actualRating.score - score,
    ];
    assert.ok(
      Math.max(...differences.map(Math.abs)) <= TOLERANCE,
      `seat ${seat} is off by ${differences.join()}`,
    );
  }
}

test("reports unrounded ratings, exact deviations and board scores of both versions", () => {
  const matches = wideMatches(60, 300);
  const competitions = rateAll(matches.slice(0, 299));
  const { after, exact } = rateMatch(competitions, matches[299]!);
  const { lines } = readBoardPage(competitions, JANUARY);
  for (const [seat, { rating, deviation, score }] of exact.entries()) {
    const line = assertDefined(
      lines.find(({ versionId }) => versionId === matches[299]!.versionIds[seat]),
      "line",
    );
    assert.ok(Math.abs(rating - line.rating) < 1e-5);
    assert.ok(Math.abs(deviation - line.deviation) < 1e-5);
    assert.ok(Math.abs(score - exactScore(line.rating, line.deviation)) < 1e-5);
    assert.equal(Math.round(rating), after[seat]);
  }
});

test("reproduces every match's ratings when matches are rated again in order, even across a restart", () => {
  const matches = wideMatches(130, 700);
  const live = rateAll(matches.slice(0, 400));
  readBoardPage(live, JANUARY);
  const restarted: Competitions = new Map();
  loadCompetition(restarted, historyOf(matches.slice(0, 400), live));
  const recount: Competitions = new Map();
  for (const [number, match] of matches.entries()) {
    const { exact } = rateMatch(recount, match);
    if (number < 400) continue;
    if (number % 50 === 0) readBoardPage(restarted, JANUARY);
    assertSame(exact, rateMatch(restarted, match).exact);
  }
});

test("reports the same ratings after another match was rated and reverted", () => {
  for (const matches of [fixedMatches(30), wideMatches(300, 500)]) {
    const last = matches.at(-1)!;
    const revertedMatch = { ...last, score: last.score === 1 ? 0 : 1, matchId: "m-wrong" } as const;
    const withRevert = rateAll(matches.slice(0, -1));
    rateMatch(withRevert, revertedMatch);
    unrateMatch(withRevert, revertedMatch);
    const withoutRevert = rateAll(matches.slice(0, -1));
    assertSame(rateMatch(withRevert, last).exact, rateMatch(withoutRevert, last).exact);
  }
});

test("reading a dropped competition doesn't create it, and the live competition stays live", () => {
  const competitions = rateAll(fixedMatches(4));
  loadCompetition(competitions, { ...FEBRUARY, pairs: [], activity: [], anchorBots: [] });
  dropCompetition(competitions, JANUARY);
  const emptyPage = { lastSequence: 0, isExact: true, lines: [] };
  assert.deepEqual(readBoardPage(competitions, JANUARY), emptyPage);
  assert.deepEqual(computeFinalBoard(competitions, JANUARY), emptyPage);
  assert.deepEqual(liveState(competitions, "public").competition, FEBRUARY);
  liveState(competitions, "empty");
  assert.equal(competitions.size, 1);
});

test("raises the rating of the bot whose seat scored the point", () => {
  for (const [score, sign] of [
    [1, 1],
    [0, -1],
    [0.5, 0],
  ] as const) {
    const { after } = rateMatch(new Map(), { ...fixedMatches(1)[0]!, score });
    assert.equal(Math.sign(after[0] - 1500), sign);
    assert.equal(Math.sign(1500 - after[1]), sign);
  }
});

test("ratings don't depend on the order of matches", () => {
  const matches = fixedMatches(40);
  const reversed = rateAll(matches.toReversed());
  const ratings = (competitions: Competitions) =>
    roundedBoard(competitions).map(({ versionId, rating }) => [versionId, rating]);
  assert.deepEqual(ratings(reversed), ratings(rateAll(matches)));
});

test("reverting a match leaves no trace", () => {
  const matches = fixedMatches(30);
  const last = matches[29]!;
  const competitions = rateAll(matches);
  unrateMatch(competitions, last);
  assert.deepEqual(roundedBoard(competitions), roundedBoard(rateAll(matches.slice(0, 29))));
  rateMatch(competitions, last);
  assert.deepEqual(roundedBoard(competitions), roundedBoard(rateAll(matches)));
});

test("a version whose only match is reverted is not on the board", () => {
  const match = fixedMatches(1)[0]!;
  const competitions = rateAll([match]);
  unrateMatch(competitions, match);
  assert.deepEqual(readBoardPage(competitions, JANUARY).lines, []);
});

test("reverting a match keeps matches rated after it", () => {
  const matches = fixedMatches(12);
  const competitions = rateAll(matches);
  const b: RatedMatch = {
    ...matches[0]!,
    matchId: "m-other",
    botIds: ["bot-x", "bot-y"],
    versionIds: ["v-x", "v-y"],
    ended: "2026-02-01T00:00:00.000Z",
  };
  rateMatch(competitions, b);
  unrateMatch(competitions, matches[11]!);
  assert.deepEqual(roundedBoard(competitions), roundedBoard(rateAll([...matches.slice(0, 11), b])));
});

/** Returns what the store would contain after these matches, in its order. */
function historyOf(matches: readonly RatedMatch[], live: Competitions): CompetitionHistory {
  type Tally = [wins: number, draws: number, losses: number];
  const pairs = new Map<string, { first: string; second: string; map: string; tally: Tally }>();
  for (const { versionIds, map, score } of matches) {
    const [first, second] = firstTwo([...versionIds].toSorted());
    const firstScore = versionIds[0] === first ? score : 1 - score;
    const key = `${first} ${second} ${map}`;
    const pair = pairs.get(key) ?? { first, second, map, tally: [0, 0, 0] };
    pair.tally[firstScore === 1 ? 0 : firstScore === 0.5 ? 1 : 2]! += 1;
    pairs.set(key, pair);
  }
  const activity = readBoardPage(live, JANUARY).lines.map(
    ({ versionId, botId, lastPlayed, lastMatchId }): VersionActivity => {
      return { versionId, botId, lastPlayed, lastMatchId, seatBalance: 0 };
    },
  );
  return {
    ...JANUARY,
    pairs: [...pairs]
      .toSorted(([one], [b]) => (one < b ? -1 : 1))
      .map(([, { tally, ...pair }]) => {
        const [wins, draws, losses] = tally;
        return { ...pair, wins, draws, losses };
      }),
    activity: activity.toSorted((one, b) => (one.versionId < b.versionId ? -1 : 1)),
    anchorBots: [],
  };
}

const sortedLines = (page: BoardPage | null) =>
  page?.lines.toSorted((one, b) => (one.versionId < b.versionId ? -1 : 1));

for (const [versions, count] of [
  [4, 50],
  [90, 400],
  [210, 600],
])
  test(`ratings of ${versions} versions survive a restart down to the last digit`, () => {
    const matches = wideMatches(versions!, count!);
    const live = rateAll(matches);
    readBoardPage(live, JANUARY);
    unrateMatch(live, matches[count! - 1]!);
    rateMatch(live, matches[count! - 1]!);
    const restarted: Competitions = new Map();
    loadCompetition(restarted, historyOf(matches, live));
    const ratings = (competitions: Competitions) =>
      sortedLines(readBoardPage(competitions, JANUARY))?.map(({ deviation, ...line }) => ({
        ...line,
        // On a large board, deviations are not exact until a full pass.
        deviation: versions! <= 200 ? deviation : 0,
      }));
    assert.deepEqual(ratings(restarted), ratings(live));
    assert.deepEqual(sortedLines(finalBoard(restarted)), sortedLines(finalBoard(live)));
  });

function wideMatches(versions: number, count: number): RatedMatch[] {
  return fixedMatches(count).map((match, number) => {
    const first = (number * 7919) % versions;
    const second = (first + 1 + ((number * 104_729) % (versions - 1))) % versions;
    const score = (number * 31) % 5 === 0 ? 0.5 : (first * number) % 3 === 0 ? 1 : 0;
    return {
      ...match,
      botIds: [`bot-${first}`, `bot-${second}`],
      versionIds: [`v-${(first * 37) % versions}`, `v-${(second * 37) % versions}`],
      score,
    };
  });
}

function finalBoard(competitions: Competitions): BoardPage | null {
  for (let part = 0; part < 100; part += 1) {
    const page = computeFinalBoard(competitions, JANUARY);
    if (page !== null) return page;
  }
  return null;
}

test("a board matches the incremental fit to within one millionth of a point", () => {
  const live = rateAll(wideMatches(60, 900));
  const { lines } = readBoardPage(live, JANUARY);
  const match = wideMatches(60, 1)[0]!;
  const line = (versionId: string) => lines.find((one) => one.versionId === versionId);
  const { before } = rateMatch(live, match);
  assert.deepEqual(
    before,
    match.versionIds.map((versionId) => Math.round(line(versionId)?.rating ?? NaN)),
  );
});

test("a final pass runs in parts and makes every deviation exact", () => {
  const competitions = rateAll(wideMatches(250, 1500));
  assert.equal(computeFinalBoard(competitions, JANUARY), null);
  const page = finalBoard(competitions);
  assert.equal(page?.lines.length, 250);
  assert.deepEqual(sortedLines(computeFinalBoard(competitions, JANUARY)), sortedLines(page));
});

test("competitions are counted separately", () => {
  const competitions = rateAll(fixedMatches(10));
  const empty = { pairs: [], activity: [], anchorBots: [] };
  loadCompetition(competitions, { ...FEBRUARY, ...empty });
  rateMatch(competitions, { ...fixedMatches(1)[0]!, ...FEBRUARY });
  assert.equal(readBoardPage(competitions, JANUARY).lastSequence, 10);
  assert.equal(readBoardPage(competitions, FEBRUARY).lastSequence, 1);
  const before = roundedBoard(competitions);
  rateMatch(competitions, { ...fixedMatches(2)[1]!, ...FEBRUARY });
  assert.deepEqual(roundedBoard(competitions), before);
  dropCompetition(competitions, JANUARY);
  assert.deepEqual(readBoardPage(competitions, JANUARY).lines, []);
});

test("loading a competition again doesn't count its matches twice", () => {
  const matches = fixedMatches(20);
  const live = rateAll(matches);
  const actualRating: Competitions = new Map();
  for (let load = 0; load < 2; load += 1) loadCompetition(actualRating, historyOf(matches, live));
  assert.deepEqual(roundedBoard(actualRating), roundedBoard(live));
});

test("reports each version's number of earlier rated matches", () => {
  const competitions: Competitions = new Map();
  const match = fixedMatches(1)[0]!;
  assert.deepEqual(rateMatch(competitions, match).games, [0, 0]);
  const b = { ...match, versionIds: [match.versionIds[0], "v-new"] as const };
  assert.deepEqual(rateMatch(competitions, b).games, [1, 0]);
});

test("the last match of a version is determined by end time, as in the store", () => {
  const [firstMatch, secondMatch] = firstTwo(fixedMatches(2));
  const earlierMatch = { ...firstMatch, matchId: "m-back", ended: "2026-01-04T00:00:00.000Z" };
  const competitions = rateAll([firstMatch, secondMatch, earlierMatch]);
  const ids = readBoardPage(competitions, JANUARY).lines.map(({ lastMatchId }) => lastMatchId);
  assert.ok(!ids.includes("m-back"));
});

test("anchors that have played average 1500", () => {
  const competitions: Competitions = new Map();
  const anchorBots = ["bot-0", "bot-1", "bot-never"];
  loadCompetition(competitions, { ...JANUARY, pairs: [], activity: [], anchorBots });
  for (const match of fixedMatches(40)) rateMatch(competitions, match);
  assert.ok(Math.abs(meanOf(competitions, ["v-a", "v-b"]) - 1500) < 1e-6);
});

test("an anchor follows its bot's current version and is restored when a match is reverted", () => {
  const competitions: Competitions = new Map();
  loadCompetition(competitions, { ...JANUARY, pairs: [], activity: [], anchorBots: ["bot-0"] });
  for (const match of fixedMatches(40)) rateMatch(competitions, match);
  assert.ok(Math.abs(meanOf(competitions, ["v-a"]) - 1500) < 1e-6);
  const versionUpdate: RatedMatch = {
    ...fixedMatches(1)[0]!,
    matchId: "m-update",
    versionIds: ["v-a2", "v-b"],
    ended: "2026-02-01T00:00:00.000Z",
  };
  rateMatch(competitions, versionUpdate);
  assert.ok(Math.abs(meanOf(competitions, ["v-a2"]) - 1500) < 1e-6);
  assert.ok(Math.abs(meanOf(competitions, ["v-a"]) - 1500) > 1);
  unrateMatch(competitions, versionUpdate);
  assert.ok(Math.abs(meanOf(competitions, ["v-a"]) - 1500) < 1e-6);
});

function meanOf(competitions: Competitions, versionIds: string[]): number {
  const lines = readBoardPage(competitions, JANUARY).lines.filter(({ versionId }) =>
    versionIds.includes(versionId),
  );
  return lines.reduce((sum, { rating }) => sum + rating, 0) / versionIds.length;
}

test("a board reports the last match it includes", () => {
  const competitions = rateAll(fixedMatches(3));
  assert.equal(readBoardPage(competitions, JANUARY).lastSequence, 3);
  assert.equal(readBoardPage(competitions, FEBRUARY).lastSequence, 0);
  unrateMatch(competitions, fixedMatches(3)[2]!);
  assert.equal(readBoardPage(competitions, JANUARY).lastSequence, 3);
});

test("compares two versions within one competition", () => {
  const competitions = rateAll(fixedMatches(30));
  const comparison = compareVersions(competitions, JANUARY, ["v-a", "v-b"]);
  const { lines } = readBoardPage(competitions, JANUARY);
  const line = (id: string) => lines.find(({ versionId }) => versionId === id)!;
  const difference = line("v-a").rating - line("v-b").rating;
  assert.ok(Math.abs(comparison.ratings!.difference - difference) < 1e-6);
  assert.deepEqual(
    comparison.games,
    ["v-a", "v-b"].map((id) => line(id).wins + line(id).draws + line(id).losses),
  );
  assert.deepEqual(compareVersions(competitions, FEBRUARY, ["v-a", "v-b"]), {
    games: [0, 0],
    ratings: null,
  });
});
