import assert from "node:assert/strict";

import type { Condition, EventDefinition } from "#core/events/event.ts";
import type { AwardRecord, NewAward } from "#data/store/award.ts";
import type { Store } from "#data/store/store.ts";

import {
  sampleBotOf,
  sampleEntry,
  addSampleAccount,
  CASE_LATER,
  CASE_NOW,
} from "./store-account-cases.ts";
import { deletionOptions } from "./store-account-deletion-cases.ts";
import { sampleMatchId, countWords } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import { SAMPLE_LADDER } from "./store-custom-ladder-cases.ts";
import { sampleId, sampleTime } from "./store-samples.ts";

const gamesCondition = (count: number): Condition => ({ kind: "games", count });

export const SAMPLE_EVENT: EventDefinition = {
  id: "spring",
  ladderId: "public",
  name: "Spring",
  description: "Two weeks.",
  opensAt: CASE_NOW,
  closesAt: CASE_LATER,
  timezone: "Europe/Berlin",
  metadata: null,
  image: null,
  submissionUrl: null,
  submissionInstructions: "",
  flagMode: "official",
  revision: 0,
  enabled: false,
  achievements: [1, 2, 3, 4, 5].map((count) => ({
    id: `play-${count}`,
    name: `Play ${count}`,
    description: `${count} games.`,
    condition: gamesCondition(count),
  })),
  approved: {},
};

const addEvent = (store: Store, changes: Partial<EventDefinition> = {}, at = CASE_NOW) =>
  store.events.add({ ...SAMPLE_EVENT, ...changes }, sampleEntry({ kind: "event.created", at }));

const countEntries = async (
  store: Store,
  kind: "event.created" | "event.award" | "event.revoked",
) => (await store.audit.list({ kind, limit: 99 })).length;

const sampleAward = (number: number, changes: Partial<NewAward> = {}): NewAward => ({
  eventId: "spring",
  accountId: sampleId("account", number),
  achievementId: "play-1",
  botId: sampleId("bot", number),
  earnedAt: sampleTime(1100 + number),
  evidence: [sampleMatchId(1), sampleMatchId(2)],
  ...changes,
});

const grantAwards = (store: Store, ...awards: NewAward[]) =>
  store.awards.add(
    awards.map((award) => ({ award, audit: sampleEntry({ kind: "event.award", at: CASE_LATER }) })),
  );

const NEW_AWARD_FIELDS: Pick<AwardRecord, "awardedAt" | "revokedAt" | "revokedReason"> = {
  awardedAt: CASE_LATER,
  revokedAt: null,
  revokedReason: null,
};

const eventCases: StoreCase[] = [
  {
    name: "stores events once each, oldest first, with their audit entries",
    async run(store, reopen) {
      const metadata = { kind: "main", purpose: "", audience: "all", format: "x", preparation: "" };
      const allChanges: Partial<EventDefinition> = {
        id: "older",
        metadata: metadata as EventDefinition["metadata"],
        image: { hash: "ab", alt: "A picture", width: 3, height: 2 },
        submissionUrl: "https://example.org/in",
        submissionInstructions: "Send it.\nSoon.",
        flagMode: "testing",
        revision: 7,
        enabled: true,
        approved: { kiter: "v1" },
      };
      assert.equal(await addEvent(store), "added");
      assert.equal(await addEvent(store, allChanges, sampleTime(1)), "added");
      assert.equal(await addEvent(store, { name: "Other" }), "event_exists");
      assert.equal(await addEvent(store, { id: "lost", ladderId: "nowhere" }), "no_ladder");
      const opened = await reopen();
      assert.deepEqual(await opened.events.list(), [
        { ...SAMPLE_EVENT, ...allChanges },
        SAMPLE_EVENT,
      ]);
      assert.deepEqual(await opened.events.byId("spring"), SAMPLE_EVENT);
      assert.equal(await opened.events.byId("lost"), null);
      assert.deepEqual(await opened.events.images(), [allChanges.image]);
      assert.equal(await countEntries(opened, "event.created"), 2);
    },
  },
  {
    name: "counts every change of an event, concurrent ones too",
    async run(store) {
      await addEvent(store);
      const changes = Array.from({ length: 8 }, (_, index) =>
        store.events.change("spring", { name: `Name ${index}` }, sampleEntry()),
      );
      const revisions = (await Promise.all(changes)).map((event) => event?.revision);
      assert.deepEqual(revisions.toSorted(), [1, 2, 3, 4, 5, 6, 7, 8]);
      const changed = await store.events.change("spring", { enabled: true }, sampleEntry());
      assert.deepEqual([changed?.enabled, changed?.revision], [true, 9]);
      assert.deepEqual(await store.events.byId("spring"), changed);
      assert.equal(await store.events.change("lost", { enabled: true }, sampleEntry()), null);
    },
  },
  {
    name: "marks events as settled until they change",
    async run(store) {
      await addEvent(store);
      await addEvent(store, { id: "summer" });
      await store.events.markSettled("spring", CASE_LATER);
      await store.events.markSettled("summer", CASE_LATER);
      await store.events.change("summer", { name: "Summer" }, sampleEntry());
      assert.deepEqual(await store.events.settledIds(), ["spring"]);
    },
  },
  {
    name: "deletes an event without awards, with its requests",
    async run(store) {
      const ada = await addSampleAccount(store, 1, "ada");
      await store.bots.add(sampleBotOf(ada, 1), "h1", null);
      const [accountId, botId] = [ada.id, sampleId("bot", 1)];
      const ownRequest = {
        eventId: "spring",
        ladderId: "public",
        accountId,
        botId,
        created: CASE_NOW,
      };
      await addEvent(store);
      await store.requests.add(
        { ...ownRequest, id: "request-1", opponent: "kiter" },
        sampleEntry(),
      );
      assert.equal(await store.events.delete("spring", sampleEntry()), "deleted");
      assert.deepEqual(await store.requests.pending(), []);
      assert.equal(await store.events.delete("spring", sampleEntry()), null);
      await addEvent(store);
      await grantAwards(store, sampleAward(1));
      assert.equal(await store.events.delete("spring", sampleEntry()), "event_has_awards");
      assert.deepEqual(await store.events.byId("spring"), SAMPLE_EVENT);
    },
  },
  {
    name: "doesn't delete a ladder that has an event",
    async run(store) {
      await store.ladders.add(SAMPLE_LADDER, null, sampleEntry());
      assert.equal(await addEvent(store, { ladderId: "cup" }), "added");
      assert.equal(await store.ladders.delete("cup", sampleEntry()), "used");
      await store.events.delete("spring", sampleEntry());
      assert.equal(await store.ladders.delete("cup", sampleEntry()), "deleted");
    },
  },
];

const awardCases: StoreCase[] = [
  {
    name: "grants an award once for concurrent requests",
    async run(store, reopen) {
      await addSampleAccount(store, 1);
      await addEvent(store);
      const pendingGrants = Array.from({ length: 8 }, () => grantAwards(store, sampleAward(1)));
      const addedCounts = (await Promise.all(pendingGrants)).map((added) => String(added.length));
      assert.deepEqual(countWords(addedCounts), { 1: 1, 0: 7 });
      const repeatedGrant = await grantAwards(
        store,
        sampleAward(1, { earnedAt: CASE_LATER }),
        sampleAward(1, { achievementId: "play-2" }),
      );
      assert.deepEqual(repeatedGrant, [sampleAward(1, { achievementId: "play-2" })]);
      const opened = await reopen();
      const [first] = await opened.awards.listByAccount(sampleId("account", 1), "spring");
      assert.deepEqual(first, { ...sampleAward(1), ...NEW_AWARD_FIELDS });
      assert.equal(await countEntries(opened, "event.award"), 2);
    },
  },
  {
    name: "grants nothing to a deleted account or in a deleted event",
    async run(store) {
      const ada = await addSampleAccount(store, 1);
      await addEvent(store);
      assert.deepEqual(
        await grantAwards(store, sampleAward(9), sampleAward(1, { eventId: "lost" })),
        [],
      );
      await grantAwards(store, sampleAward(1));
      await store.accounts.delete(ada.id, deletionOptions(), sampleEntry());
      assert.deepEqual(await store.awards.listByEvent("spring"), []);
      assert.equal(await store.events.delete("spring", sampleEntry()), "deleted");
    },
  },
  {
    name: "revokes and restores an award, once each",
    async run(store) {
      await addSampleAccount(store, 1);
      await addEvent(store);
      const key = sampleAward(1);
      const revoke = (reason: string) =>
        store.awards.revoke(key, sampleEntry({ kind: "event.revoked", at: CASE_LATER, reason }));
      assert.equal(await revoke("unknown"), null);
      await grantAwards(store, key);
      const revoked = {
        ...key,
        ...NEW_AWARD_FIELDS,
        revokedAt: CASE_LATER,
        revokedReason: "a trick",
      };
      assert.deepEqual(await revoke("a trick"), { award: revoked, isChanged: true });
      assert.deepEqual(await revoke("again"), { award: revoked, isChanged: false });
      assert.deepEqual(await grantAwards(store, key), [], "a revoked award isn't granted again");
      assert.deepEqual(await store.awards.listByEvent("spring"), [revoked]);
      const restored = { ...key, ...NEW_AWARD_FIELDS };
      const restore = () => store.awards.restore(key, sampleEntry());
      assert.deepEqual(await restore(), { award: restored, isChanged: true });
      assert.deepEqual(await restore(), { award: restored, isChanged: false });
      assert.equal(await countEntries(store, "event.revoked"), 1);
    },
  },
  {
    name: "counts awards by event and achievement",
    async run(store) {
      for (const number of [1, 2, 3]) await addSampleAccount(store, number);
      await addEvent(store);
      await addEvent(store, { id: "summer" });
      await grantAwards(
        store,
        sampleAward(1),
        sampleAward(2),
        sampleAward(3),
        sampleAward(1, { achievementId: "play-2" }),
      );
      await grantAwards(store, sampleAward(1, { eventId: "summer" }));
      await store.awards.revoke(sampleAward(2), sampleEntry());
      const first = { eventId: "spring", achievementId: "play-1", earned: 3, revoked: 1 };
      const second = { eventId: "spring", achievementId: "play-2", earned: 1, revoked: 0 };
      assert.deepEqual(await store.awards.tallies(["spring"]), [first, second]);
      assert.equal((await store.awards.tallies(["summer", "spring"])).length, 3);
      assert.deepEqual(await store.awards.tallies([]), []);
      const accountAwards = await store.awards.listByAccount(sampleId("account", 1));
      assert.deepEqual(
        accountAwards.map(({ eventId, achievementId }) => `${eventId} ${achievementId}`),
        ["spring play-1", "spring play-2", "summer play-1"],
      );
      const eventAwards = await store.awards.listByEvent("spring");
      assert.deepEqual(
        eventAwards.map(({ accountId, achievementId }) => `${accountId.at(-1)} ${achievementId}`),
        ["1 play-1", "1 play-2", "2 play-1", "3 play-1"],
      );
    },
  },
];

export const eventStoreCases: StoreCase[] = [...eventCases, ...awardCases];
