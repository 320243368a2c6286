import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openRevisions } from "#base/cache/revisions.ts";
import type { Parts } from "#base/cache/revisions.ts";
import { StoreError } from "#data/store/errors.ts";
import { nounsOf } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
  toStatus,
} from "#testing/store-cases/store-samples.ts";

import { announced } from "./announced.ts";

const bot = (number: number) => sampleId("bot", number);
const version = (number: number) => sampleId("version", number);
const BARE = sampleAudit(5);
const match = (number: number) => sampleId("match", number);
const list = { ladderId: "public", limit: 9, withStats: false };
const live = { ladderId: "public", season: "2026-01" };

const ADA = { id: sampleId("account", 1), handle: "ada" };
const NOW = sampleTime(1000);
const FORMERLY = { at: NOW, until: sampleTime(2000) };
const LEAVING = { ...FORMERLY, second: 1, ban: null, inMatch: [] };

/** One call of each reading method; those that take a player read players 0 and 1. */
const READINGS: Record<string, (store: Store) => Promise<unknown>> = {
  "bot 0 by name": (store) => store.bots.byName("bot-0"),
  "no bot by name": (store) => store.bots.byName("bot-9"),
  "bot 0": (store) => store.bots.byId(bot(0)),
  "bots by id": (store) => store.bots.byIds([bot(0), bot(1)]),
  "a token": (store) => store.bots.byToken("hash-0"),
  "a search": (store) => store.bots.search("bot", 9),
  "house bots": (store) => store.bots.house(),
  "all ids": (store) => store.bots.ids(null, 9),
  "label of bot 0": (store) => store.versions.byLabel(bot(0), "v0"),
  "versions by id": (store) => store.versions.byIds([version(0), version(1)]),
  "versions of bot 0": (store) => store.versions.list(bot(0), { limit: 9 }),
  "latest of bot 0": (store) => store.versions.latest(bot(0), 9, []),
  "current of bot 0": (store) => store.versions.current(bot(0), "public"),
  matches: (store) => store.matches.list(list),
  "matches of bot 0": (store) => store.matches.list({ ...list, botId: bot(0) }),
  "wins of version 0": (store) =>
    store.matches.list({ ...list, botId: bot(0), versionId: version(0), result: "W" }),
  "a match": (store) => store.matches.byId(match(0)),
  "no match": (store) => store.matches.byId(match(1)),
  "no statistics": (store) => store.matches.stats(match(1)),
  counts: (store) => store.matches.counts("public"),
  "pair counts": (store) => store.figures.pairs(live),
  "ladders of bot 0": (store) => store.matches.laddersOf(bot(0)),
  "opponents of bot 0": (store) => store.figures.opponents(bot(0), live),
  "opponents of version 0": (store) => store.figures.opponents(bot(0), live, version(0)),
  figures: (store) => store.figures.competition(live, 9),
  "maps of bot 0": (store) => store.figures.maps({ ladderId: "public", botId: bot(0) }),
  "recent opponents of bot 0": (store) =>
    store.figures.recentOpponents({
      ladderId: "public",
      botId: bot(0),
      matches: 9,
      opponents: 9,
    }),
  "play of bot 0": (store) => store.figures.play(live, bot(0)),
  "losses of version 0": (store) =>
    store.figures.losses({
      ...live,
      botId: bot(0),
      versionId: version(0),
      before: null,
      games: 9,
      losses: 9,
    }),
  "figures of the ladder": (store) => store.figures.ladder({ ladderId: "public", rivalries: 9 }),
  "history of bot 0": (store) =>
    store.figures.ratings({ ladderId: "public", botId: bot(0), points: 9 }),
  starts: (store) => store.matches.startsSince(""),
  "turns of version 0": (store) => store.figures.turns([version(0)], 9),
  "a replay": (store) => store.replays.has(match(0)),
  "no replay": (store) => store.replays.has(match(1)),
  seasons: (store) => store.seasons.list(),
  "final places": (store) => store.seasons.placesOf(bot(0)),
  champions: (store) => store.seasons.champions(),
  places: (store) => store.standings.latest("public"),
  audit: (store) => store.audit.list({ limit: 9 }),
  "no former name": (store) => store.bots.byFormerName("bot-0", NOW),
  "bots of Ada": (store) => store.bots.ofOwners([ADA.id]),
  Ada: (store) => store.accounts.byHandle("ada", NOW),
  "nobody of a handle": (store) => store.accounts.byHandle("eve", NOW),
};
type Reading = keyof typeof READINGS;

const seats = [sampleSeat(2), sampleSeat(1, { fighter: "B" })];
const PLACES = { ...live, day: "2026-01-05", notedAt: "", botIds: [bot(0)] };
const season = { id: "2026-02", opensAt: "", closesAt: "", archivedAt: null };
const archive = (store: Store) => store.seasons.archive("2026-01", "2026-02-01T00:00:00.000Z", []);

const OF_LADDER = [
  "matches",
  "counts",
  "pair counts",
  "figures",
  "figures of the ladder",
  "play of bot 0",
];
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
  "maps of bot 0",
  "recent opponents of bot 0",
  "losses of version 0",
];
const NAMED = [
  "bots by id",
  "house bots",
  "matches",
  "matches of bot 0",
  "wins of version 0",
  "a match",
];
const OF_SEASONS = ["seasons", "final places", "champions"];
const STATUS = [...NAMED, "a search", "a token", "history of bot 0", "bots of Ada"];

type Case = {
  name: string;
  change: (store: Store) => Promise<unknown>;
  /** Readings that are outdated afterwards. */
  moves: Reading[];
};

const CASES: Case[] = [
  {
    name: "a bot",
    change: (store) => store.bots.add(sampleBot(9), "hash-9", null),
    moves: [
      "no bot by name",
      "a token",
      "a search",
      "house bots",
      "all ids",
      "bots of Ada",
      "no former name",
    ],
  },
  {
    name: "a token",
    change: (store) => store.bots.rotateToken(bot(0), "new"),
    moves: ["a token"],
  },
  {
    name: "a status",
    change: (store) => store.bots.setStatus(bot(0), toStatus("suspended")),
    moves: [...STATUS, "bot 0 by name", "bot 0"],
  },
  {
    name: "a status of another bot",
    change: (store) => store.bots.setStatus(bot(2), toStatus("suspended")),
    moves: STATUS,
  },
  {
    name: "a version",
    change: (store) => store.versions.add(sampleVersion(9, { botId: bot(0) }), null),
    moves: ["label of bot 0", "versions of bot 0", "latest of bot 0", "current of bot 0"],
  },
  {
    name: "a version of another bot",
    change: (store) => store.versions.add(sampleVersion(9, { botId: bot(1) }), null),
    moves: [],
  },
  {
    name: "a retirement",
    change: (store) => store.versions.retire(bot(0), "v0"),
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
    change: (store) => store.matches.save(sampleMatch(1)),
    moves: [...OF_LADDER, ...OF_ALL_MATCHES, ...OF_BOT, "turns of version 0"],
  },
  {
    name: "a match of others on another ladder",
    change: (store) => store.matches.save(sampleMatch(1, { ladderId: "cup", season: null, seats })),
    moves: OF_ALL_MATCHES,
  },
  {
    name: "replays that are let go",
    change: (store) => store.replays.release([bot(0), bot(1)], 0, 9),
    moves: ["a replay", "no replay"],
  },
  { name: "a new season", change: (store) => store.seasons.open([season]), moves: OF_SEASONS },
  { name: "the end of a season", change: archive, moves: OF_SEASONS },
  {
    name: "the places of a day",
    change: (store) => store.standings.note({ ...PLACES, day: "2026-01-06" }, ""),
    moves: ["places"],
  },
  {
    name: "an audit entry",
    change: (store) => store.audit.add([sampleAudit(1)]),
    moves: ["audit"],
  },
];

const GONE = ["a match", "versions by id", "a replay", "ladders of bot 0"];
const OF_PEOPLE: Case[] = [
  {
    name: "a handle",
    change: (store) => store.accounts.setHandle(ADA.id, "eve", FORMERLY, sampleAudit(2)),
    moves: [...STATUS, "audit", "Ada", "nobody of a handle"],
  },
  {
    name: "a ban",
    change: (store) => store.accounts.setBan(ADA.id, { at: NOW, reason: null }, sampleAudit(2)),
    moves: [...STATUS, "audit", "Ada"],
  },
  {
    name: "a claimed bot",
    change: (store) => store.bots.claim(bot(0), ADA.id, 9, sampleAudit(2)),
    moves: [...STATUS, "audit", "Ada", "bot 0", "bot 0 by name", "all ids", "no former name"],
  },
  {
    name: "a bot's other name",
    change: (store) => store.bots.rename(bot(0), "bot-9", FORMERLY, sampleAudit(2)),
    moves: [
      ...STATUS,
      "audit",
      "bot 0",
      "bot 0 by name",
      "no bot by name",
      "all ids",
      "no former name",
    ],
  },
  {
    name: "a bot's picture",
    change: (store) => store.bots.setAvatar(bot(0), "ronin"),
    moves: [...STATUS, "bot 0", "bot 0 by name"],
  },
  {
    name: "somebody who leaves",
    change: (store) => store.accounts.leave(ADA.id, LEAVING, sampleAudit(2)),
    moves: [...STATUS, ...OF_ALL_MATCHES, ...GONE, "audit", "Ada", "all ids", "no former name"],
  },
];

/** Writes that change nothing. */
const IDLE: [name: string, change: (store: Store) => Promise<unknown>][] = [
  ["a bot whose name is taken", (store) => store.bots.add(sampleBot(9, { name: "bot-0" }), "x", 9)],
  ["a bot over the limit", (store) => store.bots.add(sampleBot(9), "x", 0)],
  ["the status that a bot has", (store) => store.bots.setStatus(bot(0), toStatus("active"))],
  ["a bot that has played", (store) => store.bots.delete(bot(0))],
  ["a version that exists", (store) => store.versions.add(sampleVersion(0), null)],
  [
    "a version over the limit",
    (store) => store.versions.add(sampleVersion(8, { botId: bot(0) }), { count: 0, since: "" }),
  ],
  ["the retirement of a retired version", (store) => store.versions.retire(bot(2), "v2")],
  ["the retirement of a missing version", (store) => store.versions.retire(bot(2), "v9")],
  ["a match that is stored", (store) => store.matches.save(sampleMatch(0))],
  ["turns that are counted", (store) => store.figures.carryTurns(9)],
  ["replays that are kept", (store) => store.replays.release([bot(0)], 9, 9)],
  ["a season that is open", async (store) => store.seasons.open(await store.seasons.list())],
  ["a season that is archived", (store) => store.seasons.archive("preseason", "", [])],
  ["the places of a day that is noted", (store) => store.standings.note(PLACES, "")],
  ["a handle that is taken", (store) => store.accounts.setHandle(ADA.id, "t", FORMERLY, BARE)],
  ["the ban that an account has", (store) => store.accounts.setBan(ADA.id, null, BARE)],
  ["a bot that is Ada's already", (store) => store.bots.claim(bot(2), ADA.id, 9, BARE)],
  ["a name that is taken", (store) => store.bots.rename(bot(0), "bot-1", FORMERLY, BARE)],
  ["somebody who is not there", (store) => store.accounts.leave("x", LEAVING, BARE)],
  ["no audit entry", (store) => store.audit.add([])],
];

/**
 * A store with three bots and one match between the first two; the third retired its version and
 * belongs to Ada.
 */
async function world() {
  const inner = memoryStore();
  await addSamplePlayers(inner, 3);
  await inner.versions.retire(bot(2), "v2");
  await inner.matches.save(sampleMatch(0));
  await inner.standings.note(PLACES, "");
  await inner.accounts.add(sampleAccount(1), sampleAudit(8));
  await inner.accounts.setHandle(ADA.id, "ada", FORMERLY, sampleAudit(9));
  await inner.bots.claim(bot(2), ADA.id, 9, sampleAudit(7));
  await inner.owners.add({ name: "t", maxBots: 1, created: NOW }, "o", NOW, sampleAudit(6));
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
  for (const { name, change, moves } of [...CASES, ...OF_PEOPLE]) {
    it(`${name}: is noticed by ${moves.join(", ") || "nobody"}`, async () => {
      const one = await world();
      const read = await readAll(one);
      await change(one.store);
      const moved = read.filter(([, parts]) => !one.revisions.isFresh(parts));
      assert.deepEqual(sorted(moved.map(([reading]) => reading)), sorted(moves));
    });

    it(`${name}: is announced after a failure too, since it may have been stored`, async () => {
      const one = await world();
      const read = await readAll(one);
      const nouns = nounsOf(() => async () => {
        throw new StoreError("unavailable", "away");
      });
      const failing = { ...nouns, close: async () => {} };
      await assert.rejects(change(announced(failing, one.revisions)));
      const moved = read.filter(([, parts]) => !one.revisions.isFresh(parts));
      const missed = moves.filter((reading) => !moved.some(([name]) => name === reading));
      assert.deepEqual(missed, []);
    });
  }

  it("covers every reading whose answer changes", async () => {
    for (const { name, change } of [...CASES, ...OF_PEOPLE]) {
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
    it(`T89 is nothing when nothing has changed: ${name}`, async () => {
      const one = await world();
      const before = one.revisions.now();
      await change(one.store);
      assert.equal(one.revisions.now(), before);
    });

  it("is announced once it is stored, and before its caller learns of it", async () => {
    const { inner, revisions } = await world();
    const stored = Promise.withResolvers<boolean>();
    const store = announced(
      changedStore(inner, { matches: { save: () => stored.promise } }),
      revisions,
    );
    const before = revisions.now();
    const heard = store.matches.save(sampleMatch(1)).then(() => revisions.now() > before);
    assert.equal(revisions.now(), before);
    stored.resolve(true);
    assert.equal(await heard, true);
  });

  it("is noticed by a reading that was under way meanwhile", async () => {
    const { inner, revisions } = await world();
    const reading = Promise.withResolvers<void>();
    const slow = changedStore(inner, {
      bots: { byId: async (id: string) => (await reading.promise, inner.bots.byId(id)) },
    });
    const store = announced(slow, revisions);
    const parts: Parts = new Map();
    const read = revisions.collect(parts, () => store.bots.byId(bot(0)));
    await store.bots.setStatus(bot(0), toStatus("suspended"));
    reading.resolve();
    await read;
    assert.equal(revisions.isFresh(parts), false);
  });
});
