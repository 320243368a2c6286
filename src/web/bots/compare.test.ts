import assert from "node:assert/strict";
import { it } from "node:test";

import type { Comparison } from "#core/resources/bot-record.ts";
import { addBot, addVersion, rate, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

async function world() {
  const api = testApi();
  const bot = await addBot(api, "Rex");
  const [one, two] = [await addVersion(api, bot, "v1"), await addVersion(api, bot, "v2")];
  return { api, one, two };
}

async function compared({ app }: TestApi, query: string): Promise<Comparison> {
  const { statusCode, json } = await app.inject(`/api/bots/rEx/compare?${query}`);
  assert.equal(statusCode, 200, query);
  return json<Comparison>();
}

it("says by how much one version is better, and how sure that is", async () => {
  const { api, one, two } = await world();
  rate(api, one, 1500, [20, 20, 1], 30);
  rate(api, two, 1558.804, [30, 10, 0], 40);
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
  assert.deepEqual(await compared(api, "a=v2&b=v1"), expected);
  const turned = await compared(api, "a=v1&b=v2");
  assert.deepEqual([turned.difference, turned.chance_better], [-58.8, 0.1198]);
  rate(api, two, 1500, [31, 10, 0], 40);
  const { difference, chance_better, games } = await compared(api, "a=v2&b=v1");
  assert.deepEqual([difference, chance_better, games[0]], [0, 0.5, 41]);
});

it("says nothing of versions that have not played, but how many games there are", async () => {
  const { api, one } = await world();
  rate(api, one, 1500, [20, 20, 1], 30);
  const { difference, deviation, chance_better, games } = await compared(api, "a=v1&b=v2");
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
for (const [status, what] of REFUSED)
  it(`is ${status} for ${what}`, async () => {
    const { api } = await world();
    assert.equal((await api.app.inject(`/api/bots/${what}`)).statusCode, status);
  });
