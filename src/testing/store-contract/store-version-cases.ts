import assert from "node:assert/strict";

import type { Store } from "#data/store/store.ts";

import type { StoreCase } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const botId = sampleId("bot", 0);

async function addVersions(store: Store, count: number): Promise<void> {
  await addSamplePlayers(store, 2);
  for (let number = 1; number < count; number += 1)
    await store.versions.add(sampleVersion(10 * number, { botId }), null);
}

function playedMatch(number: number, version: number, changes: MatchChanges = {}) {
  const ownSeat = sampleSeat(0, { versionId: sampleId("version", 10 * version) });
  const seats = [ownSeat, sampleSeat(1, { fighter: "B", ratingAfter: 1492 })];
  return sampleMatch(number, { seats, ended: sampleTime(1000 + number), ...changes });
}

const labels = (versions: readonly { label: string }[] | null) =>
  versions?.map(({ label }) => label);

const unratedSeat = { ratingBefore: null, ratingAfter: null };
const VOIDED_MATCH: MatchChanges = {
  rated: false,
  voided: true,
  winnerBotId: null,
  stats: null,
  seats: [
    sampleSeat(0, { versionId: sampleId("version", 10), ...unratedSeat }),
    sampleSeat(1, { fighter: "B", ...unratedSeat }),
  ],
};

export const versionListCases: StoreCase[] = [
  {
    name: "lists a bot's versions newest first, in pages",
    async run(store) {
      await addVersions(store, 5);
      const page = async (before?: string) =>
        labels(await store.versions.list(botId, { before, limit: 2 }));
      assert.deepEqual(await page(), ["v40", "v30"]);
      assert.deepEqual(await page("v30"), ["v20", "v10"]);
      assert.deepEqual(await page("v10"), ["v0"]);
      assert.deepEqual(await page("v0"), []);
      assert.equal(await store.versions.list(botId, { before: "v1", limit: 2 }), null);
    },
  },
  {
    name: "orders versions created at the same time by ID",
    async run(store) {
      await store.bots.add(sampleBot(0), "h", null);
      const created = sampleTime(1);
      for (const number of [3, 1, 2])
        await store.versions.add(sampleVersion(number, { botId, created }), null);
      const first = await store.versions.list(botId, { limit: 2 });
      assert.deepEqual(labels(first), ["v3", "v2"]);
      const otherPages = await store.versions.list(botId, { before: "v2", limit: 2 });
      assert.deepEqual(labels(otherPages), ["v1"]);
    },
  },
  {
    name: "returns the versions created or played last, oldest first, and their total",
    async run(store) {
      await addVersions(store, 6);
      await store.matches.save(playedMatch(1, 2));
      await store.matches.save(sampleMatch(2, { ...VOIDED_MATCH, ended: sampleTime(1002) }));
      await store.matches.save(playedMatch(3, 0, { ladderId: "cup", season: null }));
      await store.matches.save(playedMatch(4, 0, { season: "2025-12", ended: sampleTime(30) }));
      const latest = async (limit: number, ...included: number[]) => {
        const ids = included.map((number) => sampleId("version", 10 * number));
        const { versions, total } = await store.versions.latest(botId, limit, ids);
        assert.equal(total, 6);
        return labels(versions);
      };
      assert.deepEqual(await latest(1), ["v0"]);
      assert.deepEqual(await latest(2), ["v0", "v10"]);
      assert.deepEqual(await latest(4), ["v0", "v10", "v20", "v50"]);
      assert.deepEqual(await latest(4, 3, 5), ["v0", "v10", "v30", "v50"]);
      assert.deepEqual(await latest(9), ["v0", "v10", "v20", "v30", "v40", "v50"]);
      const [version] = (await store.versions.latest(botId, 1, [])).versions;
      assert.deepEqual(version, sampleVersion(0));
    },
  },
  {
    name: "represents a bot by the version of its last rated game, else the newest",
    async run(store) {
      await addVersions(store, 4);
      const current = async (ladder = "public") =>
        (await store.versions.current(botId, ladder))?.label;
      assert.equal(await current(), "v30");
      await store.matches.save(playedMatch(2, 1));
      await store.matches.save(playedMatch(3, 2, { season: "2025-12", ended: sampleTime(900) }));
      await store.matches.save(playedMatch(4, 0, { ladderId: "cup", season: null }));
      await store.matches.save(sampleMatch(5, { ...VOIDED_MATCH, ended: sampleTime(3000) }));
      assert.equal(await current(), "v10");
      assert.equal(await current("cup"), "v0");
      assert.equal(await current("event"), "v30");
      await store.versions.retire(botId, "v10");
      assert.equal(await current(), "v20");
      for (const label of ["v20", "v30"]) await store.versions.retire(botId, label);
      assert.equal(await current(), "v0");
      await store.versions.retire(botId, "v0");
      assert.equal(await current(), undefined);
    },
  },
  {
    name: "returns any number of versions, without their notes",
    async run(store) {
      await store.bots.add(sampleBot(0), "h", null);
      const { notes: _, ...entryFields } = sampleVersion(1, { botId });
      await store.versions.add({ ...entryFields, notes: "long" }, null);
      const ids = Array.from({ length: 40_000 }, (_, number) => sampleId("version", number));
      assert.deepEqual(await store.versions.byIds(ids), [entryFields]);
    },
  },
];
