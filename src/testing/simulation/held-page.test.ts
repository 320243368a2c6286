import assert from "node:assert/strict";
import { test } from "node:test";

import { localJudge } from "#live/matchmaker/matchmaker-client.ts";
import type { Judge, PlayedGame } from "#live/matchmaker/matchmaker.ts";

import { seldomRead } from "./held-page.ts";

const JANUARY = { ladderId: "public", season: "2026-01" };
const MINUTE_US = 60e6;

const GAME: PlayedGame = {
  ...JANUARY,
  matchId: "m-1",
  botIds: ["a", "b"],
  versionIds: ["v-a", "v-b"],
  map: "cage",
  score: 1,
  ended: "2026-01-05T12:00:00.000Z",
};

/** A judge that is read seldom, and how many games its page counts. */
function readSeldom(changes: Partial<Judge> = {}) {
  const clock = { at: 0 };
  const judge = seldomRead({ now: () => clock.at }, { ...localJudge(), ...changes });
  return { clock, judge, seen: async () => (await judge.board(JANUARY)).lines.length / 2 };
}

test("a page is held for minutes, and read anew afterwards or for another season", async () => {
  const { clock, judge, seen } = readSeldom();
  assert.equal(await seen(), 0);
  await judge.play(GAME);
  clock.at = 4 * MINUTE_US;
  assert.equal(await seen(), 0);
  clock.at = 5 * MINUTE_US;
  assert.equal(await seen(), 1);
  assert.equal((await judge.board({ ...JANUARY, season: "2026-02" })).lines.length, 0);
});

test("a page that may count a game which is taken back is dropped, even while it is read", async () => {
  const { judge, seen } = readSeldom();
  await judge.play(GAME);
  const early = seen();
  await judge.takeBack(GAME);
  assert.deepEqual([await early, await seen()], [1, 0]);
});

test("a page with deviations that are not exact is not held", async () => {
  let reads = 0;
  const board = async () => ({ upTo: (reads += 1), isExact: false, lines: [] });
  const { judge } = readSeldom({ board });
  const pages = [await judge.board(JANUARY), await judge.board(JANUARY)];
  assert.deepEqual(
    pages.map(({ upTo }) => upTo),
    [1, 2],
  );
});
