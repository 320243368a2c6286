import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import type { LaddersData } from "#site/events/data.ts";
import type { HomeData, LadderData, ResultsData } from "#site/standings/data.ts";
import { sourcesOf } from "#testing/fixtures/sample-world.ts";
import { addBot, addVersion, rate, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

import { laddersData } from "./event-data.ts";
import type { PageSources } from "./page-data.ts";
import { homeData, ladderData, resultsData } from "./standings-data.ts";

type Query = Readonly<Record<string, string | undefined>>;

const CLOSED = "2026-02-01T00:00:03.000Z";

/** A ladder of `size` ranked bots in its second month, with a cup next to public. */
async function world(size: number): Promise<TestApi> {
  const api = testApi();
  await api.store.seasons.open([{ ...windowOfMonth("2026-02"), archivedAt: null }]);
  await api.store.seasons.archive("2026-01", CLOSED, []);
  api.arena.live = "2026-02";
  api.ladders.put({ ...PUBLIC, id: "cup", name: "Cup" });
  for (let number = 0; number < size; number += 1) {
    const bot = await addBot(api, `Bot-${number}`);
    rate(api, await addVersion(api, bot, "v1"), 1800 - number, [30, 0, 0]);
  }
  return api;
}

async function ladderAt(query: Query, size = 3) {
  return ladderData(sourcesOf((await world(size)).app), { query });
}

describe("the page of a ladder", () => {
  const MOVED: [query: Query, movedTo: string][] = [
    [{ ladder: "public" }, "/ladder"],
    [{ ladder: "CUP", q: "x" }, "/ladder?ladder=cup&q=x"],
    [{ season: "PRESEASON" }, "/ladder?season=preseason"],
    [{ season: "current" }, "/ladder?season=2026-02"],
    [{ page: "1" }, "/ladder"],
    [{ page: "-1", show: "house" }, "/ladder?show=house"],
    [{ page: "99" }, "/ladder"],
    [{ show: "foo" }, "/ladder"],
    [{ show: "all", online: "yes", q: "x" }, "/ladder?q=x"],
    [{ show: "house", online: "0" }, "/ladder?show=house"],
  ];
  for (const [query, movedTo] of MOVED)
    it(`for ${JSON.stringify(query)} is at ${movedTo}`, async () => {
      assert.deepEqual(await ladderAt(query), { movedTo });
    });

  const MISSING: Query[] = [
    { ladder: "nowhere" },
    { ladder: "../bots" },
    { season: "2020-01" },
    { season: "2026-13" },
    { ladder: "cup", season: "2026-02" },
  ];
  for (const query of MISSING)
    it(`is missing for ${JSON.stringify(query)}`, async () => {
      assert.equal(await ladderAt(query), null);
    });

  it("is paged, and its last page is where a number beyond it leads", async () => {
    const second = (await ladderAt({ page: "2" }, 60)) as LadderData;
    assert.deepEqual([second.standings.offset, second.standings.rows.length], [50, 10]);
    assert.deepEqual(await ladderAt({ page: "3" }, 60), { movedTo: "/ladder?page=2" });
  });

  it("opens where a bot is", async () => {
    const { standings, sought } = (await ladderAt({ bot: "bot-55" }, 60)) as LadderData;
    assert.deepEqual([standings.offset, sought], [50, "bot-55"]);
  });

  it("T86 takes any text to look for", async () => {
    const odd = `"><script>${"\u202e😀".repeat(30)}`;
    const { filter, standings } = (await ladderAt({ q: odd })) as LadderData;
    assert.ok(odd.startsWith(filter.q!.replace("\ufffd", "")));
    assert.equal(standings.found, 0);
  });

  it("reads no more rows than it shows, however many are ranked", async () => {
    const bytes: number[] = [];
    for (const size of [60, 240]) {
      const { app } = await world(size);
      const inject: typeof app.inject = (async (...given: Parameters<typeof app.inject>) => {
        const answer = await app.inject(...given);
        bytes.push(answer.body.length);
        return answer;
      }) as typeof app.inject;
      await ladderData(sourcesOf({ inject }), { query: {} });
    }
    const half = bytes.length / 2;
    const sum = (part: number[]) => part.reduce((all, one) => all + one, 0);
    const [few, many] = [sum(bytes.slice(0, half)), sum(bytes.slice(half))];
    assert.ok(many < few + 200, `${few} and ${many} bytes`);
  });
});

describe("the page of results", () => {
  const resultsAt = async (query: Query) => resultsData(sourcesOf((await world(2)).app), { query });
  const shownAt = async (query: Query) => {
    const data = (await resultsAt(query)) as ResultsData;
    return data.of === "season" ? data.results.season.id : data.results.ladder.id;
  };

  it("is about the newest month that is over, or what is asked for", async () => {
    assert.equal(await shownAt({}), "2026-01");
    assert.equal(await shownAt({ season: "2026-02" }), "2026-02");
    assert.equal(await shownAt({ ladder: "cup" }), "cup");
  });

  it("is about the live month while none is over", async () => {
    const data = (await resultsData(sourcesOf(testApi().app), { query: {} })) as ResultsData;
    assert.equal(data.of === "season" && data.results.season.state, "live");
  });

  it("is missing or elsewhere like the standings", async () => {
    assert.equal(await resultsAt({ season: "2020-01" }), null);
    assert.equal(await resultsAt({ ladder: "cup", season: "2026-01" }), null);
    assert.deepEqual(await resultsAt({ season: "Preseason" }), {
      movedTo: "/results?season=preseason",
    });
  });
});

describe("registration", () => {
  const CASES: [settings: Parameters<typeof testApi>[0], expected: string][] = [
    [{ anonymous: true }, "open"],
    [{ anonymous: true, registrationKeyHash: "hash" }, "key"],
    [{ anonymous: false }, "closed"],
  ];
  for (const [settings, expected] of CASES)
    it(`is ${expected} with ${JSON.stringify(settings)}`, async () => {
      const { app } = testApi(settings);
      const given = sourcesOf(app);
      const sources: PageSources = { ...given, settings: { ...given.settings, ...settings } };
      const home: HomeData = await homeData(sources);
      const { registration } = (await laddersData(sources, { query: {} })) as LaddersData;
      assert.deepEqual([home.registration, registration], [expected, expected]);
    });
});
