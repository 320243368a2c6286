import assert from "node:assert/strict";
import { test } from "node:test";

import { exactDeviations } from "#core/rating/deviation.ts";
import { openBoard } from "#live/standings/board.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { readBoardPage } from "./board-page.ts";
import { readIntervalMs, deviationsPerRead } from "./board-refresh.ts";
import { beginCompetition } from "./competition.ts";
import type { Competitions } from "./competition.ts";
import { rateMatch } from "./ratings.ts";

const PASS_TARGETS: [versions: number, passMs: number][] = [
  [201, 5000],
  [500, 5000],
  [1000, 5000],
  [2000, 15_000],
  [5000, 60_000],
];
for (const [versions, passMs] of PASS_TARGETS)
  test(`a pass over ${versions} versions finishes within ${passMs / 1000} s even if some reads are missed`, () => {
    const readCount = Math.ceil(versions / deviationsPerRead(versions));
    assert.ok(1.2 * readCount * readIntervalMs(versions) <= passMs, `${readCount} readings`);
  });

test("passes do the same amount of work per second on large boards of any size", () => {
  const workRate = (versions: number) =>
    (versions * deviationsPerRead(versions)) / readIntervalMs(versions);
  for (const versions of [3000, 5000, 10_000]) {
    const ratio = workRate(versions) / workRate(5000);
    assert.ok(ratio > 0.9 && ratio < 1.1, `${ratio} at ${versions}`);
  }
});

const PUBLIC = { ladderId: "public", season: "2026-01" };
const SIZE = 400;

function competitionsAfter(count: number) {
  const competitions: Competitions = new Map();
  beginCompetition(competitions, PUBLIC, []);
  const playMatch = (number: number) => {
    const first = (number * 37) % SIZE;
    const second = (first + 1 + ((number * 13) % 60)) % SIZE;
    return rateMatch(competitions, {
      ...PUBLIC,
      matchId: `m-${number}`,
      botIds: [`bot-${first}`, `bot-${second}`],
      versionIds: [`v-${first}`, `v-${second}`],
      map: "cage",
      score: number % 3 === 0 ? 0 : 1,
      ended: new Date(Date.UTC(2026, 0, 5) + number * 1000).toISOString(),
    });
  };
  for (let number = 0; number < count; number += 1) playMatch(number);
  return { competitions, play: playMatch };
}

function largestError(
  competitions: Competitions,
  shownEntries: ReadonlyMap<string, { deviation: number }>,
): number {
  const { results } = competitions.get("public 2026-01")!;
  const exact = exactDeviations(structuredClone(results));
  return Math.max(
    ...[...shownEntries].map(([id, { deviation }]) => Math.abs(deviation - exact.get(id)!)),
  );
}

test("a board is close to exact during play and exact seconds after the last match", async () => {
  const { competitions, play: playMatch } = competitionsAfter(1500);
  const clock = fakeClock();
  const matchmaker = { board: async () => readBoardPage(competitions, PUBLIC) };
  const noop = () => {};
  const log = { debug: noop, info: noop, warn: noop, error: noop };
  const board = openBoard({ matchmaker: matchmaker as never, clock, log }, PUBLIC);
  const pass = async (ms: number) => {
    for (let remaining = ms; remaining > 0; remaining -= 50) {
      clock.advance(50);
      await Promise.resolve().then(() => {});
    }
  };
  await board.refresh();
  for (let number = 1500; number < 1530; number += 1) {
    const { sequence } = playMatch(number);
    board.begin(sequence);
    board.commit(sequence);
    await pass(250);
  }
  assert.ok(largestError(competitions, board.entries()) < 1);
  await pass(5000);
  assert.ok(largestError(competitions, board.entries()) < 0.001);
  board.close();
});
