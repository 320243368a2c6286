import assert from "node:assert/strict";
import { before, it } from "node:test";

import { addAccountBot } from "#testing/fixtures/account-api.ts";
import { hoursAfterStart, ladderApi } from "#testing/fixtures/ladder-api.ts";
import type { LadderApi } from "#testing/fixtures/ladder-api.ts";
import { addTestBot, addMatch, addTestVersion, setRating } from "#testing/fixtures/test-api.ts";

let world: LadderApi;
before(async () => {
  world = await ladderApi();
  const { api, ada, createLadder, enterLadder } = world;
  await createLadder({ visible: false, opens_at: null, closes_at: hoursAfterStart(90) });
  await enterLadder(ada.token);
  const rex = await addTestVersion(api, await addAccountBot(api, ada.account, "Rex"), "v1");
  const kiter = await addTestBot(api, "house-kiter", {
    house: true,
    owner: "house",
    ownerId: "house",
  });
  const opponent = await addTestVersion(api, kiter, "v1");
  await addMatch(api, [rex, opponent], { ladderId: "cup", season: null });
  setRating(api, rex, 1600, [30, 0, 0]);
  setRating(api, opponent, 1500, [0, 30, 0]);
});

const read = async (url: string) => (await world.api.app.inject(url)).json<Row[]>();
type Row = { id: string; name: string; opens_at: string | null; closes_at: string | null };

it("lists a hidden ladder with its window if the request names it", async () => {
  const ids = async (query: string) => (await read(`/api/ladders${query}`)).map(({ id }) => id);
  assert.deepEqual(await ids(""), ["public"]);
  assert.deepEqual(await ids("?ladder=cup"), ["public", "cup"]);
  const [, cup] = await read("/api/ladders?ladder=cup");
  assert.deepEqual([cup?.opens_at, cup?.closes_at], [null, hoursAfterStart(90)]);
});

const ADDRESSES = [
  "/api/leaderboard",
  "/api/standings",
  "/api/status",
  "/api/lobby",
  "/api/matches",
  "/api/bots/Rex",
  "/api/bots/Rex/ratings",
  "/api/bots/Rex/versions",
  "/api/bots/Rex/opponents",
  "/api/bots/Rex/maps",
  "/api/bots/Rex/losses?version=v1",
  "/api/bots/Rex/style",
  "/api/users/ada",
  "/api/ladders",
];

it("accepts the ladder on every route with a ladder parameter, and rejects unknown ladders", async () => {
  const { app } = world.api;
  for (const address of ADDRESSES) {
    const url = `${address}${address.includes("?") ? "&" : "?"}ladder=`;
    assert.equal((await app.inject(`${url}cup`)).statusCode, 200, `${url}cup`);
    assert.equal((await app.inject(`${url}dusk`)).statusCode, 404, `${url}dusk`);
  }
  assert.equal((await read("/api/matches?ladder=cup")).length, 1);
  assert.equal((await app.inject("/api/ladders/cup/results")).statusCode, 200);
  assert.equal((await app.inject("/api/ladders/cup/results?season=2026-01")).statusCode, 400);
});

it("removes an account's bots from the board when it leaves, and restores them when it returns", async () => {
  const { ada, enterLadder, leaveLadder } = world;
  const board = async () => (await read("/api/leaderboard?ladder=cup")).map(({ name }) => name);
  const cachedBodies = async () =>
    (await world.api.app.inject("/api/ladders/cup/results"))
      .json<{ standings: Row[] }>()
      .standings.map(({ name }) => name);
  assert.deepEqual(
    [await board(), await cachedBodies()],
    [
      ["Rex", "house-kiter"],
      ["Rex", "house-kiter"],
    ],
  );
  await leaveLadder(ada.token);
  assert.deepEqual(await board(), ["house-kiter"]);
  assert.deepEqual(
    (await read("/api/leaderboard")).map(({ name }) => name),
    ["Rex", "house-kiter"],
  );
  await enterLadder(ada.token);
  assert.deepEqual(await board(), ["Rex", "house-kiter"]);
});

it("shows a new name immediately", async () => {
  const { api, manageLadders } = world;
  const name = async () =>
    (await api.app.inject("/api/ladders/cup/results")).json<{ ladder: Row }>().ladder.name;
  assert.equal(await name(), "Cup");
  await manageLadders("PUT", "/cup/settings", { name: "Night" });
  assert.equal(await name(), "Night");
});
