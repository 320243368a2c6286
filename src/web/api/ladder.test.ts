import assert from "node:assert/strict";
import { it } from "node:test";

import type { LadderResults } from "#core/resources/ladder-results.ts";
import { addBot, addMatch, addVersion, rate, testApi } from "#testing/fixtures/test-api.ts";

it("lists the existing ladder, with addresses that are served", async () => {
  const { app } = testApi();
  for (const url of ["/api/ladders", "/api/ladders?ladder=public"]) {
    const ladders = (await app.inject(url)).json<Record<string, string>[]>();
    assert.deepEqual(
      ladders.map(({ id, phase, access }) => [id, phase, access]),
      [["public", "open", "open"]],
    );
    for (const path of [ladders[0]!.leaderboard_url, ladders[0]!.results_url])
      assert.equal((await app.inject(path!)).statusCode, 200, path!);
  }
  for (const url of ["/api/ladders?ladder=nowhere", "/api/ladders/nowhere/results"])
    assert.equal((await app.inject(url)).statusCode, 404, url);
  assert.equal((await app.inject("/api/ladders?ladder=a&ladder=b")).statusCode, 400);
});

const resultsOf = async ({ app }: ReturnType<typeof testApi>) =>
  (await app.inject("/api/ladders/public/results")).json<LadderResults>();

it("has empty results before the first match", async () => {
  const { standings, totals, maps, highlights, rivalries } = await resultsOf(testApi());
  assert.deepEqual([standings, maps, rivalries], [[], [], []]);
  assert.deepEqual(new Set(Object.values(totals)), new Set([0]));
  assert.deepEqual(new Set(Object.values(highlights)), new Set([null]));
});

it("sums up what was played on the ladder", async () => {
  const api = testApi();
  const [ann, bob] = [await addBot(api, "Ann", { avatar: "sage" }), await addBot(api, "Bob")];
  const house = await addBot(api, "house-kiter", { house: true, owner: "house" });
  const [a, b, h] = [
    await addVersion(api, ann, "v1"),
    await addVersion(api, bob, "v1"),
    await addVersion(api, house, "v1"),
  ];
  await addMatch(api, [a, b], { finalTick: 40, settled: true });
  const longest = await addMatch(api, [b, a], { finalTick: 90, map: "keep", settled: true });
  await addMatch(api, [h, a], { settled: true });
  const draw = { winnerBotId: null, reason: "timeout_draw", finalTick: 80, settled: true };
  await addMatch(api, [a, b], draw);
  await addMatch(api, [a, b], { voided: true, rated: false, winnerBotId: null });
  rate(api, a, 1600, [20, 9, 1]);
  const { standings, totals, maps, highlights, rivalries } = await resultsOf(api);
  assert.deepEqual(totals, {
    games: 4,
    rated: 4,
    voided: 1,
    draws: 1,
    player_bots: 2,
    contestants: 3,
    player_wins: 2,
    house_wins: 1,
  });
  assert.deepEqual(
    standings.map(({ name, avatar }) => [name, avatar]),
    [["Ann", "sage"]],
  );
  assert.deepEqual(maps, [
    { map: "yard", games: 3 },
    { map: "keep", games: 1 },
  ]);
  assert.notEqual(highlights.longest, null);
  assert.equal(longest.finalTick, 90);
  assert.deepEqual(
    rivalries.map(({ games, draws }) => [games, draws]),
    [[3, 1]],
  );
});
