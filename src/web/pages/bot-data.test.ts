import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { LIMITS } from "#core/words/limits.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { BotData } from "#site/bot/data.ts";
import { sourcesOf } from "#testing/fixtures/sample-world.ts";
import { addBot, addMatch, addVersion, rate, testApi } from "#testing/fixtures/test-api.ts";

import { botData, botHead } from "./bot-data.ts";
import { createData } from "./create-data.ts";
import { isMoved } from "./page-request.ts";

type Query = Readonly<Record<string, string>>;

/** Rex with two versions and three games against Foe, and what pages ask about it. */
async function world() {
  const api = testApi();
  const rex = await addBot(api, "Rex", { owner: "ada" });
  const [one, two] = [await addVersion(api, rex, "v1"), await addVersion(api, rex, "v2")];
  const foe = await addVersion(api, await addBot(api, "Foe"), "v1");
  for (const map of ["yard", "keep", "keep"]) await addMatch(api, [one, foe], { map });
  rate(api, one, 1500, [30, 3, 1]);
  rate(api, two, 1540, [4, 1, 0]);
  const asked: string[] = [];
  const inject = ((request: { url: string }) => {
    asked.push(request.url);
    return api.app.inject(request);
  }) as typeof api.app.inject;
  const sources = sourcesOf({ inject });
  const load = (name: string, query: Query = {}) => {
    asked.length = 0;
    return botData(sources, { parts: { name }, query });
  };
  const shown = async (query: Query): Promise<BotData> => {
    const found = await load("Rex", query);
    assert.ok(found !== null && !isMoved(found));
    return found;
  };
  return { api, asked, load, shown, sources };
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

describe("a part of a bot's page", () => {
  for (const [query, part, reads] of READS)
    it(`is ${part} for ${JSON.stringify(query)}, and reads no more than it shows`, async () => {
      const { shown, asked } = await world();
      assert.equal((await shown(query)).part, part);
      const paths = asked.map((url) => url.replace(/\?.*/, ""));
      assert.deepEqual(paths.toSorted(), ["/api/bots/Rex", "/api/status", ...reads].toSorted());
    });

  it("asks for as many rows as one page has", async () => {
    const { shown, asked } = await world();
    await shown({ part: "matches" });
    assert.ok(asked.some((url) => url.endsWith("limit=50")));
    await shown({ part: "versions" });
    assert.ok(asked.some((url) => url.endsWith("limit=25")));
  });

  it("pages through matches by their ids", async () => {
    const { api, shown } = await world();
    const bots = await Promise.all(["Rex", "Foe"].map((name) => api.store.bots.byName(name)));
    const seats = await Promise.all(bots.map((bot) => api.store.versions.byLabel(bot!.id, "v1")));
    for (let more = 0; more < 50; more += 1) await addMatch(api, [seats[0]!, seats[1]!]);
    const first = await shown({ part: "matches" });
    assert.ok(first.part === "matches" && first.older !== null && first.isFirst);
    const next = await shown({ part: "matches", before: first.older });
    assert.ok(next.part === "matches" && next.older === null && !next.isFirst);
    assert.equal(next.matches?.length, 3);
  });
});

describe("the matches of a bot", () => {
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
    it(`for ${JSON.stringify(filter)} are ${count ?? "none that can be"}`, async () => {
      const { shown } = await world();
      const data = await shown(filter);
      assert.ok(data.part === "matches");
      assert.equal(data.matches?.length ?? null, count);
    });
});

describe("the opponents of one version", () => {
  const VERSIONS: [version: string, games: number[] | null][] = [
    ["v1", [3]],
    ["v2", []],
    ["v9", null],
  ];
  for (const [version, games] of VERSIONS)
    it(`${version} are ${games?.length ?? "none that can be"}`, async () => {
      const { shown } = await world();
      const data = await shown({ part: "opponents", version });
      assert.ok(data.part === "opponents" && data.version === version);
      const counted = data.opponents?.map((met) => met.games) ?? null;
      assert.deepEqual([counted, data.total], [games, games?.length ?? 0]);
    });

  it("are not counted where there are no seasons, so all are shown there", async () => {
    const { api, load } = await world();
    api.ladders.put({ ...PUBLIC, id: "cup", name: "Cup" });
    const query = { part: "opponents", ladder: "cup", version: "v1" };
    const movedTo = "/bot/Rex?part=opponents&ladder=cup";
    assert.deepEqual(await load("Rex", query), { movedTo });
  });
});

describe("the display name of a house bot", () => {
  it("in any letter case leads to its page, with its query", async () => {
    const { api, load } = await world();
    await addBot(api, "house-brawler", { house: true, owner: "house" });
    for (const name of ["Brawler", "BRAWLER"])
      assert.deepEqual(await load(name), { movedTo: "/bot/house-brawler" });
    const found = await load("brawler", { part: "matches" });
    assert.deepEqual(found, { movedTo: "/bot/house-brawler?part=matches" });
  });

  it("is a player's who has it", async () => {
    const { api, load } = await world();
    await addBot(api, "house-brawler", { house: true, owner: "house" });
    await addBot(api, "Brawler");
    const found = await load("Brawler");
    assert.ok(found !== null && !isMoved(found) && found.bot.name === "Brawler");
  });

  it("is nobody's while the house bot does not exist", async () => {
    const { load } = await world();
    assert.equal(await load("Brawler"), null);
  });
});

describe("a bot's page", () => {
  it("is without a value that its parameter does not have", async () => {
    const { load } = await world();
    const moved = async (query: Query) => load("Rex", query);
    assert.deepEqual(await moved({ part: "nope" }), { movedTo: "/bot/Rex" });
    assert.deepEqual(await moved({ map: "keep", result: "X" }), { movedTo: "/bot/Rex?map=keep" });
  });

  it("names a newer version that has too few games for a rank, and none other", async () => {
    const { api, shown } = await world();
    assert.deepEqual((await shown({})).place?.qualifying, { version: "v2", games: 5 });
    const rex = await api.store.bots.byName("Rex");
    const two = await api.store.versions.byLabel(rex!.id, "v2");
    rate(api, two!, 1540, [40, 1, 0]);
    assert.equal((await shown({})).place?.qualifying, null);
  });

  it("has one address: another letter case is moved, with its query", async () => {
    const { load, asked } = await world();
    const found = await load("rEX", { part: "matches", version: "v/1 &" });
    assert.deepEqual(found, { movedTo: "/bot/Rex?part=matches&version=v%2F1+%26" });
    assert.deepEqual(await load("rex"), { movedTo: "/bot/Rex" });
    assert.equal(asked.length, 1);
  });

  it("T57 makes no inner request for what cannot be a name", async () => {
    const { load, asked } = await world();
    for (const name of ["..", "../matches", "Rex?x=", "%2e%2e", "a", "", "x".repeat(400)])
      assert.equal(await load(name), null, name);
    assert.deepEqual(asked, []);
  });

  it("is missing for unknown bots, ladders and seasons", async () => {
    const { load } = await world();
    assert.equal(await load("Nobody"), null);
    assert.equal(await load("Rex", { ladder: "nowhere" }), null);
    assert.equal(await load("Rex", { season: "1999-01" }), null);
    assert.equal(await load("Rex", { season: "nonsense" }), null);
  });

  it("names the version in the standings, and without a rank the one that plays", async () => {
    const { shown } = await world();
    const { place, scope } = await shown({});
    assert.deepEqual([place?.version, place?.rank, place?.wins], ["v1", 1, 30]);
    assert.deepEqual(
      [scope.season, scope.live, scope.seasons],
      ["2026-01", "2026-01", ["2026-01"]],
    );
  });

  it("T86 has names as they are in its head, for the renderer to escape", async () => {
    const { shown } = await world();
    const { title, description } = botHead(await shown({}));
    assert.equal(title, "Rex · Bout");
    assert.match(description, /^Rex, by ada: rank 1 with \d+ points \(public, 2026-01\)/);
  });

  it("shows a bot that has never played", async () => {
    const { api, load } = await world();
    await addBot(api, "Newborn");
    for (const part of ["overview", "opponents", "versions", "losses", "matches"]) {
      const found = await load("Newborn", { part });
      assert.ok(found !== null && !isMoved(found) && found.part === part && found.place === null);
    }
  });
});

it("a page that makes a bot for a ladder names it, and has one address", async () => {
  const { api, sources } = await world();
  api.ladders.put({ ...PUBLIC, id: "cup", name: "Cup" });
  const load = (ladder: string) => createData(sources, { query: { ladder } });
  const found = await load("cup");
  assert.deepEqual(isMoved(found) || found.ladder, {
    id: "cup",
    name: "Cup",
    access: "open",
    phase: "open",
  });
  for (const [asked, movedTo] of [
    ["CUP", "/create-bot?ladder=cup"],
    ["public", "/create-bot"],
    ["none", "/create-bot"],
  ] as const)
    assert.deepEqual(await load(asked), { movedTo });
  const html = (await api.app.inject("/create-bot?ladder=cup")).body;
  assert.match(html, /starter\.ts --url \S+ --name my-first-bot --ladder cup/);
  assert.match(html, /starter\.py --url \S+ --name my-first-bot --ladder cup/);
});

it("says on which other ladders a bot plays, and leads there", async () => {
  const { api } = await world();
  api.ladders.put({ ...PUBLIC, id: "cup", name: "Cup" });
  const textOf = async (url: string) => {
    const html = (await api.app.inject(url)).body;
    return (
      /<span[^>]*>Also plays on.*?<\/nav>/s.exec(html)?.[0].replaceAll(/<(?!a )[^>]+>/g, "") ?? ""
    );
  };
  assert.equal(await textOf("/bot/Rex"), "");
  const bots = [await addBot(api, "Pawn"), await addBot(api, "Peer")] as const;
  const versions = [await addVersion(api, bots[0], "v1"), await addVersion(api, bots[1], "v1")];
  const [pawn, peer] = versions as [VersionRecord, VersionRecord];
  await addMatch(api, [pawn, peer], { ladderId: "cup", season: null });
  assert.equal(await textOf("/bot/Pawn"), 'Also plays on<a href="/bot/Pawn?ladder=cup">Cup');
  assert.match((await api.app.inject("/bot/Pawn")).body, /has not fought on this ladder/);
});

it("says what registering takes", async () => {
  const { sources } = await world();
  const needs = { anonymous: false, registrationKeyHash: "hash" };
  const settings = { ...sources.settings, ...needs };
  const data = await createData({ ...sources, settings }, { query: {} });
  assert.ok(!isMoved(data));
  const { account_needed, registration_key_needed, qualifying_games, name_length } = data;
  assert.deepEqual([account_needed, registration_key_needed], [true, true]);
  assert.deepEqual([qualifying_games, name_length], [LIMITS.qualifying_games, [2, 24]]);
});
