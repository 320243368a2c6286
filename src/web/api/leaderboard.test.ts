import assert from "node:assert/strict";
import { it } from "node:test";

import type { LeaderboardRow } from "#core/api/ladder.ts";
import { addTestBot, addTestVersion, setRating, testApi } from "#testing/fixtures/test-api.ts";

it("lists ranked versions with display names", async () => {
  const api = testApi();
  const rex = await addTestVersion(api, await addTestBot(api, "Rex", { owner: "ada" }), "v1");
  const house = { owner: "house", house: true };
  const kiter = await addTestVersion(api, await addTestBot(api, "house-kiter", house), "v1");
  const newBot = await addTestVersion(api, await addTestBot(api, "Young"), "v1");
  setRating(api, rex, 1612.4, [20, 8, 4]);
  setRating(api, kiter, 1500, [10, 20, 0], 20);
  setRating(api, newBot, 1900, [29, 0, 0]);
  const session = { ladderId: null, state: "idle" as const, matchId: null };
  const bot = {
    botId: kiter.botId,
    name: "house-kiter",
    house: true,
    online: true,
    version: null,
    versionId: null,
  };
  api.arena.bots.push({ ...bot, ...session });
  assert.deepEqual((await api.app.inject("/api/leaderboard")).json(), [
    {
      rank: 1,
      name: "Rex",
      display_name: "Rex",
      version: "v1",
      owner: "ada",
      owner_url: null,
      house: false,
      online: false,
      rating: 1612,
      rating_deviation: 40,
      leaderboard_score: 1532,
      wins: 20,
      losses: 8,
      draws: 4,
      moved: null,
    },
    {
      rank: 2,
      name: "house-kiter",
      display_name: "Kiter",
      version: "v1",
      owner: "house",
      owner_url: null,
      house: true,
      online: true,
      rating: 1500,
      rating_deviation: 20,
      leaderboard_score: 1450,
      wins: 10,
      losses: 20,
      draws: 0,
      moved: null,
    },
  ]);
});

it("reports how many places each bot has moved since midnight UTC", async () => {
  const api = testApi();
  const newcomer = async (name: string, rating: number) => {
    const version = await addTestVersion(api, await addTestBot(api, name), "v1");
    setRating(api, version, rating, [30, 0, 0]);
    return version.botId;
  };
  const ann = await newcomer("Ann", 1700);
  const ben = await newcomer("Ben", 1600);
  const cem = await newcomer("Cem", 1500);
  const readMoves = async (query = "") => {
    const response = await api.app.inject(`/api/leaderboard${query}`);
    return response.json<LeaderboardRow[]>().map(({ name, moved: movedRows }) => [name, movedRows]);
  };
  assert.deepEqual(await readMoves(), [
    ["Ann", null],
    ["Ben", null],
    ["Cem", null],
  ]);
  const recordRanks = (botIds: string[], day: number, season: string) =>
    api.store.standings.record(
      {
        ladderId: "public",
        season,
        day: `2026-01-0${day}`,
        notedAt: `2026-01-0${day}T00:00:01.000Z`,
        botIds,
      },
      "2025-12-01",
    );
  await recordRanks([cem, ann], 5, "2026-01");
  const moved = [
    ["Ann", -1],
    ["Ben", null],
    ["Cem", 2],
  ];
  assert.deepEqual(await readMoves(), moved);
  assert.deepEqual(await readMoves("?season=current"), moved);
  await recordRanks([ann, ben, cem], 6, "2026-01");
  assert.deepEqual(await readMoves(), [
    ["Ann", 0],
    ["Ben", 0],
    ["Cem", 0],
  ]);
  await recordRanks([cem, ann], 7, "2025-12");
  assert.deepEqual((await readMoves())[0], ["Ann", null]);
});

it("returns 404 for unknown ladders and seasons", async () => {
  const { app } = testApi();
  const status = async (query: string) => (await app.inject(`/api/leaderboard${query}`)).statusCode;
  const rows = [
    ["", 200],
    ["?ladder=public", 200],
    ["?ladder=", 404],
    ["?ladder=Public", 404],
    ["?ladder=%00", 404],
    ["?season=2020-01", 404],
  ] as const;
  for (const [query, expected] of rows) assert.equal(await status(query), expected, query);
});
