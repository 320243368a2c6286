import assert from "node:assert/strict";

import type { AuditEntry } from "#data/store/audit.ts";
import type { SettingsUpdate } from "#data/store/settings.ts";
import type { Store } from "#data/store/store.ts";

import { sampleEntry, addSampleAccount, CASE_NOW } from "./store-account-cases.ts";
import type { StoreCase } from "./store-case.ts";
import { addSampleLadder, SAMPLE_LADDER } from "./store-custom-ladder-cases.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleId,
  sampleMatch,
  sampleTime,
} from "./store-samples.ts";

const ADA_ID = sampleId("account", 1);
const LADDER_BOUNDS = { maxConcurrent: 3, ownerConcurrency: 1 };
const currentBounds = async (store: Store) => (await store.settings.current()).bounds;
const TICK_CHANGE = { field: "tick_s", ladder_id: null, from: 1, to: 2 };

const sampleUpdate = (from: number, changes: Partial<SettingsUpdate> = {}): SettingsUpdate => ({
  from,
  overrides: { tick_s: 2, signup_open: false },
  bounds: {},
  changes: [TICK_CHANGE],
  accountId: ADA_ID,
  ...changes,
});

const settingsEntry = (changes: Partial<AuditEntry> = {}) =>
  sampleEntry({
    kind: "settings.changed",
    at: CASE_NOW,
    subject: { kind: "settings", id: "1", name: null },
    ...changes,
  });

const changeSettings = (
  store: Store,
  update: SettingsUpdate,
  retainCount = 50,
  entryToWrite = settingsEntry(),
) => store.settings.change(update, retainCount, entryToWrite);

const revisionsOf = async (store: Store) =>
  (await store.settings.history(99)).map(({ revision }) => revision);

const KINDS = ["settings.changed", "settings.preset_saved", "settings.preset_deleted"] as const;
const countEntries = async (store: Store) =>
  (await store.audit.list({ kind: KINDS, limit: 99 })).length;

const samplePreset = (name: string, id: number, revision = 0) => {
  return { id: sampleId("preset", id), name, revision, accountId: ADA_ID };
};
const presetEntry = () => sampleEntry({ kind: "settings.preset_saved", at: CASE_NOW });

export const settingsCases: StoreCase[] = [
  {
    name: "keeps settings changes and their author when reopened",
    async run(store, reopen) {
      await addSampleAccount(store, 1, "ada");
      assert.deepEqual(await store.settings.current(), {
        revision: 0,
        overrides: {},
        bounds: {},
      });
      assert.equal(await changeSettings(store, sampleUpdate(0)), "changed");
      const opened = await reopen();
      const overrides = { tick_s: 2, signup_open: false };
      const current = { revision: 1, overrides, bounds: {} };
      assert.deepEqual(await opened.settings.current(), current);
      assert.deepEqual(await opened.settings.history(9), [
        { revision: 1, at: CASE_NOW, by: "ada", changes: [TICK_CHANGE] },
      ]);
      assert.equal(await countEntries(opened), 1);
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
  {
    name: "accepts changes to the newest revision only, one of two concurrent ones, and each call once",
    async run(store) {
      const outcomes = await Promise.all([
        changeSettings(store, sampleUpdate(0)),
        changeSettings(store, sampleUpdate(0)),
      ]);
      assert.deepEqual(outcomes.toSorted(), ["changed", "conflict"]);
      assert.equal(await changeSettings(store, sampleUpdate(7)), "conflict");
      const repeatedEntry = settingsEntry();
      const secondUpdate = sampleUpdate(1, { overrides: {} });
      assert.equal(await changeSettings(store, secondUpdate, 50, repeatedEntry), "changed");
      assert.equal(await changeSettings(store, secondUpdate, 50, repeatedEntry), "changed");
      assert.deepEqual(await revisionsOf(store), [2, 1]);
      assert.deepEqual((await store.settings.current()).overrides, {});
      assert.equal(await countEntries(store), 2);
    },
  },
  {
    name: "deletes the oldest settings changes and continues counting",
    async run(store) {
      for (let from = 0; from < 5; from += 1) await changeSettings(store, sampleUpdate(from), 3);
      assert.deepEqual(await revisionsOf(store), [5, 4, 3]);
      assert.equal((await store.settings.history(2)).length, 2);
      assert.equal((await store.settings.current()).revision, 5);
    },
  },
  {
    name: "changes ladder overrides with the settings, atomically, and never a ladder's own bounds",
    async run(store, reopen) {
      await addSampleLadder(store);
      const bounds = { cup: LADDER_BOUNDS, public: { maxConcurrent: 0, ownerConcurrency: null } };
      const boundsOfMissing = { ...bounds, gone: LADDER_BOUNDS };
      assert.equal(
        await changeSettings(store, sampleUpdate(0, { bounds: boundsOfMissing })),
        "conflict",
      );
      assert.deepEqual([await currentBounds(store), await revisionsOf(store)], [{}, []]);
      assert.equal(await changeSettings(store, sampleUpdate(0, { bounds })), "changed");
      assert.deepEqual(await currentBounds(store), bounds);
      const opened = await reopen();
      assert.deepEqual(await currentBounds(opened), bounds);
      const ladderBounds = async () => {
        const { maxConcurrent, ownerConcurrency } = (await opened.ladders.byId("cup"))!;
        return { maxConcurrent, ownerConcurrency };
      };
      const ladderDefaults = {
        maxConcurrent: SAMPLE_LADDER.maxConcurrent,
        ownerConcurrency: SAMPLE_LADDER.ownerConcurrency,
      };
      assert.deepEqual(await ladderBounds(), ladderDefaults);
      const otherBounds = { cup: { ...LADDER_BOUNDS, maxConcurrent: null } };
      await changeSettings(opened, sampleUpdate(1, { bounds: otherBounds }));
      assert.deepEqual(await currentBounds(opened), otherBounds);
      await changeSettings(opened, sampleUpdate(2));
      assert.deepEqual([await currentBounds(opened), await ladderBounds()], [{}, ladderDefaults]);
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
  {
    name: "deletes a ladder's settings overrides with it, and no others",
    async run(store) {
      await addSampleLadder(store);
      await addSampleLadder(store, { id: "dusk" });
      await changeSettings(
        store,
        sampleUpdate(0, { bounds: { cup: LADDER_BOUNDS, dusk: LADDER_BOUNDS } }),
      );
      assert.deepEqual(await currentBounds(store), { cup: LADDER_BOUNDS, dusk: LADDER_BOUNDS });
      const deleteLadder = () =>
        store.ladders.delete("cup", sampleEntry({ kind: "ladder.deleted" }));
      assert.equal(await deleteLadder(), "deleted");
      await addSampleLadder(store);
      assert.deepEqual(await currentBounds(store), { dusk: LADDER_BOUNDS });
      assert.equal((await store.settings.current()).revision, 1);
    },
  },
  {
    name: "stores a limited number of named presets, and replaces one of the same name",
    async run(store) {
      await addSampleAccount(store, 1, "ada");
      const savePreset = (name: string, id: number, revision = 0) =>
        store.settings.savePreset(samplePreset(name, id, revision), 2, presetEntry());
      const ladderDefaults = { created: CASE_NOW, by: "ada" };
      const eveningPreset = { id: sampleId("preset", 1), name: "evening", ...ladderDefaults };
      assert.deepEqual(await savePreset("evening", 1), { ...eveningPreset, overrides: {} });
      await changeSettings(store, sampleUpdate(0));
      assert.equal(await savePreset("late", 2), "conflict");
      assert.equal(typeof (await savePreset("calm", 3, 1)), "object");
      assert.equal(await savePreset("late", 2, 1), "limit");
      const { overrides } = sampleUpdate(0);
      assert.deepEqual(await savePreset("evening", 4, 1), { ...eveningPreset, overrides });
      const names = async () => (await store.settings.presets()).map(({ name }) => name);
      assert.deepEqual(await names(), ["calm", "evening"]);
      const deletePreset = () =>
        store.settings.deletePreset(
          sampleId("preset", 1),
          sampleEntry({ kind: "settings.preset_deleted" }),
        );
      assert.deepEqual([await deletePreset(), await deletePreset()], [true, false]);
      assert.deepEqual(await names(), ["calm"]);
      assert.equal(await countEntries(store), 5);
    },
  },
  {
    name: "pages through the audit entries of several kinds",
    async run(store) {
      const kinds = ["bot.banned", "bot.suspended", "key.created"] as const;
      const entries = Array.from({ length: 9 }, (_, at) =>
        sampleAudit(at, { kind: kinds[at % 3]!, at: sampleTime(at - (at % 2)) }),
      );
      await store.audit.add(entries);
      const list = async (before?: AuditEntry) => {
        const query = { kind: kinds.slice(0, 2), limit: 4, ...(before && { before }) };
        const page = await store.audit.list(query);
        return page.map(({ detail }) => (detail as { number: number }).number);
      };
      assert.deepEqual(await list(), [7, 6, 4, 3]);
      assert.deepEqual(await list(entries[3]), [1, 0]);
      assert.deepEqual(await store.audit.byId(entries[5]!.id), entries[5]);
      assert.equal(await store.audit.byId(sampleId("audit", 99)), null);
      assert.deepEqual(await store.audit.list({ kind: [], limit: 9 }), []);
    },
  },
  {
    name: "returns which replays would be released, and by how many keepers",
    async run(store) {
      await addSamplePlayers(store, 2);
      const casual = { mode: "practice", rated: false, unratedReason: "mode" } as const;
      for (const number of [1, 2, 3, 4]) await store.matches.save(sampleMatch(number));
      await store.matches.save(sampleMatch(5, casual));
      const listExcess = async (query: Parameters<typeof store.replays.listExcess>[0]) =>
        (await store.replays.listExcess(query))
          .map(
            ({ matchId: id, keepers: keeperCounts }) =>
              `${Number.parseInt(id.slice(-4), 16)} of ${keeperCounts}`,
          )
          .toSorted();
      const [ladderIds, held] = [["public"], { ladderId: "public" }];
      const bots = [0, 1].map((number) => sampleId("bot", number));
      const botQuery = (botIds: string[], keep: number) => listExcess({ botIds, ladderIds, keep });
      assert.deepEqual(await botQuery(bots, 2), ["1 of 2", "1 of 2", "2 of 2", "2 of 2"]);
      assert.deepEqual([await botQuery(bots, 9), await botQuery([], 0)], [[], []]);
      await store.replays.retainForLadders([{ ...held, keep: 9 }], 100);
      assert.deepEqual(await botQuery(bots.slice(1), 2), ["1 of 3", "2 of 3"]);
      assert.deepEqual(await listExcess({ held: [{ ...held, keep: 3 }] }), ["1 of 3"]);
      assert.deepEqual(await listExcess({ casual: 0 }), ["5 of 1"]);
      await store.replays.release(bots.slice(1), 2, 100);
      assert.deepEqual(await botQuery(bots, 2), ["1 of 2", "2 of 2"]);
      assert.equal((await listExcess({ held: [] })).length, 4);
    },
  },
];
