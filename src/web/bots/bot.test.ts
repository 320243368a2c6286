import assert from "node:assert/strict";
import { it } from "node:test";

import type { Bot } from "#core/api/bot.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  setRating,
  emptyMatchStats,
  testApi,
} from "#testing/fixtures/test-api.ts";

type Health = Bot["versions"][number]["health"];
type Fighter = ReturnType<typeof emptyMatchStats>["fighters"][number];

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

/** Returns statistics for a 99-turn match with changes to the first fighter. */
function statsWith(changes: Partial<Fighter>): string {
  const { fighters, ...stats } = emptyMatchStats();
  return JSON.stringify({ ...stats, fighters: [{ ...fighters[0], ...changes }, fighters[1]] });
}

it("shows a bot with versions, rank and matches, found case-insensitively", async () => {
  const api = testApi();
  const rex = await addTestBot(api, "Rex", { owner: "ada" });
  const [first, second, third] = [
    await addTestVersion(api, rex, "v1"),
    await addTestVersion(api, rex, "v2"),
    await addTestVersion(api, rex, "v3"),
  ];
  const opponent = await addTestVersion(api, await addTestBot(api, "Foe"), "v1");
  setRating(api, opponent, 1600, [30, 0, 0]);
  setRating(api, first, 1550, [30, 0, 0]);
  setRating(api, second, 1550, [1, 0, 0]);
  for (let count = 0; count < 22; count++) await addMatch(api, [first, opponent]);
  await addMatch(api, [first, opponent], { ladderId: "spring-cup" });
  const playedFacts = {
    online: true,
    version: "v3",
    versionId: third.id,
    ladderId: "public",
    matchId: null,
  };
  api.arena.bots.push({
    botId: rex.id,
    name: "Rex",
    house: false,
    ...playedFacts,
    state: "waiting",
  });

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

it("reports no online version while the bot is idle or disconnected", async () => {
  const api = testApi();
  const rex = await addTestBot(api, "Rex");
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
    const version = await addTestVersion(api, await addTestBot(api, status, { status }), "v1");
    setRating(api, version, 1700, [40, 0, 0]);
    const page = (await api.app.inject(`/api/bots/${status}`)).json();
    const { current_version, versions } = page;
    assert.deepEqual([page.status, current_version, versions[0].rank], [status, "v1", null]);
  }
});

it("returns 404 for unknown bots and ladders", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  for (const name of ["nobody", "..%2fRex", "%00", "R%65x%00", "constructor", "x".repeat(400)]) {
    const { statusCode, json } = await api.app.inject(`/api/bots/${name}`);
    assert.deepEqual([statusCode, json().code], [404, "no_such_bot"], name);
  }
  assert.equal((await api.app.inject("/api/bots/Rex?ladder=x")).statusCode, 404);
});

it("reports each version's health from its matches with statistics", async () => {
  const api = testApi();
  const rex = await addTestBot(api, "Rex");
  const [first, second] = [
    await addTestVersion(api, rex, "v1"),
    await addTestVersion(api, rex, "v2"),
  ];
  const opponent = await addTestVersion(api, await addTestBot(api, "Foe"), "v1");
  const healths = async (name: string) =>
    (await api.app.inject(`/api/bots/${name}`)).json<Bot>().versions.map(({ health }) => health);
  await addMatch(api, [second, opponent], { voided: true, rated: false });
  assert.deepEqual(await healths("Rex"), [null, null]);

  const refusedTurns = { refused_turns: 10, refused_turns_by_reason: { blocked: 9, not_ready: 2 } };
  const failedTurns = { server_idles: { disconnected: 10 }, disconnects: 1, disqualified: true };
  await addMatch(api, [first, opponent], { stats: statsWith({ ...refusedTurns, timing: TIMING }) });
  const otherLadder = { ladderId: "spring-cup", season: null };
  await addMatch(api, [first, opponent], { ...otherLadder, stats: statsWith(failedTurns) });
  const [health, noHealth] = await healths("Rex");
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
  assert.equal(noHealth, null);
  const [opponentHealth] = await healths("Foe");
  assert.deepEqual(
    [opponentHealth?.matches, opponentHealth?.reply_ms, opponentHealth?.idle_pct],
    [2, null, 2.02],
  );
});

it("counts a version's latest 500 matches", async () => {
  const api = testApi();
  const rex = await addTestVersion(api, await addTestBot(api, "Rex"), "v1");
  const opponent = await addTestVersion(api, await addTestBot(api, "Foe"), "v1");
  await addMatch(api, [rex, opponent], { stats: statsWith({ disconnects: 7 }) });
  for (let count = 0; count < 499; count += 1)
    await addMatch(api, [rex, opponent], { stats: statsWith({}) });
  const health = async () =>
    (await api.app.inject("/api/bots/Rex")).json<Bot>().versions[0]!.health;
  const matches = async () => {
    const { matches: countedMatches, disconnects } = (await health())!;
    return [countedMatches, disconnects];
  };
  assert.deepEqual(await matches(), [500, 7]);
  await addMatch(api, [rex, opponent], { stats: statsWith({ disconnects: 1 }) });
  assert.deepEqual(await matches(), [500, 1]);
});
