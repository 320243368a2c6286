import assert from "node:assert/strict";
import { it } from "node:test";

import { testApi } from "#testing/fixtures/test-api.ts";

it("shows who is online, what is being played, and how much room is left", async () => {
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
  const all = (await app.inject("/api/status")).json();
  const playing = { version: "v1", state: "playing", ladder_id: "public", match_id: "m1" };
  assert.deepEqual(all, {
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
  const ofPublic = (await app.inject("/api/status?ladder=public")).json();
  assert.deepEqual([ofPublic.online.length, ofPublic.matches.length], [2, 1]);
  assert.equal((await app.inject("/api/status?ladder=nowhere")).statusCode, 404);
});
