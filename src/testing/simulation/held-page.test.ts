import assert from "node:assert/strict";
import { test } from "node:test";

import { MINUTE } from "#base/units/time.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import type { Matchmaker, PlayedGame } from "#live/matchmaker/matchmaker.ts";

import { seldomRead } from "./held-page.ts";

const JANUARY = { ladderId: "public", season: "2026-01" };

const GAME: PlayedGame = {
  ...JANUARY,
  matchId: "m-1",
  botIds: ["a", "b"],
  versionIds: ["v-a", "v-b"],
  map: "cage",
  score: 1,
  ended: "2026-01-05T12:00:00.000Z",
};

/** A matchmaker that is read rarely, and the number of games its page counts. */
function readSeldom(changes: Partial<Matchmaker> = {}) {
  const clock = { at: 0 };
  const matchmaker = seldomRead({ now: () => clock.at }, { ...localMatchmaker(), ...changes });
  return {
    clock,
    matchmaker,
    seen: async () => (await matchmaker.board(JANUARY)).lines.length / 2,
  };
}

test("a page is held for minutes, and reread afterwards or for another season", async () => {
  const { clock, matchmaker, seen } = readSeldom();
  assert.equal(await seen(), 0);
  await matchmaker.rate(GAME);
  clock.at = 4 * MINUTE;
  assert.equal(await seen(), 0);
  clock.at = 5 * MINUTE;
  assert.equal(await seen(), 1);
  assert.equal((await matchmaker.board({ ...JANUARY, season: "2026-02" })).lines.length, 0);
});

test("a page that may count a game which is taken back is dropped, even while it is read", async () => {
  const { matchmaker, seen } = readSeldom();
  await matchmaker.rate(GAME);
  const early = seen();
  await matchmaker.unrate(GAME);
  assert.deepEqual([await early, await seen()], [1, 0]);
});

test("a page with deviations that are not exact is not held", async () => {
  let reads = 0;
  const board = async () => ({ upTo: (reads += 1), isExact: false, lines: [] });
  const { matchmaker } = readSeldom({ board });
  const pages = [await matchmaker.board(JANUARY), await matchmaker.board(JANUARY)];
  assert.deepEqual(
    pages.map(({ upTo }) => upTo),
    [1, 2],
  );
});
