import assert from "node:assert/strict";
import { it } from "node:test";

import type { RatingHistory } from "#core/api/bot.ts";
import { limitsWith } from "#core/limits/limits.ts";
import { addTestBot, addMatch, addTestVersion, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

async function addTwoBots(api: TestApi) {
  const bot = await addTestBot(api, "Rex");
  const rex = await addTestVersion(api, bot, "v1");
  const kiter = await addTestVersion(
    api,
    await addTestBot(api, "house-kiter", { house: true }),
    "v3",
  );
  return { bot, rex, kiter };
}

const historyOf = async ({ app }: TestApi, query = "") => {
  const { statusCode, json } = await app.inject(`/api/bots/rex/ratings${query}`);
  assert.equal(statusCode, 200);
  return json<RatingHistory>();
};

it("returns the rated games in the live season, oldest first", async () => {
  const api = testApi();
  const { rex, kiter } = await addTwoBots(api);
  await addMatch(api, [rex, kiter], { season: "2025-12" });
  const wonMatch = await addMatch(api, [rex, kiter]);
  const { seats } = wonMatch;
  const uncertainSeats = seats.map((seat) => ({ ...seat, deviationAfter: 61.5 }));
  const drawnMatch = await addMatch(api, [rex, kiter], {
    winnerBotId: null,
    seats: uncertainSeats,
  });
  const lostMatch = await addMatch(api, [kiter, rex]);
  const { since, games, points } = await historyOf(api);
  assert.deepEqual([since, games], ["2026-01-01T00:00:00.000Z", 3]);
  assert.deepEqual(points[0], {
    match_id: wonMatch.id,
    ended: wonMatch.ended,
    version: "v1",
    rating: 1520,
    rating_deviation: null,
    delta: 20,
    result: "W",
    opponent: "house-kiter@v3",
    opponent_display_name: "Kiter@v3",
    map: "yard",
  });
  const rest = points.slice(1).map((point) => [point.match_id, point.result, point.delta]);
  assert.deepEqual(rest, [
    [drawnMatch.id, "D", 20],
    [lostMatch.id, "L", -20],
  ]);
  assert.deepEqual(
    points.map(({ rating_deviation }) => rating_deviation),
    [null, 62, null],
  );
});

it("returns the rated games in an older season on request", async () => {
  const api = testApi();
  const { rex, kiter } = await addTwoBots(api);
  const cup = { ladderId: "cup", season: null };
  await addMatch(api, [rex, kiter], { season: "preseason" });
  for (const matchFacts of [{}, {}, cup]) await addMatch(api, [rex, kiter], matchFacts);
  const { since, games } = await historyOf(api, "?season=preseason");
  assert.deepEqual([since, games], ["2026-01-01T00:00:00.000Z", 1]);
  assert.equal((await historyOf(api, "?season=current")).games, 2);
  for (const [query, status] of [
    ["season=2020-01", 404],
    ["season=January", 404],
    ["season=current&days=3", 400],
  ] as const)
    assert.equal(
      (await api.app.inject(`/api/bots/Rex/ratings?${query}`)).statusCode,
      status,
      query,
    );
});

it("covers a number of days across all seasons, including fractions of a day", async () => {
  const api = testApi();
  const { rex, kiter } = await addTwoBots(api);
  await addMatch(api, [rex, kiter], { season: "2025-12" });
  await addMatch(api, [rex, kiter]);
  assert.equal((await historyOf(api, "?days=1")).games, 2);
  const { since, games } = await historyOf(api, "?days=0.001");
  assert.equal(games, 1);
  assert.match(since ?? "", /^2026-01-05T12:/);
  for (const days of ["36525", "40000", "1000000000", "9".repeat(300)]) {
    const fullHistory = await historyOf(api, `?days=${days}`);
    assert.deepEqual([fullHistory.games, fullHistory.since?.slice(0, 4)], [2, "1926"], days);
  }
  for (const days of ["0.0000001", "1.0000001"])
    assert.ok((await historyOf(api, `?days=${days}`)).since, days);
});

it("samples long histories and counts the omitted games", async () => {
  const api = testApi({}, { limits: limitsWith({ history_points: 20 }) });
  const { bot, rex, kiter } = await addTwoBots(api);
  const laterVersion = await addTestVersion(api, bot, "v2");
  for (let game = 0; game < 60; game += 1)
    await addMatch(api, [game < 57 ? rex : laterVersion, kiter]);
  const { games, points } = await historyOf(api);
  assert.equal(games, 60);
  assert.ok(points.length <= 20 && points.length >= 16);
  const versions = points.map(({ version }) => version);
  assert.deepEqual([versions[0], versions.at(-1)], ["v1", "v2"]);
  assert.ok(points.every(({ ended }, at) => at === 0 || points[at - 1]!.ended < ended));
});

it("is empty for a bot without rated games, and returns 404 for an unknown bot", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  assert.deepEqual((await historyOf(api)).points, []);
  for (const [url, code] of [
    ["/api/bots/nobody/ratings", "no_such_bot"],
    ["/api/bots/Rex/ratings?ladder=x", undefined],
  ]) {
    const { statusCode, json } = await api.app.inject(url as string);
    assert.deepEqual([statusCode, json().code], [404, code]);
  }
});

it("T56 accepts only a plain positive number of days", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  const shortHistory = `0.${"0".repeat(400)}1`;
  const invalidDays = [
    "0",
    "0.0",
    shortHistory,
    "-1",
    "1e3",
    "1e309",
    "NaN",
    "Infinity",
    "0x10",
    "%EF%BC%95",
    "1,5",
  ];
  for (const days of [...invalidDays, "", ".5", "5.", "1&days=1", "1e9", "01", "9".repeat(400)]) {
    const { statusCode, json } = await api.app.inject(`/api/bots/Rex/ratings?days=${days}`);
    assert.equal(statusCode, 400, days);
    assert.match(json().error, /^The query parameter 'days' (?:must be|is given) /);
  }
});
