// What the store must do with accounts, their secrets, and the bots that they own.
import assert from "node:assert/strict";

import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import { ownerFold } from "#core/accounts/name.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import { addPeople } from "./identity-samples.ts";
import { codeOf, tally } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import { sampleAudit, sampleBot, sampleId, sampleTime } from "./store-samples.ts";

export const NOW = sampleTime(1000);
export const LATER = sampleTime(2000);
export const FORMERLY = { at: NOW, until: LATER };

/** A provider elsewhere: the embedded one must have the user of an account. */
const ISSUER = "https://id.example/auth/v1";

export function sampleAccount(number: number, changes: Partial<AccountRecord> = {}): AccountRecord {
  return {
    id: sampleId("account", number),
    issuer: ISSUER,
    subject: `person-${number}`,
    handle: null,
    role: "player",
    bannedAt: null,
    banReason: null,
    maxBots: null,
    email: `person-${number}@example.org`,
    emailConfirmedAt: null,
    emailSignsIn: true,
    mail: DEFAULT_MAIL,
    created: sampleTime(number),
    ...changes,
  };
}

/** Nothing refers to an entry, so each write of a case may have one of its own. */
let entries = 0;
export const entry = (changes: Partial<AuditEntry> = {}) => sampleAudit((entries += 1), changes);

export async function join(store: Store, number: number, handle?: string): Promise<AccountRecord> {
  const account = await store.accounts.add(sampleAccount(number), entry());
  if (handle === undefined) return account;
  const named = await store.accounts.setHandle(account.id, handle, FORMERLY, entry());
  assert.ok(named !== null && named !== "handle_taken");
  return named;
}

/** A bot of an account. */
export const botOf = ({ id, handle }: AccountRecord, number: number) =>
  sampleBot(number, { owner: handle!, ownerId: id });

const LEAVING = { second: 1000, ban: null, inMatch: [] };

export const KEY = { id: "key-1", label: "agent", created: NOW, lastUsed: null };

export const accountCases: Case[] = [
  {
    name: "keeps an account under id, person and handle in any case",
    async run(store, reopen) {
      const made = sampleAccount(1, { maxBots: 9, emailConfirmedAt: NOW, role: "admin" });
      assert.deepEqual(await store.accounts.add(made, entry()), made);
      await store.accounts.setHandle(made.id, "Ada.L", FORMERLY, entry());
      const opened = await reopen();
      const ada = { ...made, handle: "Ada.L" };
      assert.deepEqual(await opened.accounts.byId(made.id), ada);
      assert.deepEqual(await opened.accounts.find(ISSUER, "person-1"), {
        account: ada,
        signedOutAt: null,
      });
      const found = await opened.accounts.byHandle("aDA.l", NOW);
      assert.deepEqual(found, { account: ada, isFormer: false });
      assert.deepEqual(await opened.accounts.find("elsewhere", "person-1"), {
        account: null,
        signedOutAt: null,
      });
      assert.equal(await opened.accounts.byId("x"), null);
      assert.equal(await opened.accounts.byHandle("eve", NOW), null);
    },
  },
  {
    name: "makes no account for a user whom the embedded provider has deleted",
    async run(store) {
      await addPeople(store, 1);
      const person = sampleAccount(1, { issuer: EMBEDDED_ISSUER, subject: "user-1" });
      const gone = { code: "missing_reference" };
      await store.accounts.add(person, entry());
      const again = { ...person, id: "again" };
      const [left, ...later] = await Promise.allSettled([
        store.accounts.leave(person.id, { ...FORMERLY, ...LEAVING }, entry()),
        store.accounts.add(again, entry(), 2000),
        store.keys.add({ ...KEY, accountId: person.id }, "k1", 9, entry()),
      ]);
      assert.equal(left.status === "fulfilled" && left.value?.identityDeleted, true);
      assert.deepEqual(
        later.map((one) => (one.status === "fulfilled" ? one.value : codeOf(one.reason))),
        [gone.code, "no_account"],
      );
      await assert.rejects(store.accounts.add(again, entry()), gone);
      assert.equal((await store.accounts.find(EMBEDDED_ISSUER, "user-1")).account, null);
      assert.equal(await store.keys.byHash("k1"), null);
    },
  },
  {
    name: "makes no account for a sign-in from before the person was signed out",
    async run(store) {
      const ada = await join(store, 1);
      await store.accounts.leave(ada.id, { ...FORMERLY, ...LEAVING }, entry());
      const add = (second: number) =>
        store.accounts.add(sampleAccount(2, { subject: ada.subject }), entry(), second);
      await assert.rejects(add(999), { code: "missing_reference" });
      assert.equal((await store.accounts.find(ISSUER, ada.subject)).account, null);
      assert.equal((await add(1000)).id, sampleAccount(2).id);
      assert.equal((await add(999)).id, sampleAccount(2).id, "the account is there already");
    },
  },
  {
    name: "makes one account of a person who comes twenty times at once",
    async run(store) {
      const adding = Array.from({ length: 20 }, (_, number) =>
        store.accounts.add(
          sampleAccount(number, { subject: "one" }),
          entry({ kind: "account.created" }),
        ),
      );
      const ids = new Set((await Promise.all(adding)).map(({ id }) => id));
      assert.equal(ids.size, 1);
      assert.equal((await store.audit.list({ kind: "account.created", limit: 9 })).length, 1);
    },
  },
  {
    name: "gives a handle to one of many, and its bots with it",
    async run(store) {
      const ada = await join(store, 1, "ada");
      await store.bots.add(botOf(ada, 7), "h7", null);
      for (let number = 2; number < 12; number += 1) await join(store, number);
      const asked = Array.from({ length: 10 }, (_, at) =>
        store.accounts.setHandle(
          sampleId("account", at + 2),
          at % 2 ? "Eve" : "eVE",
          FORMERLY,
          entry(),
        ),
      );
      const outcomes = (await Promise.all(asked)).map((one) =>
        one === "handle_taken" ? one : "given",
      );
      assert.deepEqual(tally(outcomes), { given: 1, handle_taken: 9 });
      const countess = await store.accounts.setHandle(ada.id, "Countess", FORMERLY, entry());
      assert.deepEqual(countess, { ...ada, handle: "Countess" });
      assert.equal((await store.bots.byName("Bot-7"))?.owner, "Countess");
      assert.equal(await store.accounts.setHandle("x", "nobody", FORMERLY, entry()), null);
    },
  },
  {
    name: "keeps a handle that was given up for whoever had it, for a while",
    async run(store) {
      const ada = await join(store, 1, "ada");
      const eve = await join(store, 2);
      await store.accounts.setHandle(ada.id, "countess", FORMERLY, entry());
      const former = await store.accounts.byHandle("ADA", NOW);
      assert.deepEqual([former?.account.handle, former?.isFormer], ["countess", true]);
      assert.equal(await store.accounts.byHandle("ada", LATER), null);
      assert.deepEqual(await store.accounts.formerHandles(ada.id, NOW), ["ada"]);
      const take = (at: string) =>
        store.accounts.setHandle(eve.id, "Ada", { at, until: LATER }, entry());
      assert.equal(await take(NOW), "handle_taken");
      assert.deepEqual(await store.accounts.takenHandles(["Ada", "Countess", "free"], NOW), [
        "Ada",
        "Countess",
      ]);
      const back = await store.accounts.setHandle(ada.id, "Ada", FORMERLY, entry());
      assert.ok(back !== "handle_taken" && back?.handle === "Ada");
      assert.deepEqual(await store.accounts.formerHandles(ada.id, NOW), ["countess"]);
      await store.accounts.setHandle(ada.id, "countess", FORMERLY, entry());
      const free = await take(LATER);
      assert.ok(free !== "handle_taken" && free?.handle === "Ada");
    },
  },
  {
    name: "forgets former handles once they are free again",
    async run(store) {
      const ada = await join(store, 1, "ada");
      await store.accounts.setHandle(ada.id, "countess", FORMERLY, entry());
      await store.accounts.sweepNames(NOW);
      assert.deepEqual(await store.accounts.formerHandles(ada.id, NOW), ["ada"]);
      await store.accounts.sweepNames(LATER);
      assert.deepEqual(await store.accounts.formerHandles(ada.id, NOW), []);
    },
  },
  {
    name: "keeps an account's last five handles",
    async run(store) {
      const { id } = await join(store, 1);
      for (let number = 0; number < 8; number += 1) {
        const formerly = { at: sampleTime(1000 + number), until: LATER };
        await store.accounts.setHandle(id, `ada-${number}`, formerly, entry());
      }
      const kept = await store.accounts.formerHandles(id, NOW);
      assert.deepEqual(kept, ["ada-6", "ada-5", "ada-4", "ada-3", "ada-2"]);
      assert.equal(await store.accounts.byHandle("ada-1", NOW), null);
    },
  },
  {
    name: "keeps handles and the free texts of owners apart",
    async run(store) {
      const ada = await join(store, 1, "ada");
      const eve = await join(store, 2);
      const add = (number: number, owner: string) =>
        store.bots.add(
          sampleBot(number, { owner, created: NOW, ownerId: `anon:${ownerFold(owner)}` }),
          `h${number}`,
          null,
        );
      for (const spelling of ["ADA", "\uFF41da", " ada "])
        assert.equal(await add(1, spelling), "owner_taken", spelling);
      assert.equal(await add(2, "Team"), "added");
      assert.equal(
        await store.accounts.setHandle(eve.id, "team", FORMERLY, entry()),
        "handle_taken",
      );
      await store.accounts.setHandle(ada.id, "countess", FORMERLY, entry());
      for (const spelling of ["ada", "\uFF41d\u{1D44E}"])
        assert.equal(await add(3, spelling), "owner_taken", "a former handle");
      assert.equal(await store.bots.byName("Bot-1"), null);
    },
  },
  {
    name: "keeps each choice of mail, whatever else is chosen at the same time",
    async run(store) {
      const { id } = await join(store, 1);
      await Promise.all([
        store.accounts.setMail(id, { preferences: { weekly_digest: true } }),
        store.accounts.optOut(id, "announcements"),
        store.accounts.setMail(id, { preferences: { onboarding: false } }),
        store.accounts.optOut(id, "bot_health"),
      ]);
      const chosen = { weekly_digest: true, onboarding: false, bot_health: false };
      const preferences = { ...DEFAULT_MAIL.preferences, ...chosen };
      const account = await store.accounts.byId(id);
      assert.deepEqual(account?.mail, { announcements: false, preferences });
    },
  },
  {
    name: "changes contact, mail, role and the number of bots",
    async run(store) {
      const { id } = await join(store, 1);
      const contact = { email: "ada@example.org", emailConfirmedAt: NOW, emailSignsIn: false };
      await store.accounts.noteContact(id, contact);
      const mail = { ...DEFAULT_MAIL, announcements: false };
      await store.accounts.setMail(id, { announcements: false });
      await store.accounts.setMaxBots(id, 12, entry());
      await store.accounts.setRole(id, "admin", [], entry());
      const changes = { ...contact, mail, maxBots: 12, role: "admin" } as const;
      assert.deepEqual(await store.accounts.byId(id), sampleAccount(1, changes));
      assert.equal(await store.accounts.setMail("x", mail), null);
      assert.equal(await store.accounts.setMaxBots("x", 1, entry()), null);
      assert.equal(await store.accounts.setRole("x", "admin", [], entry()), null);
    },
  },
  {
    name: "leaves the ladder with an admin, however many are demoted at once",
    async run(store) {
      const ids = [1, 2, 3, 4].map((number) => sampleId("account", number));
      for (const [at, id] of ids.entries()) {
        await join(store, at + 1);
        await store.accounts.setRole(id, "admin", [], entry());
      }
      const demoting = ids.map((id) => store.accounts.setRole(id, "player", [], entry()));
      const outcomes = (await Promise.all(demoting)).map((one) =>
        one === "last_admin" ? one : "demoted",
      );
      assert.deepEqual(tally(outcomes), { demoted: 3, last_admin: 1 });
      assert.equal((await store.accounts.admins([])).length, 1);
    },
  },
  {
    name: "counts configured admins among the others, but no banned one",
    async run(store) {
      const ada = await join(store, 1);
      const eve = await join(store, 2);
      await store.accounts.setRole(ada.id, "admin", [], entry());
      const emails = ["person-2@example.org"];
      const demote = () => store.accounts.setRole(ada.id, "player", emails, entry());
      assert.equal(await demote(), "last_admin", "an address that nobody confirmed");
      await store.accounts.noteContact(eve.id, { ...eve, emailConfirmedAt: NOW });
      await store.accounts.setBan(eve.id, { at: NOW, reason: null }, entry());
      assert.equal(await demote(), "last_admin");
      await store.accounts.setBan(eve.id, null, entry());
      const admins = await store.accounts.admins(emails);
      assert.deepEqual(
        admins.map(({ id }) => id),
        [ada.id, eve.id],
      );
      const demoted = await demote();
      assert.ok(demoted !== "last_admin" && demoted?.role === "player");
    },
  },
  {
    name: "shows a ban on every bot of the account until it is lifted",
    async run(store) {
      const ada = await join(store, 1, "ada");
      await store.bots.add(botOf(ada, 1), "h1", null);
      await store.bots.add(sampleBot(2), "h2", null);
      const ban = { at: NOW, reason: "spam" };
      const banned = await store.accounts.setBan(ada.id, ban, entry({ kind: "account.ban" }));
      assert.deepEqual(banned, {
        isChanged: true,
        account: { ...ada, bannedAt: NOW, banReason: "spam" },
      });
      assert.equal((await store.accounts.setBan(ada.id, ban, entry()))?.isChanged, false);
      const { id } = sampleBot(1);
      const reads = async () => [
        (await store.bots.byId(id))?.ownerBanned,
        (await store.bots.byName("bot-1"))?.ownerBanned,
        (await store.bots.byToken("h1"))?.bot.ownerBanned,
        (await store.bots.byIds([id]))[0]?.ownerBanned,
        (await store.bots.ofOwners([ada.id]))[0]?.ownerBanned,
      ];
      assert.deepEqual(await reads(), Array(5).fill(true));
      assert.equal((await store.bots.byName("bot-2"))?.ownerBanned, false);
      assert.deepEqual((await store.bots.search("bot-", 9)).bots, [sampleBot(2)]);
      assert.equal((await store.accounts.setBan(ada.id, null, entry()))?.account.banReason, null);
      assert.deepEqual(await reads(), Array(5).fill(false));
      const { owners } = await store.bots.search("ada", 9);
      assert.deepEqual(owners, [{ owner: "ada", ownerId: ada.id, ownerBanned: false }]);
      assert.equal(await store.accounts.setBan("x", ban, entry()), null);
      assert.equal((await store.audit.list({ kind: "account.ban", limit: 9 })).length, 1);
    },
  },
  {
    name: "limits what an account creates in a UTC day, deleted objects included",
    async run(store) {
      const [ada, eve] = [await join(store, 1, "ada"), await join(store, 2, "eve")];
      let number = 0;
      const addKey = ({ id: accountId }: AccountRecord, created: string) => {
        const id = `key-${(number += 1)}`;
        return store.keys.add({ ...KEY, id, accountId, created }, id, 9, entry());
      };
      const addBot = (account: AccountRecord, created: string) =>
        store.bots.add({ ...botOf(account, (number += 1)), created }, `h${number}`, 9);
      const [today, tomorrow] = ["2026-01-05T23:59:59.999Z", "2026-01-06T00:00:00.000Z"];
      for (let made = 0; made < FIXED.agent_keys_per_day; made += 1) {
        assert.equal(await addKey(ada, today), "added");
        await store.keys.revoke(ada.id, `key-${number}`, entry());
      }
      assert.equal(await addKey(ada, today), "daily_limit");
      assert.equal(await addKey(eve, today), "added");
      assert.equal(await addKey(ada, tomorrow), "added");
      for (let made = 0; made < FIXED.new_bots_per_day; made += 1) {
        assert.equal(await addBot(ada, today), "added");
        await store.bots.delete(botOf(ada, number).id);
      }
      assert.equal(await addBot(ada, today), "daily_limit");
      assert.equal(await addBot(ada, tomorrow), "added");
      assert.equal(await addKey({ ...ada, id: sampleAccount(9).id }, today), "no_account");
      const { countDaily } = store.accounts;
      for (let made = 0; made < FIXED.renames_per_day; made += 1)
        assert.equal(await countDaily(ada.id, "rename", today), true);
      assert.equal(await countDaily(ada.id, "rename", today), false);
      assert.equal(await countDaily(ada.id, "token", today), true);
      assert.equal(await countDaily(eve.id, "rename", today), true);
      assert.equal(await countDaily(ada.id, "rename", tomorrow), true);
      await assert.rejects(countDaily(sampleAccount(9).id, "token", today), {
        code: "missing_reference",
      });
    },
  },
  {
    name: "lists accounts newest first, by part of a name, whole id or whole address",
    async run(store) {
      const ada = await join(store, 1, "Ada_L");
      const eve = await join(store, 2, "eve");
      await join(store, 3);
      await store.bots.add({ ...botOf(eve, 7), name: "Snake%" }, "h7", null);
      await store.keys.add({ ...KEY, accountId: ada.id }, "k1", 9, entry());
      await store.keys.use("key-1", LATER);
      const list = async (text: string | null, limit = 9) => {
        const { total, found, accounts } = await store.accounts.list({ text, limit });
        return [total, found, ...accounts.map(({ subject }) => subject.slice(-1))].join(" ");
      };
      assert.equal(await list(null), "3 3 3 2 1");
      assert.equal(await list(null, 2), "3 3 3 2");
      assert.equal(await list("A_l"), "3 1 1");
      assert.equal(await list("aXl"), "3 0");
      assert.equal(await list("nake%"), "3 1 2");
      assert.equal(await list(eve.id), "3 1 2");
      assert.equal(await list("Person-3@example.org"), "3 1 3");
      assert.equal(await list("@example.org"), "3 0");
      const [line] = (await store.accounts.list({ text: "ada", limit: 1 })).accounts;
      assert.deepEqual(line, { ...ada, keys: 1, keyLastUsed: LATER });
    },
  },
];
