import assert from "node:assert/strict";

import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditQuery } from "#data/store/audit.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";

import { addSampleUsers, SAMPLE_HASH, sampleSession } from "./identity-samples.ts";
import {
  sampleBotOf,
  sampleEntry,
  SAMPLE_RESERVATION,
  addSampleAccount,
  SAMPLE_KEY,
  CASE_LATER,
  CASE_NOW,
  sampleAccount,
} from "./store-account-cases.ts";
import { deletionOptions, SAMPLE_APP } from "./store-account-deletion-cases.ts";
import { countWords } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleTime,
  statusChange,
} from "./store-samples.ts";

const credentialCases: StoreCase[] = [
  {
    name: "stores agent keys by hash, up to the limit",
    async run(store) {
      const ada = await addSampleAccount(store, 1);
      const key = (number: number) => ({ ...SAMPLE_KEY, id: `key-${number}`, accountId: ada.id });
      const pendingAdds = Array.from({ length: 12 }, (_, index) =>
        store.keys.add(key(index), `k${index}`, 3, sampleEntry({ kind: "key.created" })),
      );
      assert.deepEqual(countWords(await Promise.all(pendingAdds)), { added: 3, key_limit: 9 });
      const [first] = await store.keys.list(ada.id);
      const hash = `k${first!.id.slice(4)}`;
      assert.deepEqual(await store.keys.byHash(hash), { key: first, account: ada });
      await store.keys.recordUse(first!.id, CASE_LATER);
      assert.equal((await store.keys.byHash(hash))?.key.lastUsed, CASE_LATER);
      assert.equal(await store.keys.revoke(sampleId("account", 9), first!.id, sampleEntry()), null);
      assert.equal((await store.keys.revoke(ada.id, first!.id, sampleEntry()))?.label, "agent");
      assert.equal(await store.keys.revoke(ada.id, first!.id, sampleEntry()), null);
      assert.equal(await store.keys.byHash(hash), null);
      assert.equal(await store.keys.add(key(20), "k20", 3, sampleEntry()), "added");
      assert.equal((await store.audit.list({ kind: "key.created", limit: 9 })).length, 3);
    },
  },
  {
    name: "adds no agent key for a session that has ended",
    async run(store) {
      const ada = await addSampleAccount(store, 1);
      const session = { sessionId: "session-1", signedInAt: 2000 };
      const addKey = (id: string, accountId: AccountRecord["id"]) =>
        store.keys.add({ ...SAMPLE_KEY, id, accountId }, id, 9, sampleEntry(), session);
      assert.equal(await addKey("key-1", ada.id), "added");
      assert.equal(await store.accounts.signOut(ada.id, 2001, sampleEntry()), true);
      assert.equal(await addKey("key-2", ada.id), "no_account");
      await addSampleUsers(store, 1);
      const embeddedAccount = sampleAccount(2, { issuer: EMBEDDED_ISSUER, subject: "user-1" });
      await store.accounts.add(embeddedAccount, sampleEntry());
      assert.equal(await addKey("key-3", embeddedAccount.id), "no_account");
      await store.identity.addSession(sampleSession(1), SAMPLE_HASH);
      assert.equal(await addKey("key-4", embeddedAccount.id), "added");
    },
  },
  {
    name: "doesn't authorize an app for a session that has ended",
    async run(store) {
      const ada = await addSampleAccount(store, 1);
      const session = { sessionId: "session-1", signedInAt: 2000 };
      const allow = (accountId: AccountRecord["id"], clientId = "client-1") =>
        store.apps.authorize(
          accountId,
          { ...SAMPLE_APP, clientId },
          sampleEntry({ kind: "mcp.approved" }),
          session,
        );
      assert.equal(await allow(sampleId("account", 9)), false);
      assert.equal(await allow(ada.id), true);
      assert.equal(await store.accounts.signOut(ada.id, 2001, sampleEntry()), true);
      assert.equal(await allow(ada.id, "client-2"), false);
      assert.deepEqual(await store.apps.list(ada.id), []);
      await addSampleUsers(store, 1);
      const embeddedAccount = sampleAccount(2, { issuer: EMBEDDED_ISSUER, subject: "user-1" });
      await store.accounts.add(embeddedAccount, sampleEntry());
      assert.equal(await allow(embeddedAccount.id), false);
      await store.identity.addSession(sampleSession(1), SAMPLE_HASH);
      assert.equal(await allow(embeddedAccount.id), true);
      assert.equal((await store.audit.list({ kind: "mcp.approved", limit: 9 })).length, 2);
    },
  },
  {
    name: "stores the apps that an account authorized",
    async run(store) {
      const { id } = await addSampleAccount(store, 1);
      await store.apps.authorize(id, SAMPLE_APP, sampleEntry());
      await store.apps.recordUse(id, "client-1", CASE_LATER);
      await store.apps.authorize(
        id,
        { ...SAMPLE_APP, name: "Other", created: CASE_LATER },
        sampleEntry(),
      );
      const app = { ...SAMPLE_APP, name: "Other", lastUsed: CASE_LATER };
      assert.deepEqual(await store.apps.list(id), [app]);
      assert.deepEqual(await store.apps.find(id, "client-1"), app);
      assert.equal(await store.apps.find(id, "client-2"), null);
      assert.equal(await store.apps.revoke(id, "client-1", sampleEntry()), true);
      assert.equal(await store.apps.revoke(id, "client-1", sampleEntry()), false);
      assert.deepEqual(await store.apps.list(id), []);
    },
  },
  {
    name: "ends keys, apps and sessions of a user who is signed out",
    async run(store) {
      const { id, issuer, subject } = await addSampleAccount(store, 1);
      await store.keys.add({ ...SAMPLE_KEY, accountId: id }, "k1", 9, sampleEntry());
      await store.apps.authorize(id, SAMPLE_APP, sampleEntry());
      assert.equal(await store.accounts.signOut(id, 5000, sampleEntry()), true);
      assert.equal((await store.accounts.find(issuer, subject)).signedOutAt, 5000);
      await store.accounts.signOut(id, 6000, sampleEntry());
      assert.equal((await store.accounts.find(issuer, subject)).signedOutAt, 6000);
      assert.equal(await store.keys.byHash("k1"), null);
      assert.deepEqual(await store.apps.list(id), []);
      assert.equal(await store.accounts.signOut("x", 1, sampleEntry()), false);
    },
  },
  {
    name: "stores owners with a key under unique names",
    async run(store) {
      await addSampleAccount(store, 1, "ada");
      const owner = { name: "Team A", maxBots: 3, created: CASE_NOW };
      const add = (name: string, hash: string) =>
        store.owners.add({ ...owner, name }, hash, CASE_NOW, sampleEntry());
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

const botOwnershipCases: StoreCase[] = [
  {
    name: "gives a bot without an account to one of many that claim it",
    async run(store) {
      await store.bots.add(sampleBot(9), "h9", null);
      const { id } = sampleBot(9);
      for (let number = 1; number < 9; number += 1)
        await addSampleAccount(store, number, `p-${number}`);
      const pendingClaims = Array.from({ length: 8 }, (_, at) => {
        const claimant = sampleId("account", at + 1);
        return store.bots.claim(id, claimant, 5, sampleEntry({ kind: "bot.claimed" }));
      });
      const outcomes = (await Promise.all(pendingClaims)).map((outcome) => outcome!.outcome);
      assert.deepEqual(countWords(outcomes), { claimed: 1, already_claimed: 7 });
      const bot = (await store.bots.byToken("h9"))!.bot;
      const claimant = accountIdOfOwner(bot.ownerId)!;
      assert.deepEqual(await store.bots.claim(id, claimant, 5, sampleEntry()), {
        outcome: "own",
        bot,
      });
      assert.deepEqual(await store.bots.listByOwners([bot.ownerId]), [bot]);
      assert.equal((await store.audit.list({ kind: "bot.claimed", limit: 9 })).length, 1);
    },
  },
  {
    name: "rejects a claim to any other bot",
    async run(store) {
      const ada = await addSampleAccount(store, 1, "ada");
      const claimant = ada.id;
      const claimBot = async (number: number, limit = 5) =>
        (await store.bots.claim(sampleBot(number).id, claimant, limit, sampleEntry()))?.outcome;
      await store.bots.add(sampleBot(1, { house: true }), "h1", null);
      for (const [number, status] of [
        [2, "retired"],
        [3, "suspended"],
        [4, "banned"],
      ] as const) {
        await store.bots.add(sampleBot(number), `h${number}`, null);
        await store.bots.setStatus(sampleBot(number).id, statusChange(status));
      }
      await store.bots.add(sampleBot(5), "h5", null);
      assert.deepEqual(
        [
          await claimBot(1),
          await claimBot(2),
          await claimBot(3),
          await claimBot(4),
          await claimBot(5, 0),
        ],
        ["already_claimed", "retired", "moderated", "moderated", "bot_limit"],
      );
      assert.equal(await claimBot(99), undefined);
    },
  },
  {
    name: "shows the current handle, and gives no bot to an account that is deleted or has no handle",
    async run(store) {
      const ada = await addSampleAccount(store, 1, "ada");
      const eve = await addSampleAccount(store, 2);
      const add = (number: number, ownerId: string) =>
        store.bots.add(sampleBot(number, { owner: "stale", ownerId }), `h${number}`, null);
      assert.equal(await add(1, ada.id), "added");
      assert.equal((await store.bots.byName("Bot-1"))?.owner, "ada");
      assert.equal(await add(2, eve.id), "no_handle");
      await store.bots.add(sampleBot(3), "h3", null);
      const claimBot = await store.bots.claim(sampleBot(3).id, eve.id, 9, sampleEntry());
      assert.equal(claimBot?.outcome, "no_handle");
      const pendingAdds = Array.from({ length: 5 }, (_, at) => add(10 + at, ada.id));
      await Promise.all([
        ...pendingAdds,
        store.accounts.delete(ada.id, deletionOptions(), sampleEntry()),
      ]);
      assert.deepEqual(await store.bots.listByOwners([ada.id]), [], "an unknown owner has no bots");
      assert.equal(await add(4, ada.id), "no_handle");
    },
  },
  {
    name: "renames a bot, and reserves its former name for a while",
    async run(store) {
      const ada = await addSampleAccount(store, 1, "ada");
      await store.bots.add(sampleBotOf(ada, 1), "h1", null);
      await store.bots.add(sampleBot(2), "h2", null);
      const { id } = sampleBot(1);
      const rename = (name: string, bot = id, at = CASE_NOW) =>
        store.bots.rename(
          bot,
          name,
          { at, until: CASE_LATER },
          sampleEntry({ kind: "bot.renamed" }),
        );
      assert.equal(await rename("bOT-2"), "name_taken");
      assert.deepEqual(await rename("Neo"), { ...sampleBotOf(ada, 1), name: "Neo" });
      assert.equal(await store.bots.byName("Bot-1"), null);
      assert.equal((await store.bots.byFormerName("bot-1", CASE_NOW))?.name, "Neo");
      assert.equal(await store.bots.byFormerName("bot-1", CASE_LATER), null);
      assert.equal(await rename("BOT-1", sampleBot(2).id), "name_taken");
      const sameNameBot = sampleBot(3, { name: "Bot-1", created: CASE_NOW });
      assert.equal(await store.bots.add(sameNameBot, "h3", null), "name_taken");
      assert.ok((await rename("NEO")) !== "name_taken", "another letter case");
      assert.ok((await rename("Bot-1")) !== "name_taken", "its own former name");
      assert.equal((await store.bots.byFormerName("neo", CASE_NOW))?.name, "Bot-1");
      assert.ok((await rename("neo", sampleBot(2).id, CASE_LATER)) !== "name_taken");
      assert.equal(await rename("any", "x"), null);
      assert.equal((await store.audit.list({ kind: "bot.renamed", limit: 9 })).length, 4);
    },
  },
  {
    name: "frees the names of a deleted bot immediately",
    async run(store) {
      await store.bots.add(sampleBot(1), "h1", null);
      await store.bots.rename(sampleBot(1).id, "Neo", SAMPLE_RESERVATION, sampleEntry());
      await store.bots.delete(sampleBot(1).id);
      assert.equal(await store.bots.byFormerName("bot-1", CASE_NOW), null);
      const takenNameBot = sampleBot(2, { name: "Bot-1", created: CASE_NOW });
      assert.equal(await store.bots.add(takenNameBot, "h2", null), "added");
    },
  },
  {
    name: "changes a bot's avatar in any state",
    async run(store) {
      await store.bots.add(sampleBot(1), "h1", null);
      const { id } = sampleBot(1);
      await store.bots.setStatus(id, statusChange("banned"));
      assert.equal((await store.bots.setAvatar(id, "ronin"))?.avatar, "ronin");
      assert.equal((await store.bots.setAvatar(id, null))?.avatar, null);
      assert.equal(await store.bots.setAvatar("x", "ronin"), null);
    },
  },
  {
    name: "lists moderated bots, latest first",
    async run(store) {
      for (const [number, status] of [
        [1, "suspended"],
        [2, "retired"],
        [3, "banned"],
        [4, "suspended"],
      ] as const) {
        await store.bots.add(sampleBot(number), `h${number}`, null);
        const at = sampleTime(10 - number);
        await store.bots.setStatus(sampleBot(number).id, statusChange(status, { at }));
      }
      const names = async (limit: number) =>
        (await store.bots.listModerated(limit)).map(({ name, status }) => `${name} ${status}`);
      assert.deepEqual(await names(9), ["Bot-1 suspended", "Bot-3 banned", "Bot-4 suspended"]);
      assert.deepEqual(await names(1), ["Bot-1 suspended"]);
    },
  },
  {
    name: "filters bots that have played",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.matches.save(sampleMatch(1));
      const ids = [0, 1, 2].map((number) => sampleId("bot", number));
      assert.deepEqual(await store.bots.filterPlayed(ids), ids.slice(0, 2));
      assert.deepEqual(await store.bots.filterPlayed([]), []);
    },
  },
];

const auditCases: StoreCase[] = [
  {
    name: "finds audit entries by actor, by subject and by time",
    async run(store) {
      const [ada, eve] = [sampleId("account", 5), sampleId("account", 6)];
      const label = { kind: "agent_key", id: "k5", name: "ops" } as const;
      const byKey = { ...label, account: { id: ada, name: "Ada" } };
      const cupEntries = { kind: "ladder", id: "cup", name: "Cup" } as const;
      const person = { id: eve, name: "eve" };
      await store.audit.add([
        sampleEntry({ actor: byKey, subject: cupEntries, person, reason: "key" }),
        sampleEntry({
          actor: { kind: "account", id: ada, name: "Ada" },
          subject: null,
          reason: "self",
        }),
        sampleEntry({ actor: SYSTEM_ACTOR, subject: cupEntries, reason: "system" }),
      ]);
      const entryReasons = async (query: Partial<AuditQuery>) =>
        (await store.audit.list({ limit: 9, ...query })).map(({ reason }) => reason);
      const partyFilter = (name: string, ...ids: string[]) => ({ name, ids: [name, ...ids] });
      assert.deepEqual(await entryReasons({ actor: partyFilter("ada") }), ["self", "key"]);
      assert.deepEqual(await entryReasons({ actor: partyFilter("renamed", ada) }), ["self", "key"]);
      assert.deepEqual(await entryReasons({ actor: partyFilter("OPS") }), ["key"]);
      assert.deepEqual(await entryReasons({ actor: partyFilter("system") }), ["system"]);
      assert.deepEqual(await entryReasons({ subject: partyFilter("EVE") }), ["key"]);
      assert.deepEqual(await entryReasons({ subject: partyFilter("new", eve) }), ["key"]);
      assert.deepEqual(await entryReasons({ subject: partyFilter("cup") }), ["system", "key"]);
      const [newest, middle, oldest] = await store.audit.list({ limit: 9 });
      assert.deepEqual(await entryReasons({ since: middle!.at }), ["system", "self"]);
      assert.deepEqual(await entryReasons({ until: middle!.at }), ["key"]);
      assert.deepEqual(await entryReasons({ since: middle!.at, until: newest!.at }), ["self"]);
      assert.deepEqual(oldest!.actor, byKey);
      assert.deepEqual(oldest!.person, person);
      assert.equal((await store.audit.list({ accountId: eve, limit: 9 })).length, 1);
    },
  },
  {
    name: "returns the audit log of an account, its keys and its bots, as actor and subject",
    async run(store) {
      const owner = await addSampleAccount(store, 1, "ada");
      const bot = sampleBotOf(owner, 1);
      assert.equal(await store.bots.add(bot, "t1", null), "added");
      await store.keys.add(
        { ...SAMPLE_KEY, id: "k", accountId: owner.id },
        "hash",
        3,
        sampleEntry(),
      );
      const moderator = { kind: "account", id: sampleId("account", 3), name: "grace" } as const;
      const key = { kind: "agent_key", id: "k", name: "agent" } as const;
      await store.audit.add([
        sampleEntry({ actor: key, subject: null, reason: "told of its key" }),
        sampleEntry({
          actor: { ...key, id: "another" },
          subject: null,
          reason: "told of another key",
        }),
        sampleEntry({
          actor: moderator,
          subject: { kind: "bot", id: bot.id, name: "x" },
          reason: "told of its bot",
        }),
        sampleEntry({
          actor: moderator,
          subject: { kind: "bot", id: sampleId("bot", 9), name: "y" },
          reason: "told of another bot",
        }),
      ]);
      const ownerEntries = await store.audit.list({ accountId: owner.id, limit: 9 });
      const entryReasons = ownerEntries.flatMap(({ reason }) =>
        reason?.startsWith("told") ? [reason] : [],
      );
      assert.deepEqual(entryReasons.toSorted(), ["told of its bot", "told of its key"]);
      const account = { kind: "account", id: sampleId("account", 5), name: "ada" } as const;
      const otherSubject = { kind: "account", id: sampleId("account", 6), name: "eve" } as const;
      await store.audit.add([
        sampleEntry({ actor: account, subject: null, reason: "did" }),
        sampleEntry({ actor: otherSubject, subject: account, reason: "was done to" }),
        sampleEntry({ actor: otherSubject, subject: otherSubject, reason: "neither" }),
        sampleEntry({
          actor: { ...account, kind: "bot" },
          subject: null,
          reason: "a bot of that id",
        }),
      ]);
      const accountEntries = await store.audit.list({ accountId: account.id, limit: 9 });
      assert.deepEqual(accountEntries.map(({ reason }) => reason).toSorted(), [
        "did",
        "was done to",
      ]);
    },
  },
];

export const ownershipCases: StoreCase[] = [
  ...credentialCases,
  ...auditCases,
  ...botOwnershipCases,
];
