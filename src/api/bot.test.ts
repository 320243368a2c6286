import assert from "node:assert/strict";
import { it } from "node:test";

import type { Bot } from "#protocol/resource-bot.ts";
import { addBot, addMatch, addVersion, rate, testApi } from "#testing/test-api.ts";

it("shows a bot with versions, rank and matches, found in any letter case", async () => {
  const api = testApi();
  const rex = await addBot(api, "Rex", { owner: "ada" });
  const [first, second, third] = [
    await addVersion(api, rex, "v1"),
    await addVersion(api, rex, "v2"),
    await addVersion(api, rex, "v3"),
  ];
  const foe = await addVersion(api, await addBot(api, "Foe"), "v1");
  rate(api, foe, 1600, [30, 0, 0]);
  rate(api, first, 1550, [30, 0, 0]);
  rate(api, second, 1550, [1, 0, 0]);
  for (let count = 0; count < 22; count++) await addMatch(api, [first, foe]);
  await addMatch(api, [first, foe], { ladderId: "spring-cup" });
  const played = { version: "v3", versionId: third.id, ladderId: "public", matchId: null };
  api.arena.bots.push({ botId: rex.id, name: "Rex", house: false, ...played, state: "waiting" });

  const { versions, recent_matches, ...page } = (await api.app.inject("/api/bots/rEx")).json();
  assert.deepEqual(page, {
    name: "Rex",
    display_name: "Rex",
    owner: "ada",
    owner_url: null,
    house: false,
    online: true,
    created: rex.created,
    avatar: null,
    ladder_id: "public",
    played_ladders: ["public", "spring-cup"],
    current_version: "v2",
    online_version: "v3",
    qualifying_games: 30,
    season: null,
    season_history: [],
  });
  const ranks = (versions as Record<string, unknown>[]).map((version) => [
    version.label,
    version.rank,
    version.health,
    version.wins,
  ]);
  assert.deepEqual(ranks, [
    ["v1", 2, null, 30],
    ["v2", null, null, 1],
    ["v3", null, null, 0],
  ]);
  assert.equal(recent_matches.length, 20);
  assert.ok(recent_matches[0].ended > recent_matches[19].ended);
});

it("names no online version while a bot is idle or away", async () => {
  const api = testApi();
  const rex = await addBot(api, "Rex");
  const online = async () => (await api.app.inject("/api/bots/Rex")).json<Bot>();
  assert.deepEqual([(await online()).online, (await online()).online_version], [false, null]);
  const idle = { ladderId: "public", matchId: null, state: "idle" } as const;
  api.arena.bots.push({
    botId: rex.id,
    name: "Rex",
    house: false,
    version: "v1",
    versionId: "x",
    ...idle,
  });
  assert.deepEqual([(await online()).online, (await online()).online_version], [true, null]);
});

it("keeps the pages of moderated and retired bots, without a rank", async () => {
  const api = testApi();
  for (const status of ["suspended", "banned", "retired"] as const) {
    const version = await addVersion(api, await addBot(api, status, { status }), "v1");
    rate(api, version, 1700, [40, 0, 0]);
    const page = (await api.app.inject(`/api/bots/${status}`)).json();
    assert.deepEqual([page.current_version, page.versions[0].rank], ["v1", null]);
  }
});

it("is 404 for bots and ladders that there are not", async () => {
  const api = testApi();
  await addBot(api, "Rex");
  for (const name of ["nobody", "..%2fRex", "%00", "R%65x%00", "constructor", "x".repeat(400)]) {
    const { statusCode, json } = await api.app.inject(`/api/bots/${name}`);
    assert.deepEqual([statusCode, json().code], [404, "no_such_bot"], name);
  }
  assert.equal((await api.app.inject("/api/bots/Rex?ladder=x")).statusCode, 404);
});
