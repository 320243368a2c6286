import assert from "node:assert/strict";

import { DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { CATEGORY_BY_KIND } from "#core/mail/email-notification.ts";
import type { StartedDelivery, DeliveryOutcome, NewDelivery } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";

import { sampleLink, sampleUser, SAMPLE_TOKEN } from "./identity-samples.ts";
import { sampleEntry, SAMPLE_RESERVATION, CASE_NOW, sampleAccount } from "./store-account-cases.ts";
import { countWords } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import { sampleId, sampleTime } from "./store-samples.ts";

const HOST = "ladder.example";

export const addRecipient = (store: Store, number: number) =>
  store.accounts.add(sampleAccount(number, { emailConfirmedAt: CASE_NOW }), sampleEntry());

export function sampleDelivery(number: number, changes: Partial<NewDelivery> = {}): NewDelivery {
  const notice = changes.notice ?? { kind: "welcome", data: { handle: "ada" } };
  return {
    id: sampleId("delivery", number),
    accountId: sampleId("account", 1),
    category: CATEGORY_BY_KIND[notice.kind],
    subject: `subject ${number}`,
    notice,
    announcementId: null,
    created: sampleTime(number),
    due: sampleTime(number),
    ...changes,
  };
}

export const queueSampleDeliveries = (store: Store, rows: readonly NewDelivery[]) =>
  store.deliveries.queue(rows, []);

export const ACCEPTED_OUTCOME: DeliveryOutcome = {
  at: sampleTime(500),
  state: "accepted",
  responseCode: 250,
  error: null,
  refused: null,
};
const FAILED_OUTCOME: DeliveryOutcome = {
  ...ACCEPTED_OUTCOME,
  state: "failed",
  responseCode: 550,
  error: "EENVELOPE",
};

export const incidentEntry = (at = CASE_NOW) => sampleEntry({ kind: "mail.incident", at });
const deliveryIdOf = (started: StartedDelivery | null): string =>
  started?.id ?? assert.fail("no delivery started");

export async function sendNext(
  store: Store,
  outcome: Partial<DeliveryOutcome>,
  at = sampleTime(400),
) {
  const started = await store.deliveries.begin(at, HOST);
  const ended = { ...FAILED_OUTCOME, ...outcome, at };
  return store.deliveries.end(deliveryIdOf(started), ended, incidentEntry(at));
}

const deliveryStates = async (store: Store) =>
  countWords((await store.deliveries.list(99)).map(({ state }) => state));

/** Queues emails for the first account and has enough of them refused to suppress its address. */
async function refuseUntilSuppressed(store: Store): Promise<void> {
  const times = FIXED_LIMITS.mail_refusals;
  const rows = Array.from({ length: times + 2 }, (_, number) => sampleDelivery(number));
  await queueSampleDeliveries(store, rows);
  for (let time = 0; time < times; time += 1) await sendNext(store, { refused: "recipient" });
}

export const resolveEntry = (at: string) =>
  sampleEntry({ kind: "mail.resolved", at, reason: "password fixed" });

export const mailCases: StoreCase[] = [
  {
    name: "stores a delivery through both of its transactions, also when reopened",
    async run(store, reopen) {
      const { email } = await addRecipient(store, 1);
      const row = sampleDelivery(1);
      assert.equal(await queueSampleDeliveries(store, [row]), 1);
      assert.equal(await store.deliveries.begin(sampleTime(0), HOST), null);
      const started = await store.deliveries.begin(sampleTime(9), HOST);
      const { id, accountId, category, notice } = row;
      assert.deepEqual(started, { id, to: email, accountId, category, notice });
      assert.equal(await store.deliveries.begin(sampleTime(9), HOST), null);
      const opened = await reopen();
      assert.equal(await opened.deliveries.end(id, ACCEPTED_OUTCOME, incidentEntry()), null);
      assert.deepEqual(await opened.deliveries.list(9), [
        {
          ...row,
          state: "accepted",
          attempt: 1,
          started: sampleTime(9),
          ended: ACCEPTED_OUTCOME.at,
          responseCode: 250,
          error: null,
          messageId: `<${id}@${HOST}>`,
        },
      ]);
      await opened.deliveries.end(id, FAILED_OUTCOME, incidentEntry());
      assert.deepEqual(await deliveryStates(opened), { accepted: 1 });
      assert.deepEqual(await opened.deliveries.counts(sampleTime(9)), {
        pending: 0,
        scheduled: 0,
        sending: 0,
        accepted: 1,
        failed: 0,
        unknown: 0,
        skipped: 0,
      });
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
  {
    name: "emails an account once per subject, and never a deleted account",
    async run(store) {
      await addRecipient(store, 1);
      await addRecipient(store, 2);
      const first = sampleDelivery(1, { subject: "same" });
      const otherDeliveries = [
        sampleDelivery(2, { subject: "same" }),
        sampleDelivery(3, { subject: "same", accountId: sampleId("account", 2) }),
        sampleDelivery(4, { subject: "other", accountId: sampleId("account", 77) }),
      ];
      const queued = [
        await queueSampleDeliveries(store, [first]),
        await queueSampleDeliveries(store, [first, ...otherDeliveries]),
      ];
      assert.deepEqual([...queued, await queueSampleDeliveries(store, [])], [1, 1, 0]);
      const ids = (await store.deliveries.list(9)).map(({ id }) => id);
      assert.deepEqual(ids, [sampleId("delivery", 3), first.id]);
      assert.equal((await store.deliveries.listByAccount(sampleId("account", 2), 9)).length, 1);
    },
  },
  {
    name: "stores marks together with their deliveries",
    async run(store, reopen) {
      await addRecipient(store, 1);
      assert.equal(await store.deliveries.findMark("digest"), null);
      await store.deliveries.queue([sampleDelivery(1)], [{ name: "digest", value: "one" }]);
      await store.deliveries.queue([], [{ name: "digest", value: "two" }]);
      assert.equal(await (await reopen()).deliveries.findMark("digest"), "two");
    },
  },
  {
    name: "skips an email that is no longer wanted or has no recipient",
    async run(store) {
      await addRecipient(store, 1);
      await store.accounts.add(sampleAccount(2), sampleEntry());
      await addRecipient(store, 3);
      await addRecipient(store, 4);
      const to = (number: number) =>
        sampleDelivery(number, { accountId: sampleId("account", number), subject: "same" });
      await queueSampleDeliveries(store, [1, 2, 3, 4].map(to));
      const preferences = { ...DEFAULT_EMAIL_SETTINGS.preferences, onboarding: false };
      await store.accounts.setMail(sampleId("account", 1), {
        ...DEFAULT_EMAIL_SETTINGS,
        preferences,
      });
      const bannedAccount = sampleEntry({ kind: "account.ban" });
      await store.accounts.setBan(
        sampleId("account", 3),
        { at: CASE_NOW, reason: null },
        bannedAccount,
      );
      const started = [];
      for (let times = 0; times < 4; times += 1)
        started.push(await store.deliveries.begin(sampleTime(99), HOST));
      const skipReasons = started.map((delivery) =>
        delivery !== null && "skipped" in delivery ? delivery.skipped : null,
      );
      assert.deepEqual(skipReasons, ["opted_out", "no_address", "banned", null]);
      assert.deepEqual(await deliveryStates(store), { skipped: 3, sending: 1 });
    },
  },
  {
    name: "marks an interrupted delivery as unknown, and never restarts it",
    async run(store) {
      await addRecipient(store, 1);
      await queueSampleDeliveries(store, [sampleDelivery(1), sampleDelivery(2)]);
      const started = await store.deliveries.begin(sampleTime(99), HOST);
      assert.equal(await store.deliveries.interrupt(sampleTime(100)), 1);
      assert.equal(await store.deliveries.interrupt(sampleTime(101)), 0);
      assert.equal(
        await store.deliveries.end(deliveryIdOf(started), ACCEPTED_OUTCOME, incidentEntry()),
        null,
      );
      const next = await store.deliveries.begin(sampleTime(102), HOST);
      assert.equal(deliveryIdOf(next), sampleId("delivery", 2));
      const [, first] = await store.deliveries.list(9);
      assert.deepEqual([first?.state, first?.error], ["unknown", "interrupted"]);
    },
  },
  {
    name: "stops a category if its sender is refused, and all mail if the login is refused",
    async run(store) {
      await addRecipient(store, 1);
      const notice = { kind: "bot_well", data: { bot: "Rex", version: "v1" } } as const;
      await queueSampleDeliveries(store, [
        sampleDelivery(1),
        sampleDelivery(2),
        sampleDelivery(3, { notice }),
      ]);
      const sender = { scope: "onboarding", cause: "sender_refused" } as const;
      assert.deepEqual(await sendNext(store, { refused: "sender" }), sender);
      const login = { scope: "*", cause: "login_refused" } as const;
      assert.deepEqual(await sendNext(store, { refused: "login" }), login);
      assert.equal(await store.deliveries.begin(sampleTime(401), HOST), null);
      const resolved = await store.incidents.resolve("*", "grace", resolveEntry(sampleTime(402)));
      assert.equal(resolved?.resolution, "password fixed");
      assert.equal(await store.deliveries.begin(sampleTime(403), HOST), null);
      assert.equal(
        await store.incidents.resolve("*", "grace", resolveEntry(sampleTime(403))),
        null,
      );
      await store.incidents.resolve("onboarding", "grace", resolveEntry(sampleTime(404)));
      assert.equal(await sendNext(store, ACCEPTED_OUTCOME), null);
      const incidents = await store.incidents.list(9);
      assert.deepEqual(
        incidents.map(({ scope, cause, resolvedBy }) => [scope, cause, resolvedBy]).toSorted(),
        [
          ["*", "login_refused", "grace"],
          ["onboarding", "sender_refused", "grace"],
        ],
      );
      const auditEntries = await store.audit.list({
        kind: ["mail.incident", "mail.resolved"],
        limit: 9,
      });
      assert.equal(auditEntries.length, 4);
      assert.ok(auditEntries.every(({ subject }) => subject?.kind === "incident"));
    },
  },
  {
    name: "stops all mail after several failures in a row, then counts from zero",
    async run(store) {
      await addRecipient(store, 1);
      const failureLimit = FIXED_LIMITS.mail_failures;
      await queueSampleDeliveries(
        store,
        Array.from({ length: 3 * failureLimit }, (_, number) => sampleDelivery(number)),
      );
      let second = 100;
      const failNext = () => sendNext(store, { state: "unknown" }, sampleTime((second += 1)));
      for (let times = 1; times < failureLimit; times += 1) assert.equal(await failNext(), null);
      await sendNext(store, ACCEPTED_OUTCOME, sampleTime((second += 1)));
      for (let times = 1; times < failureLimit; times += 1) assert.equal(await failNext(), null);
      assert.deepEqual(await failNext(), { scope: "*", cause: "many_failures" });
      await store.incidents.resolve("*", null, resolveEntry(sampleTime((second += 1))));
      assert.equal(await failNext(), null);
    },
  },
  {
    name: "counts an email that is due later as scheduled, not as pending",
    async run(store) {
      await addRecipient(store, 1);
      await queueSampleDeliveries(store, [sampleDelivery(1), sampleDelivery(5)]);
      const { pending, scheduled } = await store.deliveries.counts(sampleTime(3));
      assert.deepEqual([pending, scheduled], [1, 1]);
      assert.equal((await store.deliveries.counts(sampleTime(5))).scheduled, 0);
    },
  },
  {
    name: "counts emails that failed or have an unknown outcome since an instant",
    async run(store) {
      await addRecipient(store, 1);
      await queueSampleDeliveries(store, [sampleDelivery(1), sampleDelivery(2), sampleDelivery(3)]);
      const ends = [
        ["failed", 4],
        ["unknown", 5],
        ["accepted", 6],
      ] as const;
      for (const [state, second] of ends) {
        const started = await store.deliveries.begin(sampleTime(3), HOST);
        const outcome = { ...FAILED_OUTCOME, state, at: sampleTime(second) };
        await store.deliveries.end(started?.id ?? "", outcome, incidentEntry());
      }
      const counts = [4, 5, 6].map((second) => store.deliveries.notSentSince(sampleTime(second)));
      assert.deepEqual(await Promise.all(counts), [2, 1, 0]);
    },
  },
  {
    name: "counts failures around a few refused recipients",
    async run(store) {
      const [failureLimit, fewRefusals] = [
        FIXED_LIMITS.mail_failures,
        FIXED_LIMITS.mail_refused_row - 1,
      ];
      for (let number = 1; number <= fewRefusals + 1; number += 1)
        await addRecipient(store, number);
      const otherDeliveries = Array.from({ length: fewRefusals }, (_, at) =>
        sampleDelivery(failureLimit + at, { accountId: sampleId("account", 2 + at) }),
      );
      const ownDeliveries = Array.from({ length: failureLimit - 1 }, (_, number) =>
        sampleDelivery(number),
      );
      await queueSampleDeliveries(store, [
        ...ownDeliveries,
        ...otherDeliveries,
        sampleDelivery(99),
      ]);
      let second = 100;
      const end = (outcome: Partial<DeliveryOutcome>) =>
        sendNext(store, outcome, sampleTime((second += 1)));
      for (let times = 1; times < failureLimit; times += 1) assert.equal(await end({}), null);
      for (const _ of otherDeliveries) assert.equal(await end({ refused: "recipient" }), null);
      assert.deepEqual(await end({}), { scope: "*", cause: "many_failures" });
    },
  },
  {
    name: "stops all mail when the server refuses one recipient after another, and suppresses none",
    async run(store) {
      const people = [1, 2];
      for (const number of people) await addRecipient(store, number);
      const failureLimit = FIXED_LIMITS.mail_refused_row;
      const rows = Array.from({ length: 4 * failureLimit }, (_, at) =>
        sampleDelivery(at, { accountId: sampleId("account", 1 + (at % 2)) }),
      );
      await queueSampleDeliveries(store, rows);
      let second = 100;
      const end = (outcome: Partial<DeliveryOutcome>) =>
        sendNext(store, outcome, sampleTime((second += 1)));
      const refuse = () => end({ refused: "recipient" });
      // An accepted email shows that the mail server is working, so earlier refusals count against
      // their recipients.
      for (let times = 0; times < 2; times += 1) assert.equal(await refuse(), null);
      await end(ACCEPTED_OUTCOME);
      for (let times = 1; times < failureLimit; times += 1) assert.equal(await refuse(), null);
      assert.deepEqual(await refuse(), { scope: "*", cause: "recipients_refused" });
      assert.deepEqual(await store.deliveries.listSuppressed(9), { total: 0, accounts: [] });
      await store.incidents.resolve("*", null, resolveEntry(sampleTime((second += 1))));
      await end(ACCEPTED_OUTCOME);
      assert.deepEqual(await deliveryStates(store), {
        failed: failureLimit + 2,
        accepted: 2,
        pending: 11,
      });
      for (let times = 1; times < failureLimit; times += 1) await refuse();
      await end(ACCEPTED_OUTCOME);
      const { accounts } = await store.deliveries.listSuppressed(9);
      assert.deepEqual(
        accounts.map(({ accountId, refusals }) => [accountId, refusals]),
        people.map((number) => [sampleId("account", number), FIXED_LIMITS.mail_refusals]),
      );
    },
  },
  {
    name: "sends nothing more to a refused address until it is confirmed again",
    async run(store) {
      const { id, email } = await addRecipient(store, 1);
      await refuseUntilSuppressed(store);
      const skipped = await store.deliveries.begin(sampleTime(99), HOST);
      assert.equal(skipped !== null && "skipped" in skipped && skipped.skipped, "refused_before");
      const contact = { email, emailConfirmedAt: sampleTime(3000), signsInWithEmail: true };
      await store.accounts.updateContact(id, contact);
      assert.equal((await store.deliveries.listSuppressed(9)).total, 0);
      assert.equal(await sendNext(store, ACCEPTED_OUTCOME), null);
    },
  },
  {
    name: "resumes sending to a refused address when an operator clears it, and audits that once",
    async run(store, reopen) {
      const { id, handle } = await addRecipient(store, 1);
      const opened = await reopen();
      await refuseUntilSuppressed(opened);
      const refusals = FIXED_LIMITS.mail_refusals;
      const accounts = [{ accountId: id, handle, refusals }];
      assert.deepEqual(await opened.deliveries.listSuppressed(9), { total: 1, accounts });
      assert.deepEqual(await opened.deliveries.listSuppressed(0), { total: 1, accounts: [] });
      const unsuppressEntry = () => sampleEntry({ kind: "mail.unsuppressed" });
      assert.equal(await opened.deliveries.unsuppress(id, unsuppressEntry()), true);
      assert.equal(await opened.deliveries.unsuppress(id, unsuppressEntry()), false);
      assert.equal((await opened.audit.list({ kind: "mail.unsuppressed", limit: 9 })).length, 1);
      assert.equal(await sendNext(opened, ACCEPTED_OUTCOME), null);
    },
  },
  {
    name: "resumes sending to a refused address after a password recovery by email",
    async run(store) {
      const user = sampleUser(1, { emailConfirmedAt: CASE_NOW });
      await store.identity.addUser(user, sampleLink(1));
      const account = { issuer: "embedded", subject: user.id, emailConfirmedAt: CASE_NOW };
      await store.accounts.add(sampleAccount(1, account), sampleEntry());
      await refuseUntilSuppressed(store);
      assert.equal((await store.deliveries.listSuppressed(9)).total, 1);
      await store.identity.putToken({ ...SAMPLE_TOKEN, purpose: "recovery" }, []);
      const times = { at: CASE_NOW, after: "2000", before: "9999", reserved: [] };
      const key = { hash: SAMPLE_TOKEN.hash, purpose: "recovery" } as const;
      assert.notEqual(await store.identity.redeem(key, times), null);
      assert.equal((await store.deliveries.listSuppressed(9)).total, 0);
    },
  },
  {
    name: "retries the failed emails of an announcement on request",
    async run(store) {
      for (const number of [1, 2, 3]) await addRecipient(store, number);
      const data = { title: "News", body: "There are some." };
      const of = (number: number, announcementId: string) =>
        sampleDelivery(number, {
          accountId: sampleId("account", number),
          notice: { kind: "announcement", data },
          announcementId,
        });
      await queueSampleDeliveries(store, [of(1, "one"), of(2, "one"), of(3, "two")]);
      await sendNext(store, { state: "failed" });
      await sendNext(store, { state: "unknown" });
      await sendNext(store, { state: "failed" });
      const retried = sampleEntry({ kind: "announcement.retried" });
      assert.equal(await store.deliveries.retry("one", sampleTime(600), retried), 1);
      const counts = await store.deliveries.countsByAnnouncement(["one", "two", "three"]);
      const { pending, unknown } = counts.get("one")!;
      assert.deepEqual([pending, unknown, counts.get("two")?.failed, counts.size], [1, 1, 1, 2]);
      assert.equal(await store.deliveries.begin(sampleTime(599), HOST), null);
      assert.equal(await sendNext(store, ACCEPTED_OUTCOME, sampleTime(601)), null);
      const [requeued] = await store.deliveries.listByAccount(sampleId("account", 1), 9);
      assert.deepEqual([requeued?.attempt, requeued?.state], [2, "accepted"]);
    },
  },
  {
    name: "deletes the content of emails some time after their end, and the rest with the account",
    async run(store) {
      const { id } = await addRecipient(store, 1);
      await queueSampleDeliveries(store, [sampleDelivery(1), sampleDelivery(2)]);
      await sendNext(store, ACCEPTED_OUTCOME, sampleTime(400));
      assert.equal(await store.deliveries.sweep(sampleTime(400), 9), 0);
      assert.equal(await store.deliveries.sweep(sampleTime(401), 9), 1);
      assert.equal(await store.deliveries.sweep(sampleTime(401), 9), 0);
      const [remaining, sweptDelivery] = await store.deliveries.list(9);
      assert.deepEqual(
        [sweptDelivery?.notice, sweptDelivery?.messageId, sweptDelivery?.state],
        [null, null, "accepted"],
      );
      assert.notEqual(remaining?.notice, null);
      const deletions = { ...SAMPLE_RESERVATION, second: 1, ban: null, inMatch: [] };
      await store.accounts.delete(id, deletions, sampleEntry({ kind: "account.left" }));
      assert.deepEqual(await store.deliveries.list(9), []);
    },
  },
];
