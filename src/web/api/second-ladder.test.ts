import assert from "node:assert/strict";
import { it } from "node:test";

import type { Bot } from "#core/api/bot.ts";
import type { Ladder, LadderResults } from "#core/api/ladder-results.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { addTestBot, addMatch, addTestVersion, testApi } from "#testing/fixtures/test-api.ts";

const CUP: LadderDefinition = {
  ...PUBLIC_LADDER,
  id: "cup",
  name: "Cup",
  description: "One evening.",
  access: "invite",
  opensAt: "2026-01-05T11:00:00.000Z",
  closesAt: "2026-01-05T12:30:00.000Z",
  maps: ["cage", "keep"],
};

type TestApi = ReturnType<typeof testApi>;

function cupApi(change: Partial<LadderDefinition> = {}): TestApi {
  const api = testApi();
  api.ladders.upsert({ ...CUP, ...change });
  return api;
}

const listedIds = async ({ app }: TestApi, query = "") =>
  (await app.inject(`/api/ladders${query}`)).json<Ladder[]>();

it("lists a ladder with its public details", async () => {
  const [first, cup] = await listedIds(cupApi());
  assert.equal(first?.id, "public");
  assert.deepEqual(cup, {
    id: "cup",
    name: "Cup",
    description: "One evening.",
    access: "invite",
    leaderboard_url: "/api/leaderboard?ladder=cup",
    results_url: "/api/ladders/cup/results",
    enabled: true,
    visible: true,
    phase: "open",
    opens_at: CUP.opensAt,
    closes_at: CUP.closesAt,
    maps: ["cage", "keep"],
    events: [],
  });
});

it("lists a hidden ladder if the request names it", async () => {
  const api = cupApi({ visible: false });
  const ids = async (query: string) => (await listedIds(api, query)).map(({ id }) => id);
  assert.deepEqual(await ids(""), ["public"]);
  assert.deepEqual(await ids("?ladder=public"), ["public"]);
  assert.deepEqual(await ids("?ladder=cup"), ["public", "cup"]);
});

it("reports the current phase, including in the results", async () => {
  const api = cupApi();
  const phases = async () => {
    const { ladder } = (await api.app.inject("/api/ladders/cup/results")).json<LadderResults>();
    return [(await listedIds(api))[1]?.phase, ladder.phase];
  };
  assert.deepEqual(await phases(), ["open", "open"]);
  for (let minute = 0; minute < 30; minute += 1) api.nextMinute();
  assert.deepEqual(await phases(), ["closed", "closed"]);
  api.ladders.upsert({ ...CUP, opensAt: "2027-01-01T00:00:00.000Z", closesAt: null });
  assert.deepEqual(await phases(), ["upcoming", "upcoming"]);
});

it("counts all matches on a ladder without seasons", async () => {
  const api = cupApi();
  const [ann, bob] = [await addTestBot(api, "Ann"), await addTestBot(api, "Bob")];
  const [a, b] = [await addTestVersion(api, ann, "v1"), await addTestVersion(api, bob, "v1")];
  await addMatch(api, [a, b], { ladderId: "cup", season: null });
  await addMatch(api, [a, b]);
  const { totals } = (await api.app.inject("/api/ladders/cup/results")).json<LadderResults>();
  assert.equal(totals.games, 1);
});

it("omits the season in responses about a ladder without seasons", async () => {
  const api = cupApi();
  await addTestBot(api, "Rex");
  const page = async (query: string) => (await api.app.inject(`/api/bots/Rex${query}`)).json<Bot>();
  assert.deepEqual([(await page("")).season, (await page("")).season_history], ["2026-01", []]);
  const onCup = await page("?ladder=cup");
  assert.deepEqual(["season" in onCup, "season_history" in onCup], [false, false]);
  assert.equal(onCup.ladder_id, "cup");
});

for (const path of ["/api/leaderboard", "/api/matches"])
  it(`rejects a season parameter for a ladder without seasons at ${path}`, async () => {
    const { app } = cupApi();
    const statusOf = async (query: string) => (await app.inject(`${path}?${query}`)).statusCode;
    for (const season of ["2026-01", "current", "nonsense"])
      assert.equal(await statusOf(`ladder=cup&season=${season}`), 400, season);
    assert.equal(await statusOf("ladder=cup"), 200);
    assert.equal(await statusOf("ladder=public&season=current"), 200);
    assert.equal(await statusOf("ladder=public&season=1999-01"), 404);
  });

it("rejects a season parameter for the results of a ladder without seasons", async () => {
  const { app } = cupApi();
  for (const season of ["2026-01", "current", "nonsense"]) {
    const { statusCode } = await app.inject(`/api/ladders/cup/results?season=${season}`);
    assert.equal(statusCode, 400, season);
  }
});

for (const path of ["status", "lobby", "bots/Rex", "bots/Rex/ratings", "bots/Rex/versions"])
  it(`accepts any existing ladder at /api/${path}`, async () => {
    const api = cupApi({ visible: false });
    await addTestBot(api, "Rex");
    const statusOf = async (ladder: string) =>
      (await api.app.inject(`/api/${path}?ladder=${ladder}`)).statusCode;
    assert.deepEqual([await statusOf("cup"), await statusOf("nowhere")], [200, 404]);
  });
