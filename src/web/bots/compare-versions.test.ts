import assert from "node:assert/strict";
import { it } from "node:test";

import type { VersionComparison } from "#core/api/bot-record.ts";
import { addTestBot, addTestVersion, setRating, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

async function world() {
  const api = testApi();
  const bot = await addTestBot(api, "Rex");
  const [firstVersion, secondVersion] = [
    await addTestVersion(api, bot, "v1"),
    await addTestVersion(api, bot, "v2"),
  ];
  return { api, one: firstVersion, two: secondVersion };
}

async function readComparison({ app }: TestApi, query: string): Promise<VersionComparison> {
  const { statusCode, json } = await app.inject(`/api/bots/rEx/compare?${query}`);
  assert.equal(statusCode, 200, query);
  return json<VersionComparison>();
}

it("reports the rating difference between two versions and its certainty", async () => {
  const { api, one: firstVersion, two: secondVersion } = await world();
  setRating(api, firstVersion, 1500, [20, 20, 1], 30);
  setRating(api, secondVersion, 1558.804, [30, 10, 0], 40);
  const expected = {
    a: "v2",
    b: "v1",
    ladder_id: "public",
    season: "2026-01",
    difference: 58.8,
    deviation: 50,
    games: [40, 41],
    chance_better: 0.8802,
  };
  assert.deepEqual(await readComparison(api, "a=v2&b=v1"), expected);
  const reversed = await readComparison(api, "a=v1&b=v2");
  assert.deepEqual([reversed.difference, reversed.chance_better], [-58.8, 0.1198]);
  setRating(api, secondVersion, 1500, [31, 10, 0], 40);
  const { difference, chance_better, games } = await readComparison(api, "a=v2&b=v1");
  assert.deepEqual([difference, chance_better, games[0]], [0, 0.5, 41]);
});

it("reports only the number of games if a version hasn't played", async () => {
  const { api, one: firstVersion } = await world();
  setRating(api, firstVersion, 1500, [20, 20, 1], 30);
  const { difference, deviation, chance_better, games } = await readComparison(api, "a=v1&b=v2");
  assert.deepEqual([difference, deviation, chance_better], [null, null, null]);
  assert.deepEqual(games, [41, 0]);
});

const REFUSED: [status: number, what: string][] = [
  [404, "Nobody/compare?a=v1&b=v2"],
  [404, "Rex/compare?a=v1&b=v3"],
  [404, "Rex/compare?a=%2e%2e&b=v2"],
  [404, "Rex/compare?a=v1&b=v2&ladder=x"],
  [400, "Rex/compare?a=v1&b=v1"],
  [400, "Rex/compare?a=v1"],
  [400, "Rex/compare?a=v1&b=v2&b=v1"],
];
for (const [status, path] of REFUSED)
  it(`is ${status} for ${path}`, async () => {
    const { api } = await world();
    assert.equal((await api.app.inject(`/api/bots/${path}`)).statusCode, status);
  });
