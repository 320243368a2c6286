import assert from "node:assert/strict";
import { it } from "node:test";

import type { SeasonMatchups } from "#core/api/season.ts";
import { addTestBot, addMatch, addTestVersion, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

const URL_OF_REX = "/api/seasons/current/matchups?bot=rEx";

/**
 * Stores twelve matches between Rex and each of four opponents. Rex wins 12, 8, 4 and 0 of them.
 */
async function league(): Promise<TestApi> {
  const api = testApi();
  const rex = await addTestVersion(api, await addTestBot(api, "Rex"), "v1");
  for (const [index, name] of ["Ann", "Ben", "Cem", "Dee"].entries()) {
    const opponent = await addTestVersion(api, await addTestBot(api, name), "v1");
    for (let game = 0; game < 12; game += 1) {
      const isWon = game < 12 - 4 * index;
      await addMatch(api, [rex, opponent], { winnerBotId: isWon ? rex.botId : opponent.botId });
    }
  }
  const singleRecord = await addTestVersion(api, await addTestBot(api, "Once"), "v1");
  await addMatch(api, [rex, singleRecord], { winnerBotId: null });
  return api;
}

async function matchups({ app }: TestApi, query: string) {
  const { statusCode, json } = await app.inject(`${URL_OF_REX}${query}`);
  assert.equal(statusCode, 200);
  const { bot, best, toughest, ...counts } = json<SeasonMatchups>();
  const names = (rows: typeof best) => rows.map(({ opponent }) => opponent.name).join(" ");
  return { bot, rows: [...best, ...toughest], lists: [names(best), names(toughest)], counts };
}

it("returns a bot's best and toughest opponents", async () => {
  const { bot, rows, lists, counts } = await matchups(await league(), "&top=1&bottom=2");
  assert.equal(bot.name, "Rex");
  assert.deepEqual(lists, ["Ann", "Dee Cem"]);
  const { opponent, ...record } = rows[2]!;
  assert.deepEqual(record, { wins: 4, losses: 8, draws: 0, games: 12, win_rate: 33.33 });
  assert.equal(opponent.display_name, "Cem");
  assert.deepEqual(counts, {
    limited: true,
    total: 5,
    below_minimum: 1,
    hidden: 1,
    minimum: 10,
  });
});

it("fills both lists if there are few opponents, and returns all opponents on request", async () => {
  const api = await league();
  for (const query of ["&all=1", "&all=1&top=0&bottom=0", ""]) {
    const { lists, counts } = await matchups(api, query);
    assert.deepEqual(lists, ["Ann Ben Cem Dee", "Dee Cem Ben Ann"]);
    assert.deepEqual([counts.limited, counts.hidden], [false, 0]);
  }
  const { lists } = await matchups(api, "&all=1&minimum=1");
  assert.deepEqual(lists, ["Ann Ben Once Cem Dee", "Dee Cem Once Ben Ann"]);
  const noMatchups = await matchups(api, "&top=0&bottom=0");
  assert.deepEqual([noMatchups.lists, noMatchups.counts.hidden], [["", ""], 4]);
});

it("counts a single version only on request", async () => {
  const api = await league();
  const rex = await api.store.bots.byName("Rex");
  const newer = await addTestVersion(api, rex!, "v2");
  const ann = await addTestVersion(api, (await api.store.bots.byName("Ann"))!, "v2");
  await addMatch(api, [ann, newer], { winnerBotId: ann.botId });
  const { rows, counts } = await matchups(api, "&version=v2&minimum=1&bottom=0");
  const { opponent, ...record } = rows[0]!;
  assert.equal(opponent.name, "Ann");
  assert.deepEqual(record, { wins: 0, losses: 1, draws: 0, games: 1, win_rate: 0 });
  assert.equal(counts.total, 1);
  const unknown = await api.app.inject(`${URL_OF_REX}&version=v3`);
  assert.deepEqual([unknown.statusCode, unknown.json().error], [404, "There is no such version."]);
});

it("excludes other seasons", async () => {
  const { app } = await league();
  const response = await app.inject("/api/seasons/preseason/matchups?bot=Rex");
  assert.deepEqual([response.json().total, response.json().best], [0, []]);
});

it("returns 404 for unknown bots", async () => {
  const { app } = await league();
  const { statusCode, json } = await app.inject("/api/seasons/current/matchups?bot=nobody");
  assert.deepEqual([statusCode, json().code], [404, "no_such_bot"]);
});

const LIMITED_PARAMS: [parameter: string, good: string[], bad: string[]][] = [
  ["top", ["0", "20"], ["21", "-1"]],
  ["bottom", ["0", "20"], ["21", "-1"]],
  ["minimum", ["1", "10000"], ["0", "10001"]],
];
const INVALID_NUMBERS = ["1e1", "0x5", "05", "+5", "5.0", "NaN", "Infinity", "%EF%BC%95", ""];
for (const [parameter, validValues, invalidValues] of LIMITED_PARAMS)
  it(`T56 accepts ${parameter} only within its bounds and as a plain number`, async () => {
    const api = await league();
    const status = async (value: string) =>
      (await api.app.inject(`${URL_OF_REX}&${parameter}=${value}`)).statusCode;
    for (const value of validValues) assert.equal(await status(value), 200, value);
    for (const value of [...invalidValues, ...INVALID_NUMBERS, `5&${parameter}=5`])
      assert.equal(await status(value), 400, value);
  });

it("T56 accepts only 1 for `all`, and requires a bot", async () => {
  const { app } = await league();
  for (const query of [
    "bot=Rex&all=0",
    "bot=Rex&all=true",
    "bot=Rex&all=1&all=1",
    "",
    "bot=a&bot=b",
  ])
    assert.equal(
      (await app.inject(`/api/seasons/current/matchups?${query}`)).statusCode,
      400,
      query,
    );
});
