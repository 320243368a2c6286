// What the store must do with ladders other than public.
import assert from "node:assert/strict";

import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Store } from "#data/store/store.ts";

import { entry, join, LATER, NOW } from "./store-account-cases.ts";
import type { Case } from "./store-case.ts";
import { addSamplePlayers, sampleId, sampleMatch, sampleTime } from "./store-samples.ts";

export const CUP: LadderDefinition = {
  ...PUBLIC,
  id: "cup",
  name: "Cup",
  description: "One evening.",
  access: "approval",
  visible: false,
  opensAt: NOW,
  closesAt: LATER,
  maps: ["keep", "cage"],
  house: ["kiter"],
  maxConcurrent: 8,
};

const OWN = { created: sampleTime(5), passwordSet: false, finishedAt: null, archive: null };
export const addCup = (store: Store, changes: Partial<LadderDefinition> = {}) =>
  store.ladders.add({ ...CUP, ...changes }, null, entry({ at: OWN.created }));

/** What the audit has of ladders, in order. */
export const kindsOf = async (store: Store) =>
  (await store.audit.list({ limit: 99 }))
    .map(({ kind }) => kind)
    .filter((kind) => /^(?:member|ladder|invitation)\./.test(kind))
    .toReversed();

export const keptLadderCases: Case[] = [
  {
    name: "keeps a ladder as it was made, over a reopening, and makes none twice",
    async run(store, reopen) {
      assert.equal(await addCup(store), true);
      assert.equal(await addCup(store, { name: "Another" }), false);
      const opened = await reopen();
      assert.deepEqual(await opened.ladders.list(), [{ ...CUP, ...OWN }]);
      assert.deepEqual(await opened.ladders.byId("cup"), { ...CUP, ...OWN });
      assert.equal(await opened.ladders.byId("public"), null);
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
  {
    name: "changes what is named of a ladder, and its password apart from the rest",
    async run(store) {
      await addCup(store);
      const audit = () => entry({ kind: "ladder.changed" });
      const named = { name: "Night", opensAt: null, enabled: false, house: [] };
      assert.deepEqual(await store.ladders.change("cup", named, audit()), {
        ...CUP,
        ...OWN,
        ...named,
      });
      const locked = { access: "password", passwordHash: "secret" } as const;
      const set = await store.ladders.change("cup", locked, audit());
      assert.deepEqual([set?.access, set?.passwordSet], ["password", true]);
      await store.ladders.change("cup", { name: "Cup" }, audit());
      assert.equal(await store.ladders.passwordHash("cup"), "secret");
      const freed = await store.ladders.change(
        "cup",
        { access: "open", passwordHash: null },
        audit(),
      );
      assert.equal(freed?.passwordSet, false);
      assert.equal(await store.ladders.change("dusk", named, audit()), null);
      assert.deepEqual(await kindsOf(store), Array(4).fill("ladder.changed"));
    },
  },
  {
    name: "deletes a ladder with its members, unless something was played on it",
    async run(store) {
      await addCup(store);
      const ada = await join(store, 1, "ada");
      const step = { id: "s1", ladderId: "cup", accountId: ada.id, at: NOW };
      await store.members.enroll(step, "active", entry());
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1, { ladderId: "dusk", season: null }));
      await addCup(store, { id: "dusk" });
      const remove = (id: string) => store.ladders.delete(id, entry({ kind: "ladder.deleted" }));
      assert.deepEqual(
        [await remove("dusk"), await remove("cup"), await remove("cup")],
        ["used", "deleted", null],
      );
      assert.deepEqual(await store.members.ofAccount(ada.id), []);
      assert.equal(await addCup(store), true);
      assert.deepEqual(await kindsOf(store), ["ladder.deleted"]);
    },
  },
  {
    name: "writes the final standings of a ladder once, and notes its archive",
    async run(store) {
      await addCup(store);
      await addSamplePlayers(store, 1);
      const place = {
        rank: 1,
        botId: sampleId("bot", 0),
        versionId: sampleId("version", 0),
        name: "Bot-0",
        owner: "Owner-0",
        house: false,
        label: "v0",
        rating: 1600,
        deviation: 30,
        wins: 30,
        draws: 0,
        losses: 0,
      };
      assert.deepEqual(await store.ladders.standings("cup"), []);
      assert.equal(await store.ladders.finish("cup", LATER, [place]), true);
      assert.equal(await store.ladders.finish("cup", NOW, []), false);
      assert.equal(await store.ladders.finish("dusk", LATER, []), false);
      const { name, owner, ...rest } = place;
      const ownerId = (await store.bots.byId(place.botId))?.ownerId;
      const read = { ...rest, name, owner, ownerId, ownerBanned: false };
      assert.deepEqual(await store.ladders.standings("cup"), [read]);
      const archive = { bytes: 9, sha256: "f", madeAt: LATER };
      assert.equal(await store.ladders.noteArchive("cup", archive), true);
      assert.equal(await store.ladders.noteArchive("dusk", archive), false);
      const { finishedAt, archive: noted } = (await store.ladders.byId("cup"))!;
      assert.deepEqual([finishedAt, noted], [LATER, archive]);
      assert.deepEqual(await store.seasons.champions(), [], "it is no season of public");
    },
  },
];
