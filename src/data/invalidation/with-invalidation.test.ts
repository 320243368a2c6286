import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openRevisions } from "#base/cache/revisions.ts";
import type { Dependencies } from "#base/cache/revisions.ts";
import { StoreError } from "#data/store/errors.ts";
import { buildRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { sampleAccount } from "#testing/store-contract/store-account-cases.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
  statusChange,
} from "#testing/store-contract/store-samples.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import { withInvalidation } from "./with-invalidation.ts";

const bot = (number: number) => sampleId("bot", number);
const version = (number: number) => sampleId("version", number);
const AUDIT_ENTRY = sampleAudit(5);
const match = (number: number) => sampleId("match", number);
const list = { ladderId: "public", limit: 9, withStats: false };
const live = { ladderId: "public", season: "2026-01" };

const ADA = { id: sampleId("account", 1), handle: "ada" };
const NOW = sampleTime(1000);
const RESERVATION = { at: NOW, until: sampleTime(2000) };
const DELETION_OPTIONS = { ...RESERVATION, second: 1, ban: null, inMatch: [] };

/** One call to each read method. Reads for a player cover players 0 and 1. */
const READS: Record<string, (store: Store) => Promise<unknown>> = {
  "bot 0 by name": (store) => store.bots.byName("bot-0"),
  "unknown bot name": (store) => store.bots.byName("bot-9"),
  "bot 0": (store) => store.bots.byId(bot(0)),
  "bots by ID": (store) => store.bots.byIds([bot(0), bot(1)]),
  "a token": (store) => store.bots.byToken("hash-0"),
  "a search": (store) => store.bots.search("bot", 9),
  "house bots": (store) => store.bots.house(),
  "all IDs": (store) => store.bots.ids(null, 9),
  "label of bot 0": (store) => store.versions.byLabel(bot(0), "v0"),
  "versions by ID": (store) => store.versions.byIds([version(0), version(1)]),
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
  "pair counts": (store) => store.stats.pairs(live),
  "ladders of bot 0": (store) => store.matches.laddersOf(bot(0)),
  "opponents of bot 0": (store) => store.stats.opponents(bot(0), live),
  "opponents of version 0": (store) => store.stats.opponents(bot(0), live, version(0)),
  figures: (store) => store.stats.competition(live, 9),
  "maps of bot 0": (store) => store.stats.maps({ ladderId: "public", botId: bot(0) }),
  "recent opponents of bot 0": (store) =>
    store.stats.recentOpponents({
      ladderId: "public",
      botId: bot(0),
      matches: 9,
      opponents: 9,
    }),
  "play of bot 0": (store) => store.stats.play(live, bot(0)),
  "losses of version 0": (store) =>
    store.stats.losses({
      ...live,
      botId: bot(0),
      versionId: version(0),
      before: null,
      games: 9,
      losses: 9,
    }),
  "statistics of the ladder": (store) => store.stats.ladder({ ladderId: "public", rivalries: 9 }),
  "history of bot 0": (store) =>
    store.stats.ratings({ ladderId: "public", botId: bot(0), points: 9 }),
  starts: (store) => store.matches.startsSince(""),
  "turns of version 0": (store) => store.stats.turns([version(0)], 9),
  "a replay": (store) => store.replays.has(match(0)),
  "no replay": (store) => store.replays.has(match(1)),
  seasons: (store) => store.seasons.list(),
  "final places": (store) => store.seasons.placesOf(bot(0)),
  champions: (store) => store.seasons.champions(),
  places: (store) => store.standings.latest("public"),
  audit: (store) => store.audit.list({ limit: 9 }),
  "no former name": (store) => store.bots.byFormerName("bot-0", NOW),
  "bots of Ada": (store) => store.bots.listByOwners([ADA.id]),
  Ada: (store) => store.accounts.byHandle("ada", NOW),
  "unknown handle": (store) => store.accounts.byHandle("eve", NOW),
};
type ReadName = keyof typeof READS;

const seats = [sampleSeat(2), sampleSeat(1, { fighter: "B" })];
const PLACES = { ...live, day: "2026-01-05", notedAt: "", botIds: [bot(0)] };
const season = { id: "2026-02", opensAt: "", closesAt: "", archivedAt: null };
const archive = (store: Store) => store.seasons.archive("2026-01", "2026-02-01T00:00:00.000Z", []);

const LADDER_READS = [
  "matches",
  "counts",
  "pair counts",
  "figures",
  "statistics of the ladder",
  "play of bot 0",
];
const ALL_MATCH_READS = ["no match", "no statistics", "starts", "no replay"];
const BOT_READS = [
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
const NAMED_READS = [
  "bots by ID",
  "house bots",
  "matches",
  "matches of bot 0",
  "wins of version 0",
  "a match",
];
const SEASON_READS = ["seasons", "final places", "champions"];
const STATUS_READS = [...NAMED_READS, "a search", "a token", "history of bot 0", "bots of Ada"];

type Case = {
  name: string;
  change: (store: Store) => Promise<unknown>;
  staleReads: ReadName[];
};

const CASES: Case[] = [
  {
    name: "a bot",
    change: (store) => store.bots.add(sampleBot(9), "hash-9", null),
    staleReads: [
      "unknown bot name",
      "a token",
      "a search",
      "house bots",
      "all IDs",
      "bots of Ada",
      "no former name",
    ],
  },
  {
    name: "a token",
    change: (store) => store.bots.rotateToken(bot(0), "new"),
    staleReads: ["a token"],
  },
  {
    name: "a status",
    change: (store) => store.bots.setStatus(bot(0), statusChange("suspended")),
    staleReads: [...STATUS_READS, "bot 0 by name", "bot 0"],
  },
  {
    name: "another bot's status",
    change: (store) => store.bots.setStatus(bot(2), statusChange("suspended")),
    staleReads: STATUS_READS,
  },
  {
    name: "a version",
    change: (store) => store.versions.add(sampleVersion(9, { botId: bot(0) }), null),
    staleReads: ["label of bot 0", "versions of bot 0", "latest of bot 0", "current of bot 0"],
  },
  {
    name: "another bot's version",
    change: (store) => store.versions.add(sampleVersion(9, { botId: bot(1) }), null),
    staleReads: [],
  },
  {
    name: "a retirement",
    change: (store) => store.versions.retire(bot(0), "v0"),
    staleReads: [
      "label of bot 0",
      "versions by ID",
      "versions of bot 0",
      "latest of bot 0",
      "current of bot 0",
    ],
  },
  {
    name: "a match",
    change: (store) => store.matches.save(sampleMatch(1)),
    staleReads: [...LADDER_READS, ...ALL_MATCH_READS, ...BOT_READS, "turns of version 0"],
  },
  {
    name: "a match of other bots on another ladder",
    change: (store) => store.matches.save(sampleMatch(1, { ladderId: "cup", season: null, seats })),
    staleReads: ALL_MATCH_READS,
  },
  {
    name: "released replays",
    change: (store) => store.replays.release([bot(0), bot(1)], 0, 9),
    staleReads: ["a replay", "no replay"],
  },
  {
    name: "a new season",
    change: (store) => store.seasons.open([season]),
    staleReads: SEASON_READS,
  },
  { name: "the end of a season", change: archive, staleReads: SEASON_READS },
  {
    name: "the places of a day",
    change: (store) => store.standings.record({ ...PLACES, day: "2026-01-06" }, ""),
    staleReads: ["places"],
  },
  {
    name: "an audit entry",
    change: (store) => store.audit.add([sampleAudit(1)]),
    staleReads: ["audit"],
  },
];

const DELETION_READS = ["a match", "versions by ID", "a replay", "ladders of bot 0"];
const ACCOUNT_CASES: Case[] = [
  {
    name: "a handle",
    change: (store) => store.accounts.setHandle(ADA.id, "eve", RESERVATION, sampleAudit(2)),
    staleReads: [...STATUS_READS, "audit", "Ada", "unknown handle"],
  },
  {
    name: "a ban",
    change: (store) => store.accounts.setBan(ADA.id, { at: NOW, reason: null }, sampleAudit(2)),
    staleReads: [...STATUS_READS, "audit", "Ada"],
  },
  {
    name: "a claimed bot",
    change: (store) => store.bots.claim(bot(0), ADA.id, 9, sampleAudit(2)),
    staleReads: [
      ...STATUS_READS,
      "audit",
      "Ada",
      "bot 0",
      "bot 0 by name",
      "all IDs",
      "no former name",
    ],
  },
  {
    name: "a renamed bot",
    change: (store) => store.bots.rename(bot(0), "bot-9", RESERVATION, sampleAudit(2)),
    staleReads: [
      ...STATUS_READS,
      "audit",
      "bot 0",
      "bot 0 by name",
      "unknown bot name",
      "all IDs",
      "no former name",
    ],
  },
  {
    name: "a bot's picture",
    change: (store) => store.bots.setAvatar(bot(0), "ronin"),
    staleReads: [...STATUS_READS, "bot 0", "bot 0 by name"],
  },
  {
    name: "a deleted account",
    change: (store) => store.accounts.delete(ADA.id, DELETION_OPTIONS, sampleAudit(2)),
    staleReads: [
      ...STATUS_READS,
      ...ALL_MATCH_READS,
      ...DELETION_READS,
      "audit",
      "Ada",
      "all IDs",
      "no former name",
    ],
  },
];

const UNCHANGED_CASES: [name: string, change: (store: Store) => Promise<unknown>][] = [
  ["a taken bot name", (store) => store.bots.add(sampleBot(9, { name: "bot-0" }), "x", 9)],
  ["a bot over the limit", (store) => store.bots.add(sampleBot(9), "x", 0)],
  ["a bot's current status", (store) => store.bots.setStatus(bot(0), statusChange("active"))],
  ["deleting a bot that has played", (store) => store.bots.delete(bot(0))],
  ["an existing version", (store) => store.versions.add(sampleVersion(0), null)],
  [
    "a version over the limit",
    (store) => store.versions.add(sampleVersion(8, { botId: bot(0) }), { count: 0, since: "" }),
  ],
  ["retiring a retired version", (store) => store.versions.retire(bot(2), "v2")],
  ["retiring an unknown version", (store) => store.versions.retire(bot(2), "v9")],
  ["a stored match", (store) => store.matches.save(sampleMatch(0))],
  ["already counted turns", (store) => store.stats.backfillTurns(9)],
  ["replays within the limit", (store) => store.replays.release([bot(0)], 9, 9)],
  ["an open season", async (store) => store.seasons.open(await store.seasons.list())],
  ["an archived season", (store) => store.seasons.archive("preseason", "", [])],
  ["a recorded day", (store) => store.standings.record(PLACES, "")],
  ["a taken handle", (store) => store.accounts.setHandle(ADA.id, "t", RESERVATION, AUDIT_ENTRY)],
  ["an account's current ban", (store) => store.accounts.setBan(ADA.id, null, AUDIT_ENTRY)],
  ["a bot that Ada already owns", (store) => store.bots.claim(bot(2), ADA.id, 9, AUDIT_ENTRY)],
  ["a taken name", (store) => store.bots.rename(bot(0), "bot-1", RESERVATION, AUDIT_ENTRY)],
  ["an unknown account", (store) => store.accounts.delete("x", DELETION_OPTIONS, AUDIT_ENTRY)],
  ["no audit entry", (store) => store.audit.add([])],
];

async function world() {
  const innerStore = memoryStore();
  await addSamplePlayers(innerStore, 3);
  await innerStore.versions.retire(bot(2), "v2");
  await innerStore.matches.save(sampleMatch(0));
  await innerStore.standings.record(PLACES, "");
  await innerStore.accounts.add(sampleAccount(1), sampleAudit(8));
  await innerStore.accounts.setHandle(ADA.id, "ada", RESERVATION, sampleAudit(9));
  await innerStore.bots.claim(bot(2), ADA.id, 9, sampleAudit(7));
  await innerStore.owners.add({ name: "t", maxBots: 1, created: NOW }, "o", NOW, sampleAudit(6));
  const revisions = openRevisions();
  return { inner: innerStore, revisions, store: withInvalidation(innerStore, revisions) };
}

type World = Awaited<ReturnType<typeof world>>;

async function readAll({
  store,
  revisions,
}: World): Promise<(readonly [ReadName, Dependencies])[]> {
  const pendingReads = Object.entries(READS).map(async ([name, trackedReads]) => {
    const dependencies: Dependencies = new Map();
    await revisions.collect(dependencies, () => trackedReads(store));
    return [name, dependencies] as const;
  });
  return Promise.all(pendingReads);
}

const uniqueSorted = (names: readonly string[]) => [...new Set(names)].toSorted();

describe("cache invalidation", () => {
  for (const { name, change, staleReads } of [...CASES, ...ACCOUNT_CASES]) {
    it(`${name}: invalidates ${staleReads.join(", ") || "nobody"}`, async () => {
      const testWorld = await world();
      const trackedReads = await readAll(testWorld);
      await change(testWorld.store);
      const staleTracked = trackedReads.filter(
        ([, dependencies]) => !testWorld.revisions.isFresh(dependencies),
      );
      assert.deepEqual(
        uniqueSorted(staleTracked.map(([readName]) => readName)),
        uniqueSorted(staleReads),
      );
    });

    it(`${name}: invalidates after a failure, because the write may have been stored`, async () => {
      const testWorld = await world();
      const trackedReads = await readAll(testWorld);
      const repositories = buildRepositories(() => async () => {
        throw new StoreError("unavailable", "away");
      });
      const failing = { ...repositories, close: async () => {} };
      await assert.rejects(change(withInvalidation(failing, testWorld.revisions)));
      const staleTracked = trackedReads.filter(
        ([, dependencies]) => !testWorld.revisions.isFresh(dependencies),
      );
      const missingReads = staleReads.filter(
        (readName) => !staleTracked.some(([name]) => name === readName),
      );
      assert.deepEqual(missingReads, []);
    });
  }

  it("invalidates every read whose result changes", async () => {
    for (const { name, change } of [...CASES, ...ACCOUNT_CASES]) {
      const testWorld = await world();
      const trackedReads = await readAll(testWorld);
      const before = await Promise.all(
        Object.values(READS).map((runRead) => runRead(testWorld.inner)),
      );
      await change(testWorld.store);
      const after = await Promise.all(
        Object.values(READS).map((runRead) => runRead(testWorld.inner)),
      );
      for (const [index, [readName, dependencies]] of trackedReads.entries())
        if (testWorld.revisions.isFresh(dependencies))
          assert.deepEqual(after[index], before[index], `${readName} after ${name}`);
    }
  });

  for (const [name, change] of UNCHANGED_CASES)
    it(`T89 invalidates nothing if nothing changed: ${name}`, async () => {
      const testWorld = await world();
      const before = testWorld.revisions.newestRevision();
      await change(testWorld.store);
      assert.equal(testWorld.revisions.newestRevision(), before);
    });

  it("invalidates after the write is stored and before the caller gets the result", async () => {
    const { inner: innerStore, revisions } = await world();
    const saveResult = Promise.withResolvers<boolean>();
    const store = withInvalidation(
      overrideStore(innerStore, { matches: { save: () => saveResult.promise } }),
      revisions,
    );
    const before = revisions.newestRevision();
    const isInvalidatedFirst = store.matches
      .save(sampleMatch(1))
      .then(() => revisions.newestRevision() > before);
    assert.equal(revisions.newestRevision(), before);
    saveResult.resolve(true);
    assert.equal(await isInvalidatedFirst, true);
  });

  it("invalidates a read in progress", async () => {
    const { inner: innerStore, revisions } = await world();
    const readName = Promise.withResolvers<void>();
    const slowStore = overrideStore(innerStore, {
      bots: { byId: async (id: string) => (await readName.promise, innerStore.bots.byId(id)) },
    });
    const store = withInvalidation(slowStore, revisions);
    const dependencies: Dependencies = new Map();
    const trackedReads = revisions.collect(dependencies, () => store.bots.byId(bot(0)));
    await store.bots.setStatus(bot(0), statusChange("suspended"));
    readName.resolve();
    await trackedReads;
    assert.equal(revisions.isFresh(dependencies), false);
  });
});
