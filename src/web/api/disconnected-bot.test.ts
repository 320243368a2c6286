import assert from "node:assert/strict";
import { it } from "node:test";

import {
  addTestBot,
  addTestVersion,
  bearerHeader,
  setRating,
  testApi,
  botTokenOf,
} from "#testing/fixtures/test-api.ts";

it("shows a bot that disconnected during a match as playing and offline in every response", async () => {
  const api = testApi();
  const rex = await addTestBot(api, "Rex");
  const version = await addTestVersion(api, rex, "v1");
  setRating(api, version, 1550, [30, 0, 0]);
  api.arena.bots.push({
    botId: rex.id,
    name: "Rex",
    house: false,
    online: true,
    version: "v1",
    versionId: version.id,
    ladderId: "public",
    state: "playing",
    matchId: "m1",
  });
  type ShownState = { online: boolean; state?: string; online_version?: string };
  const get = async <T = ShownState>(url: string) =>
    (await api.app.inject({ url, headers: bearerHeader(botTokenOf("Rex")) })).json<T>();
  const shownStates = async () => {
    const [entry] = await get<[ShownState]>("/api/lobby");
    const [row] = await get<[ShownState]>("/api/leaderboard");
    const [status] = (await get<{ online: [ShownState] }>("/api/status")).online;
    const page = await get("/api/bots/Rex");
    const me = await get("/api/me");
    return { entry, row, status, page, me };
  };
  const onlineIn = (entriesByPage: Record<string, ShownState>) =>
    Object.values(entriesByPage).map(({ online }) => online);
  assert.deepEqual(onlineIn(await shownStates()), [true, true, true, true, true]);
  api.arena.bots[0]!.online = false;
  const away = await shownStates();
  assert.deepEqual(onlineIn(away), [false, false, false, false, false]);
  assert.deepEqual([away.entry.state, away.status.state], ["playing", "playing"]);
  assert.equal(away.page.online_version, "v1");
});
