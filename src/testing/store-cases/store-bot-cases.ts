// What the store must do with bots, tokens and versions.
import assert from "node:assert/strict";

import type { BotRecord } from "#data/store/store.ts";

import { codeOf, tally } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";

export const botCases: Case[] = [
  {
    name: "keeps a bot under id, name in any case, and token hash",
    async run(store) {
      const bot = sampleBot(1, { house: true, avatar: "ronin" });
      assert.equal(await store.addBot(bot, "h1", null), "added");
      assert.deepEqual(await store.botById(bot.id), bot);
      assert.deepEqual(await store.botByName("bOT-1"), bot);
      assert.deepEqual(await store.botByToken("h1"), { bot, stale: false });
      assert.deepEqual(await store.botsById([bot.id, sampleId("bot", 2), bot.id]), [bot]);
      assert.deepEqual(await store.botsById([]), []);
    },
  },
  {
    name: "gives null for what is not there",
    async run(store) {
      assert.equal(await store.botById("x"), null);
      assert.equal(await store.botByName("x"), null);
      assert.equal(await store.botByToken("x"), null);
      assert.equal(await store.match("x"), null);
      assert.equal(await store.matchStats("x"), null);
      assert.equal(await store.retireVersion("x", "v1"), null);
      assert.equal(await store.version("x", "v1"), null);
      assert.equal(await store.currentVersion("x", "public"), null);
      assert.deepEqual(await store.versionsById(["x"]), []);
      assert.deepEqual(await store.versionsOf("x", { limit: 9 }), []);
      assert.equal(await store.versionsOf("x", { before: "v1", limit: 9 }), null);
      assert.deepEqual(await store.latestVersions("x", 9, []), { versions: [], total: 0 });
      assert.deepEqual(await store.playedLadders("x"), []);
    },
  },
  {
    name: "takes a name once, without regard to case",
    async run(store) {
      await store.addBot(sampleBot(1, { name: "Ann" }), "h1", null);
      assert.equal(await store.addBot(sampleBot(2, { name: "aNN" }), "h2", null), "name_taken");
      assert.equal(await store.botByToken("h2"), null);
    },
  },
  {
    name: "answers added again when the same bot is added again",
    async run(store) {
      await store.addBot(sampleBot(1), "h1", 1);
      assert.equal(await store.addBot(sampleBot(1), "h1", 1), "added");
      assert.equal((await store.botIds(null, 9)).length, 1);
    },
  },
  {
    name: "counts the owner's bots but the retired, however the owner is written",
    async run(store) {
      const of = (number: number, owner: string) => sampleBot(number, { owner });
      await store.addBot(of(1, "Zoë"), "h1", 2);
      await store.addBot(of(2, "zoe\u0308"), "h2", 2);
      assert.equal(await store.addBot(of(3, "ＺＯË"), "h3", 2), "bot_limit");
      await store.setBotStatus(of(1, "").id, "retired");
      assert.equal(await store.addBot(of(3, "ZOË"), "h3", 2), "added");
      assert.equal(await store.addBot(of(4, "zoë"), "h4", null), "added");
    },
  },
  {
    name: "adds one of fifty bots at once when one place is left",
    async run(store) {
      const adding = Array.from({ length: 50 }, (_, number) =>
        store.addBot(sampleBot(number, { owner: "Zoe" }), `h${number}`, 1),
      );
      assert.deepEqual(tally(await Promise.all(adding)), { added: 1, bot_limit: 49 });
      assert.equal((await store.botIds(null, 99)).length, 1);
    },
  },
  {
    name: "lets one of twenty names that differ in case win",
    async run(store) {
      const adding = Array.from({ length: 20 }, (_, number) =>
        store.addBot(sampleBot(number, { name: number % 2 ? "ANN" : "ann" }), `h${number}`, null),
      );
      assert.deepEqual(tally(await Promise.all(adding)), { added: 1, name_taken: 19 });
    },
  },
  {
    name: "forgets a rotated token",
    async run(store) {
      await store.addBot(sampleBot(1), "old", null);
      await store.rotateToken(sampleBot(1).id, "new");
      assert.equal(await store.botByToken("old"), null);
      assert.equal((await store.botByToken("new"))?.stale, false);
    },
  },
  {
    name: "keeps the token that a ban rotated away as stale, until the next rotation",
    async run(store) {
      const { id } = sampleBot(1);
      await store.addBot(sampleBot(1), "old", null);
      await store.setBotStatus(id, "banned");
      await store.rotateToken(id, "new");
      assert.equal((await store.botByToken("old"))?.stale, true);
      assert.equal((await store.botByToken("old"))?.bot.status, "banned");
      assert.equal((await store.botByToken("new"))?.stale, false);
      await store.setBotStatus(id, "active");
      await store.rotateToken(id, "newer");
      assert.equal(await store.botByToken("old"), null);
      assert.equal(await store.botByToken("new"), null);
    },
  },
  {
    name: "deletes a bot that never played with its versions and token",
    async run(store) {
      await addSamplePlayers(store, 1);
      assert.equal(await store.deleteBot(sampleId("bot", 0)), "deleted");
      assert.equal(await store.botByToken("hash-0"), null);
      assert.deepEqual(await store.versionsById([sampleId("version", 0)]), []);
      assert.equal(await store.addBot(sampleBot(0), "hash-0", null), "added");
    },
  },
  {
    name: "does not delete a bot that played",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.saveMatch(sampleMatch(1));
      assert.equal(await store.deleteBot(sampleId("bot", 1)), "played");
      assert.deepEqual(await store.botByName("bot-1"), sampleBot(1));
    },
  },
  {
    name: "lists house bots oldest first",
    async run(store) {
      const house = (number: number, changes: Partial<BotRecord> = {}) =>
        sampleBot(number, { house: true, ...changes });
      const later = house(1, { created: sampleTime(9) });
      const made: BotRecord[] = [later, house(3), sampleBot(4), house(2)];
      for (const bot of made) await store.addBot(bot, bot.id, null);
      assert.deepEqual(await store.houseBots(), [house(2), house(3), later]);
    },
  },
  {
    name: "goes through the ids of all bots in portions",
    async run(store) {
      await addSamplePlayers(store, 5);
      const ids = (...numbers: number[]) => numbers.map((number) => sampleId("bot", number));
      assert.deepEqual(await store.botIds(null, 2), ids(0, 1));
      assert.deepEqual(await store.botIds(sampleId("bot", 1), 2), ids(2, 3));
      assert.deepEqual(await store.botIds(sampleId("bot", 3), 2), ids(4));
      assert.deepEqual(await store.botIds(sampleId("bot", 4), 2), []);
    },
  },
  {
    name: "tells whether a status is another one",
    async run(store) {
      await store.addBot(sampleBot(1), "h1", null);
      const { id } = sampleBot(1);
      assert.equal(await store.setBotStatus(id, "suspended"), true);
      assert.equal(await store.setBotStatus(id, "suspended"), false);
      assert.equal(await store.setBotStatus("x", "suspended"), false);
      assert.equal((await store.botById(id))?.status, "suspended");
    },
  },
];

export const versionCases: Case[] = [
  {
    name: "adds a label once and gives the stored version again",
    async run(store) {
      await store.addBot(sampleBot(1), "h", null);
      const version = sampleVersion(1, { notes: "first" });
      assert.deepEqual(await store.addVersion(version, null), { outcome: "added", version });
      const again = sampleVersion(2, { botId: version.botId, label: version.label });
      assert.deepEqual(await store.addVersion(again, null), { outcome: "exists", version });
      assert.deepEqual(await store.versionsOf(version.botId, { limit: 9 }), [version]);
      assert.deepEqual(await store.version(version.botId, version.label), version);
    },
  },
  {
    name: "makes one version of ten requests for one label at once",
    async run(store) {
      await store.addBot(sampleBot(1), "h", null);
      const { botId } = sampleVersion(1);
      const adding = Array.from({ length: 10 }, (_, number) =>
        store.addVersion(sampleVersion(number, { botId, label: "new" }), null),
      );
      const outcomes = (await Promise.all(adding)).map(({ outcome }) => outcome);
      assert.deepEqual(tally(outcomes), { added: 1, exists: 9 });
    },
  },
  {
    name: "holds the limit of versions exactly, and lets a known label pass",
    async run(store) {
      await store.addBot(sampleBot(1), "h", null);
      const { botId } = sampleVersion(1);
      const dayLimit = { count: 3, since: sampleTime(10) };
      const add = (number: number) => store.addVersion(sampleVersion(number, { botId }), dayLimit);
      await store.addVersion(sampleVersion(9, { botId }), null);
      const outcomes = await Promise.all([10, 11, 12, 13, 14].map(add));
      assert.deepEqual(tally(outcomes.map(({ outcome }) => outcome)), { added: 3, limit: 2 });
      assert.equal((await add(10)).outcome, "exists");
    },
  },
  {
    name: "retires a version, again without change",
    async run(store) {
      await addSamplePlayers(store, 1);
      const retired = sampleVersion(0, { retired: true });
      const retire = () => store.retireVersion(retired.botId, retired.label);
      assert.deepEqual(await retire(), { outcome: "retired", version: retired });
      assert.deepEqual(await retire(), { outcome: "was_retired", version: retired });
      assert.deepEqual(await store.version(retired.botId, retired.label), retired);
    },
  },
  {
    name: "rejects a version of an unknown bot as invalid, alone",
    async run(store) {
      await store.addBot(sampleBot(1), "h", null);
      const [lost, kept] = await Promise.allSettled([
        store.addVersion(sampleVersion(2), null),
        store.addVersion(sampleVersion(1), null),
      ]);
      assert.equal(lost?.status === "rejected" && codeOf(lost.reason), "invalid");
      assert.equal(kept?.status, "fulfilled");
      const ids = [1, 2].map((number) => sampleId("version", number));
      assert.deepEqual(
        (await store.versionsById(ids)).map(({ id }) => id),
        ids.slice(0, 1),
      );
    },
  },
];
