import assert from "node:assert/strict";

import { DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import { normalizeOwner } from "#core/accounts/name-rules.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import { addSampleUsers } from "./identity-samples.ts";
import { errorCodeOf, countWords } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import { sampleAudit, sampleBot, sampleId, sampleTime } from "./store-samples.ts";

export const CASE_NOW = sampleTime(1000);
export const CASE_LATER = sampleTime(2000);
export const SAMPLE_RESERVATION = { at: CASE_NOW, until: CASE_LATER };

/** An external provider, because accounts with the embedded provider require an existing user. */
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
    signsInWithEmail: true,
    mail: DEFAULT_EMAIL_SETTINGS,
    created: sampleTime(number),
    ...changes,
  };
}

/** Nothing refers to audit entries, so each write in a case uses a new entry. */
let entryCount = 0;
export const sampleEntry = (changes: Partial<AuditEntry> = {}) =>
  sampleAudit((entryCount += 1), changes);

export async function addSampleAccount(
  store: Store,
  number: number,
  handle?: string,
): Promise<AccountRecord> {
  const account = await store.accounts.add(sampleAccount(number), sampleEntry());
  if (handle === undefined) return account;
  const withHandle = await store.accounts.setHandle(
    account.id,
    handle,
    SAMPLE_RESERVATION,
    sampleEntry(),
  );
  assert.ok(withHandle !== null && withHandle !== "handle_taken");
  return withHandle;
}

export const sampleBotOf = ({ id, handle }: AccountRecord, number: number) =>
  sampleBot(number, { owner: handle!, ownerId: id });

const DELETION_OPTIONS = { second: 1000, ban: null, inMatch: [] };

export const SAMPLE_KEY = { id: "key-1", label: "agent", created: CASE_NOW, lastUsed: null };

export const accountCases: StoreCase[] = [
  {
    name: "finds an account by ID, user and handle in any case",
    async run(store, reopen) {
      const count = sampleAccount(1, { maxBots: 9, emailConfirmedAt: CASE_NOW, role: "admin" });
      assert.deepEqual(await store.accounts.add(count, sampleEntry()), count);
      await store.accounts.setHandle(count.id, "Ada.L", SAMPLE_RESERVATION, sampleEntry());
      const opened = await reopen();
      const ada = { ...count, handle: "Ada.L" };
      assert.deepEqual(await opened.accounts.byId(count.id), ada);
      assert.deepEqual(await opened.accounts.find(ISSUER, "person-1"), {
        account: ada,
        signedOutAt: null,
      });
      const account = await opened.accounts.byHandle("aDA.l", CASE_NOW);
      assert.deepEqual(account, { account: ada, isFormer: false });
      assert.deepEqual(await opened.accounts.find("elsewhere", "person-1"), {
        account: null,
        signedOutAt: null,
      });
      assert.equal(await opened.accounts.byId("x"), null);
      assert.equal(await opened.accounts.byHandle("eve", CASE_NOW), null);
    },
  },
  {
    name: "creates no account for a user deleted by the embedded provider",
    async run(store) {
      await addSampleUsers(store, 1);
      const person = sampleAccount(1, { issuer: EMBEDDED_ISSUER, subject: "user-1" });
      const missingReference = { code: "missing_reference" };
      await store.accounts.add(person, sampleEntry());
      const samePerson = { ...person, id: "again" };
      const [firstResult, ...laterResults] = await Promise.allSettled([
        store.accounts.delete(
          person.id,
          { ...SAMPLE_RESERVATION, ...DELETION_OPTIONS },
          sampleEntry(),
        ),
        store.accounts.add(samePerson, sampleEntry(), 2000),
        store.keys.add({ ...SAMPLE_KEY, accountId: person.id }, "k1", 9, sampleEntry()),
      ]);
      assert.equal(firstResult.status === "fulfilled" && firstResult.value?.identityDeleted, true);
      assert.deepEqual(
        laterResults.map((result) =>
          result.status === "fulfilled" ? result.value : errorCodeOf(result.reason),
        ),
        [missingReference.code, "no_account"],
      );
      await assert.rejects(store.accounts.add(samePerson, sampleEntry()), missingReference);
      assert.equal((await store.accounts.find(EMBEDDED_ISSUER, "user-1")).account, null);
      assert.equal(await store.keys.byHash("k1"), null);
    },
  },
  {
    name: "creates no account for a sign-in from before the user was signed out",
    async run(store) {
      const ada = await addSampleAccount(store, 1);
      await store.accounts.delete(
        ada.id,
        { ...SAMPLE_RESERVATION, ...DELETION_OPTIONS },
        sampleEntry(),
      );
      const add = (second: number) =>
        store.accounts.add(sampleAccount(2, { subject: ada.subject }), sampleEntry(), second);
      await assert.rejects(add(999), { code: "missing_reference" });
      assert.equal((await store.accounts.find(ISSUER, ada.subject)).account, null);
      assert.equal((await add(1000)).id, sampleAccount(2).id);
      assert.equal((await add(999)).id, sampleAccount(2).id, "the account already exists");
    },
  },
  {
    name: "creates one account for a user who signs in 20 times concurrently",
    async run(store) {
      const adding = Array.from({ length: 20 }, (_, number) =>
        store.accounts.add(
          sampleAccount(number, { subject: "one" }),
          sampleEntry({ kind: "account.created" }),
        ),
      );
      const ids = new Set((await Promise.all(adding)).map(({ id }) => id));
      assert.equal(ids.size, 1);
      assert.equal((await store.audit.list({ kind: "account.created", limit: 9 })).length, 1);
    },
  },
  {
    name: "gives a handle to one of many, and to its bots",
    async run(store) {
      const ada = await addSampleAccount(store, 1, "ada");
      await store.bots.add(sampleBotOf(ada, 7), "h7", null);
      for (let number = 2; number < 12; number += 1) await addSampleAccount(store, number);
      const handleChanges = Array.from({ length: 10 }, (_, at) =>
        store.accounts.setHandle(
          sampleId("account", at + 2),
          at % 2 ? "Eve" : "eVE",
          SAMPLE_RESERVATION,
          sampleEntry(),
        ),
      );
      const outcomes = (await Promise.all(handleChanges)).map((result) =>
        result === "handle_taken" ? result : "given",
      );
      assert.deepEqual(countWords(outcomes), { given: 1, handle_taken: 9 });
      const otherOwner = await store.accounts.setHandle(
        ada.id,
        "Countess",
        SAMPLE_RESERVATION,
        sampleEntry(),
      );
      assert.deepEqual(otherOwner, { ...ada, handle: "Countess" });
      assert.equal((await store.bots.byName("Bot-7"))?.owner, "Countess");
      assert.equal(
        await store.accounts.setHandle("x", "nobody", SAMPLE_RESERVATION, sampleEntry()),
        null,
      );
    },
  },
  {
    name: "reserves a former handle for its holder for a while",
    async run(store) {
      const ada = await addSampleAccount(store, 1, "ada");
      const eve = await addSampleAccount(store, 2);
      await store.accounts.setHandle(ada.id, "countess", SAMPLE_RESERVATION, sampleEntry());
      const former = await store.accounts.byHandle("ADA", CASE_NOW);
      assert.deepEqual([former?.account.handle, former?.isFormer], ["countess", true]);
      assert.equal(await store.accounts.byHandle("ada", CASE_LATER), null);
      assert.deepEqual(await store.accounts.formerHandles(ada.id, CASE_NOW), ["ada"]);
      const takeHandle = (at: string) =>
        store.accounts.setHandle(eve.id, "Ada", { at, until: CASE_LATER }, sampleEntry());
      assert.equal(await takeHandle(CASE_NOW), "handle_taken");
      assert.deepEqual(await store.accounts.takenHandles(["Ada", "Countess", "free"], CASE_NOW), [
        "Ada",
        "Countess",
      ]);
      const restored = await store.accounts.setHandle(
        ada.id,
        "Ada",
        SAMPLE_RESERVATION,
        sampleEntry(),
      );
      assert.ok(restored !== "handle_taken" && restored?.handle === "Ada");
      assert.deepEqual(await store.accounts.formerHandles(ada.id, CASE_NOW), ["countess"]);
      await store.accounts.setHandle(ada.id, "countess", SAMPLE_RESERVATION, sampleEntry());
      const free = await takeHandle(CASE_LATER);
      assert.ok(free !== "handle_taken" && free?.handle === "Ada");
    },
  },
  {
    name: "deletes expired former handles",
    async run(store) {
      const ada = await addSampleAccount(store, 1, "ada");
      await store.accounts.setHandle(ada.id, "countess", SAMPLE_RESERVATION, sampleEntry());
      await store.accounts.sweepNames(CASE_NOW);
      assert.deepEqual(await store.accounts.formerHandles(ada.id, CASE_NOW), ["ada"]);
      await store.accounts.sweepNames(CASE_LATER);
      assert.deepEqual(await store.accounts.formerHandles(ada.id, CASE_NOW), []);
    },
  },
  {
    name: "keeps an account's last five handles",
    async run(store) {
      const { id } = await addSampleAccount(store, 1);
      for (let number = 0; number < 8; number += 1) {
        const formerName = { at: sampleTime(1000 + number), until: CASE_LATER };
        await store.accounts.setHandle(id, `ada-${number}`, formerName, sampleEntry());
      }
      const formerHandles = await store.accounts.formerHandles(id, CASE_NOW);
      assert.deepEqual(formerHandles, ["ada-6", "ada-5", "ada-4", "ada-3", "ada-2"]);
      assert.equal(await store.accounts.byHandle("ada-1", CASE_NOW), null);
    },
  },
  {
    name: "keeps handles and free-text owners apart",
    async run(store) {
      const ada = await addSampleAccount(store, 1, "ada");
      const eve = await addSampleAccount(store, 2);
      const add = (number: number, owner: string) =>
        store.bots.add(
          sampleBot(number, { owner, created: CASE_NOW, ownerId: `anon:${normalizeOwner(owner)}` }),
          `h${number}`,
          null,
        );
      for (const spelling of ["ADA", "\uFF41da", " ada "])
        assert.equal(await add(1, spelling), "owner_taken", spelling);
      assert.equal(await add(2, "Team"), "added");
      assert.equal(
        await store.accounts.setHandle(eve.id, "team", SAMPLE_RESERVATION, sampleEntry()),
        "handle_taken",
      );
      await store.accounts.setHandle(ada.id, "countess", SAMPLE_RESERVATION, sampleEntry());
      for (const spelling of ["ada", "\uFF41d\u{1D44E}"])
        assert.equal(await add(3, spelling), "owner_taken", "a former handle");
      assert.equal(await store.bots.byName("Bot-1"), null);
    },
  },
  {
    name: "keeps each email preference when others change concurrently",
    async run(store) {
      const { id } = await addSampleAccount(store, 1);
      await Promise.all([
        store.accounts.setMail(id, { preferences: { weekly_digest: true } }),
        store.accounts.optOut(id, "announcements"),
        store.accounts.setMail(id, { preferences: { onboarding: false } }),
        store.accounts.optOut(id, "bot_health"),
      ]);
      const chosen = { weekly_digest: true, onboarding: false, bot_health: false };
      const preferences = { ...DEFAULT_EMAIL_SETTINGS.preferences, ...chosen };
      const account = await store.accounts.byId(id);
      assert.deepEqual(account?.mail, { announcements: false, preferences });
    },
  },
  {
    name: "changes contact, email preferences, role and bot limit",
    async run(store) {
      const { id } = await addSampleAccount(store, 1);
      const contact = {
        email: "ada@example.org",
        emailConfirmedAt: CASE_NOW,
        signsInWithEmail: false,
      };
      await store.accounts.updateContact(id, contact);
      const mail = { ...DEFAULT_EMAIL_SETTINGS, announcements: false };
      await store.accounts.setMail(id, { announcements: false });
      await store.accounts.setMaxBots(id, 12, sampleEntry());
      await store.accounts.setRole(id, "admin", [], sampleEntry());
      const changes = { ...contact, mail, maxBots: 12, role: "admin" } as const;
      assert.deepEqual(await store.accounts.byId(id), sampleAccount(1, changes));
      assert.equal(await store.accounts.setMail("x", mail), null);
      assert.equal(await store.accounts.setMaxBots("x", 1, sampleEntry()), null);
      assert.equal(await store.accounts.setRole("x", "admin", [], sampleEntry()), null);
    },
  },
  {
    name: "keeps at least one admin however many are demoted concurrently",
    async run(store) {
      const ids = [1, 2, 3, 4].map((number) => sampleId("account", number));
      for (const [at, id] of ids.entries()) {
        await addSampleAccount(store, at + 1);
        await store.accounts.setRole(id, "admin", [], sampleEntry());
      }
      const demotions = ids.map((id) => store.accounts.setRole(id, "player", [], sampleEntry()));
      const outcomes = (await Promise.all(demotions)).map((result) =>
        result === "last_admin" ? result : "demoted",
      );
      assert.deepEqual(countWords(outcomes), { demoted: 3, last_admin: 1 });
      assert.equal((await store.accounts.admins([])).length, 1);
    },
  },
  {
    name: "counts configured admins among the others, but no banned one",
    async run(store) {
      const ada = await addSampleAccount(store, 1);
      const eve = await addSampleAccount(store, 2);
      await store.accounts.setRole(ada.id, "admin", [], sampleEntry());
      const emails = ["person-2@example.org"];
      const demote = () => store.accounts.setRole(ada.id, "player", emails, sampleEntry());
      assert.equal(await demote(), "last_admin", "an unconfirmed address");
      await store.accounts.updateContact(eve.id, { ...eve, emailConfirmedAt: CASE_NOW });
      await store.accounts.setBan(eve.id, { at: CASE_NOW, reason: null }, sampleEntry());
      assert.equal(await demote(), "last_admin");
      await store.accounts.setBan(eve.id, null, sampleEntry());
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
      const ada = await addSampleAccount(store, 1, "ada");
      await store.bots.add(sampleBotOf(ada, 1), "h1", null);
      await store.bots.add(sampleBot(2), "h2", null);
      const ban = { at: CASE_NOW, reason: "spam" };
      const banned = await store.accounts.setBan(ada.id, ban, sampleEntry({ kind: "account.ban" }));
      assert.deepEqual(banned, {
        isChanged: true,
        account: { ...ada, bannedAt: CASE_NOW, banReason: "spam" },
      });
      assert.equal((await store.accounts.setBan(ada.id, ban, sampleEntry()))?.isChanged, false);
      const { id } = sampleBot(1);
      const reads = async () => [
        (await store.bots.byId(id))?.ownerBanned,
        (await store.bots.byName("bot-1"))?.ownerBanned,
        (await store.bots.byToken("h1"))?.bot.ownerBanned,
        (await store.bots.byIds([id]))[0]?.ownerBanned,
        (await store.bots.listByOwners([ada.id]))[0]?.ownerBanned,
      ];
      assert.deepEqual(await reads(), Array(5).fill(true));
      assert.equal((await store.bots.byName("bot-2"))?.ownerBanned, false);
      assert.deepEqual((await store.bots.search("bot-", 9)).bots, [sampleBot(2)]);
      assert.equal(
        (await store.accounts.setBan(ada.id, null, sampleEntry()))?.account.banReason,
        null,
      );
      assert.deepEqual(await reads(), Array(5).fill(false));
      const { owners } = await store.bots.search("ada", 9);
      assert.deepEqual(owners, [{ owner: "ada", ownerId: ada.id, ownerBanned: false }]);
      assert.equal(await store.accounts.setBan("x", ban, sampleEntry()), null);
      assert.equal((await store.audit.list({ kind: "account.ban", limit: 9 })).length, 1);
    },
  },
  {
    name: "limits what an account creates in a UTC day, deleted objects included",
    async run(store) {
      const [ada, eve] = [
        await addSampleAccount(store, 1, "ada"),
        await addSampleAccount(store, 2, "eve"),
      ];
      let number = 0;
      const addKey = ({ id: accountId }: AccountRecord, created: string) => {
        const id = `key-${(number += 1)}`;
        return store.keys.add({ ...SAMPLE_KEY, id, accountId, created }, id, 9, sampleEntry());
      };
      const addBot = (account: AccountRecord, created: string) =>
        store.bots.add({ ...sampleBotOf(account, (number += 1)), created }, `h${number}`, 9);
      const [today, tomorrow] = ["2026-01-05T23:59:59.999Z", "2026-01-06T00:00:00.000Z"];
      for (let count = 0; count < FIXED_LIMITS.agent_keys_per_day; count += 1) {
        assert.equal(await addKey(ada, today), "added");
        await store.keys.revoke(ada.id, `key-${number}`, sampleEntry());
      }
      assert.equal(await addKey(ada, today), "daily_limit");
      assert.equal(await addKey(eve, today), "added");
      assert.equal(await addKey(ada, tomorrow), "added");
      for (let count = 0; count < FIXED_LIMITS.new_bots_per_day; count += 1) {
        assert.equal(await addBot(ada, today), "added");
        await store.bots.delete(sampleBotOf(ada, number).id);
      }
      assert.equal(await addBot(ada, today), "daily_limit");
      assert.equal(await addBot(ada, tomorrow), "added");
      assert.equal(await addKey({ ...ada, id: sampleAccount(9).id }, today), "no_account");
      const { countDaily } = store.accounts;
      for (let count = 0; count < FIXED_LIMITS.renames_per_day; count += 1)
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
    name: "lists accounts newest first, by part of a name, whole ID or whole address",
    async run(store) {
      const ada = await addSampleAccount(store, 1, "Ada_L");
      const eve = await addSampleAccount(store, 2, "eve");
      await addSampleAccount(store, 3);
      await store.bots.add({ ...sampleBotOf(eve, 7), name: "Snake%" }, "h7", null);
      await store.keys.add({ ...SAMPLE_KEY, accountId: ada.id }, "k1", 9, sampleEntry());
      await store.keys.recordUse("key-1", CASE_LATER);
      const list = async (text: string | null, limit = 9) => {
        const { total, found: account, accounts } = await store.accounts.list({ text, limit });
        return [total, account, ...accounts.map(({ subject }) => subject.slice(-1))].join(" ");
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
      assert.deepEqual(line, { ...ada, keys: 1, keyLastUsed: CASE_LATER });
    },
  },
];
