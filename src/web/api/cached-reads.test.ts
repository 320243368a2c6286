import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Bot } from "#core/api/bot.ts";
import type { Match } from "#core/api/match.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { wrapRepositories } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  setRating,
  emptyMatchStats,
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

type World = {
  api: TestApi;
  reads: () => string[];
  rex: { bot: BotRecord; version: VersionRecord };
  foe: { bot: BotRecord; version: VersionRecord };
  otherVersions: [VersionRecord, VersionRecord];
  match: string;
};

const STATS = JSON.stringify(emptyMatchStats());

const carryTurns = async () => 1;

/** Opens an API over a store that counts reads and contains one match. */
async function world(): Promise<World> {
  const read: string[] = [];
  const inner = overrideStore(memoryStore(), { stats: { backfillTurns: carryTurns } });
  const countingReads = wrapRepositories(inner, (method, name) => (...values) => {
    read.push(name);
    return method(...values);
  });
  const store = { ...countingReads, close: inner.close };
  const api = testApi({}, { store });
  const addNewcomer = async (name: string) => {
    const bot = await addTestBot(api, name);
    return { bot, version: await addTestVersion(api, bot, "v1") };
  };
  const [rex, opponent] = [await addNewcomer("Rex"), await addNewcomer("Foe")];
  const otherVersions = [
    (await addNewcomer("Ann")).version,
    (await addNewcomer("Bob")).version,
  ] as const;
  const { id } = await addMatch(api, [rex.version, opponent.version], { stats: STATS });
  const reads = () => read.splice(0);
  return { api, reads, rex, foe: opponent, otherVersions: [...otherVersions], match: id };
}

const readText = async ({ api }: World, path: string) => (await api.app.inject(path)).body;

/** Requests the path twice, asserts that the second request reads nothing, and returns the body. */
async function cachedTextAt(testWorld: World, path: string): Promise<string> {
  const first = await readText(testWorld, path);
  testWorld.reads();
  assert.equal(await readText(testWorld, path), first);
  assert.deepEqual(testWorld.reads(), [], `${path} was read again`);
  return first;
}

const PATHS = {
  list: () => "/api/matches",
  "list of a bot": () => "/api/matches?bot=Rex&limit=500&stats=1",
  "list of a version": () => "/api/matches?bot=Rex&version=v1&opponent=Foe&result=W",
  matchups: () => "/api/seasons/2026-01/matchups?bot=Rex&version=v1&minimum=1",
  match: ({ match }: World) => `/api/matches/${match}`,
  statistics: ({ match }: World) => `/api/matches/${match}/stats`,
  bot: () => "/api/bots/Rex",
};
type Path = keyof typeof PATHS;

type Case = {
  change: string;
  make: (testWorld: World) => unknown;
  changesPaths: Path[];
};

const CASES: Case[] = [
  {
    change: "a match of the bot",
    make: ({ api, rex, foe: opponent }) => addMatch(api, [opponent.version, rex.version]),
    changesPaths: ["list", "list of a bot", "matchups", "bot"],
  },
  {
    change: "a match of the bot that its version won",
    make: ({ api, rex, foe: opponent }) => addMatch(api, [rex.version, opponent.version]),
    changesPaths: ["list", "list of a bot", "list of a version", "matchups", "bot"],
  },
  {
    change: "a void match of the bot",
    make: ({ api, rex, foe: opponent }) =>
      addMatch(api, [rex.version, opponent.version], { voided: true, rated: false }),
    changesPaths: ["list", "list of a bot", "bot"],
  },
  {
    change: "a match between other bots",
    make: ({ api, otherVersions }) => addMatch(api, otherVersions),
    changesPaths: ["list"],
  },
  {
    change: "a match of the bot on another ladder",
    make: ({ api, rex, foe: opponent }) =>
      addMatch(api, [rex.version, opponent.version], { ladderId: "cup", season: null }),
    changesPaths: ["bot"],
  },
  {
    change: "a rating of the bot",
    make: ({ api, rex }) => setRating(api, rex.version, 1600, [40, 0, 0]),
    changesPaths: ["bot"],
  },
  {
    change: "the bot connecting",
    make: ({ api, rex: { bot } }) => {
      const rest = { online: true, version: null, versionId: null, ladderId: null, matchId: null };
      const { id: botId, name, house } = bot;
      api.arena.bots.push({ botId, name, house, state: "idle", ...rest });
    },
    changesPaths: ["matchups", "bot"],
  },
  {
    change: "a new version",
    make: ({ api, rex }) => addTestVersion(api, rex.bot, "v2"),
    changesPaths: ["bot"],
  },
  {
    change: "a retired version",
    make: ({ api, rex }) => api.store.versions.retire(rex.bot.id, "v1"),
    changesPaths: ["bot"],
  },
  {
    change: "the next season",
    make: ({ api }) => void (api.arena.liveSeason = "2026-02"),
    changesPaths: ["bot"],
  },
  {
    change: "the end of a season",
    make: ({ api, rex: { bot, version } }) => {
      const record = { wins: 30, draws: 0, losses: 0, rating: 1600, deviation: 40 };
      const names = { name: bot.name, owner: bot.owner, house: false, label: "v1" };
      const ranking = { rank: 1, botId: bot.id, versionId: version.id, ...names, ...record };
      return api.store.seasons.archive("2026-01", "2026-02-01T00:00:00.000Z", [ranking]);
    },
    changesPaths: ["bot"],
  },
  {
    change: "a trim of its replays",
    make: async ({ api, rex, foe: opponent, match }) => {
      const { removedIds: releasedIds } = await api.store.replays.release(
        [rex.bot.id, opponent.bot.id],
        0,
        10,
      );
      assert.deepEqual(releasedIds, [match]);
    },
    changesPaths: ["statistics"],
  },
];

describe("cached responses", () => {
  it("are built once", async () => {
    const testWorld = await world();
    for (const path of Object.values(PATHS)) await cachedTextAt(testWorld, path(testWorld));
  });

  for (const { change, make, changesPaths } of CASES)
    it(`show ${change} immediately, but only in the responses it affects`, async () => {
      const testWorld = await world();
      const names = Object.keys(PATHS) as Path[];
      const cursor = new Map<Path, string>();
      for (const name of names)
        cursor.set(name, await cachedTextAt(testWorld, PATHS[name](testWorld)));
      await make(testWorld);
      for (const name of names) {
        const isOther = (await readText(testWorld, PATHS[name](testWorld))) !== cursor.get(name);
        assert.equal(isOther, changesPaths.includes(name), name);
      }
    });

  it("don't include 404s", async () => {
    const testWorld = await world();
    const newestId = "01900000-0000-7000-8000-000000000100";
    const paths = [`/api/matches/${newestId}`, `/api/matches/${newestId}/stats`, "/api/bots/Late"];
    for (const path of paths) assert.equal((await testWorld.api.app.inject(path)).statusCode, 404);
    await addTestBot(testWorld.api, "Late");
    await addMatch(testWorld.api, testWorld.otherVersions, { id: newestId, stats: STATS });
    for (const path of paths) assert.equal((await testWorld.api.app.inject(path)).statusCode, 200);
  });

  it("show a result that is stored during the read", async () => {
    const testWorld = await world();
    const { api, otherVersions } = testWorld;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { list } = api.store.matches;
    api.store.matches.list = async (query) => {
      const rows = await list(query);
      await promise;
      return rows;
    };
    const earlyRequest = api.app
      .inject("/api/matches")
      .then((response) => response.json<Match[]>());
    while (!testWorld.reads().includes("matches.list")) await nextTurn();
    await addMatch(api, otherVersions);
    const lateRequest = api.app.inject("/api/matches").then((response) => response.json<Match[]>());
    resolve();
    assert.deepEqual([(await earlyRequest).length, (await lateRequest).length], [1, 2]);
  });
});

it("a version's health includes turns that are counted later", async () => {
  const testWorld = await world();
  const healthOf = async () => {
    const page = (await testWorld.api.app.inject("/api/bots/Rex")).json<Bot>();
    return page.versions[0]!.health?.matches;
  };
  assert.equal(await healthOf(), 1);
  const { turns } = testWorld.api.store.stats;
  testWorld.api.store.stats.turns = async (...query) => {
    return (await turns(...query)).map((figures) => ({ ...figures, matches: 9 }));
  };
  assert.equal(await healthOf(), 1);
  await testWorld.api.store.stats.backfillTurns(1);
  assert.equal(await healthOf(), 9);
});

it("a long list read in chunks equals the same list read in one query", async () => {
  const testWorld = await world();
  for (let count = 0; count < 120; count += 1)
    await addMatch(testWorld.api, testWorld.otherVersions, { stats: STATS });
  const list = JSON.parse(await readText(testWorld, "/api/matches?limit=500&stats=1")) as {
    id: string;
  }[];
  assert.equal(list.length, 121);
  const pages: { id: string }[] = [];
  while (pages.length < 121) {
    const cursor = pages.length === 0 ? "" : `&before=${pages.at(-1)?.id}`;
    const path = `/api/matches?limit=30&stats=1${cursor}`;
    pages.push(...(JSON.parse(await readText(testWorld, path)) as { id: string }[]));
  }
  assert.deepEqual(pages, list);
});
