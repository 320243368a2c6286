// A finished ladder shows its final standings everywhere, even if ratings or bots change later.
import assert from "node:assert/strict";
import { it } from "node:test";

import type { Bot } from "#core/api/bot.ts";
import type { LadderResults } from "#core/api/ladder-results.ts";
import type { LeaderboardRow, LobbyEntry } from "#core/api/ladder.ts";
import type { StandingsPage } from "#core/api/standings-page.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";
import { addTestBot, addTestVersion, setRating, testApi } from "#testing/fixtures/test-api.ts";
import { sampleAudit, sampleTime, statusChange } from "#testing/store-contract/store-samples.ts";

const CUP = { ...PUBLIC_LADDER, id: "cup", name: "Cup", closesAt: "2026-01-05T11:00:00.000Z" };
const FORMERLY = { at: sampleTime(0), until: sampleTime(9) };

type Api = ReturnType<typeof testApi>;
type Player = { bot: BotRecord; version: VersionRecord };

const place = (rank: number, { bot, version }: Player, rating: number) => ({
  rank,
  botId: bot.id,
  versionId: version.id,
  name: bot.name,
  owner: bot.owner,
  house: false,
  label: version.label,
  rating,
  deviation: 40,
  wins: 20,
  draws: 0,
  losses: 10,
});

async function player(api: Api, name: string): Promise<Player> {
  const bot = await addTestBot(api, name);
  return { bot, version: await addTestVersion(api, bot, "v1") };
}

/** Finishes a cup that Rex won ahead of Max. The live board has changed since. */
async function cup() {
  const api = testApi();
  const [rex, max] = [await player(api, "Rex"), await player(api, "Max")];
  await api.store.ladders.add(CUP, null, sampleAudit(1));
  api.ladders.upsert(CUP);
  setRating(api, rex.version, 1500, [20, 10, 0]);
  setRating(api, max.version, 1700, [20, 10, 0]);
  const finish = async () => {
    const places = [place(1, rex, 1612), place(2, max, 1480)];
    await api.store.ladders.finish(CUP.id, sampleTime(0), places);
    api.ladders.upsert({ ...CUP, finishedAt: sampleTime(0) });
  };
  const get = async <T>(path: string) => (await api.app.inject(path)).json<T>();
  return { ...api, rex, max, finish, get };
}

const board = async ({ get }: Awaited<ReturnType<typeof cup>>) =>
  (await get<LeaderboardRow[]>("/api/leaderboard?ladder=cup")).map(
    ({ rank, name, rating }) => `${rank} ${name} ${rating}`,
  );

it("shows the final standings on the leaderboard as soon as they are stored", async () => {
  const api = await cup();
  assert.deepEqual(await board(api), ["1 Max 1700", "2 Rex 1500"]);
  await api.finish();
  assert.deepEqual(await board(api), ["1 Rex 1612", "2 Max 1480"]);
});

it("shows the final standings in the results, on the standings page and as a bot's rank", async () => {
  const api = await cup();
  await api.finish();
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
  const results = await api.get<LadderResults>("/api/ladders/cup/results");
  assert.deepEqual(names(results.standings), ["Rex", "Max"]);
  const page = await api.get<StandingsPage>("/api/standings?ladder=cup");
  assert.deepEqual(names(page.rows), ["Rex", "Max"]);
  const { versions } = await api.get<Bot>("/api/bots/Max?ladder=cup");
  assert.equal(versions[0]?.rank, 2);
});

it("shows the final standings with current names, even after a bot is moderated", async () => {
  const api = await cup();
  await api.finish();
  await board(api);
  await api.store.bots.rename(api.rex.bot.id, "Neo", FORMERLY, sampleAudit(2));
  await api.store.bots.setStatus(api.max.bot.id, statusChange("banned"));
  assert.deepEqual(await board(api), ["1 Neo 1612", "2 Max 1480"]);
});

it("omits bots that the ladder doesn't list from its lobby", async () => {
  const api = testApi();
  const { bot } = await player(api, "Rex");
  api.arena.bots.push({
    botId: bot.id,
    name: "Rex",
    house: false,
    online: true,
    version: null,
    versionId: null,
    ladderId: null,
    state: "idle",
    matchId: null,
  });
  api.ladders.upsert({ ...PUBLIC_LADDER, id: "cup", access: "invite" });
  const lobby = async (ladder: string) =>
    (await api.app.inject(`/api/lobby?ladder=${ladder}`)).json<LobbyEntry[]>().length;
  assert.deepEqual([await lobby("public"), await lobby("cup")], [1, 0]);
});
