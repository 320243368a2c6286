// What the store must do with announcements.
import assert from "node:assert/strict";

import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import type { NewAnnouncement } from "#core/operator/announcement.ts";
import type { AuditKind } from "#core/words/audit.ts";
import type { Store } from "#data/store/store.ts";

import { entry, FORMERLY, sampleAccount } from "./store-account-cases.ts";
import type { Case } from "./store-case.ts";
import { sampleId, sampleTime } from "./store-samples.ts";

const LETTER = { subject: "Züge", text: "Text\n", html: "<p>&lt;</p>" };

const draftOf = (number: number, changes: Partial<NewAnnouncement> = {}): NewAnnouncement => ({
  id: sampleId("announcement", number),
  title: `Züge ${number}`,
  body: "one\n<two> & 'three' \u202e",
  created: sampleTime(number),
  publishBy: sampleTime(number + 3600),
  inGame: true,
  email: null,
  ...changes,
});

const noteAt = (second: number, kind: AuditKind = "announcement.published") =>
  entry({ kind, at: sampleTime(second) });

const add = (store: Store, draft: NewAnnouncement) =>
  store.announcements.add(draft, entry({ kind: "announcement.drafted", detail: { email: true } }));

const told = async (store: Store, kind: AuditKind) =>
  (await store.audit.list({ kind, limit: 99 })).length;

const noticed = async (store: Store, most = 9) =>
  (await store.announcements.notices(most)).map(({ id }) => id);

const DRAFT = { state: "draft", published: null, archived: null } as const;

export const announcementCases: Case[] = [
  {
    name: "keeps a draft as it was made, with who would get it, and a repeated one once",
    async run(store, reopen) {
      const confirmed = { emailConfirmedAt: sampleTime(1) };
      const silent = { ...confirmed, mail: { ...DEFAULT_MAIL, announcements: false } };
      const banned = { ...confirmed, bannedAt: sampleTime(2), banReason: null };
      const people = [confirmed, confirmed, {}, silent, { ...confirmed, email: null }, banned];
      for (const [at, changes] of people.entries())
        await store.accounts.add(sampleAccount(at + 1, changes), entry());
      const audience = { accounts: 5, subscribed: 2, unsubscribed: 3, suppressed: 0 };
      const draft = draftOf(1, { email: LETTER });
      const note = entry({ kind: "announcement.drafted", detail: { email: true } });
      const made = { ...draft, audience, ...DRAFT };
      assert.deepEqual(await store.announcements.add(draft, note), made);
      await store.accounts.add(sampleAccount(9, confirmed), entry());
      assert.deepEqual(await store.announcements.add(draft, note), made);
      const opened = await reopen();
      assert.deepEqual(await opened.announcements.byId(draft.id), made);
      assert.deepEqual(await opened.announcements.list(9), [made]);
      assert.deepEqual(await noticed(opened), []);
      const entries = await opened.audit.list({ kind: "announcement.drafted", limit: 9 });
      assert.deepEqual(
        entries.map(({ detail }) => detail),
        [{ email: true, ...audience }],
      );
      assert.equal(await opened.announcements.byId(sampleId("announcement", 8)), null);
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
  {
    name: "forgets old announcements that were never published, and no other",
    async run(store) {
      for (const number of [1, 2, 3, 4]) await add(store, draftOf(number));
      await store.announcements.publish(sampleId("announcement", 2), [], noteAt(9));
      await store.announcements.archive(sampleId("announcement", 3), noteAt(9));
      assert.equal(await store.announcements.sweepDrafts(sampleTime(4), 1), 1);
      assert.equal(await store.announcements.sweepDrafts(sampleTime(4), 9), 1);
      assert.equal(await store.announcements.sweepDrafts(sampleTime(4), 9), 0);
      const left = (await store.announcements.list(9)).map(({ id }) => id);
      assert.deepEqual(left, [sampleId("announcement", 4), sampleId("announcement", 2)]);
    },
  },
  {
    name: "lists announcements newest first, and those on the pages as they were published",
    async run(store) {
      for (const number of [1, 2, 3, 4, 5])
        await add(store, draftOf(number, { inGame: number !== 4 }));
      const id = (number: number) => sampleId("announcement", number);
      for (const [number, second] of [
        [3, 10],
        [1, 20],
        [2, 30],
        [4, 40],
      ] as const)
        await store.announcements.publish(id(number), [], noteAt(second));
      const listed = await store.announcements.list(4);
      assert.deepEqual(
        listed.map((one) => one.id),
        [5, 4, 3, 2].map(id),
      );
      assert.deepEqual(await noticed(store), [2, 1, 3].map(id));
      assert.deepEqual(await noticed(store, 1), [id(2)]);
      const [notice] = await store.announcements.notices(1);
      const { title, body } = draftOf(2);
      assert.deepEqual(notice, { id: id(2), title, body, published: sampleTime(30) });
    },
  },
  {
    name: "publishes a draft once, in its hour, and never one that is archived",
    async run(store) {
      const { id } = draftOf(1);
      await add(store, draftOf(1));
      await add(store, draftOf(2));
      const { publish, archive } = store.announcements;
      const outcomes = await Promise.all([
        publish(id, [], noteAt(100)),
        publish(id, [], noteAt(200)),
      ]);
      for (const outcome of outcomes) {
        assert.ok(outcome !== null && typeof outcome === "object");
        assert.deepEqual([outcome.state, outcome.published], ["published", sampleTime(100)]);
      }
      assert.equal(await told(store, "announcement.published"), 1);
      const late = draftOf(2).id;
      assert.equal(await publish(late, [], noteAt(3603)), "preview_expired");
      assert.equal((await store.announcements.byId(late))?.state, "draft");
      for (const second of [300, 400]) {
        const gone = await archive(id, noteAt(second, "announcement.archived"));
        assert.deepEqual(
          [gone?.state, gone?.published, gone?.archived],
          ["archived", sampleTime(100), sampleTime(300)],
        );
      }
      assert.equal(await told(store, "announcement.archived"), 1);
      assert.equal(await publish(id, [], noteAt(500)), "announcement_archived");
      assert.deepEqual(await noticed(store), []);
      const unknown = sampleId("announcement", 8);
      assert.equal(await publish(unknown, [], noteAt(1)), null);
      assert.equal(await archive(unknown, noteAt(1)), null);
      assert.equal(await told(store, "announcement.published"), 1);
    },
  },
  {
    name: "rewords a draft with its mail, and of what is published the notice alone",
    async run(store, reopen) {
      const { id } = draftOf(1);
      await add(store, draftOf(1, { email: LETTER }));
      const { reword } = store.announcements;
      const noted = () => noteAt(50, "announcement.changed");
      const renewed = { subject: "New", text: "new", html: "<p>new</p>" };
      const text = { title: "New", body: "new" };
      const draft = await reword(id, text, renewed, noted());
      assert.ok(draft !== null && draft !== "announcement_archived");
      assert.deepEqual([draft.title, draft.body, draft.email], ["New", "new", renewed]);
      assert.equal(draft.publishBy, sampleTime(3601));
      await store.announcements.publish(id, [], noteAt(60));
      const later = { title: "Newer", body: "newer" };
      await reword(id, later, null, noted());
      const opened = await reopen();
      const kept = await opened.announcements.byId(id);
      assert.deepEqual([kept?.title, kept?.email, kept?.state], ["Newer", renewed, "published"]);
      assert.equal((await opened.announcements.notices(1))[0]?.body, "newer");
      await opened.announcements.archive(id, noteAt(70, "announcement.archived"));
      const refused = await opened.announcements.reword(id, text, null, noted());
      assert.equal(refused, "announcement_archived");
      assert.equal(await told(opened, "announcement.changed"), 2);
      const unknown = sampleId("announcement", 8);
      assert.equal(await opened.announcements.reword(unknown, text, null, noted()), null);
    },
  },
  {
    name: "sends mail once to those who want it and were there before, and takes along what waits when deleted",
    async run(store, reopen) {
      const confirmed = { emailConfirmedAt: sampleTime(1) };
      const silent = { ...confirmed, mail: { ...DEFAULT_MAIL, announcements: false } };
      const people = [confirmed, {}, silent, confirmed];
      for (const [at, changes] of people.entries())
        await store.accounts.add(sampleAccount(at + 1, changes), entry());
      const made = await add(store, draftOf(50, { email: LETTER }));
      const readers = await store.announcements.readers(made);
      const ids = [1, 4].map((number) => sampleAccount(number).id);
      assert.deepEqual(readers, ids);
      const mails = readers.map((accountId, at) => ({
        accountId,
        deliveryId: sampleId("delivery", at + 1),
      }));
      for (const second of [60, 61])
        await store.announcements.publish(made.id, mails, noteAt(second));
      const opened = await reopen();
      const counts = await opened.deliveries.countsOf([made.id]);
      assert.equal(counts.get(made.id)?.pending, 2);
      const begun = await opened.deliveries.begin(sampleTime(70), "ladder.example");
      assert.ok(begun !== null && "notice" in begun);
      const { title, body } = made;
      assert.deepEqual(begun.notice, { kind: "announcement", data: { title, body } });
      assert.deepEqual(await opened.announcements.readers(made), []);
      await opened.announcements.delete(made.id, noteAt(80, "announcement.deleted"));
      assert.deepEqual(await opened.deliveries.list(9), []);
    },
  },
  {
    name: "queues an email for each account that was subscribed at the draft, whatever changed since",
    async run(store, reopen) {
      const confirmed = { emailConfirmedAt: sampleTime(1) };
      const silent = { ...confirmed, mail: { ...DEFAULT_MAIL, announcements: false } };
      for (const [at, changes] of [confirmed, silent, confirmed, confirmed, confirmed].entries())
        await store.accounts.add(sampleAccount(at + 1, changes), entry());
      const account = (number: number) => sampleAccount(number).id;
      const made = await add(store, draftOf(50, { email: LETTER }));
      await store.accounts.optOut(account(1), "announcements");
      await store.accounts.setMail(account(2), { announcements: true });
      const ban = { at: sampleTime(55), reason: null };
      await store.accounts.setBan(account(3), ban, entry({ kind: "account.ban" }));
      const leaving = { ...FORMERLY, second: 1, ban: null, inMatch: [] };
      await store.accounts.leave(account(4), leaving, entry({ kind: "account.left" }));
      const opened = await reopen();
      const readers = await opened.announcements.readers(made);
      assert.deepEqual(readers, [1, 3, 5].map(account));
      const emails = readers.map((accountId, at) => ({
        accountId,
        deliveryId: sampleId("delivery", at + 1),
      }));
      await opened.announcements.publish(made.id, emails, noteAt(60));
      for (let times = 0; times < emails.length; times += 1)
        await opened.deliveries.begin(sampleTime(70), "ladder.example");
      const rows = (await opened.deliveries.list(9)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      assert.deepEqual(
        rows.map(({ state, error }) => error ?? state),
        ["opted_out", "banned", "sending"],
      );
    },
  },
  {
    name: "deletes an announcement in any state, once",
    async run(store) {
      for (const number of [1, 2, 3]) await add(store, draftOf(number));
      const ids = [1, 2, 3].map((number) => sampleId("announcement", number));
      await store.announcements.publish(ids[1]!, [], noteAt(60));
      await store.announcements.archive(ids[2]!, noteAt(60, "announcement.archived"));
      const note = () => noteAt(70, "announcement.deleted");
      for (const id of ids) assert.equal(await store.announcements.delete(id, note()), true);
      for (const id of ids) assert.equal(await store.announcements.delete(id, note()), false);
      assert.deepEqual(await store.announcements.list(9), []);
      assert.deepEqual(await noticed(store), []);
      assert.equal(await told(store, "announcement.deleted"), 3);
    },
  },
];
