import assert from "node:assert/strict";
import { test } from "node:test";

import { MINUTE_US } from "#base/util/time.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import type { Matchmaker, RatedMatch } from "#live/matchmaker/matchmaker.ts";

import { withCachedBoard } from "./cached-board.ts";

const JANUARY = { ladderId: "public", season: "2026-01" };

const GAME: RatedMatch = {
  ...JANUARY,
  matchId: "m-1",
  botIds: ["a", "b"],
  versionIds: ["v-a", "v-b"],
  map: "cage",
  score: 1,
  ended: "2026-01-05T12:00:00.000Z",
};

/** A matchmaker that counts reads, with a variable number of games on its board. */
function readSeldom(changes: Partial<Matchmaker> = {}) {
  const clock = { at: 0 };
  const matchmaker = withCachedBoard({ now: () => clock.at }, { ...localMatchmaker(), ...changes });
  return {
    clock,
    matchmaker,
    seen: async () => (await matchmaker.board(JANUARY)).lines.length / 2,
  };
}

test("a board is cached for minutes, and is reread sooner for another season", async () => {
  const { clock, matchmaker, seen: observed } = readSeldom();
  assert.equal(await observed(), 0);
  await matchmaker.rate(GAME);
  clock.at = 4 * MINUTE_US;
  assert.equal(await observed(), 0);
  clock.at = 5 * MINUTE_US;
  assert.equal(await observed(), 1);
  assert.equal((await matchmaker.board({ ...JANUARY, season: "2026-02" })).lines.length, 0);
});

test("a board that includes a reverted game is dropped, even while it is being read", async () => {
  const { matchmaker, seen: observed } = readSeldom();
  await matchmaker.rate(GAME);
  const early = observed();
  await matchmaker.unrate(GAME);
  assert.deepEqual([await early, await observed()], [1, 0]);
});

test("a board with inexact deviations isn't cached", async () => {
  let reads = 0;
  const board = async () => ({ lastSequence: (reads += 1), isExact: false, lines: [] });
  const { matchmaker } = readSeldom({ board });
  const pages = [await matchmaker.board(JANUARY), await matchmaker.board(JANUARY)];
  assert.deepEqual(
    pages.map(({ lastSequence }) => lastSequence),
    [1, 2],
  );
});
