import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { BotData } from "#site/bot/data.ts";
import { pageSourcesOf } from "#testing/fixtures/sample-world.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  setRating,
  testApi,
} from "#testing/fixtures/test-api.ts";

import { botData, botHead } from "./bot-data.ts";
import { createData } from "./create-bot-data.ts";
import { isRedirect } from "./page-request.ts";

type Query = Readonly<Record<string, string>>;

/**
 * Opens an API with Rex, who has two versions and three games against Foe, and records the API
 * requests of pages.
 */
async function world() {
  const api = testApi();
  const rex = await addTestBot(api, "Rex", { owner: "ada" });
  const [firstVersion, secondVersion] = [
    await addTestVersion(api, rex, "v1"),
    await addTestVersion(api, rex, "v2"),
  ];
  const opponent = await addTestVersion(api, await addTestBot(api, "Foe"), "v1");
  for (const map of ["yard", "keep", "keep"])
    await addMatch(api, [firstVersion, opponent], { map });
  setRating(api, firstVersion, 1500, [30, 3, 1]);
  setRating(api, secondVersion, 1540, [4, 1, 0]);
  const requestedPaths: string[] = [];
  const inject = ((request: { url: string }) => {
    requestedPaths.push(request.url);
    return api.app.inject(request);
  }) as typeof api.app.inject;
  const sources = pageSourcesOf({ inject });
  const load = (name: string, query: Query = {}) => {
    requestedPaths.length = 0;
    return botData(sources, { parts: { name }, query });
  };
  const loadShown = async (query: Query): Promise<BotData> => {
    const botPage = await load("Rex", query);
    assert.ok(botPage !== null && !isRedirect(botPage));
    return botPage;
  };
  return { api, asked: requestedPaths, load, shown: loadShown, sources };
}

const READS: [query: Query, part: string, reads: string[]][] = [
  [{}, "overview", ["/api/bots/Rex/ratings", "/api/bots/Rex/maps", "/api/bots/Rex/style", "/api"]],
  [{ part: "opponents" }, "opponents", ["/api/bots/Rex/opponents"]],
  [{ part: "versions" }, "versions", ["/api/bots/Rex/versions", "/api"]],
  [{ a: "v1", b: "v2" }, "versions", ["/api/bots/Rex/versions", "/api/bots/Rex/compare", "/api"]],
  [{ a: "v1", b: "v1" }, "versions", ["/api/bots/Rex/versions", "/api"]],
  [{ part: "losses" }, "losses", ["/api/bots/Rex/losses"]],
  [{ part: "matches" }, "matches", ["/api/matches"]],
  [{ map: "keep", result: "W" }, "matches", ["/api/matches"]],
  [{ part: "opponents", version: "v1" }, "opponents", ["/api/seasons/2026-01/matchups"]],
];

describe("a section of a bot's page", () => {
  for (const [query, part, reads] of READS)
    it(`is ${part} for ${JSON.stringify(query)}, and reads only what it shows`, async () => {
      const { shown: loadShown, asked: requestedPaths } = await world();
      assert.equal((await loadShown(query)).part, part);
      const paths = requestedPaths.map((url) => url.replace(/\?.*/, ""));
      assert.deepEqual(paths.toSorted(), ["/api/bots/Rex", "/api/status", ...reads].toSorted());
    });

  it("requests as many rows as the page shows", async () => {
    const { shown: loadShown, asked: requestedPaths } = await world();
    await loadShown({ part: "matches" });
    assert.ok(requestedPaths.some((url) => url.endsWith("limit=50")));
    await loadShown({ part: "versions" });
    assert.ok(requestedPaths.some((url) => url.endsWith("limit=25")));
  });

  it("pages through matches by id", async () => {
    const { api, shown: loadShown } = await world();
    const bots = await Promise.all(["Rex", "Foe"].map((name) => api.store.bots.byName(name)));
    const seats = await Promise.all(bots.map((bot) => api.store.versions.byLabel(bot!.id, "v1")));
    for (let index = 0; index < 50; index += 1) await addMatch(api, [seats[0]!, seats[1]!]);
    const first = await loadShown({ part: "matches" });
    assert.ok(first.part === "matches" && first.olderCursor !== null && first.isFirstPage);
    const nextPage = await loadShown({ part: "matches", before: first.olderCursor });
    assert.ok(
      nextPage.part === "matches" && nextPage.olderCursor === null && !nextPage.isFirstPage,
    );
    assert.equal(nextPage.matches?.length, 3);
  });
});

describe("a bot's matches", () => {
  const FILTERS: [filter: Query, count: number | null][] = [
    [{ version: "v1" }, 3],
    [{ version: "v2" }, 0],
    [{ version: "v9" }, null],
    [{ opponent: "foe" }, 3],
    [{ opponent: "nobody" }, null],
    [{ map: "keep" }, 2],
    [{ map: "nowhere" }, null],
    [{ result: "L" }, 0],
    [{ before: "nonsense" }, null],
  ];
  for (const [filter, count] of FILTERS)
    it(`for ${JSON.stringify(filter)} are ${count ?? "an invalid filter"}`, async () => {
      const { shown: loadShown } = await world();
      const data = await loadShown(filter);
      assert.ok(data.part === "matches");
      assert.equal(data.matches?.length ?? null, count);
    });
});

describe("a version's opponents", () => {
  const VERSIONS: [version: string, games: number[] | null][] = [
    ["v1", [3]],
    ["v2", []],
    ["v9", null],
  ];
  for (const [version, games] of VERSIONS)
    it(`${version} are ${games?.length ?? "an invalid filter"}`, async () => {
      const { shown: loadShown } = await world();
      const data = await loadShown({ part: "opponents", version });
      assert.ok(data.part === "opponents" && data.version === version);
      const gameCounts = data.opponents?.map((opponentRow) => opponentRow.games) ?? null;
      assert.deepEqual([gameCounts, data.total], [games, games?.length ?? 0]);
    });

  it("have no season filter on a ladder without seasons", async () => {
    const { api, load } = await world();
    api.ladders.upsert({ ...PUBLIC_LADDER, id: "cup", name: "Cup" });
    const query = { part: "opponents", ladder: "cup", version: "v1" };
    const movedTo = "/bot/Rex?part=opponents&ladder=cup";
    assert.deepEqual(await load("Rex", query), { movedTo });
  });
});

describe("a house bot's display name", () => {
  it("redirects to its page case-insensitively, with the query", async () => {
    const { api, load } = await world();
    await addTestBot(api, "house-brawler", { house: true, owner: "house" });
    for (const name of ["Brawler", "BRAWLER"])
      assert.deepEqual(await load(name), { movedTo: "/bot/house-brawler" });
    const botPage = await load("brawler", { part: "matches" });
    assert.deepEqual(botPage, { movedTo: "/bot/house-brawler?part=matches" });
  });

  it("belongs to a player's bot that has this name", async () => {
    const { api, load } = await world();
    await addTestBot(api, "house-brawler", { house: true, owner: "house" });
    await addTestBot(api, "Brawler");
    const botPage = await load("Brawler");
    assert.ok(botPage !== null && !isRedirect(botPage) && botPage.bot.name === "Brawler");
  });

  it("returns 404 if the house bot doesn't exist", async () => {
    const { load } = await world();
    assert.equal(await load("Brawler"), null);
  });
});

describe("a bot's page", () => {
  it("drops an invalid parameter by redirecting", async () => {
    const { load } = await world();
    const loadMoved = async (query: Query) => load("Rex", query);
    assert.deepEqual(await loadMoved({ part: "nope" }), { movedTo: "/bot/Rex" });
    assert.deepEqual(await loadMoved({ map: "keep", result: "X" }), {
      movedTo: "/bot/Rex?map=keep",
    });
  });

  it("mentions a newer version only if it has too few games for a rank", async () => {
    const { api, shown: loadShown } = await world();
    assert.deepEqual((await loadShown({})).standing?.qualifying, { version: "v2", games: 5 });
    const rex = await api.store.bots.byName("Rex");
    const secondVersion = await api.store.versions.byLabel(rex!.id, "v2");
    setRating(api, secondVersion!, 1540, [40, 1, 0]);
    assert.equal((await loadShown({})).standing?.qualifying, null);
  });

  it("redirects other letter cases to the canonical URL, with the query", async () => {
    const { load, asked: requestedPaths } = await world();
    const botPage = await load("rEX", { part: "matches", version: "v/1 &" });
    assert.deepEqual(botPage, { movedTo: "/bot/Rex?part=matches&version=v%2F1+%26" });
    assert.deepEqual(await load("rex"), { movedTo: "/bot/Rex" });
    assert.equal(requestedPaths.length, 1);
  });

  it("T57 makes no internal request for an invalid name", async () => {
    const { load, asked: requestedPaths } = await world();
    for (const name of ["..", "../matches", "Rex?x=", "%2e%2e", "a", "", "x".repeat(400)])
      assert.equal(await load(name), null, name);
    assert.deepEqual(requestedPaths, []);
  });

  it("returns 404 for unknown bots, ladders and seasons", async () => {
    const { load } = await world();
    assert.equal(await load("Nobody"), null);
    assert.equal(await load("Rex", { ladder: "nowhere" }), null);
    assert.equal(await load("Rex", { season: "1999-01" }), null);
    assert.equal(await load("Rex", { season: "nonsense" }), null);
  });

  it("shows the version in the standings, or the playing version if the bot is unranked", async () => {
    const { shown: loadShown } = await world();
    const { standing, scope } = await loadShown({});
    assert.deepEqual([standing?.version, standing?.rank, standing?.wins], ["v1", 1, 30]);
    assert.deepEqual(
      [scope.season, scope.liveSeason, scope.seasons],
      ["2026-01", "2026-01", ["2026-01"]],
    );
  });

  it("T86 passes names to the page head unescaped, so that the renderer escapes them", async () => {
    const { shown: loadShown } = await world();
    const { title, description } = botHead(await loadShown({}));
    assert.equal(title, "Rex · Bout");
    assert.match(description, /^Rex, by ada: rank 1 with \d+ points \(public, 2026-01\)/);
  });

  it("shows a bot that has never played", async () => {
    const { api, load } = await world();
    await addTestBot(api, "Newborn");
    for (const part of ["overview", "opponents", "versions", "losses", "matches"]) {
      const botPage = await load("Newborn", { part });
      assert.ok(
        botPage !== null &&
          !isRedirect(botPage) &&
          botPage.part === part &&
          botPage.standing === null,
      );
    }
  });
});

it("the page for creating a bot names the requested ladder and has one canonical URL", async () => {
  const { api, sources } = await world();
  api.ladders.upsert({ ...PUBLIC_LADDER, id: "cup", name: "Cup" });
  const load = (ladder: string) => createData(sources, { query: { ladder } });
  const botPage = await load("cup");
  assert.deepEqual(isRedirect(botPage) || botPage.ladder, {
    id: "cup",
    name: "Cup",
    access: "open",
    phase: "open",
  });
  for (const [requestedPaths, movedTo] of [
    ["CUP", "/create-bot?ladder=cup"],
    ["public", "/create-bot"],
    ["none", "/create-bot"],
  ] as const)
    assert.deepEqual(await load(requestedPaths), { movedTo });
  const html = (await api.app.inject("/create-bot?ladder=cup")).body;
  assert.match(html, /starter\.ts --url \S+ --name my-first-bot --ladder cup/);
  assert.match(html, /starter\.py --url \S+ --name my-first-bot --ladder cup/);
});

it("links to the other ladders that a bot plays on", async () => {
  const { api } = await world();
  api.ladders.upsert({ ...PUBLIC_LADDER, id: "cup", name: "Cup" });
  const textOf = async (url: string) => {
    const html = (await api.app.inject(url)).body;
    return (
      /<span[^>]*>Also plays on.*?<\/nav>/s.exec(html)?.[0].replaceAll(/<(?!a )[^>]+>/g, "") ?? ""
    );
  };
  assert.equal(await textOf("/bot/Rex"), "");
  const bots = [await addTestBot(api, "Pawn"), await addTestBot(api, "Peer")] as const;
  const versions = [
    await addTestVersion(api, bots[0], "v1"),
    await addTestVersion(api, bots[1], "v1"),
  ];
  const [firstPlayer, secondPlayer] = versions as [VersionRecord, VersionRecord];
  await addMatch(api, [firstPlayer, secondPlayer], { ladderId: "cup", season: null });
  assert.equal(await textOf("/bot/Pawn"), 'Also plays on<a href="/bot/Pawn?ladder=cup">Cup');
  assert.match((await api.app.inject("/bot/Pawn")).body, /hasn't played on this ladder/);
});

it("shows what registration requires", async () => {
  const { sources } = await world();
  const accountSettings = { anonymous: false, registrationKeyHash: "hash" };
  const settings = { ...sources.settings, ...accountSettings };
  const data = await createData({ ...sources, settings }, { query: {} });
  assert.ok(!isRedirect(data));
  const { account_needed, registration_key_needed, qualifying_games, name_length } = data;
  assert.deepEqual([account_needed, registration_key_needed], [true, true]);
  assert.deepEqual([qualifying_games, name_length], [DEFAULT_LIMITS.qualifying_games, [2, 24]]);
});
