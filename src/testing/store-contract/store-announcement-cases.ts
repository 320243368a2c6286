import assert from "node:assert/strict";

import { DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import type { NewAnnouncement } from "#core/api/announcement-lifecycle.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import type { Store } from "#data/store/store.ts";

import { sampleEntry, SAMPLE_RESERVATION, sampleAccount } from "./store-account-cases.ts";
import type { StoreCase } from "./store-case.ts";
import { sampleId, sampleTime } from "./store-samples.ts";

const EMAIL = { subject: "Züge", text: "Text\n", html: "<p>&lt;</p>" };

const sampleDraft = (number: number, changes: Partial<NewAnnouncement> = {}): NewAnnouncement => ({
  id: sampleId("announcement", number),
  title: `Züge ${number}`,
  body: "one\n<two> & 'three' \u202e",
  created: sampleTime(number),
  publishBy: sampleTime(number + 3600),
  inGame: true,
  email: null,
  ...changes,
});

const entryAt = (second: number, kind: AuditKind = "announcement.published") =>
  sampleEntry({ kind, at: sampleTime(second) });

const addDraft = (store: Store, draft: NewAnnouncement) =>
  store.announcements.add(
    draft,
    sampleEntry({ kind: "announcement.drafted", detail: { email: true } }),
  );

const auditEntriesOf = async (store: Store, kind: AuditKind) =>
  (await store.audit.list({ kind, limit: 99 })).length;

const noticeIds = async (store: Store, limit = 9) =>
  (await store.announcements.notices(limit)).map(({ id }) => id);

const DRAFT_STATE = { state: "draft", published: null, archived: null } as const;

export const announcementCases: StoreCase[] = [
  {
    name: "stores a draft with its recipients, once if repeated",
    async run(store, reopen) {
      const confirmed = { emailConfirmedAt: sampleTime(1) };
      const unsubscribedAccount = {
        ...confirmed,
        mail: { ...DEFAULT_EMAIL_SETTINGS, announcements: false },
      };
      const banned = { ...confirmed, bannedAt: sampleTime(2), banReason: null };
      const people = [
        confirmed,
        confirmed,
        {},
        unsubscribedAccount,
        { ...confirmed, email: null },
        banned,
      ];
      for (const [at, changes] of people.entries())
        await store.accounts.add(sampleAccount(at + 1, changes), sampleEntry());
      const audience = { accounts: 5, subscribed: 2, unsubscribed: 3, suppressed: 0 };
      const draft = sampleDraft(1, { email: EMAIL });
      const auditEntry = sampleEntry({ kind: "announcement.drafted", detail: { email: true } });
      const created = { ...draft, audience, ...DRAFT_STATE };
      assert.deepEqual(await store.announcements.add(draft, auditEntry), created);
      await store.accounts.add(sampleAccount(9, confirmed), sampleEntry());
      assert.deepEqual(await store.announcements.add(draft, auditEntry), created);
      const opened = await reopen();
      assert.deepEqual(await opened.announcements.byId(draft.id), created);
      assert.deepEqual(await opened.announcements.list(9), [created]);
      assert.deepEqual(await noticeIds(opened), []);
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
    name: "deletes old announcements that were never published, and no others",
    async run(store) {
      for (const number of [1, 2, 3, 4]) await addDraft(store, sampleDraft(number));
      await store.announcements.publish(sampleId("announcement", 2), [], entryAt(9));
      await store.announcements.archive(sampleId("announcement", 3), entryAt(9));
      assert.equal(await store.announcements.sweepDrafts(sampleTime(4), 1), 1);
      assert.equal(await store.announcements.sweepDrafts(sampleTime(4), 9), 1);
      assert.equal(await store.announcements.sweepDrafts(sampleTime(4), 9), 0);
      const remainingIds = (await store.announcements.list(9)).map(({ id }) => id);
      assert.deepEqual(remainingIds, [sampleId("announcement", 4), sampleId("announcement", 2)]);
    },
  },
  {
    name: "lists announcements newest first, and published ones by publication",
    async run(store) {
      for (const number of [1, 2, 3, 4, 5])
        await addDraft(store, sampleDraft(number, { inGame: number !== 4 }));
      const id = (number: number) => sampleId("announcement", number);
      for (const [number, second] of [
        [3, 10],
        [1, 20],
        [2, 30],
        [4, 40],
      ] as const)
        await store.announcements.publish(id(number), [], entryAt(second));
      const listed = await store.announcements.list(4);
      assert.deepEqual(
        listed.map((announcement) => announcement.id),
        [5, 4, 3, 2].map(id),
      );
      assert.deepEqual(await noticeIds(store), [2, 1, 3].map(id));
      assert.deepEqual(await noticeIds(store, 1), [id(2)]);
      const [notice] = await store.announcements.notices(1);
      const { title, body } = sampleDraft(2);
      assert.deepEqual(notice, { id: id(2), title, body, published: sampleTime(30) });
    },
  },
  {
    name: "publishes a draft once, before its deadline, but never an archived one",
    async run(store) {
      const { id } = sampleDraft(1);
      await addDraft(store, sampleDraft(1));
      await addDraft(store, sampleDraft(2));
      const { publish, archive } = store.announcements;
      const outcomes = await Promise.all([
        publish(id, [], entryAt(100)),
        publish(id, [], entryAt(200)),
      ]);
      for (const outcome of outcomes) {
        assert.ok(outcome !== null && typeof outcome === "object");
        assert.deepEqual([outcome.state, outcome.published], ["published", sampleTime(100)]);
      }
      assert.equal(await auditEntriesOf(store, "announcement.published"), 1);
      const latePublish = sampleDraft(2).id;
      assert.equal(await publish(latePublish, [], entryAt(3603)), "preview_expired");
      assert.equal((await store.announcements.byId(latePublish))?.state, "draft");
      for (const second of [300, 400]) {
        const archivedAgain = await archive(id, entryAt(second, "announcement.archived"));
        assert.deepEqual(
          [archivedAgain?.state, archivedAgain?.published, archivedAgain?.archived],
          ["archived", sampleTime(100), sampleTime(300)],
        );
      }
      assert.equal(await auditEntriesOf(store, "announcement.archived"), 1);
      assert.equal(await publish(id, [], entryAt(500)), "announcement_archived");
      assert.deepEqual(await noticeIds(store), []);
      const unknown = sampleId("announcement", 8);
      assert.equal(await publish(unknown, [], entryAt(1)), null);
      assert.equal(await archive(unknown, entryAt(1)), null);
      assert.equal(await auditEntriesOf(store, "announcement.published"), 1);
    },
  },
  {
    name: "edits a draft with its email, but only the notice once published",
    async run(store, reopen) {
      const { id } = sampleDraft(1);
      await addDraft(store, sampleDraft(1, { email: EMAIL }));
      const { reword } = store.announcements;
      const changeEntry = () => entryAt(50, "announcement.changed");
      const rewordedDraft = { subject: "New", text: "new", html: "<p>new</p>" };
      const text = { title: "New", body: "new" };
      const draft = await reword(id, text, rewordedDraft, changeEntry());
      assert.ok(draft !== null && draft !== "announcement_archived");
      assert.deepEqual([draft.title, draft.body, draft.email], ["New", "new", rewordedDraft]);
      assert.equal(draft.publishBy, sampleTime(3601));
      await store.announcements.publish(id, [], entryAt(60));
      const later = { title: "Newer", body: "newer" };
      await reword(id, later, null, changeEntry());
      const opened = await reopen();
      const stored = await opened.announcements.byId(id);
      assert.deepEqual(
        [stored?.title, stored?.email, stored?.state],
        ["Newer", rewordedDraft, "published"],
      );
      assert.equal((await opened.announcements.notices(1))[0]?.body, "newer");
      await opened.announcements.archive(id, entryAt(70, "announcement.archived"));
      const refused = await opened.announcements.reword(id, text, null, changeEntry());
      assert.equal(refused, "announcement_archived");
      assert.equal(await auditEntriesOf(opened, "announcement.changed"), 2);
      const unknown = sampleId("announcement", 8);
      assert.equal(await opened.announcements.reword(unknown, text, null, changeEntry()), null);
    },
  },
  {
    name: "emails each subscriber of the time once, and cancels queued emails when deleted",
    async run(store, reopen) {
      const confirmed = { emailConfirmedAt: sampleTime(1) };
      const unsubscribedAccount = {
        ...confirmed,
        mail: { ...DEFAULT_EMAIL_SETTINGS, announcements: false },
      };
      const people = [confirmed, {}, unsubscribedAccount, confirmed];
      for (const [at, changes] of people.entries())
        await store.accounts.add(sampleAccount(at + 1, changes), sampleEntry());
      const created = await addDraft(store, sampleDraft(50, { email: EMAIL }));
      const readers = await store.announcements.readers(created);
      const ids = [1, 4].map((number) => sampleAccount(number).id);
      assert.deepEqual(readers, ids);
      const emails = readers.map((accountId, at) => ({
        accountId,
        deliveryId: sampleId("delivery", at + 1),
      }));
      for (const second of [60, 61])
        await store.announcements.publish(created.id, emails, entryAt(second));
      const opened = await reopen();
      const counts = await opened.deliveries.countsByAnnouncement([created.id]);
      assert.equal(counts.get(created.id)?.pending, 2);
      const startedDelivery = await opened.deliveries.begin(sampleTime(70), "ladder.example");
      assert.ok(startedDelivery !== null && "notice" in startedDelivery);
      const { title, body } = created;
      assert.deepEqual(startedDelivery.notice, { kind: "announcement", data: { title, body } });
      assert.deepEqual(await opened.announcements.readers(created), []);
      await opened.announcements.delete(created.id, entryAt(80, "announcement.deleted"));
      assert.deepEqual(await opened.deliveries.list(9), []);
    },
  },
  {
    name: "queues an email for each account that was subscribed at the draft, whatever changed since",
    async run(store, reopen) {
      const confirmed = { emailConfirmedAt: sampleTime(1) };
      const unsubscribedAccount = {
        ...confirmed,
        mail: { ...DEFAULT_EMAIL_SETTINGS, announcements: false },
      };
      for (const [at, changes] of [
        confirmed,
        unsubscribedAccount,
        confirmed,
        confirmed,
        confirmed,
      ].entries())
        await store.accounts.add(sampleAccount(at + 1, changes), sampleEntry());
      const account = (number: number) => sampleAccount(number).id;
      const created = await addDraft(store, sampleDraft(50, { email: EMAIL }));
      await store.accounts.optOut(account(1), "announcements");
      await store.accounts.setMail(account(2), { announcements: true });
      const ban = { at: sampleTime(55), reason: null };
      await store.accounts.setBan(account(3), ban, sampleEntry({ kind: "account.ban" }));
      const deletions = { ...SAMPLE_RESERVATION, second: 1, ban: null, inMatch: [] };
      await store.accounts.delete(account(4), deletions, sampleEntry({ kind: "account.left" }));
      const opened = await reopen();
      const readers = await opened.announcements.readers(created);
      assert.deepEqual(readers, [1, 3, 5].map(account));
      const emails = readers.map((accountId, at) => ({
        accountId,
        deliveryId: sampleId("delivery", at + 1),
      }));
      await opened.announcements.publish(created.id, emails, entryAt(60));
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
      for (const number of [1, 2, 3]) await addDraft(store, sampleDraft(number));
      const ids = [1, 2, 3].map((number) => sampleId("announcement", number));
      await store.announcements.publish(ids[1]!, [], entryAt(60));
      await store.announcements.archive(ids[2]!, entryAt(60, "announcement.archived"));
      const auditEntry = () => entryAt(70, "announcement.deleted");
      for (const id of ids) assert.equal(await store.announcements.delete(id, auditEntry()), true);
      for (const id of ids) assert.equal(await store.announcements.delete(id, auditEntry()), false);
      assert.deepEqual(await store.announcements.list(9), []);
      assert.deepEqual(await noticeIds(store), []);
      assert.equal(await auditEntriesOf(store, "announcement.deleted"), 3);
    },
  },
];
