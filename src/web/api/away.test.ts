import assert from "node:assert/strict";
import { it } from "node:test";

import { addBot, addVersion, bearer, rate, testApi, tokenOf } from "#testing/fixtures/test-api.ts";

it("shows a bot whose match goes on without it as playing and not online everywhere", async () => {
  const api = testApi();
  const rex = await addBot(api, "Rex");
  const version = await addVersion(api, rex, "v1");
  rate(api, version, 1550, [30, 0, 0]);
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
  type Shown = { online: boolean; state?: string; online_version?: string };
  const get = async <T = Shown>(url: string) =>
    (await api.app.inject({ url, headers: bearer(tokenOf("Rex")) })).json<T>();
  const shown = async () => {
    const [entry] = await get<[Shown]>("/api/lobby");
    const [row] = await get<[Shown]>("/api/leaderboard");
    const [status] = (await get<{ online: [Shown] }>("/api/status")).online;
    const page = await get("/api/bots/Rex");
    const me = await get("/api/me");
    return { entry, row, status, page, me };
  };
  const onlineIn = (all: Record<string, Shown>) => Object.values(all).map(({ online }) => online);
  assert.deepEqual(onlineIn(await shown()), [true, true, true, true, true]);
  api.arena.bots[0]!.online = false;
  const away = await shown();
  assert.deepEqual(onlineIn(away), [false, false, false, false, false]);
  assert.deepEqual([away.entry.state, away.status.state], ["playing", "playing"]);
  assert.equal(away.page.online_version, "v1");
});
