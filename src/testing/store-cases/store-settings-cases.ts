// What the store must do with changes of the settings.
import assert from "node:assert/strict";

import type { AuditEntry } from "#data/store/audit.ts";
import type { NextSettings } from "#data/store/settings.ts";
import type { Store } from "#data/store/store.ts";

import { entry, join, NOW } from "./store-account-cases.ts";
import type { Case } from "./store-case.ts";
import { addCup, CUP } from "./store-kept-ladder-cases.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleId,
  sampleMatch,
  sampleTime,
} from "./store-samples.ts";

const ADA = sampleId("account", 1);
const BOUND = { maxConcurrent: 3, ownerConcurrency: 1 };
const boundsIn = async (store: Store) => (await store.settings.current()).bounds;
const TICK = { field: "tick_s", ladder_id: null, from: 1, to: 2 };

const next = (from: number, changes: Partial<NextSettings> = {}): NextSettings => ({
  from,
  overrides: { tick_s: 2, signup_open: false },
  bounds: {},
  changes: [TICK],
  accountId: ADA,
  ...changes,
});

const noteOf = (changes: Partial<AuditEntry> = {}) =>
  entry({
    kind: "settings.changed",
    at: NOW,
    subject: { kind: "settings", id: "1", name: null },
    ...changes,
  });

const change = (store: Store, given: NextSettings, kept = 50, note = noteOf()) =>
  store.settings.change(given, kept, note);

const revisionsOf = async (store: Store) =>
  (await store.settings.history(99)).map(({ revision }) => revision);

const KINDS = ["settings.changed", "settings.preset_saved", "settings.preset_deleted"] as const;
const told = async (store: Store) => (await store.audit.list({ kind: KINDS, limit: 99 })).length;

const preset = (name: string, id: number, revision = 0) => {
  return { id: sampleId("preset", id), name, revision, accountId: ADA };
};
const saving = () => entry({ kind: "settings.preset_saved", at: NOW });

export const settingsCases: Case[] = [
  {
    name: "keeps what was changed of the settings, over a reopening, with who did it",
    async run(store, reopen) {
      await join(store, 1, "ada");
      assert.deepEqual(await store.settings.current(), {
        revision: 0,
        overrides: {},
        bounds: {},
      });
      assert.equal(await change(store, next(0)), "changed");
      const opened = await reopen();
      const overrides = { tick_s: 2, signup_open: false };
      const current = { revision: 1, overrides, bounds: {} };
      assert.deepEqual(await opened.settings.current(), current);
      assert.deepEqual(await opened.settings.history(9), [
        { revision: 1, at: NOW, by: "ada", changes: [TICK] },
      ]);
      assert.equal(await told(opened), 1);
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
  {
    name: "changes settings from the newest revision alone, of two at once one, and each call once",
    async run(store) {
      const outcomes = await Promise.all([change(store, next(0)), change(store, next(0))]);
      assert.deepEqual(outcomes.toSorted(), ["changed", "conflict"]);
      assert.equal(await change(store, next(7)), "conflict");
      const again = noteOf();
      const second = next(1, { overrides: {} });
      assert.equal(await change(store, second, 50, again), "changed");
      assert.equal(await change(store, second, 50, again), "changed");
      assert.deepEqual(await revisionsOf(store), [2, 1]);
      assert.deepEqual((await store.settings.current()).overrides, {});
      assert.equal(await told(store), 2);
    },
  },
  {
    name: "forgets the oldest changes of settings, and goes on counting",
    async run(store) {
      for (let from = 0; from < 5; from += 1) await change(store, next(from), 3);
      assert.deepEqual(await revisionsOf(store), [5, 4, 3]);
      assert.equal((await store.settings.history(2)).length, 2);
      assert.equal((await store.settings.current()).revision, 5);
    },
  },
  {
    name: "changes what is said of ladders with the settings, or neither, and no ladder's own bounds",
    async run(store, reopen) {
      await addCup(store);
      const bounds = { cup: BOUND, public: { maxConcurrent: 0, ownerConcurrency: null } };
      const gone = { ...bounds, gone: BOUND };
      assert.equal(await change(store, next(0, { bounds: gone })), "conflict");
      assert.deepEqual([await boundsIn(store), await revisionsOf(store)], [{}, []]);
      assert.equal(await change(store, next(0, { bounds })), "changed");
      assert.deepEqual(await boundsIn(store), bounds);
      const opened = await reopen();
      assert.deepEqual(await boundsIn(opened), bounds);
      const own = async () => {
        const { maxConcurrent, ownerConcurrency } = (await opened.ladders.byId("cup"))!;
        return { maxConcurrent, ownerConcurrency };
      };
      const made = { maxConcurrent: CUP.maxConcurrent, ownerConcurrency: CUP.ownerConcurrency };
      assert.deepEqual(await own(), made);
      const other = { cup: { ...BOUND, maxConcurrent: null } };
      await change(opened, next(1, { bounds: other }));
      assert.deepEqual(await boundsIn(opened), other);
      await change(opened, next(2));
      assert.deepEqual([await boundsIn(opened), await own()], [{}, made]);
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
  {
    name: "forgets with a ladder what settings say of it, and of no other",
    async run(store) {
      await addCup(store);
      await addCup(store, { id: "dusk" });
      await change(store, next(0, { bounds: { cup: BOUND, dusk: BOUND } }));
      assert.deepEqual(await boundsIn(store), { cup: BOUND, dusk: BOUND });
      const remove = () => store.ladders.delete("cup", entry({ kind: "ladder.deleted" }));
      assert.equal(await remove(), "deleted");
      await addCup(store);
      assert.deepEqual(await boundsIn(store), { dusk: BOUND });
      assert.equal((await store.settings.current()).revision, 1);
    },
  },
  {
    name: "keeps sets of settings by name, up to a bound, and replaces one of the same name",
    async run(store) {
      await join(store, 1, "ada");
      const save = (name: string, id: number, revision = 0) =>
        store.settings.savePreset(preset(name, id, revision), 2, saving());
      const made = { created: NOW, by: "ada" };
      const evening = { id: sampleId("preset", 1), name: "evening", ...made };
      assert.deepEqual(await save("evening", 1), { ...evening, overrides: {} });
      await change(store, next(0));
      assert.equal(await save("late", 2), "conflict");
      assert.equal(typeof (await save("calm", 3, 1)), "object");
      assert.equal(await save("late", 2, 1), "limit");
      const { overrides } = next(0);
      assert.deepEqual(await save("evening", 4, 1), { ...evening, overrides });
      const names = async () => (await store.settings.presets()).map(({ name }) => name);
      assert.deepEqual(await names(), ["calm", "evening"]);
      const drop = () =>
        store.settings.deletePreset(
          sampleId("preset", 1),
          entry({ kind: "settings.preset_deleted" }),
        );
      assert.deepEqual([await drop(), await drop()], [true, false]);
      assert.deepEqual(await names(), ["calm"]);
      assert.equal(await told(store), 5);
    },
  },
  {
    name: "gives the audit of several kinds, page by page",
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
    name: "tells which replays would be let go, and by how many",
    async run(store) {
      await addSamplePlayers(store, 2);
      const casual = { mode: "practice", rated: false, unratedReason: "mode" } as const;
      for (const number of [1, 2, 3, 4]) await store.matches.save(sampleMatch(number));
      await store.matches.save(sampleMatch(5, casual));
      const beyond = async (keeping: Parameters<typeof store.replays.beyond>[0]) =>
        (await store.replays.beyond(keeping))
          .map(({ matchId: id, keepers }) => `${Number.parseInt(id.slice(-4), 16)} of ${keepers}`)
          .toSorted();
      const [ladderIds, held] = [["public"], { ladderId: "public" }];
      const bots = [0, 1].map((number) => sampleId("bot", number));
      const ofBots = (botIds: string[], keep: number) => beyond({ botIds, ladderIds, keep });
      assert.deepEqual(await ofBots(bots, 2), ["1 of 2", "1 of 2", "2 of 2", "2 of 2"]);
      assert.deepEqual([await ofBots(bots, 9), await ofBots([], 0)], [[], []]);
      await store.replays.hold([{ ...held, keep: 9 }], 100);
      assert.deepEqual(await ofBots(bots.slice(1), 2), ["1 of 3", "2 of 3"]);
      assert.deepEqual(await beyond({ held: [{ ...held, keep: 3 }] }), ["1 of 3"]);
      assert.deepEqual(await beyond({ casual: 0 }), ["5 of 1"]);
      await store.replays.release(bots.slice(1), 2, 100);
      assert.deepEqual(await ofBots(bots, 2), ["1 of 2", "2 of 2"]);
      assert.equal((await beyond({ held: [] })).length, 4);
    },
  },
];
