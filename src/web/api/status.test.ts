import assert from "node:assert/strict";
import { it } from "node:test";

import type { ServerStatus } from "#core/api/ladder.ts";
import { addTestBot, testApi } from "#testing/fixtures/test-api.ts";

it("reports connected bots, running matches and remaining capacity", async () => {
  const { app, arena } = testApi();
  const at = {
    online: true,
    ladderId: "public",
    matchId: "m1",
    version: "v1",
    versionId: "x",
    state: "playing",
  } as const;
  arena.bots.push(
    { botId: "b1", name: "Rex", house: false, ...at, online: false },
    { botId: "b2", name: "house-champion", house: true, ...at },
    { botId: "b3", name: "abe", house: false, ...at, ladderId: null, matchId: null, state: "idle" },
  );
  const started = "2026-01-05T12:00:00.000Z";
  arena.matches.push({
    id: "m1",
    ladderId: "public",
    map: "yard",
    tick: 12,
    started,
    botIds: ["b2", "b1"],
    names: ["house-champion", "Rex"],
  });
  const statusBody = (await app.inject("/api/status")).json();
  const playing = { version: "v1", state: "playing", ladder_id: "public", match_id: "m1" };
  assert.deepEqual(statusBody, {
    online: [
      {
        id: "b3",
        name: "abe",
        display_name: "abe",
        online: true,
        version: "v1",
        state: "idle",
        ladder_id: null,
        match_id: null,
      },
      { id: "b2", name: "house-champion", display_name: "Champion", online: true, ...playing },
      { id: "b1", name: "Rex", display_name: "Rex", online: false, ...playing },
    ],
    matches: [
      {
        id: "m1",
        ladder_id: "public",
        map: "yard",
        tick: 12,
        started,
        bots: ["b2", "b1"],
        display_names: ["Champion", "Rex"],
      },
    ],
    capacity: { running: 1, max: 320 },
    draining: false,
  });
  const publicStatus = (await app.inject("/api/status?ladder=public")).json();
  assert.deepEqual([publicStatus.online.length, publicStatus.matches.length], [2, 1]);
  assert.equal((await app.inject("/api/status?ladder=nowhere")).statusCode, 404);
});

it("reports the activity of one bot, found case-insensitively", async () => {
  const api = testApi();
  const [rex, abe] = [await addTestBot(api, "Rex"), await addTestBot(api, "abe")];
  const at = { house: false, online: true, ladderId: "public", versionId: "x", version: "v1" };
  const session = { ...at, matchId: "m1", state: "playing" } as const;
  const otherSession = { ...at, matchId: null, state: "waiting" } as const;
  api.arena.bots.push(
    { ...session, botId: rex.id, name: "Rex" },
    { ...otherSession, botId: abe.id, name: "abe" },
  );
  const match = { ladderId: "public", map: "yard", tick: 1, started: api.nextMinute() };
  api.arena.matches.push({ ...match, id: "m1", botIds: [rex.id, "b9"], names: ["Rex", "Bo"] });
  const statusOfBot = async (query: string) => {
    const { online, matches } = (await api.app.inject(`/api/status?${query}`)).json<ServerStatus>();
    return [online.map(({ name }) => name), matches.map(({ id }) => id)];
  };
  assert.deepEqual(await statusOfBot("bot=REX"), [["Rex"], ["m1"]]);
  assert.deepEqual(await statusOfBot("bot=abe"), [["abe"], []]);
  assert.deepEqual(await statusOfBot("bot=abe&ladder=public"), [["abe"], []]);
  const { statusCode, body } = await api.app.inject("/api/status?bot=nobody");
  assert.deepEqual([statusCode, JSON.parse(body).code], [404, "no_such_bot"]);
});
