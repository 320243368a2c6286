import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Bot } from "#core/resources/bot.ts";
import type { Match } from "#core/resources/match.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { around } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";
import {
  addBot,
  addMatch,
  addVersion,
  rate,
  sampleStats,
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

type World = {
  api: TestApi;
  /** Reads of the store since the last call. */
  reads: () => string[];
  rex: { bot: BotRecord; version: VersionRecord };
  foe: { bot: BotRecord; version: VersionRecord };
  others: [VersionRecord, VersionRecord];
  /** The match between rex and foe. */
  match: string;
};

const STATS = JSON.stringify(sampleStats());

/** Pretends that the turns of one older match are counted by each call. */
const carryTurns = async () => 1;

/** An API over a store that counts reads, with one match stored. */
async function world(): Promise<World> {
  const read: string[] = [];
  const inner = changedStore(memoryStore(), { figures: { carryTurns } });
  const counted = around(inner, (method, name) => (...values) => {
    read.push(name);
    return method(...values);
  });
  const store = { ...counted, close: inner.close };
  const api = testApi({}, { store });
  const newcomer = async (name: string) => {
    const bot = await addBot(api, name);
    return { bot, version: await addVersion(api, bot, "v1") };
  };
  const [rex, foe] = [await newcomer("Rex"), await newcomer("Foe")];
  const others = [(await newcomer("Ann")).version, (await newcomer("Bob")).version] as const;
  const { id } = await addMatch(api, [rex.version, foe.version], { stats: STATS });
  const reads = () => read.splice(0);
  return { api, reads, rex, foe, others: [...others], match: id };
}

const textAt = async ({ api }: World, path: string) => (await api.app.inject(path)).body;

/** Asks twice, asserts that the second time nothing is read, and returns the text. */
async function keptAt(one: World, path: string): Promise<string> {
  const first = await textAt(one, path);
  one.reads();
  assert.equal(await textAt(one, path), first);
  assert.deepEqual(one.reads(), [], `${path} was read again`);
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
  make: (one: World) => unknown;
  /** Answers that differ afterwards; all others stay the same. */
  moves: Path[];
};

const CASES: Case[] = [
  {
    change: "a match of the bot",
    make: ({ api, rex, foe }) => addMatch(api, [foe.version, rex.version]),
    moves: ["list", "list of a bot", "matchups", "bot"],
  },
  {
    change: "a game of the bot that its version won",
    make: ({ api, rex, foe }) => addMatch(api, [rex.version, foe.version]),
    moves: ["list", "list of a bot", "list of a version", "matchups", "bot"],
  },
  {
    change: "a void match of the bot",
    make: ({ api, rex, foe }) =>
      addMatch(api, [rex.version, foe.version], { voided: true, rated: false }),
    moves: ["list", "list of a bot", "bot"],
  },
  {
    change: "a match of others",
    make: ({ api, others }) => addMatch(api, others),
    moves: ["list"],
  },
  {
    change: "a match of the bot on another ladder",
    make: ({ api, rex, foe }) =>
      addMatch(api, [rex.version, foe.version], { ladderId: "cup", season: null }),
    moves: ["bot"],
  },
  {
    change: "a rating of the bot",
    make: ({ api, rex }) => rate(api, rex.version, 1600, [40, 0, 0]),
    moves: ["bot"],
  },
  {
    change: "a connection of the bot",
    make: ({ api, rex: { bot } }) => {
      const rest = { online: true, version: null, versionId: null, ladderId: null, matchId: null };
      const { id: botId, name, house } = bot;
      api.arena.bots.push({ botId, name, house, state: "idle", ...rest });
    },
    moves: ["matchups", "bot"],
  },
  {
    change: "a new version",
    make: ({ api, rex }) => addVersion(api, rex.bot, "v2"),
    moves: ["bot"],
  },
  {
    change: "a retired version",
    make: ({ api, rex }) => api.store.versions.retire(rex.bot.id, "v1"),
    moves: ["bot"],
  },
  {
    change: "the next season",
    make: ({ api }) => void (api.arena.live = "2026-02"),
    moves: ["bot"],
  },
  {
    change: "the end of a season",
    make: ({ api, rex: { bot, version } }) => {
      const record = { wins: 30, draws: 0, losses: 0, rating: 1600, deviation: 40 };
      const names = { name: bot.name, owner: bot.owner, house: false, label: "v1" };
      const place = { rank: 1, botId: bot.id, versionId: version.id, ...names, ...record };
      return api.store.seasons.archive("2026-01", "2026-02-01T00:00:00.000Z", [place]);
    },
    moves: ["bot"],
  },
  {
    change: "a trim of its replays",
    make: async ({ api, rex, foe, match }) => {
      const { gone } = await api.store.replays.release([rex.bot.id, foe.bot.id], 0, 10);
      assert.deepEqual(gone, [match]);
    },
    moves: ["statistics"],
  },
];

describe("answers that are kept", () => {
  it("are made once", async () => {
    const one = await world();
    for (const path of Object.values(PATHS)) await keptAt(one, path(one));
  });

  for (const { change, make, moves } of CASES)
    it(`show ${change} at once, and only where it shows`, async () => {
      const one = await world();
      const names = Object.keys(PATHS) as Path[];
      const before = new Map<Path, string>();
      for (const name of names) before.set(name, await keptAt(one, PATHS[name](one)));
      await make(one);
      for (const name of names) {
        const isOther = (await textAt(one, PATHS[name](one))) !== before.get(name);
        assert.equal(isOther, moves.includes(name), name);
      }
    });

  it("do not remember that something was missing", async () => {
    const one = await world();
    const next = "01900000-0000-7000-8000-000000000100";
    const paths = [`/api/matches/${next}`, `/api/matches/${next}/stats`, "/api/bots/Late"];
    for (const path of paths) assert.equal((await one.api.app.inject(path)).statusCode, 404);
    await addBot(one.api, "Late");
    await addMatch(one.api, one.others, { id: next, stats: STATS });
    for (const path of paths) assert.equal((await one.api.app.inject(path)).statusCode, 200);
  });

  it("show a result that was stored while they were read", async () => {
    const one = await world();
    const { api, others } = one;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { list } = api.store.matches;
    api.store.matches.list = async (query) => {
      const rows = await list(query);
      await promise;
      return rows;
    };
    const early = api.app.inject("/api/matches").then((answer) => answer.json<Match[]>());
    while (!one.reads().includes("matches.list")) await nextTurn();
    await addMatch(api, others);
    const late = api.app.inject("/api/matches").then((answer) => answer.json<Match[]>());
    resolve();
    assert.deepEqual([(await early).length, (await late).length], [1, 2]);
  });
});

it("a version's health follows turns that are counted late", async () => {
  const one = await world();
  const healthOf = async () => {
    const page = (await one.api.app.inject("/api/bots/Rex")).json<Bot>();
    return page.versions[0]!.health?.matches;
  };
  assert.equal(await healthOf(), 1);
  const { turns } = one.api.store.figures;
  one.api.store.figures.turns = async (...query) => {
    return (await turns(...query)).map((figures) => ({ ...figures, matches: 9 }));
  };
  assert.equal(await healthOf(), 1);
  await one.api.store.figures.carryTurns(1);
  assert.equal(await healthOf(), 9);
});

it("a long list read in portions equals one read at once", async () => {
  const one = await world();
  for (let count = 0; count < 120; count += 1)
    await addMatch(one.api, one.others, { stats: STATS });
  const list = JSON.parse(await textAt(one, "/api/matches?limit=500&stats=1")) as { id: string }[];
  assert.equal(list.length, 121);
  const pages: { id: string }[] = [];
  while (pages.length < 121) {
    const before = pages.length === 0 ? "" : `&before=${pages.at(-1)?.id}`;
    const path = `/api/matches?limit=30&stats=1${before}`;
    pages.push(...(JSON.parse(await textAt(one, path)) as { id: string }[]));
  }
  assert.deepEqual(pages, list);
});
