import assert from "node:assert/strict";
import { it } from "node:test";

import type { SeasonMatchups } from "#core/resources/season.ts";
import { addBot, addMatch, addVersion, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

const URL_OF_REX = "/api/seasons/current/matchups?bot=rEx";

/** Rex plays twelve games against each of four opponents, and wins 12, 8, 4 and 0 of them. */
async function league(): Promise<TestApi> {
  const api = testApi();
  const rex = await addVersion(api, await addBot(api, "Rex"), "v1");
  for (const [index, name] of ["Ann", "Ben", "Cem", "Dee"].entries()) {
    const foe = await addVersion(api, await addBot(api, name), "v1");
    for (let game = 0; game < 12; game += 1) {
      const isWon = game < 12 - 4 * index;
      await addMatch(api, [rex, foe], { winnerBotId: isWon ? rex.botId : foe.botId });
    }
  }
  const once = await addVersion(api, await addBot(api, "Once"), "v1");
  await addMatch(api, [rex, once], { winnerBotId: null });
  return api;
}

async function matchups({ app }: TestApi, query: string) {
  const { statusCode, json } = await app.inject(`${URL_OF_REX}${query}`);
  assert.equal(statusCode, 200);
  const { bot, best, toughest, ...counts } = json<SeasonMatchups>();
  const names = (rows: typeof best) => rows.map(({ opponent }) => opponent.name).join(" ");
  return { bot, rows: [...best, ...toughest], lists: [names(best), names(toughest)], counts };
}

it("shows a bot's best and toughest opponents", async () => {
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

it("fills both lists when there are few opponents, and shows all on request", async () => {
  const api = await league();
  for (const query of ["&all=1", "&all=1&top=0&bottom=0", ""]) {
    const { lists, counts } = await matchups(api, query);
    assert.deepEqual(lists, ["Ann Ben Cem Dee", "Dee Cem Ben Ann"]);
    assert.deepEqual([counts.limited, counts.hidden], [false, 0]);
  }
  const { lists } = await matchups(api, "&all=1&minimum=1");
  assert.deepEqual(lists, ["Ann Ben Once Cem Dee", "Dee Cem Once Ben Ann"]);
  const none = await matchups(api, "&top=0&bottom=0");
  assert.deepEqual([none.lists, none.counts.hidden], [["", ""], 4]);
});

it("counts one version alone on request", async () => {
  const api = await league();
  const rex = await api.store.bots.byName("Rex");
  const newer = await addVersion(api, rex!, "v2");
  const ann = await addVersion(api, (await api.store.bots.byName("Ann"))!, "v2");
  await addMatch(api, [ann, newer], { winnerBotId: ann.botId });
  const { rows, counts } = await matchups(api, "&version=v2&minimum=1&bottom=0");
  const { opponent, ...record } = rows[0]!;
  assert.equal(opponent.name, "Ann");
  assert.deepEqual(record, { wins: 0, losses: 1, draws: 0, games: 1, win_rate: 0 });
  assert.equal(counts.total, 1);
  const unknown = await api.app.inject(`${URL_OF_REX}&version=v3`);
  assert.deepEqual([unknown.statusCode, unknown.json().error], [404, "There is no such version."]);
});

it("knows nothing of other seasons", async () => {
  const { app } = await league();
  const answer = await app.inject("/api/seasons/preseason/matchups?bot=Rex");
  assert.deepEqual([answer.json().total, answer.json().best], [0, []]);
});

it("is 404 for unknown bots", async () => {
  const { app } = await league();
  const { statusCode, json } = await app.inject("/api/seasons/current/matchups?bot=nobody");
  assert.deepEqual([statusCode, json().code], [404, "no_such_bot"]);
});

const LIMITED: [parameter: string, good: string[], bad: string[]][] = [
  ["top", ["0", "20"], ["21", "-1"]],
  ["bottom", ["0", "20"], ["21", "-1"]],
  ["minimum", ["1", "10000"], ["0", "10001"]],
];
const NEVER = ["1e1", "0x5", "05", "+5", "5.0", "NaN", "Infinity", "%EF%BC%95", ""];
for (const [parameter, good, bad] of LIMITED)
  it(`T56 takes ${parameter} within its bounds and as a plain number`, async () => {
    const api = await league();
    const status = async (value: string) =>
      (await api.app.inject(`${URL_OF_REX}&${parameter}=${value}`)).statusCode;
    for (const value of good) assert.equal(await status(value), 200, value);
    for (const value of [...bad, ...NEVER, `5&${parameter}=5`])
      assert.equal(await status(value), 400, value);
  });

it("T56 takes no other word for all, and needs a bot", async () => {
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
