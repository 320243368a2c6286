import assert from "node:assert/strict";
import { it } from "node:test";

import type { Bot } from "#core/resources/bot.ts";
import {
  addBot,
  addMatch,
  addVersion,
  rate,
  sampleStats,
  testApi,
} from "#testing/fixtures/test-api.ts";

type Health = Bot["versions"][number]["health"];
type Fighter = ReturnType<typeof sampleStats>["fighters"][number];

const TIMING = {
  replies: 97,
  mean_ms: 12,
  p50_ms: 10,
  p95_ms: 25,
  max_ms: 812.5,
  near_limit: 1,
  tick_ms: 1000,
  budget_ms: 300_000,
  budget_ms_left: 298_836,
  histogram: [60, 34, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
};

/** A statistics document of 99 turns, with changes for the first fighter. */
function statsWith(changes: Partial<Fighter>): string {
  const { fighters, ...stats } = sampleStats();
  return JSON.stringify({ ...stats, fighters: [{ ...fighters[0], ...changes }, fighters[1]] });
}

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
  const played = {
    online: true,
    version: "v3",
    versionId: third.id,
    ladderId: "public",
    matchId: null,
  };
  api.arena.bots.push({ botId: rex.id, name: "Rex", house: false, ...played, state: "waiting" });

  const { versions, recent_matches, ...page } = (await api.app.inject("/api/bots/rEx")).json();
  assert.deepEqual(page, {
    id: rex.id,
    name: "Rex",
    display_name: "Rex",
    owner: "ada",
    owner_url: null,
    house: false,
    online: true,
    status: "active",
    created: rex.created,
    avatar: null,
    ladder_id: "public",
    played_ladders: ["public", "spring-cup"],
    current_version: "v1",
    online_version: "v3",
    qualifying_games: 30,
    versions_total: 3,
    season: "2026-01",
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
  const idle = { online: true, ladderId: "public", matchId: null, state: "idle" } as const;
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
    const { current_version, versions } = page;
    assert.deepEqual([page.status, current_version, versions[0].rank], [status, "v1", null]);
  }
});

it("is 404 for bots and ladders that do not exist", async () => {
  const api = testApi();
  await addBot(api, "Rex");
  for (const name of ["nobody", "..%2fRex", "%00", "R%65x%00", "constructor", "x".repeat(400)]) {
    const { statusCode, json } = await api.app.inject(`/api/bots/${name}`);
    assert.deepEqual([statusCode, json().code], [404, "no_such_bot"], name);
  }
  assert.equal((await api.app.inject("/api/bots/Rex?ladder=x")).statusCode, 404);
});

it("shows the health of each version over its matches that have statistics", async () => {
  const api = testApi();
  const rex = await addBot(api, "Rex");
  const [first, second] = [await addVersion(api, rex, "v1"), await addVersion(api, rex, "v2")];
  const foe = await addVersion(api, await addBot(api, "Foe"), "v1");
  const healths = async (name: string) =>
    (await api.app.inject(`/api/bots/${name}`)).json<Bot>().versions.map(({ health }) => health);
  await addMatch(api, [second, foe], { voided: true, rated: false });
  assert.deepEqual(await healths("Rex"), [null, null]);

  const refused = { refused_turns: 10, refused_turns_by_reason: { blocked: 9, not_ready: 2 } };
  const bad = { server_idles: { disconnected: 10 }, disconnects: 1, disqualified: true };
  await addMatch(api, [first, foe], { stats: statsWith({ ...refused, timing: TIMING }) });
  const elsewhere = { ladderId: "spring-cup", season: null };
  await addMatch(api, [first, foe], { ...elsewhere, stats: statsWith(bad) });
  const [health, none] = await healths("Rex");
  assert.deepEqual(health, {
    matches: 2,
    turns: 198,
    idle_pct: 6.06,
    idle_pct_by_reason: { timeout: 1.01, disconnected: 5.05 },
    refused_pct: 5.05,
    refused_pct_by_reason: { blocked: 4.55, not_ready: 1.01 },
    reply_ms: { replies: 97, mean: 12, p50: 10, p95: 25, max: 812.5 },
    near_limit_pct: 1.03,
    lowest_budget_ms_left: 298_836,
    disconnects: 1,
    disqualifications: 1,
  } satisfies Health);
  assert.equal(none, null);
  const [other] = await healths("Foe");
  assert.deepEqual([other?.matches, other?.reply_ms, other?.idle_pct], [2, null, 2.02]);
});

it("counts the latest 500 matches of a version", async () => {
  const api = testApi();
  const rex = await addVersion(api, await addBot(api, "Rex"), "v1");
  const foe = await addVersion(api, await addBot(api, "Foe"), "v1");
  await addMatch(api, [rex, foe], { stats: statsWith({ disconnects: 7 }) });
  for (let count = 0; count < 499; count += 1)
    await addMatch(api, [rex, foe], { stats: statsWith({}) });
  const health = async () =>
    (await api.app.inject("/api/bots/Rex")).json<Bot>().versions[0]!.health;
  const matches = async () => {
    const { matches: counted, disconnects } = (await health())!;
    return [counted, disconnects];
  };
  assert.deepEqual(await matches(), [500, 7]);
  await addMatch(api, [rex, foe], { stats: statsWith({ disconnects: 1 }) });
  assert.deepEqual(await matches(), [500, 1]);
});
