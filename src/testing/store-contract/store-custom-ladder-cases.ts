import assert from "node:assert/strict";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Store } from "#data/store/store.ts";

import { sampleEntry, addSampleAccount, CASE_LATER, CASE_NOW } from "./store-account-cases.ts";
import type { StoreCase } from "./store-case.ts";
import { addSamplePlayers, sampleId, sampleMatch, sampleTime } from "./store-samples.ts";

export const SAMPLE_LADDER: LadderDefinition = {
  ...PUBLIC_LADDER,
  id: "cup",
  name: "Cup",
  description: "One evening.",
  access: "approval",
  visible: false,
  opensAt: CASE_NOW,
  closesAt: CASE_LATER,
  maps: ["keep", "cage"],
  house: ["kiter"],
  maxConcurrent: 8,
};

const INITIAL_FIELDS = {
  created: sampleTime(5),
  passwordSet: false,
  finishedAt: null,
  archive: null,
};
export const addSampleLadder = (store: Store, changes: Partial<LadderDefinition> = {}) =>
  store.ladders.add(
    { ...SAMPLE_LADDER, ...changes },
    null,
    sampleEntry({ at: INITIAL_FIELDS.created }),
  );

export const auditKinds = async (store: Store) =>
  (await store.audit.list({ limit: 99 }))
    .map(({ kind }) => kind)
    .filter((kind) => /^(?:member|ladder|invitation)\./.test(kind))
    .toReversed();

export const ladderRecordCases: StoreCase[] = [
  {
    name: "stores a ladder unchanged when reopened, and creates none twice",
    async run(store, reopen) {
      assert.equal(await addSampleLadder(store), true);
      assert.equal(await addSampleLadder(store, { name: "Another" }), false);
      const opened = await reopen();
      assert.deepEqual(await opened.ladders.list(), [{ ...SAMPLE_LADDER, ...INITIAL_FIELDS }]);
      assert.deepEqual(await opened.ladders.byId("cup"), { ...SAMPLE_LADDER, ...INITIAL_FIELDS });
      assert.equal(await opened.ladders.byId("public"), null);
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
  {
    name: "changes the given fields of a ladder, and its password separately",
    async run(store) {
      await addSampleLadder(store);
      const audit = () => sampleEntry({ kind: "ladder.changed" });
      const renameChanges = { name: "Night", opensAt: null, enabled: false, house: [] };
      assert.deepEqual(await store.ladders.change("cup", renameChanges, audit()), {
        ...SAMPLE_LADDER,
        ...INITIAL_FIELDS,
        ...renameChanges,
      });
      const passwordLadder = { access: "password", passwordHash: "secret" } as const;
      const set = await store.ladders.change("cup", passwordLadder, audit());
      assert.deepEqual([set?.access, set?.passwordSet], ["password", true]);
      await store.ladders.change("cup", { name: "Cup" }, audit());
      assert.equal(await store.ladders.passwordHash("cup"), "secret");
      const openLadder = await store.ladders.change(
        "cup",
        { access: "open", passwordHash: null },
        audit(),
      );
      assert.equal(openLadder?.passwordSet, false);
      assert.equal(await store.ladders.change("dusk", renameChanges, audit()), null);
      assert.deepEqual(await auditKinds(store), Array(4).fill("ladder.changed"));
    },
  },
  {
    name: "deletes a ladder with its members unless matches were played",
    async run(store) {
      await addSampleLadder(store);
      const ada = await addSampleAccount(store, 1, "ada");
      const step = { id: "s1", ladderId: "cup", accountId: ada.id, at: CASE_NOW };
      await store.members.enroll(step, "active", sampleEntry());
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1, { ladderId: "dusk", season: null }));
      await addSampleLadder(store, { id: "dusk" });
      const deleteLadder = (id: string) =>
        store.ladders.delete(id, sampleEntry({ kind: "ladder.deleted" }));
      assert.deepEqual(
        [await deleteLadder("dusk"), await deleteLadder("cup"), await deleteLadder("cup")],
        ["used", "deleted", null],
      );
      assert.deepEqual(await store.members.listByAccount(ada.id), []);
      assert.equal(await addSampleLadder(store), true);
      assert.deepEqual(await auditKinds(store), ["ladder.deleted"]);
    },
  },
  {
    name: "writes the final standings of a ladder once, and records its archive",
    async run(store) {
      await addSampleLadder(store);
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
      assert.equal(await store.ladders.finish("cup", CASE_LATER, [place]), true);
      assert.equal(await store.ladders.finish("cup", CASE_NOW, []), false);
      assert.equal(await store.ladders.finish("dusk", CASE_LATER, []), false);
      const { name, owner, ...otherFields } = place;
      const ownerId = (await store.bots.byId(place.botId))?.ownerId;
      const readStanding = { ...otherFields, name, owner, ownerId, ownerBanned: false };
      assert.deepEqual(await store.ladders.standings("cup"), [readStanding]);
      const archive = { bytes: 9, sha256: "f", madeAt: CASE_LATER };
      assert.equal(await store.ladders.setArchive("cup", archive), true);
      assert.equal(await store.ladders.setArchive("dusk", archive), false);
      const { finishedAt, archive: storedArchive } = (await store.ladders.byId("cup"))!;
      assert.deepEqual([finishedAt, storedArchive], [CASE_LATER, archive]);
      assert.deepEqual(await store.seasons.champions(), [], "it isn't a season of public");
    },
  },
];
