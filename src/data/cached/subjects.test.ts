import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openRevisions } from "#base/cache/revisions.ts";
import type { Parts } from "#base/cache/revisions.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { mapMethods, memoryStore } from "#testing/store-cases/memory-store.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleVersion,
} from "#testing/store-cases/store-samples.ts";

import { announced } from "./subjects.ts";

const bot = (number: number) => sampleId("bot", number);
const version = (number: number) => sampleId("version", number);
const match = (number: number) => sampleId("match", number);
const list = { ladderId: "public", limit: 9, withStats: false };
const live = { ladderId: "public", season: "2026-01" };

/** A reading of each kind, of players 0 and 1 where it is of one. */
const READINGS: Record<string, (store: Store) => Promise<unknown>> = {
  "bot 0 by name": (store) => store.botByName("bot-0"),
  "no bot by name": (store) => store.botByName("bot-9"),
  "bot 0": (store) => store.botById(bot(0)),
  "bots by id": (store) => store.botsById([bot(0), bot(1)]),
  "a token": (store) => store.botByToken("hash-0"),
  "house bots": (store) => store.houseBots(),
  "all ids": (store) => store.botIds(null, 9),
  "label of bot 0": (store) => store.version(bot(0), "v0"),
  "versions by id": (store) => store.versionsById([version(0), version(1)]),
  "versions of bot 0": (store) => store.versionsOf(bot(0), { limit: 9 }),
  "latest of bot 0": (store) => store.latestVersions(bot(0), 9, []),
  "current of bot 0": (store) => store.currentVersion(bot(0), "public"),
  matches: (store) => store.matches(list),
  "matches of bot 0": (store) => store.matches({ ...list, botId: bot(0) }),
  "wins of version 0": (store) =>
    store.matches({ ...list, botId: bot(0), versionId: version(0), result: "W" }),
  "a match": (store) => store.match(match(0)),
  "no match": (store) => store.match(match(1)),
  "no statistics": (store) => store.matchStats(match(1)),
  counts: (store) => store.matchCounts("public"),
  "pair counts": (store) => store.pairCounts(live),
  "ladders of bot 0": (store) => store.playedLadders(bot(0)),
  "opponents of bot 0": (store) => store.opponentsOf(bot(0), live),
  "opponents of version 0": (store) => store.opponentsOf(bot(0), live, version(0)),
  figures: (store) => store.figures(live, 9),
  "history of bot 0": (store) =>
    store.ratingHistory({ ladderId: "public", botId: bot(0), points: 9 }),
  starts: (store) => store.startsSince(""),
  "turns of version 0": (store) => store.turnFigures([version(0)], 9),
  "a replay": (store) => store.hasReplay(match(0)),
  "no replay": (store) => store.hasReplay(match(1)),
  seasons: (store) => store.seasons(),
  "final places": (store) => store.finalPlacesOf(bot(0)),
  audit: (store) => store.audit({ limit: 9 }),
};
type Reading = keyof typeof READINGS;

const seats = [sampleSeat(2), sampleSeat(1, { fighter: "B" })];
const season = { id: "2026-02", opensAt: "", closesAt: "", archivedAt: null };
const archive = (store: Store) => store.archiveSeason("2026-01", "2026-02-01T00:00:00.000Z", []);

const OF_LADDER = ["matches", "counts", "pair counts", "figures"];
const OF_ALL_MATCHES = ["no match", "no statistics", "starts", "no replay"];
const OF_BOT = [
  "latest of bot 0",
  "current of bot 0",
  "matches of bot 0",
  "wins of version 0",
  "ladders of bot 0",
  "opponents of bot 0",
  "opponents of version 0",
  "history of bot 0",
];
const NAMED = [
  "bots by id",
  "house bots",
  "matches",
  "matches of bot 0",
  "wins of version 0",
  "a match",
];
const OF_SEASONS = ["seasons", "final places"];
const STATUS = [...NAMED, "a token", "history of bot 0"];

type Case = {
  name: string;
  change: (store: Store) => Promise<unknown>;
  /** Readings that are out of date afterwards. */
  moves: Reading[];
};

const CASES: Case[] = [
  {
    name: "a bot",
    change: (store) => store.addBot(sampleBot(9), "hash-9", null),
    moves: ["no bot by name", "a token", "house bots", "all ids"],
  },
  {
    name: "a token",
    change: (store) => store.rotateToken(bot(0), "new"),
    moves: ["a token"],
  },
  {
    name: "a status",
    change: (store) => store.setBotStatus(bot(0), "suspended"),
    moves: [...STATUS, "bot 0 by name", "bot 0"],
  },
  {
    name: "a status of another bot",
    change: (store) => store.setBotStatus(bot(2), "suspended"),
    moves: STATUS,
  },
  {
    name: "a version",
    change: (store) => store.addVersion(sampleVersion(9, { botId: bot(0) }), null),
    moves: ["label of bot 0", "versions of bot 0", "latest of bot 0", "current of bot 0"],
  },
  {
    name: "a version of another bot",
    change: (store) => store.addVersion(sampleVersion(9, { botId: bot(1) }), null),
    moves: [],
  },
  {
    name: "a retirement",
    change: (store) => store.retireVersion(bot(0), "v0"),
    moves: [
      "label of bot 0",
      "versions by id",
      "versions of bot 0",
      "latest of bot 0",
      "current of bot 0",
    ],
  },
  {
    name: "a match",
    change: (store) => store.saveMatch(sampleMatch(1)),
    moves: [...OF_LADDER, ...OF_ALL_MATCHES, ...OF_BOT, "turns of version 0"],
  },
  {
    name: "a match of others on another ladder",
    change: (store) => store.saveMatch(sampleMatch(1, { ladderId: "cup", season: null, seats })),
    moves: OF_ALL_MATCHES,
  },
  {
    name: "replays that are let go",
    change: (store) => store.releaseReplays([bot(0), bot(1)], 0, 9),
    moves: ["a replay", "no replay"],
  },
  { name: "a new season", change: (store) => store.openSeasons([season]), moves: OF_SEASONS },
  { name: "the end of a season", change: archive, moves: OF_SEASONS },
  { name: "an audit entry", change: (store) => store.addAudit([sampleAudit(1)]), moves: ["audit"] },
];

/** Writes of which each was made before. */
const IDLE: [name: string, change: (store: Store) => Promise<unknown>][] = [
  ["a bot whose name is taken", (store) => store.addBot(sampleBot(9, { name: "bot-0" }), "x", 9)],
  ["a bot over the limit", (store) => store.addBot(sampleBot(9), "x", 0)],
  ["the status that a bot has", (store) => store.setBotStatus(bot(0), "active")],
  ["a bot that has played", (store) => store.deleteBot(bot(0))],
  ["a version that is there", (store) => store.addVersion(sampleVersion(0), null)],
  [
    "a version over the limit",
    (store) => store.addVersion(sampleVersion(8, { botId: bot(0) }), { count: 0, since: "" }),
  ],
  ["the retirement of a retired version", (store) => store.retireVersion(bot(2), "v2")],
  ["the retirement of no version", (store) => store.retireVersion(bot(2), "v9")],
  ["a match that is stored", (store) => store.saveMatch(sampleMatch(0))],
  ["turns that are counted", (store) => store.carryTurns(9)],
  ["replays that are kept", (store) => store.releaseReplays([bot(0)], 9, 9)],
  ["a season that is open", async (store) => store.openSeasons(await store.seasons())],
  ["a season that is archived", (store) => store.archiveSeason("preseason", "", [])],
  ["no audit entry", (store) => store.addAudit([])],
];

/** A store with three bots, the last of which retired its version, and one match of the others. */
async function world() {
  const inner = memoryStore();
  await addSamplePlayers(inner, 3);
  await inner.retireVersion(bot(2), "v2");
  await inner.saveMatch(sampleMatch(0));
  const revisions = openRevisions();
  return { inner, revisions, store: announced(inner, revisions) };
}

type World = Awaited<ReturnType<typeof world>>;

async function readAll({ store, revisions }: World): Promise<(readonly [Reading, Parts])[]> {
  const readings = Object.entries(READINGS).map(async ([name, read]) => {
    const parts: Parts = new Map();
    await revisions.collect(parts, () => read(store));
    return [name, parts] as const;
  });
  return Promise.all(readings);
}

const sorted = (names: readonly string[]) => [...new Set(names)].toSorted();

describe("what is announced", () => {
  for (const { name, change, moves } of CASES) {
    it(`${name}: is noticed by ${moves.join(", ") || "nobody"}`, async () => {
      const one = await world();
      const read = await readAll(one);
      await change(one.store);
      const moved = read.filter(([, parts]) => !one.revisions.isFresh(parts));
      assert.deepEqual(sorted(moved.map(([reading]) => reading)), sorted(moves));
    });

    it(`${name}: is announced after a failure too, for it may be stored`, async () => {
      const one = await world();
      const read = await readAll(one);
      const failing = mapMethods(one.inner, () => async () => {
        throw new StoreError("unavailable", "away");
      });
      await assert.rejects(change(announced(failing, one.revisions)));
      const moved = read.filter(([, parts]) => !one.revisions.isFresh(parts));
      const missed = moves.filter((reading) => !moved.some(([name]) => name === reading));
      assert.deepEqual(missed, []);
    });
  }

  it("is every reading that says something else after any change", async () => {
    for (const { name, change } of CASES) {
      const one = await world();
      const read = await readAll(one);
      const before = await Promise.all(Object.values(READINGS).map((r) => r(one.inner)));
      await change(one.store);
      const after = await Promise.all(Object.values(READINGS).map((r) => r(one.inner)));
      for (const [at, [reading, parts]] of read.entries())
        if (one.revisions.isFresh(parts))
          assert.deepEqual(after[at], before[at], `${reading} after ${name}`);
    }
  });

  for (const [name, change] of IDLE)
    it(`T89 is nothing where nothing has changed: ${name}`, async () => {
      const one = await world();
      const before = one.revisions.now();
      await change(one.store);
      assert.equal(one.revisions.now(), before);
    });

  it("is announced when it is stored, and before its caller hears of it", async () => {
    const { inner, revisions } = await world();
    const stored = Promise.withResolvers<boolean>();
    const store = announced({ ...inner, saveMatch: () => stored.promise }, revisions);
    const before = revisions.now();
    const heard = store.saveMatch(sampleMatch(1)).then(() => revisions.now() > before);
    assert.equal(revisions.now(), before);
    stored.resolve(true);
    assert.equal(await heard, true);
  });

  it("is noticed by a reading that was under way meanwhile", async () => {
    const { inner, revisions } = await world();
    const reading = Promise.withResolvers<void>();
    const slow = {
      ...inner,
      botById: async (id: string) => (await reading.promise, inner.botById(id)),
    };
    const store = announced(slow, revisions);
    const parts: Parts = new Map();
    const read = revisions.collect(parts, () => store.botById(bot(0)));
    await store.setBotStatus(bot(0), "suspended");
    reading.resolve();
    await read;
    assert.equal(revisions.isFresh(parts), false);
  });
});
