// What the store must do with events, with what is earned in them, and with the games behind that.
import assert from "node:assert/strict";

import type { Condition, EventDefinition } from "#core/events/event.ts";
import type { AwardRecord, NewAward } from "#data/store/award.ts";
import type { Store } from "#data/store/store.ts";

import { botOf, entry, join, LATER, NOW } from "./store-account-cases.ts";
import { matchId, tally } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import { CUP } from "./store-kept-ladder-cases.ts";
import { leaving } from "./store-leaving-cases.ts";
import { sampleId, sampleTime } from "./store-samples.ts";

const games = (count: number): Condition => ({ kind: "games", count });

export const SPRING: EventDefinition = {
  id: "spring",
  ladderId: "public",
  name: "Spring",
  description: "Two weeks.",
  opensAt: NOW,
  closesAt: LATER,
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
    condition: games(count),
  })),
  approved: {},
};

const addEvent = (store: Store, changes: Partial<EventDefinition> = {}, at = NOW) =>
  store.events.add({ ...SPRING, ...changes }, entry({ kind: "event.created", at }));

const countOf = async (store: Store, kind: "event.created" | "event.award" | "event.revoked") =>
  (await store.audit.list({ kind, limit: 99 })).length;

const awardOf = (number: number, changes: Partial<NewAward> = {}): NewAward => ({
  eventId: "spring",
  accountId: sampleId("account", number),
  achievementId: "play-1",
  botId: sampleId("bot", number),
  earnedAt: sampleTime(1100 + number),
  evidence: [matchId(1), matchId(2)],
  ...changes,
});

const give = (store: Store, ...awards: NewAward[]) =>
  store.awards.add(
    awards.map((award) => ({ award, audit: entry({ kind: "event.award", at: LATER }) })),
  );

const KEPT: Pick<AwardRecord, "awardedAt" | "revokedAt" | "revokedReason"> = {
  awardedAt: LATER,
  revokedAt: null,
  revokedReason: null,
};

const eventCases: Case[] = [
  {
    name: "keeps events by age, each once, with its audit entry",
    async run(store, reopen) {
      const metadata = { kind: "main", purpose: "", audience: "all", format: "x", preparation: "" };
      const whole: Partial<EventDefinition> = {
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
      assert.equal(await addEvent(store, whole, sampleTime(1)), "added");
      assert.equal(await addEvent(store, { name: "Other" }), "event_exists");
      assert.equal(await addEvent(store, { id: "lost", ladderId: "nowhere" }), "no_ladder");
      const opened = await reopen();
      assert.deepEqual(await opened.events.list(), [{ ...SPRING, ...whole }, SPRING]);
      assert.deepEqual(await opened.events.byId("spring"), SPRING);
      assert.equal(await opened.events.byId("lost"), null);
      assert.deepEqual(await opened.events.images(), [whole.image]);
      assert.equal(await countOf(opened, "event.created"), 2);
    },
  },
  {
    name: "counts every change of an event, also of those at once",
    async run(store) {
      await addEvent(store);
      const changes = Array.from({ length: 8 }, (_, at) =>
        store.events.change("spring", { name: `Name ${at}` }, entry()),
      );
      const revisions = (await Promise.all(changes)).map((event) => event?.revision);
      assert.deepEqual(revisions.toSorted(), [1, 2, 3, 4, 5, 6, 7, 8]);
      const changed = await store.events.change("spring", { enabled: true }, entry());
      assert.deepEqual([changed?.enabled, changed?.revision], [true, 9]);
      assert.deepEqual(await store.events.byId("spring"), changed);
      assert.equal(await store.events.change("lost", { enabled: true }, entry()), null);
    },
  },
  {
    name: "notes which events are settled until they change",
    async run(store) {
      await addEvent(store);
      await addEvent(store, { id: "summer" });
      await store.events.settle("spring", LATER);
      await store.events.settle("summer", LATER);
      await store.events.change("summer", { name: "Summer" }, entry());
      assert.deepEqual(await store.events.settled(), ["spring"]);
    },
  },
  {
    name: "deletes an event in which nothing was earned, with its requests",
    async run(store) {
      const ada = await join(store, 1, "ada");
      await store.bots.add(botOf(ada, 1), "h1", null);
      const [accountId, botId] = [ada.id, sampleId("bot", 1)];
      const own = { eventId: "spring", ladderId: "public", accountId, botId, created: NOW };
      await addEvent(store);
      await store.requests.add({ ...own, id: "request-1", opponent: "kiter" }, entry());
      assert.equal(await store.events.delete("spring", entry()), "deleted");
      assert.deepEqual(await store.requests.pending(), []);
      assert.equal(await store.events.delete("spring", entry()), null);
      await addEvent(store);
      await give(store, awardOf(1));
      assert.equal(await store.events.delete("spring", entry()), "event_has_awards");
      assert.deepEqual(await store.events.byId("spring"), SPRING);
    },
  },
  {
    name: "keeps a ladder that has an event",
    async run(store) {
      await store.ladders.add(CUP, null, entry());
      assert.equal(await addEvent(store, { ladderId: "cup" }), "added");
      assert.equal(await store.ladders.delete("cup", entry()), "used");
      await store.events.delete("spring", entry());
      assert.equal(await store.ladders.delete("cup", entry()), "deleted");
    },
  },
];

const awardCases: Case[] = [
  {
    name: "gives an award once, however many give it at once",
    async run(store, reopen) {
      await join(store, 1);
      await addEvent(store);
      const giving = Array.from({ length: 8 }, () => give(store, awardOf(1)));
      const given = (await Promise.all(giving)).map((added) => String(added.length));
      assert.deepEqual(tally(given), { 1: 1, 0: 7 });
      const again = await give(
        store,
        awardOf(1, { earnedAt: LATER }),
        awardOf(1, { achievementId: "play-2" }),
      );
      assert.deepEqual(again, [awardOf(1, { achievementId: "play-2" })]);
      const opened = await reopen();
      const [first] = await opened.awards.ofAccount(sampleId("account", 1), "spring");
      assert.deepEqual(first, { ...awardOf(1), ...KEPT });
      assert.equal(await countOf(opened, "event.award"), 2);
    },
  },
  {
    name: "gives nothing to who is gone, or in an event that is gone",
    async run(store) {
      const ada = await join(store, 1);
      await addEvent(store);
      assert.deepEqual(await give(store, awardOf(9), awardOf(1, { eventId: "lost" })), []);
      await give(store, awardOf(1));
      await store.accounts.leave(ada.id, leaving(), entry());
      assert.deepEqual(await store.awards.ofEvent("spring"), []);
      assert.equal(await store.events.delete("spring", entry()), "deleted");
    },
  },
  {
    name: "takes an award back and gives it again, each once",
    async run(store) {
      await join(store, 1);
      await addEvent(store);
      const key = awardOf(1);
      const revoke = (reason: string) =>
        store.awards.revoke(key, entry({ kind: "event.revoked", at: LATER, reason }));
      assert.equal(await revoke("not there"), null);
      await give(store, key);
      const revoked = { ...key, ...KEPT, revokedAt: LATER, revokedReason: "a trick" };
      assert.deepEqual(await revoke("a trick"), { award: revoked, isChanged: true });
      assert.deepEqual(await revoke("again"), { award: revoked, isChanged: false });
      assert.deepEqual(await give(store, key), [], "a revoked award is not given anew");
      assert.deepEqual(await store.awards.ofEvent("spring"), [revoked]);
      const restored = { ...key, ...KEPT };
      const restore = () => store.awards.restore(key, entry());
      assert.deepEqual(await restore(), { award: restored, isChanged: true });
      assert.deepEqual(await restore(), { award: restored, isChanged: false });
      assert.equal(await countOf(store, "event.revoked"), 1);
    },
  },
  {
    name: "counts awards by event and achievement",
    async run(store) {
      for (const number of [1, 2, 3]) await join(store, number);
      await addEvent(store);
      await addEvent(store, { id: "summer" });
      await give(
        store,
        awardOf(1),
        awardOf(2),
        awardOf(3),
        awardOf(1, { achievementId: "play-2" }),
      );
      await give(store, awardOf(1, { eventId: "summer" }));
      await store.awards.revoke(awardOf(2), entry());
      const first = { eventId: "spring", achievementId: "play-1", earned: 3, revoked: 1 };
      const second = { eventId: "spring", achievementId: "play-2", earned: 1, revoked: 0 };
      assert.deepEqual(await store.awards.tallies(["spring"]), [first, second]);
      assert.equal((await store.awards.tallies(["summer", "spring"])).length, 3);
      assert.deepEqual(await store.awards.tallies([]), []);
      const own = await store.awards.ofAccount(sampleId("account", 1));
      assert.deepEqual(
        own.map(({ eventId, achievementId }) => `${eventId} ${achievementId}`),
        ["spring play-1", "spring play-2", "summer play-1"],
      );
      const all = await store.awards.ofEvent("spring");
      assert.deepEqual(
        all.map(({ accountId, achievementId }) => `${accountId.at(-1)} ${achievementId}`),
        ["1 play-1", "1 play-2", "2 play-1", "3 play-1"],
      );
    },
  },
];

export const eventStoreCases: Case[] = [...eventCases, ...awardCases];
