import assert from "node:assert/strict";
import { it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Bot } from "#core/resources/bot.ts";
import type { Ladder, LadderResults } from "#core/resources/ladder-results.ts";
import { addBot, addMatch, addVersion, testApi } from "#testing/fixtures/test-api.ts";

const CUP: LadderDefinition = {
  ...PUBLIC,
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
  api.ladders.put({ ...CUP, ...change });
  return api;
}

const listed = async ({ app }: TestApi, query = "") =>
  (await app.inject(`/api/ladders${query}`)).json<Ladder[]>();

it("lists a ladder with its public facts", async () => {
  const [first, cup] = await listed(cupApi());
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

it("lists a hidden ladder when a request names it", async () => {
  const api = cupApi({ visible: false });
  const ids = async (query: string) => (await listed(api, query)).map(({ id }) => id);
  assert.deepEqual(await ids(""), ["public"]);
  assert.deepEqual(await ids("?ladder=public"), ["public"]);
  assert.deepEqual(await ids("?ladder=cup"), ["public", "cup"]);
});

it("tells the present phase, in the results too", async () => {
  const api = cupApi();
  const phases = async () => {
    const { ladder } = (await api.app.inject("/api/ladders/cup/results")).json<LadderResults>();
    return [(await listed(api))[1]?.phase, ladder.phase];
  };
  assert.deepEqual(await phases(), ["open", "open"]);
  for (let minute = 0; minute < 30; minute += 1) api.tick();
  assert.deepEqual(await phases(), ["closed", "closed"]);
  api.ladders.put({ ...CUP, opensAt: "2027-01-01T00:00:00.000Z", closesAt: null });
  assert.deepEqual(await phases(), ["upcoming", "upcoming"]);
});

it("counts everything played on a ladder without seasons", async () => {
  const api = cupApi();
  const [ann, bob] = [await addBot(api, "Ann"), await addBot(api, "Bob")];
  const [a, b] = [await addVersion(api, ann, "v1"), await addVersion(api, bob, "v1")];
  await addMatch(api, [a, b], { ladderId: "cup", season: null });
  await addMatch(api, [a, b]);
  const { totals } = (await api.app.inject("/api/ladders/cup/results")).json<LadderResults>();
  assert.equal(totals.games, 1);
});

it("has no season in an answer about a ladder without seasons", async () => {
  const api = cupApi();
  await addBot(api, "Rex");
  const page = async (query: string) => (await api.app.inject(`/api/bots/Rex${query}`)).json<Bot>();
  assert.deepEqual([(await page("")).season, (await page("")).season_history], ["2026-01", []]);
  const onCup = await page("?ladder=cup");
  assert.deepEqual(["season" in onCup, "season_history" in onCup], [false, false]);
  assert.equal(onCup.ladder_id, "cup");
});

for (const path of ["/api/leaderboard", "/api/matches"])
  it(`refuses a season of a ladder without seasons at ${path}`, async () => {
    const { app } = cupApi();
    const statusOf = async (query: string) => (await app.inject(`${path}?${query}`)).statusCode;
    for (const season of ["2026-01", "current", "nonsense"])
      assert.equal(await statusOf(`ladder=cup&season=${season}`), 400, season);
    assert.equal(await statusOf("ladder=cup"), 200);
    assert.equal(await statusOf("ladder=public&season=current"), 200);
    assert.equal(await statusOf("ladder=public&season=1999-01"), 404);
  });

it("refuses a season of the results of a ladder without seasons", async () => {
  const { app } = cupApi();
  for (const season of ["2026-01", "current", "nonsense"]) {
    const { statusCode } = await app.inject(`/api/ladders/cup/results?season=${season}`);
    assert.equal(statusCode, 400, season);
  }
});

for (const path of ["status", "lobby", "bots/Rex", "bots/Rex/ratings", "bots/Rex/versions"])
  it(`knows every ladder at /api/${path}`, async () => {
    const api = cupApi({ visible: false });
    await addBot(api, "Rex");
    const statusOf = async (ladder: string) =>
      (await api.app.inject(`/api/${path}?ladder=${ladder}`)).statusCode;
    assert.deepEqual([await statusOf("cup"), await statusOf("nowhere")], [200, 404]);
  });
