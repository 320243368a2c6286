import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { SeasonResults } from "#core/api/season.ts";
import type { StandingsPage } from "#core/api/standings-page.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { wrapRepositories } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { OnlineBot } from "#live/arena/arena-view.ts";
import { addTestBot, addTestVersion, setRating, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

type Ranked = { bot: BotRecord; version: VersionRecord };

async function addRankedBot(
  api: TestApi,
  name: string,
  rating: number,
  facts: Partial<BotRecord> = {},
): Promise<Ranked> {
  const bot = await addTestBot(api, name, facts);
  const version = await addTestVersion(api, bot, "v1");
  setRating(api, version, rating, [30, 0, 0]);
  return { bot, version };
}

function session({ bot, version }: Ranked, facts: Partial<OnlineBot> = {}): OnlineBot {
  return {
    botId: bot.id,
    name: bot.name,
    house: bot.house,
    online: true,
    version: version.label,
    versionId: version.id,
    ladderId: "public",
    state: "waiting",
    matchId: null,
    ...facts,
  };
}

const pageOf = async ({ app }: TestApi, query = "") => {
  const { statusCode, body } = await app.inject(`/api/standings${query}`);
  assert.equal(statusCode, 200, query);
  return JSON.parse(body) as StandingsPage;
};
const namesOf = ({ rows }: StandingsPage) => rows.map(({ name }) => name);

/** Opens an API with four ranked bots, two of them online, and a newcomer. */
async function world() {
  const api = testApi();
  const rex = await addRankedBot(api, "Rex", 1700, { owner: "ada", avatar: "ronin" });
  const opponent = await addRankedBot(api, "Foe", 1600);
  const kiter = await addRankedBot(api, "house-kiter", 1500, { owner: "house", house: true });
  const ann = await addRankedBot(api, "Ann", 1400, { owner: "Ada" });
  const newcomer = await addTestBot(api, "Newcomer");
  const unratedBot = { bot: newcomer, version: await addTestVersion(api, newcomer, "v1") };
  setRating(api, unratedBot.version, 1500, [3, 1, 0]);
  api.arena.bots.push(
    session(rex, { state: "playing", matchId: "match-1" }),
    session(kiter, { state: "playing", matchId: "match-1" }),
    session(unratedBot),
  );
  const running = { ladderId: "public", map: "keep", tick: 9, started: "2026-01-05T12:00:00.000Z" };
  const fight = { botIds: [rex.bot.id, kiter.bot.id], names: ["Rex", "house-kiter"] };
  api.arena.matches.push({ id: "match-1", ...running, ...fight });
  return { api, rex, foe: opponent, kiter, ann, young: unratedBot };
}

describe("a page of the standings", () => {
  it("returns the leaderboard rows with avatars and activity", async () => {
    const { api } = await world();
    const page = await pageOf(api);
    const leaderboard = (await api.app.inject("/api/leaderboard")).json<object[]>();
    for (const [at, row] of page.rows.entries()) {
      const { avatar, state, match_id } = row;
      assert.deepEqual(row, { ...leaderboard[at], avatar, state, match_id });
    }
    const activity = page.rows.map(({ avatar, state, match_id }) => [avatar, state, match_id]);
    assert.deepEqual(activity, [
      ["ronin", "playing", "match-1"],
      [null, null, null],
      [null, "playing", "match-1"],
      [null, null, null],
    ]);
    const { total, found, offset, lowest, highest, season } = page;
    assert.deepEqual([total, found, offset, season], [4, 4, 0, "2026-01"]);
    assert.deepEqual([lowest, highest], [1320, 1780]);
  });

  it("lists current activity, with newcomers and the best-ranked match first", async () => {
    const { api, rex, kiter, foe: opponent } = await world();
    const otherMatch = { id: "match-2", ladderId: "public", map: "cage", tick: 1 };
    api.arena.matches.push({
      ...otherMatch,
      started: "2026-01-05T12:00:01.000Z",
      botIds: [rex.bot.id, opponent.bot.id],
      names: ["Rex", "Foe"],
    });
    const { now } = await pageOf(api);
    assert.deepEqual(
      now?.running.map(({ id, bots }) => [id, ...bots.map(({ rank }) => rank)]),
      [
        ["match-2", 1, 2],
        ["match-1", 1, 3],
      ],
    );
    assert.deepEqual([now?.online, now?.running_total, now?.coming_total], [3, 2, 1]);
    assert.equal(now?.players_online, 2);
    assert.deepEqual(
      now?.coming.map(({ name, games }) => [name, games]),
      [["Newcomer", 4]],
    );
    const [, seat] = now!.running[1]!.bots;
    assert.deepEqual(seat, {
      id: kiter.bot.id,
      name: "house-kiter",
      display_name: "Kiter",
      house: true,
      avatar: null,
      rank: 3,
      rating: 1500,
    });
  });

  const FILTERS: [query: string, names: string[], offset: number][] = [
    ["?show=house", ["house-kiter"], 0],
    ["?show=players", ["Rex", "Foe", "Ann"], 0],
    ["?online=1", ["Rex", "house-kiter"], 0],
    ["?owner=ADA", ["Rex", "Ann"], 0],
    ["?q=kit", ["house-kiter"], 0],
    ["?limit=2", ["Rex", "Foe"], 0],
    ["?limit=2&offset=2", ["house-kiter", "Ann"], 2],
    ["?limit=3&bot=ann", ["Ann"], 3],
    ["?limit=3&bot=nobody", ["Rex", "Foe", "house-kiter"], 0],
    ["?show=players&limit=1&bot=ann", ["Ann"], 2],
    ["?offset=9", [], 9],
  ];
  for (const [query, names, offset] of FILTERS)
    it(`for ${query} returns the matching bots with their ranks on the whole ladder`, async () => {
      const { api } = await world();
      const page = await pageOf(api, query);
      assert.deepEqual([namesOf(page), page.offset], [names, offset]);
      const ranks = new Map(["Rex", "Foe", "house-kiter", "Ann"].map((name, at) => [name, at + 1]));
      for (const { name, rank } of page.rows) assert.equal(rank, ranks.get(name));
    });

  it("keeps an archived season unchanged except for current names", async () => {
    const { api, rex } = await world();
    await api.store.seasons.open([{ ...windowOfMonth("2026-02"), archivedAt: null }]);
    const figures = { rating: 1650.4, deviation: 30.2, wins: 30, losses: 1, draws: 0, rank: 1 };
    const { bot, version } = rex;
    const seat = { botId: bot.id, versionId: version.id, label: "v1", owner: "ada", house: false };
    await api.store.seasons.archive("2026-01", "2026-02-01T00:00:03.000Z", [
      { ...seat, ...figures, name: "Old-Rex" },
    ]);
    api.arena.liveSeason = "2026-02";
    api.arena.entries.clear();
    const page = await pageOf(api, "?season=2026-01");
    assert.deepEqual(
      [page.season, page.now, page.lowest, page.highest],
      ["2026-01", null, 1590, 1711],
    );
    const [row] = page.rows;
    assert.deepEqual(
      [row?.name, row?.avatar, row?.state, row?.online],
      ["Rex", "ronin", null, false],
    );
    assert.deepEqual(namesOf(await pageOf(api)), []);
  });

  const REFUSED: [query: string, status: number][] = [
    ["?ladder=nowhere", 404],
    ["?season=2020-01", 404],
    ["?limit=0", 400],
    ["?limit=201", 400],
    ["?offset=-1", 400],
    ["?show=all", 400],
    [`?q=${"x".repeat(40)}`, 400],
  ];
  for (const [query, status] of REFUSED)
    it(`returns ${status} for ${query}`, async () => {
      const { app } = testApi();
      assert.equal((await app.inject(`/api/standings${query}`)).statusCode, status);
    });
});

it("T94 requesting another page of the standings doesn't read the store", async () => {
  const reads: string[] = [];
  const inner = memoryStore();
  const countingReads = wrapRepositories(inner, (method, name) => (...values) => {
    reads.push(name);
    return method(...values);
  });
  const api = testApi({}, { store: { ...countingReads, close: inner.close } });
  for (let number = 0; number < 120; number += 1)
    await addRankedBot(api, `Bot-${number}`, 1500 + number);
  await pageOf(api);
  assert.ok(reads.length > 0);
  reads.length = 0;
  assert.equal((await pageOf(api, "?offset=50")).rows.length, 50);
  assert.deepEqual(reads, []);
});

it("brief results contain the first places and only the bots they mention", async () => {
  const api = testApi();
  for (let number = 0; number < 12; number += 1)
    await addRankedBot(api, `Bot-${number}`, 1600 - number);
  const results = async (query: string) =>
    (await api.app.inject(`/api/seasons/current${query}`)).json<SeasonResults>();
  const [fullResults, brief] = [await results(""), await results("?brief=1")];
  assert.deepEqual([fullResults.standings.length, fullResults.bots.length], [12, 12]);
  assert.deepEqual(brief.standings, fullResults.standings.slice(0, 10));
  assert.deepEqual(brief.bots, fullResults.bots.slice(0, 10));
  const url = "/api/ladders/public/results?brief=1";
  const ladder = (await api.app.inject(url)).json<{ standings: object[] }>();
  assert.equal(ladder.standings.length, 10);
});
