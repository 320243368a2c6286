import assert from "node:assert/strict";

import { accountOf } from "#core/accounts/name.ts";
// What the store must do with the secrets, the audit and the bots of accounts.
import { SYSTEM } from "#core/words/audit.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditQuery } from "#data/store/audit.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";

import { addPeople, HASH, sampleSession } from "./identity-samples.ts";
import {
  botOf,
  entry,
  FORMERLY,
  join,
  KEY,
  LATER,
  NOW,
  sampleAccount,
} from "./store-account-cases.ts";
import { tally } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import { leaving, PROGRAM } from "./store-leaving-cases.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleTime,
  toStatus,
} from "./store-samples.ts";

const secretCases: Case[] = [
  {
    name: "keeps agent keys under their hash, as many as allowed",
    async run(store) {
      const ada = await join(store, 1);
      const key = (number: number) => ({ ...KEY, id: `key-${number}`, accountId: ada.id });
      const adding = Array.from({ length: 12 }, (_, at) =>
        store.keys.add(key(at), `k${at}`, 3, entry({ kind: "key.created" })),
      );
      assert.deepEqual(tally(await Promise.all(adding)), { added: 3, key_limit: 9 });
      const [first] = await store.keys.list(ada.id);
      const hash = `k${first!.id.slice(4)}`;
      assert.deepEqual(await store.keys.byHash(hash), { key: first, account: ada });
      await store.keys.use(first!.id, LATER);
      assert.equal((await store.keys.byHash(hash))?.key.lastUsed, LATER);
      assert.equal(await store.keys.revoke(sampleId("account", 9), first!.id, entry()), null);
      assert.equal((await store.keys.revoke(ada.id, first!.id, entry()))?.label, "agent");
      assert.equal(await store.keys.revoke(ada.id, first!.id, entry()), null);
      assert.equal(await store.keys.byHash(hash), null);
      assert.equal(await store.keys.add(key(20), "k20", 3, entry()), "added");
      assert.equal((await store.audit.list({ kind: "key.created", limit: 9 })).length, 3);
    },
  },
  {
    name: "adds no agent key for a session that has ended",
    async run(store) {
      const ada = await join(store, 1);
      const session = { sessionId: "session-1", signedInAt: 2000 };
      const addKey = (id: string, accountId: AccountRecord["id"]) =>
        store.keys.add({ ...KEY, id, accountId }, id, 9, entry(), session);
      assert.equal(await addKey("key-1", ada.id), "added");
      assert.equal(await store.accounts.signOut(ada.id, 2001, entry()), true);
      assert.equal(await addKey("key-2", ada.id), "no_account");
      await addPeople(store, 1);
      const own = sampleAccount(2, { issuer: EMBEDDED_ISSUER, subject: "user-1" });
      await store.accounts.add(own, entry());
      assert.equal(await addKey("key-3", own.id), "no_account");
      await store.identity.addSession(sampleSession(1), HASH);
      assert.equal(await addKey("key-4", own.id), "added");
    },
  },
  {
    name: "authorizes no app for a session that has ended",
    async run(store) {
      const ada = await join(store, 1);
      const session = { sessionId: "session-1", signedInAt: 2000 };
      const allow = (accountId: AccountRecord["id"], clientId = "client-1") =>
        store.programs.allow(
          accountId,
          { ...PROGRAM, clientId },
          entry({ kind: "mcp.approved" }),
          session,
        );
      assert.equal(await allow(sampleId("account", 9)), false);
      assert.equal(await allow(ada.id), true);
      assert.equal(await store.accounts.signOut(ada.id, 2001, entry()), true);
      assert.equal(await allow(ada.id, "client-2"), false);
      assert.deepEqual(await store.programs.list(ada.id), []);
      await addPeople(store, 1);
      const own = sampleAccount(2, { issuer: EMBEDDED_ISSUER, subject: "user-1" });
      await store.accounts.add(own, entry());
      assert.equal(await allow(own.id), false);
      await store.identity.addSession(sampleSession(1), HASH);
      assert.equal(await allow(own.id), true);
      assert.equal((await store.audit.list({ kind: "mcp.approved", limit: 9 })).length, 2);
    },
  },
  {
    name: "keeps the programs that an account let in",
    async run(store) {
      const { id } = await join(store, 1);
      await store.programs.allow(id, PROGRAM, entry());
      await store.programs.use(id, "client-1", LATER);
      await store.programs.allow(id, { ...PROGRAM, name: "Other", created: LATER }, entry());
      const known = { ...PROGRAM, name: "Other", lastUsed: LATER };
      assert.deepEqual(await store.programs.list(id), [known]);
      assert.deepEqual(await store.programs.find(id, "client-1"), known);
      assert.equal(await store.programs.find(id, "client-2"), null);
      assert.equal(await store.programs.revoke(id, "client-1", entry()), true);
      assert.equal(await store.programs.revoke(id, "client-1", entry()), false);
      assert.deepEqual(await store.programs.list(id), []);
    },
  },
  {
    name: "ends keys, programs and sessions of a person who is signed out",
    async run(store) {
      const { id, issuer, subject } = await join(store, 1);
      await store.keys.add({ ...KEY, accountId: id }, "k1", 9, entry());
      await store.programs.allow(id, PROGRAM, entry());
      assert.equal(await store.accounts.signOut(id, 5000, entry()), true);
      assert.equal((await store.accounts.find(issuer, subject)).signedOutAt, 5000);
      await store.accounts.signOut(id, 6000, entry());
      assert.equal((await store.accounts.find(issuer, subject)).signedOutAt, 6000);
      assert.equal(await store.keys.byHash("k1"), null);
      assert.deepEqual(await store.programs.list(id), []);
      assert.equal(await store.accounts.signOut("x", 1, entry()), false);
    },
  },
  {
    name: "keeps owners with a key, under names that nobody else has",
    async run(store) {
      await join(store, 1, "ada");
      const owner = { name: "Team A", maxBots: 3, created: NOW };
      const add = (name: string, hash: string) =>
        store.owners.add({ ...owner, name }, hash, NOW, entry());
      assert.deepEqual(
        [await add("Team A", "o1"), await add("team a", "o2"), await add("\uFF21da", "o3")],
        [true, false, false],
      );
      assert.deepEqual(await store.owners.list(), [owner]);
      assert.deepEqual(await store.owners.byKey("o1"), owner);
      assert.equal(await store.owners.byKey("o2"), null);
    },
  },
];

const ownedBotCases: Case[] = [
  {
    name: "gives a bot without an account to one of many that claim it",
    async run(store) {
      await store.bots.add(sampleBot(9), "h9", null);
      const { id } = sampleBot(9);
      for (let number = 1; number < 9; number += 1) await join(store, number, `p-${number}`);
      const claiming = Array.from({ length: 8 }, (_, at) => {
        const claimant = sampleId("account", at + 1);
        return store.bots.claim(id, claimant, 5, entry({ kind: "bot.claimed" }));
      });
      const outcomes = (await Promise.all(claiming)).map((one) => one!.outcome);
      assert.deepEqual(tally(outcomes), { claimed: 1, already_claimed: 7 });
      const bot = (await store.bots.byToken("h9"))!.bot;
      const claimant = accountOf(bot.ownerId)!;
      assert.deepEqual(await store.bots.claim(id, claimant, 5, entry()), { outcome: "own", bot });
      assert.deepEqual(await store.bots.ofOwners([bot.ownerId]), [bot]);
      assert.equal((await store.audit.list({ kind: "bot.claimed", limit: 9 })).length, 1);
    },
  },
  {
    name: "lets nobody claim what is not theirs to claim",
    async run(store) {
      const ada = await join(store, 1, "ada");
      const claimant = ada.id;
      const claim = async (number: number, limit = 5) =>
        (await store.bots.claim(sampleBot(number).id, claimant, limit, entry()))?.outcome;
      await store.bots.add(sampleBot(1, { house: true }), "h1", null);
      for (const [number, status] of [
        [2, "retired"],
        [3, "suspended"],
        [4, "banned"],
      ] as const) {
        await store.bots.add(sampleBot(number), `h${number}`, null);
        await store.bots.setStatus(sampleBot(number).id, toStatus(status));
      }
      await store.bots.add(sampleBot(5), "h5", null);
      assert.deepEqual(
        [await claim(1), await claim(2), await claim(3), await claim(4), await claim(5, 0)],
        ["already_claimed", "retired", "moderated", "moderated", "bot_limit"],
      );
      assert.equal(await claim(99), undefined);
    },
  },
  {
    name: "shows the handle of the moment, and gives no bot to who has none or has left",
    async run(store) {
      const ada = await join(store, 1, "ada");
      const eve = await join(store, 2);
      const add = (number: number, ownerId: string) =>
        store.bots.add(sampleBot(number, { owner: "stale", ownerId }), `h${number}`, null);
      assert.equal(await add(1, ada.id), "added");
      assert.equal((await store.bots.byName("Bot-1"))?.owner, "ada");
      assert.equal(await add(2, eve.id), "no_handle");
      await store.bots.add(sampleBot(3), "h3", null);
      const claim = await store.bots.claim(sampleBot(3).id, eve.id, 9, entry());
      assert.equal(claim?.outcome, "no_handle");
      const adding = Array.from({ length: 5 }, (_, at) => add(10 + at, ada.id));
      await Promise.all([...adding, store.accounts.leave(ada.id, leaving(), entry())]);
      assert.deepEqual(await store.bots.ofOwners([ada.id]), [], "nobody owns what nobody is");
      assert.equal(await add(4, ada.id), "no_handle");
    },
  },
  {
    name: "renames a bot, and keeps its former name for it for a while",
    async run(store) {
      const ada = await join(store, 1, "ada");
      await store.bots.add(botOf(ada, 1), "h1", null);
      await store.bots.add(sampleBot(2), "h2", null);
      const { id } = sampleBot(1);
      const rename = (name: string, bot = id, at = NOW) =>
        store.bots.rename(bot, name, { at, until: LATER }, entry({ kind: "bot.renamed" }));
      assert.equal(await rename("bOT-2"), "name_taken");
      assert.deepEqual(await rename("Neo"), { ...botOf(ada, 1), name: "Neo" });
      assert.equal(await store.bots.byName("Bot-1"), null);
      assert.equal((await store.bots.byFormerName("bot-1", NOW))?.name, "Neo");
      assert.equal(await store.bots.byFormerName("bot-1", LATER), null);
      assert.equal(await rename("BOT-1", sampleBot(2).id), "name_taken");
      const other = sampleBot(3, { name: "Bot-1", created: NOW });
      assert.equal(await store.bots.add(other, "h3", null), "name_taken");
      assert.ok((await rename("NEO")) !== "name_taken", "another letter case");
      assert.ok((await rename("Bot-1")) !== "name_taken", "its own former name");
      assert.equal((await store.bots.byFormerName("neo", NOW))?.name, "Bot-1");
      assert.ok((await rename("neo", sampleBot(2).id, LATER)) !== "name_taken");
      assert.equal(await rename("any", "x"), null);
      assert.equal((await store.audit.list({ kind: "bot.renamed", limit: 9 })).length, 4);
    },
  },
  {
    name: "frees the names of a bot that is deleted at once",
    async run(store) {
      await store.bots.add(sampleBot(1), "h1", null);
      await store.bots.rename(sampleBot(1).id, "Neo", FORMERLY, entry());
      await store.bots.delete(sampleBot(1).id);
      assert.equal(await store.bots.byFormerName("bot-1", NOW), null);
      const again = sampleBot(2, { name: "Bot-1", created: NOW });
      assert.equal(await store.bots.add(again, "h2", null), "added");
    },
  },
  {
    name: "gives a bot another picture in any state",
    async run(store) {
      await store.bots.add(sampleBot(1), "h1", null);
      const { id } = sampleBot(1);
      await store.bots.setStatus(id, toStatus("banned"));
      assert.equal((await store.bots.setAvatar(id, "ronin"))?.avatar, "ronin");
      assert.equal((await store.bots.setAvatar(id, null))?.avatar, null);
      assert.equal(await store.bots.setAvatar("x", "ronin"), null);
    },
  },
  {
    name: "gives the bots that an operator dealt with, the latest first",
    async run(store) {
      for (const [number, status] of [
        [1, "suspended"],
        [2, "retired"],
        [3, "banned"],
        [4, "suspended"],
      ] as const) {
        await store.bots.add(sampleBot(number), `h${number}`, null);
        const at = sampleTime(10 - number);
        await store.bots.setStatus(sampleBot(number).id, toStatus(status, { at }));
      }
      const names = async (most: number) =>
        (await store.bots.moderated(most)).map(({ name, status }) => `${name} ${status}`);
      assert.deepEqual(await names(9), ["Bot-1 suspended", "Bot-3 banned", "Bot-4 suspended"]);
      assert.deepEqual(await names(1), ["Bot-1 suspended"]);
    },
  },
  {
    name: "knows which bots have played",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.matches.save(sampleMatch(1));
      const ids = [0, 1, 2].map((number) => sampleId("bot", number));
      assert.deepEqual(await store.bots.played(ids), ids.slice(0, 2));
      assert.deepEqual(await store.bots.played([]), []);
    },
  },
];

const auditCases: Case[] = [
  {
    name: "finds audit entries by actor, by subject and by time",
    async run(store) {
      const [ada, eve] = [sampleId("account", 5), sampleId("account", 6)];
      const label = { kind: "agent_key", id: "k5", name: "ops" } as const;
      const byKey = { ...label, account: { id: ada, name: "Ada" } };
      const ofCup = { kind: "ladder", id: "cup", name: "Cup" } as const;
      const person = { id: eve, name: "eve" };
      await store.audit.add([
        entry({ actor: byKey, subject: ofCup, person, reason: "key" }),
        entry({ actor: { kind: "account", id: ada, name: "Ada" }, subject: null, reason: "self" }),
        entry({ actor: SYSTEM, subject: ofCup, reason: "system" }),
      ]);
      const reasons = async (query: Partial<AuditQuery>) =>
        (await store.audit.list({ limit: 9, ...query })).map(({ reason }) => reason);
      const named = (name: string, ...ids: string[]) => ({ name, ids: [name, ...ids] });
      assert.deepEqual(await reasons({ actor: named("ada") }), ["self", "key"]);
      assert.deepEqual(await reasons({ actor: named("renamed", ada) }), ["self", "key"]);
      assert.deepEqual(await reasons({ actor: named("OPS") }), ["key"]);
      assert.deepEqual(await reasons({ actor: named("system") }), ["system"]);
      assert.deepEqual(await reasons({ subject: named("EVE") }), ["key"]);
      assert.deepEqual(await reasons({ subject: named("new", eve) }), ["key"]);
      assert.deepEqual(await reasons({ subject: named("cup") }), ["system", "key"]);
      const [newest, middle, oldest] = await store.audit.list({ limit: 9 });
      assert.deepEqual(await reasons({ since: middle!.at }), ["system", "self"]);
      assert.deepEqual(await reasons({ until: middle!.at }), ["key"]);
      assert.deepEqual(await reasons({ since: middle!.at, until: newest!.at }), ["self"]);
      assert.deepEqual(oldest!.actor, byKey);
      assert.deepEqual(oldest!.person, person);
      assert.equal((await store.audit.list({ accountId: eve, limit: 9 })).length, 1);
    },
  },
  {
    name: "gives the audit of an account: what it, its keys and its bots did and had done to them",
    async run(store) {
      const owner = await join(store, 1, "ada");
      const bot = botOf(owner, 1);
      assert.equal(await store.bots.add(bot, "t1", null), "added");
      await store.keys.add({ ...KEY, id: "k", accountId: owner.id }, "hash", 3, entry());
      const moderator = { kind: "account", id: sampleId("account", 3), name: "grace" } as const;
      const key = { kind: "agent_key", id: "k", name: "agent" } as const;
      await store.audit.add([
        entry({ actor: key, subject: null, reason: "told of its key" }),
        entry({ actor: { ...key, id: "another" }, subject: null, reason: "told of another key" }),
        entry({
          actor: moderator,
          subject: { kind: "bot", id: bot.id, name: "x" },
          reason: "told of its bot",
        }),
        entry({
          actor: moderator,
          subject: { kind: "bot", id: sampleId("bot", 9), name: "y" },
          reason: "told of another bot",
        }),
      ]);
      const own = await store.audit.list({ accountId: owner.id, limit: 9 });
      const reasons = own.flatMap(({ reason }) => (reason?.startsWith("told") ? [reason] : []));
      assert.deepEqual(reasons.toSorted(), ["told of its bot", "told of its key"]);
      const who = { kind: "account", id: sampleId("account", 5), name: "ada" } as const;
      const other = { kind: "account", id: sampleId("account", 6), name: "eve" } as const;
      await store.audit.add([
        entry({ actor: who, subject: null, reason: "did" }),
        entry({ actor: other, subject: who, reason: "was done to" }),
        entry({ actor: other, subject: other, reason: "neither" }),
        entry({ actor: { ...who, kind: "bot" }, subject: null, reason: "a bot of that id" }),
      ]);
      const found = await store.audit.list({ accountId: who.id, limit: 9 });
      assert.deepEqual(found.map(({ reason }) => reason).toSorted(), ["did", "was done to"]);
    },
  },
];

export const ownedCases: Case[] = [...secretCases, ...auditCases, ...ownedBotCases];
