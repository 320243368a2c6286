import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import type { LaddersData } from "#site/events/data.ts";
import type { HomeData, LadderData, ResultsData } from "#site/standings/data.ts";
import { pageSourcesOf } from "#testing/fixtures/sample-world.ts";
import { addTestBot, addTestVersion, setRating, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

import { laddersData } from "./event-data.ts";
import type { PageSources } from "./page-data.ts";
import { homeData, ladderData, resultsData } from "./standings-data.ts";

type Query = Readonly<Record<string, string | undefined>>;

const CLOSED = "2026-02-01T00:00:03.000Z";

/** Opens a ladder of `size` ranked bots in its second month, and a cup. */
async function world(size: number): Promise<TestApi> {
  const api = testApi();
  await api.store.seasons.open([{ ...windowOfMonth("2026-02"), archivedAt: null }]);
  await api.store.seasons.archive("2026-01", CLOSED, []);
  api.arena.liveSeason = "2026-02";
  api.ladders.upsert({ ...PUBLIC_LADDER, id: "cup", name: "Cup" });
  for (let number = 0; number < size; number += 1) {
    const bot = await addTestBot(api, `Bot-${number}`);
    setRating(api, await addTestVersion(api, bot, "v1"), 1800 - number, [30, 0, 0]);
  }
  return api;
}

async function ladderAt(query: Query, size = 3) {
  return ladderData(pageSourcesOf((await world(size)).app), { query });
}

describe("the ladder page", () => {
  const REDIRECTS: [query: Query, movedTo: string][] = [
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
  for (const [query, movedTo] of REDIRECTS)
    it(`for ${JSON.stringify(query)} redirects to ${movedTo}`, async () => {
      assert.deepEqual(await ladderAt(query), { movedTo });
    });

  const MISSING_QUERIES: Query[] = [
    { ladder: "nowhere" },
    { ladder: "../bots" },
    { season: "2020-01" },
    { season: "2026-13" },
    { ladder: "cup", season: "2026-02" },
  ];
  for (const query of MISSING_QUERIES)
    it(`returns 404 for ${JSON.stringify(query)}`, async () => {
      assert.equal(await ladderAt(query), null);
    });

  it("redirects page numbers above the last page to the last page", async () => {
    const second = (await ladderAt({ page: "2" }, 60)) as LadderData;
    assert.deepEqual([second.standings.offset, second.standings.rows.length], [50, 10]);
    assert.deepEqual(await ladderAt({ page: "3" }, 60), { movedTo: "/ladder?page=2" });
  });

  it("opens the page that contains the requested bot", async () => {
    const { standings, requestedBot } = (await ladderAt({ bot: "bot-55" }, 60)) as LadderData;
    assert.deepEqual([standings.offset, requestedBot], [50, "bot-55"]);
  });

  it("T86 accepts any search text", async () => {
    const hostileText = `"><script>${"\u202e😀".repeat(30)}`;
    const { filter, standings } = (await ladderAt({ q: hostileText })) as LadderData;
    assert.ok(hostileText.startsWith(filter.q!.replace("\ufffd", "")));
    assert.equal(standings.found, 0);
  });

  it("reads only the rows it shows, however many bots are ranked", async () => {
    const bytes: number[] = [];
    for (const size of [60, 240]) {
      const { app } = await world(size);
      const inject: typeof app.inject = (async (...given: Parameters<typeof app.inject>) => {
        const response = await app.inject(...given);
        bytes.push(response.body.length);
        return response;
      }) as typeof app.inject;
      await ladderData(pageSourcesOf({ inject }), { query: {} });
    }
    const halfLength = bytes.length / 2;
    const sum = (part: number[]) => part.reduce((all, item) => all + item, 0);
    const [firstHalf, secondHalf] = [sum(bytes.slice(0, halfLength)), sum(bytes.slice(halfLength))];
    assert.ok(secondHalf < firstHalf + 200, `${firstHalf} and ${secondHalf} bytes`);
  });
});

describe("the results page", () => {
  const resultsAt = async (query: Query) =>
    resultsData(pageSourcesOf((await world(2)).app), { query });
  const shownAt = async (query: Query) => {
    const data = (await resultsAt(query)) as ResultsData;
    return data.scopeType === "season" ? data.results.season.id : data.results.ladder.id;
  };

  it("shows the latest finished month by default, or the requested month", async () => {
    assert.equal(await shownAt({}), "2026-01");
    assert.equal(await shownAt({ season: "2026-02" }), "2026-02");
    assert.equal(await shownAt({ ladder: "cup" }), "cup");
  });

  it("shows the live month if no month has finished", async () => {
    const data = (await resultsData(pageSourcesOf(testApi().app), { query: {} })) as ResultsData;
    assert.equal(data.scopeType === "season" && data.results.season.state, "live");
  });

  it("returns 404s and redirects in the same cases as the standings", async () => {
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
      const given = pageSourcesOf(app);
      const sources: PageSources = { ...given, settings: { ...given.settings, ...settings } };
      const home: HomeData = await homeData(sources);
      const { registration } = (await laddersData(sources, { query: {} })) as LaddersData;
      assert.deepEqual([home.registration, registration], [expected, expected]);
    });
});
