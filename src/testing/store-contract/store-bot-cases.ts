import assert from "node:assert/strict";

import type { BotRecord } from "#data/store/bot.ts";

import { errorCodeOf, countWords } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleTime,
  sampleVersion,
  statusChange,
} from "./store-samples.ts";

export const botCases: StoreCase[] = [
  {
    name: "finds a bot by ID, name in any case, and token hash",
    async run(store) {
      const bot = sampleBot(1, { house: true, avatar: "ronin" });
      assert.equal(await store.bots.add(bot, "h1", null), "added");
      assert.deepEqual(await store.bots.byId(bot.id), bot);
      assert.deepEqual(await store.bots.byName("bOT-1"), bot);
      assert.deepEqual(await store.bots.byToken("h1"), { bot, stale: false });
      assert.deepEqual(await store.bots.byIds([bot.id, sampleId("bot", 2), bot.id]), [bot]);
      assert.deepEqual(await store.bots.byIds([]), []);
    },
  },
  {
    name: "returns null for unknown objects",
    async run(store) {
      assert.equal(await store.bots.byId("x"), null);
      assert.equal(await store.bots.byName("x"), null);
      assert.equal(await store.bots.byToken("x"), null);
      assert.equal(await store.matches.byId("x"), null);
      assert.equal(await store.matches.stats("x"), null);
      assert.equal(await store.versions.retire("x", "v1"), null);
      assert.equal(await store.versions.byLabel("x", "v1"), null);
      assert.equal(await store.versions.current("x", "public"), null);
      assert.deepEqual(await store.versions.byIds(["x"]), []);
      assert.deepEqual(await store.versions.list("x", { limit: 9 }), []);
      assert.equal(await store.versions.list("x", { before: "v1", limit: 9 }), null);
      assert.deepEqual(await store.versions.latest("x", 9, []), { versions: [], total: 0 });
      assert.deepEqual(await store.matches.laddersOf("x"), []);
    },
  },
  {
    name: "rejects a name that differs only in case",
    async run(store) {
      await store.bots.add(sampleBot(1, { name: "Ann" }), "h1", null);
      assert.equal(await store.bots.add(sampleBot(2, { name: "aNN" }), "h2", null), "name_taken");
      assert.equal(await store.bots.byToken("h2"), null);
    },
  },
  {
    name: "returns added again when the same bot is added again",
    async run(store) {
      await store.bots.add(sampleBot(1), "h1", 1);
      assert.equal(await store.bots.add(sampleBot(1), "h1", 1), "added");
      assert.equal((await store.bots.ids(null, 9)).length, 1);
    },
  },
  {
    name: "counts the owner's bots except retired ones, however the owner is spelled",
    async run(store) {
      const of = (number: number, owner: string) => sampleBot(number, { owner });
      await store.bots.add(of(1, "Zoë"), "h1", 2);
      await store.bots.add(of(2, "zoe\u0308"), "h2", 2);
      assert.equal(await store.bots.add(of(3, "ＺＯË"), "h3", 2), "bot_limit");
      await store.bots.setStatus(of(1, "").id, statusChange("retired"));
      assert.equal(await store.bots.add(of(3, "ZOË"), "h3", 2), "added");
      assert.equal(await store.bots.add(of(4, "zoë"), "h4", null), "added");
    },
  },
  {
    name: "adds one of fifty concurrent bots when one place is left",
    async run(store) {
      const adding = Array.from({ length: 50 }, (_, number) =>
        store.bots.add(sampleBot(number, { owner: "Zoe" }), `h${number}`, 1),
      );
      assert.deepEqual(countWords(await Promise.all(adding)), { added: 1, bot_limit: 49 });
      assert.equal((await store.bots.ids(null, 99)).length, 1);
    },
  },
  {
    name: "accepts one of twenty names that differ in case",
    async run(store) {
      const adding = Array.from({ length: 20 }, (_, number) =>
        store.bots.add(sampleBot(number, { name: number % 2 ? "ANN" : "ann" }), `h${number}`, null),
      );
      assert.deepEqual(countWords(await Promise.all(adding)), { added: 1, name_taken: 19 });
    },
  },
  {
    name: "deletes a rotated token",
    async run(store) {
      await store.bots.add(sampleBot(1), "old", null);
      await store.bots.rotateToken(sampleBot(1).id, "new");
      assert.equal(await store.bots.byToken("old"), null);
      assert.equal((await store.bots.byToken("new"))?.stale, false);
    },
  },
  {
    name: "keeps a token rotated by a ban as stale until the next rotation",
    async run(store) {
      const { id } = sampleBot(1);
      await store.bots.add(sampleBot(1), "old", null);
      await store.bots.setStatus(id, statusChange("banned"));
      await store.bots.rotateToken(id, "new");
      assert.equal((await store.bots.byToken("old"))?.stale, true);
      assert.equal((await store.bots.byToken("old"))?.bot.status, "banned");
      assert.equal((await store.bots.byToken("new"))?.stale, false);
      await store.bots.setStatus(id, statusChange("active"));
      await store.bots.rotateToken(id, "newer");
      assert.equal(await store.bots.byToken("old"), null);
      assert.equal(await store.bots.byToken("new"), null);
    },
  },
  {
    name: "deletes a bot that never played, with its versions and token",
    async run(store) {
      await addSamplePlayers(store, 1);
      const deletions = [6, 7].map((auditKind) =>
        store.bots.delete(sampleId("bot", 0), sampleAudit(auditKind, { kind: "bot.deleted" })),
      );
      assert.deepEqual(countWords(await Promise.all(deletions)), { deleted: 1, unknown: 1 });
      assert.equal((await store.audit.list({ kind: "bot.deleted", limit: 9 })).length, 1);
      assert.equal(await store.bots.byToken("hash-0"), null);
      assert.deepEqual(await store.versions.byIds([sampleId("version", 0)]), []);
      assert.equal(await store.bots.add(sampleBot(0), "hash-0", null), "added");
    },
  },
  {
    name: "doesn't delete a bot that played",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      assert.equal(await store.bots.delete(sampleId("bot", 1)), "played");
      assert.deepEqual(await store.bots.byName("bot-1"), sampleBot(1));
    },
  },
  {
    name: "lists house bots oldest first",
    async run(store) {
      const house = (number: number, changes: Partial<BotRecord> = {}) =>
        sampleBot(number, { house: true, ...changes });
      const laterBot = house(1, { created: sampleTime(9) });
      const allBots: BotRecord[] = [laterBot, house(3), sampleBot(4), house(2)];
      for (const bot of allBots) await store.bots.add(bot, bot.id, null);
      assert.deepEqual(await store.bots.house(), [house(2), house(3), laterBot]);
    },
  },
  {
    name: "pages through the IDs of all bots",
    async run(store) {
      await addSamplePlayers(store, 5);
      const ids = (...numbers: number[]) => numbers.map((number) => sampleId("bot", number));
      assert.deepEqual(await store.bots.ids(null, 2), ids(0, 1));
      assert.deepEqual(await store.bots.ids(sampleId("bot", 1), 2), ids(2, 3));
      assert.deepEqual(await store.bots.ids(sampleId("bot", 3), 2), ids(4));
      assert.deepEqual(await store.bots.ids(sampleId("bot", 4), 2), []);
    },
  },
  {
    name: "changes a status only from the allowed ones, with reason and time",
    async run(store) {
      await store.bots.add(sampleBot(1), "h1", null);
      const { id } = sampleBot(1);
      const at = sampleTime(60);
      const statusFields = {
        status: "suspended",
        statusReason: "floods",
        statusSince: at,
      } as const;
      const suspension = statusChange("suspended", { reason: "floods", at });
      const bot = { ...sampleBot(1), ...statusFields };
      assert.deepEqual(await store.bots.setStatus(id, suspension), { isChanged: true, bot });
      assert.deepEqual(await store.bots.setStatus(id, suspension), { isChanged: false, bot });
      const lateRotation = statusChange("retired", { from: ["active"] });
      assert.deepEqual(await store.bots.setStatus(id, lateRotation), { isChanged: false, bot });
      assert.equal(await store.bots.setStatus("x", suspension), null);
      assert.deepEqual(await store.bots.byId(id), bot);
    },
  },
  {
    name: "replaces a token once when several requests present the same one",
    async run(store) {
      await store.bots.add(sampleBot(1), "h1", null);
      const { id } = sampleBot(1);
      const hashes = ["a", "b", "c"];
      const rotation = { former: "h1", audit: sampleAudit(1) };
      const isRotated = await Promise.all(
        hashes.map((hash) => store.bots.rotateToken(id, hash, rotation)),
      );
      assert.equal(isRotated.filter(Boolean).length, 1);
      const winner = hashes[isRotated.indexOf(true)]!;
      for (const hash of ["h1", ...hashes])
        assert.equal((await store.bots.byToken(hash)) !== null, hash === winner);
      assert.equal((await store.audit.list({ limit: 9 })).length, 1);
    },
  },
  {
    name: "changes a status once for two concurrent requests",
    async run(store) {
      await store.bots.add(sampleBot(1), "h1", null);
      const requestedStatuses = ["suspended", "banned"] as const;
      const outcomes = await Promise.all(
        requestedStatuses.map((to) =>
          store.bots.setStatus(sampleBot(1).id, statusChange(to, { from: ["active"] })),
        ),
      );
      assert.equal(outcomes.filter((outcome) => outcome?.isChanged).length, 1);
    },
  },
  {
    name: "writes an audit entry with its change, and only if that happens",
    async run(store) {
      const [firstBot, secondBot] = [sampleBot(1), sampleBot(2, { name: "bot-1" })];
      const { id } = firstBot;
      await store.bots.add(firstBot, "h1", null, sampleAudit(1));
      await store.bots.add(secondBot, "h2", null, sampleAudit(2));
      await store.bots.setStatus(id, statusChange("suspended"), sampleAudit(3));
      await store.bots.setStatus(id, statusChange("suspended"), sampleAudit(4));
      await store.bots.rotateToken(id, "h3", { audit: sampleAudit(5) });
      await addSamplePlayers(store, 4);
      await store.matches.save(sampleMatch(0));
      await store.bots.delete(sampleId("bot", 0), sampleAudit(6));
      await store.bots.delete(sampleId("bot", 3), sampleAudit(7));
      const entries = await store.audit.list({ limit: 9 });
      const numbers = [1, 3, 5, 7].map((number) => sampleAudit(number).id);
      assert.deepEqual(entries.map((entry) => entry.id).toSorted(), numbers.toSorted());
    },
  },
];

export const versionCases: StoreCase[] = [
  {
    name: "adds a label once and then returns the stored version",
    async run(store) {
      await store.bots.add(sampleBot(1), "h", null);
      const version = sampleVersion(1, { notes: "first" });
      assert.deepEqual(await store.versions.add(version, null), { outcome: "added", version });
      const sameLabel = sampleVersion(2, { botId: version.botId, label: version.label });
      assert.deepEqual(await store.versions.add(sameLabel, null), { outcome: "exists", version });
      assert.deepEqual(await store.versions.list(version.botId, { limit: 9 }), [version]);
      assert.deepEqual(await store.versions.byLabel(version.botId, version.label), version);
    },
  },
  {
    name: "creates one version for ten concurrent requests with one label",
    async run(store) {
      await store.bots.add(sampleBot(1), "h", null);
      const { botId } = sampleVersion(1);
      const adding = Array.from({ length: 10 }, (_, number) =>
        store.versions.add(sampleVersion(number, { botId, label: "new" }), null),
      );
      const outcomes = (await Promise.all(adding)).map(({ outcome }) => outcome);
      assert.deepEqual(countWords(outcomes), { added: 1, exists: 9 });
    },
  },
  {
    name: "enforces the version limit exactly, and accepts a known label",
    async run(store) {
      await store.bots.add(sampleBot(1), "h", null);
      const { botId } = sampleVersion(1);
      const dayLimit = { count: 3, since: sampleTime(10) };
      const add = (number: number) =>
        store.versions.add(sampleVersion(number, { botId }), dayLimit);
      await store.versions.add(sampleVersion(9, { botId }), null);
      const outcomes = await Promise.all([10, 11, 12, 13, 14].map(add));
      assert.deepEqual(countWords(outcomes.map(({ outcome }) => outcome)), { added: 3, limit: 2 });
      assert.equal((await add(10)).outcome, "exists");
    },
  },
  {
    name: "retires a version; repeating that changes nothing",
    async run(store) {
      await addSamplePlayers(store, 1);
      const retired = sampleVersion(0, { retired: true });
      const retireVersion = () => store.versions.retire(retired.botId, retired.label);
      assert.deepEqual(await retireVersion(), { outcome: "retired", version: retired });
      assert.deepEqual(await retireVersion(), { outcome: "was_retired", version: retired });
      assert.deepEqual(await store.versions.byLabel(retired.botId, retired.label), retired);
    },
  },
  {
    name: "rejects a version of an unknown bot as missing_reference, alone",
    async run(store) {
      await store.bots.add(sampleBot(1), "h", null);
      const [firstResult, secondResult] = await Promise.allSettled([
        store.versions.add(sampleVersion(2), null),
        store.versions.add(sampleVersion(1), null),
      ]);
      assert.equal(
        firstResult?.status === "rejected" && errorCodeOf(firstResult.reason),
        "missing_reference",
      );
      assert.equal(secondResult?.status, "fulfilled");
      const ids = [1, 2].map((number) => sampleId("version", number));
      assert.deepEqual(
        (await store.versions.byIds(ids)).map(({ id }) => id),
        ids.slice(0, 1),
      );
    },
  },
];
