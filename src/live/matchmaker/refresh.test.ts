import assert from "node:assert/strict";
import { test } from "node:test";

import { deviations } from "#core/rating/deviation.ts";
import { openBoard } from "#live/standings/board.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { boardOf } from "./board.ts";
import { beginCompetition } from "./competition.ts";
import type { Competitions } from "./competition.ts";
import { rateGame } from "./ratings.ts";
import { readingMs, refreshedAtOnce } from "./refresh.ts";

const TARGETS: [versions: number, passMs: number][] = [
  [201, 5000],
  [500, 5000],
  [1000, 5000],
  [2000, 15_000],
  [5000, 60_000],
];
for (const [versions, passMs] of TARGETS)
  test(`a pass over ${versions} versions is over in ${passMs / 1000} s, with readings to spare`, () => {
    const readings = Math.ceil(versions / refreshedAtOnce(versions));
    assert.ok(1.2 * readings * readingMs(versions) <= passMs, `${readings} readings`);
  });

test("the work of passes in a second is the same for large boards of any size", () => {
  const load = (versions: number) => (versions * refreshedAtOnce(versions)) / readingMs(versions);
  for (const versions of [3000, 5000, 10_000]) {
    const ratio = load(versions) / load(5000);
    assert.ok(ratio > 0.9 && ratio < 1.1, `${ratio} at ${versions}`);
  }
});

const PUBLIC = { ladderId: "public", season: "2026-01" };
const SIZE = 400;

/** Competitions after `count` games among many versions. */
function played(count: number) {
  const competitions: Competitions = new Map();
  beginCompetition(competitions, PUBLIC, []);
  const play = (number: number) => {
    const first = (number * 37) % SIZE;
    const second = (first + 1 + ((number * 13) % 60)) % SIZE;
    return rateGame(competitions, {
      ...PUBLIC,
      matchId: `m-${number}`,
      botIds: [`bot-${first}`, `bot-${second}`],
      versionIds: [`v-${first}`, `v-${second}`],
      map: "cage",
      score: number % 3 === 0 ? 0 : 1,
      ended: new Date(Date.UTC(2026, 0, 5) + number * 1000).toISOString(),
    });
  };
  for (let number = 0; number < count; number += 1) play(number);
  return { competitions, play };
}

/** The largest difference between deviations that a board shows and the exact ones. */
function worstOf(
  competitions: Competitions,
  shown: ReadonlyMap<string, { deviation: number }>,
): number {
  const { scope } = competitions.get("public 2026-01")!;
  const exact = deviations(structuredClone(scope));
  return Math.max(...[...shown].map(([id, { deviation }]) => Math.abs(deviation - exact.get(id)!)));
}

test("a board is close during play, and exact seconds after the last game", async () => {
  const { competitions, play } = played(1500);
  const clock = fakeClock();
  const matchmaker = { board: async () => boardOf(competitions, PUBLIC) };
  const say = () => {};
  const log = { debug: say, info: say, warn: say, error: say };
  const board = openBoard({ matchmaker: matchmaker as never, clock, log }, PUBLIC);
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 50) {
      clock.pass(50);
      await Promise.resolve().then(() => {});
    }
  };
  await board.refresh();
  for (let number = 1500; number < 1530; number += 1) {
    const { sequence } = play(number);
    board.begin(sequence);
    board.commit(sequence);
    await pass(250);
  }
  assert.ok(worstOf(competitions, board.entries()) < 1);
  await pass(5000);
  assert.ok(worstOf(competitions, board.entries()) < 0.001);
  board.close();
});
