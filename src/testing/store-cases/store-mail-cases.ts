// What the store must do with letters on their way.
import assert from "node:assert/strict";

import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import { CATEGORY_OF } from "#core/mail/notice.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Begun, DeliveryOutcome, NewDelivery } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";

import { sampleLink, sampleUser, TOKEN } from "./identity-samples.ts";
import { entry, FORMERLY, NOW, sampleAccount } from "./store-account-cases.ts";
import { tally } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import { sampleId, sampleTime } from "./store-samples.ts";

const HOST = "ladder.example";

/** Somebody with an address that they confirmed. */
export const reader = (store: Store, number: number) =>
  store.accounts.add(sampleAccount(number, { emailConfirmedAt: NOW }), entry());

export function delivery(number: number, changes: Partial<NewDelivery> = {}): NewDelivery {
  const notice = changes.notice ?? { kind: "welcome", data: { handle: "ada" } };
  return {
    id: sampleId("delivery", number),
    accountId: sampleId("account", 1),
    category: CATEGORY_OF[notice.kind],
    subject: `subject ${number}`,
    notice,
    announcementId: null,
    created: sampleTime(number),
    due: sampleTime(number),
    ...changes,
  };
}

export const queue = (store: Store, rows: readonly NewDelivery[]) =>
  store.deliveries.queue(rows, []);

export const ACCEPTED: DeliveryOutcome = {
  at: sampleTime(500),
  state: "accepted",
  responseCode: 250,
  error: null,
  refused: null,
};
const FAILED: DeliveryOutcome = {
  ...ACCEPTED,
  state: "failed",
  responseCode: 550,
  error: "EENVELOPE",
};

export const incidentEntry = (at = NOW) => entry({ kind: "mail.incident", at });
const idOf = (begun: Begun | null): string => begun?.id ?? assert.fail("nothing was begun");

/** Begins and ends the next letter, at times after all others. */
export async function send(store: Store, outcome: Partial<DeliveryOutcome>, at = sampleTime(400)) {
  const begun = await store.deliveries.begin(at, HOST);
  const ended = { ...FAILED, ...outcome, at };
  return store.deliveries.end(idOf(begun), ended, incidentEntry(at));
}

const statesOf = async (store: Store) =>
  tally((await store.deliveries.list(99)).map(({ state }) => state));

/** Queues emails for the first account, and has as many refused as suppress it. */
async function refuseRepeatedly(store: Store): Promise<void> {
  const times = FIXED.mail_refusals;
  const rows = Array.from({ length: times + 2 }, (_, number) => delivery(number));
  await queue(store, rows);
  for (let time = 0; time < times; time += 1) await send(store, { refused: "recipient" });
}

export const resolving = (at: string) =>
  entry({ kind: "mail.resolved", at, reason: "the password is right again" });

export const mailCases: Case[] = [
  {
    name: "keeps a letter on its way through both of its transactions, over a reopening",
    async run(store, reopen) {
      const { email } = await reader(store, 1);
      const row = delivery(1);
      assert.equal(await queue(store, [row]), 1);
      assert.equal(await store.deliveries.begin(sampleTime(0), HOST), null);
      const begun = await store.deliveries.begin(sampleTime(9), HOST);
      const { id, accountId, category, notice } = row;
      assert.deepEqual(begun, { id, to: email, accountId, category, notice });
      assert.equal(await store.deliveries.begin(sampleTime(9), HOST), null);
      const opened = await reopen();
      assert.equal(await opened.deliveries.end(id, ACCEPTED, incidentEntry()), null);
      assert.deepEqual(await opened.deliveries.list(9), [
        {
          ...row,
          state: "accepted",
          attempt: 1,
          started: sampleTime(9),
          ended: ACCEPTED.at,
          responseCode: 250,
          error: null,
          messageId: `<${id}@${HOST}>`,
        },
      ]);
      await opened.deliveries.end(id, FAILED, incidentEntry());
      assert.deepEqual(await statesOf(opened), { accepted: 1 });
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
    name: "tells an account once of a subject, however often it is asked, and nobody who is gone",
    async run(store) {
      await reader(store, 1);
      await reader(store, 2);
      const first = delivery(1, { subject: "same" });
      const others = [
        delivery(2, { subject: "same" }),
        delivery(3, { subject: "same", accountId: sampleId("account", 2) }),
        delivery(4, { subject: "other", accountId: sampleId("account", 77) }),
      ];
      const queued = [await queue(store, [first]), await queue(store, [first, ...others])];
      assert.deepEqual([...queued, await queue(store, [])], [1, 1, 0]);
      const ids = (await store.deliveries.list(9)).map(({ id }) => id);
      assert.deepEqual(ids, [sampleId("delivery", 3), first.id]);
      assert.equal((await store.deliveries.ofAccount(sampleId("account", 2), 9)).length, 1);
    },
  },
  {
    name: "notes what was looked at together with the letters of it",
    async run(store, reopen) {
      await reader(store, 1);
      assert.equal(await store.deliveries.mark("digest"), null);
      await store.deliveries.queue([delivery(1)], [{ name: "digest", value: "one" }]);
      await store.deliveries.queue([], [{ name: "digest", value: "two" }]);
      assert.equal(await (await reopen()).deliveries.mark("digest"), "two");
    },
  },
  {
    name: "skips a letter that is not wanted any more, or has nobody to go to",
    async run(store) {
      await reader(store, 1);
      await store.accounts.add(sampleAccount(2), entry());
      await reader(store, 3);
      await reader(store, 4);
      const to = (number: number) =>
        delivery(number, { accountId: sampleId("account", number), subject: "same" });
      await queue(store, [1, 2, 3, 4].map(to));
      const preferences = { ...DEFAULT_MAIL.preferences, onboarding: false };
      await store.accounts.setMail(sampleId("account", 1), { ...DEFAULT_MAIL, preferences });
      const banned = entry({ kind: "account.ban" });
      await store.accounts.setBan(sampleId("account", 3), { at: NOW, reason: null }, banned);
      const begun = [];
      for (let times = 0; times < 4; times += 1)
        begun.push(await store.deliveries.begin(sampleTime(99), HOST));
      const skips = begun.map((one) => (one !== null && "skipped" in one ? one.skipped : null));
      assert.deepEqual(skips, ["opted_out", "no_address", "banned", null]);
      assert.deepEqual(await statesOf(store), { skipped: 3, sending: 1 });
    },
  },
  {
    name: "leaves what was being sent unknown after an interruption, and never begins it again",
    async run(store) {
      await reader(store, 1);
      await queue(store, [delivery(1), delivery(2)]);
      const begun = await store.deliveries.begin(sampleTime(99), HOST);
      assert.equal(await store.deliveries.interrupt(sampleTime(100)), 1);
      assert.equal(await store.deliveries.interrupt(sampleTime(101)), 0);
      assert.equal(await store.deliveries.end(idOf(begun), ACCEPTED, incidentEntry()), null);
      const next = await store.deliveries.begin(sampleTime(102), HOST);
      assert.equal(idOf(next), sampleId("delivery", 2));
      const [, first] = await store.deliveries.list(9);
      assert.deepEqual([first?.state, first?.error], ["unknown", "interrupted"]);
    },
  },
  {
    name: "stops a category whose sender is refused, and all mail if the login is",
    async run(store) {
      await reader(store, 1);
      const notice = { kind: "bot_well", data: { bot: "Rex", version: "v1" } } as const;
      await queue(store, [delivery(1), delivery(2), delivery(3, { notice })]);
      const sender = { scope: "onboarding", cause: "sender_refused" } as const;
      assert.deepEqual(await send(store, { refused: "sender" }), sender);
      const login = { scope: "*", cause: "login_refused" } as const;
      assert.deepEqual(await send(store, { refused: "login" }), login);
      assert.equal(await store.deliveries.begin(sampleTime(401), HOST), null);
      const resolved = await store.incidents.resolve("*", "grace", resolving(sampleTime(402)));
      assert.equal(resolved?.resolution, "the password is right again");
      assert.equal(await store.deliveries.begin(sampleTime(403), HOST), null);
      assert.equal(await store.incidents.resolve("*", "grace", resolving(sampleTime(403))), null);
      await store.incidents.resolve("onboarding", "grace", resolving(sampleTime(404)));
      assert.equal(await send(store, ACCEPTED), null);
      const incidents = await store.incidents.list(9);
      assert.deepEqual(
        incidents.map(({ scope, cause, resolvedBy }) => [scope, cause, resolvedBy]).toSorted(),
        [
          ["*", "login_refused", "grace"],
          ["onboarding", "sender_refused", "grace"],
        ],
      );
      const told = await store.audit.list({ kind: ["mail.incident", "mail.resolved"], limit: 9 });
      assert.equal(told.length, 4);
      assert.ok(told.every(({ subject }) => subject?.kind === "incident"));
    },
  },
  {
    name: "stops all mail after so many letters in a row that did not arrive, and counts anew",
    async run(store) {
      await reader(store, 1);
      const most = FIXED.mail_failures;
      await queue(
        store,
        Array.from({ length: 3 * most }, (_, number) => delivery(number)),
      );
      let second = 100;
      const fail = () => send(store, { state: "unknown" }, sampleTime((second += 1)));
      for (let times = 1; times < most; times += 1) assert.equal(await fail(), null);
      await send(store, ACCEPTED, sampleTime((second += 1)));
      for (let times = 1; times < most; times += 1) assert.equal(await fail(), null);
      assert.deepEqual(await fail(), { scope: "*", cause: "many_failures" });
      await store.incidents.resolve("*", null, resolving(sampleTime((second += 1))));
      assert.equal(await fail(), null);
    },
  },
  {
    name: "counts an email that is due later as scheduled, not as pending",
    async run(store) {
      await reader(store, 1);
      await queue(store, [delivery(1), delivery(5)]);
      const { pending, scheduled } = await store.deliveries.counts(sampleTime(3));
      assert.deepEqual([pending, scheduled], [1, 1]);
      assert.equal((await store.deliveries.counts(sampleTime(5))).scheduled, 0);
    },
  },
  {
    name: "counts emails that failed or have an unknown outcome since an instant",
    async run(store) {
      await reader(store, 1);
      await queue(store, [delivery(1), delivery(2), delivery(3)]);
      const ends = [
        ["failed", 4],
        ["unknown", 5],
        ["accepted", 6],
      ] as const;
      for (const [state, second] of ends) {
        const begun = await store.deliveries.begin(sampleTime(3), HOST);
        const outcome = { ...FAILED, state, at: sampleTime(second) };
        await store.deliveries.end(begun?.id ?? "", outcome, incidentEntry());
      }
      const counts = [4, 5, 6].map((second) => store.deliveries.notSentSince(sampleTime(second)));
      assert.deepEqual(await Promise.all(counts), [2, 1, 0]);
    },
  },
  {
    name: "counts failures around a few refused recipients",
    async run(store) {
      const [most, few] = [FIXED.mail_failures, FIXED.mail_refused_row - 1];
      for (let number = 1; number <= few + 1; number += 1) await reader(store, number);
      const others = Array.from({ length: few }, (_, at) =>
        delivery(most + at, { accountId: sampleId("account", 2 + at) }),
      );
      const own = Array.from({ length: most - 1 }, (_, number) => delivery(number));
      await queue(store, [...own, ...others, delivery(99)]);
      let second = 100;
      const end = (outcome: Partial<DeliveryOutcome>) =>
        send(store, outcome, sampleTime((second += 1)));
      for (let times = 1; times < most; times += 1) assert.equal(await end({}), null);
      for (const _ of others) assert.equal(await end({ refused: "recipient" }), null);
      assert.deepEqual(await end({}), { scope: "*", cause: "many_failures" });
    },
  },
  {
    name: "stops all mail when the server refuses one recipient after another, and suppresses none",
    async run(store) {
      const people = [1, 2];
      for (const number of people) await reader(store, number);
      const most = FIXED.mail_refused_row;
      const rows = Array.from({ length: 4 * most }, (_, at) =>
        delivery(at, { accountId: sampleId("account", 1 + (at % 2)) }),
      );
      await queue(store, rows);
      let second = 100;
      const end = (outcome: Partial<DeliveryOutcome>) =>
        send(store, outcome, sampleTime((second += 1)));
      const refuse = () => end({ refused: "recipient" });
      // An accepted email ends the row: these refusals are about their recipients.
      for (let times = 0; times < 2; times += 1) assert.equal(await refuse(), null);
      await end(ACCEPTED);
      for (let times = 1; times < most; times += 1) assert.equal(await refuse(), null);
      assert.deepEqual(await refuse(), { scope: "*", cause: "recipients_refused" });
      assert.deepEqual(await store.deliveries.suppressed(9), { total: 0, accounts: [] });
      await store.incidents.resolve("*", null, resolving(sampleTime((second += 1))));
      await end(ACCEPTED);
      assert.deepEqual(await statesOf(store), { failed: most + 2, accepted: 2, pending: 11 });
      for (let times = 1; times < most; times += 1) await refuse();
      await end(ACCEPTED);
      const { accounts } = await store.deliveries.suppressed(9);
      assert.deepEqual(
        accounts.map(({ accountId, refusals }) => [accountId, refusals]),
        people.map((number) => [sampleId("account", number), FIXED.mail_refusals]),
      );
    },
  },
  {
    name: "sends nothing more to an address that was refused, until it is confirmed again",
    async run(store) {
      const { id, email } = await reader(store, 1);
      await refuseRepeatedly(store);
      const skipped = await store.deliveries.begin(sampleTime(99), HOST);
      assert.equal(skipped !== null && "skipped" in skipped && skipped.skipped, "refused_before");
      const contact = { email, emailConfirmedAt: sampleTime(3000), emailSignsIn: true };
      await store.accounts.noteContact(id, contact);
      assert.equal((await store.deliveries.suppressed(9)).total, 0);
      assert.equal(await send(store, ACCEPTED), null);
    },
  },
  {
    name: "sends to a refused address again once an operator says so, and audits it once",
    async run(store, reopen) {
      const { id, handle } = await reader(store, 1);
      const opened = await reopen();
      await refuseRepeatedly(opened);
      const refusals = FIXED.mail_refusals;
      const accounts = [{ accountId: id, handle, refusals }];
      assert.deepEqual(await opened.deliveries.suppressed(9), { total: 1, accounts });
      assert.deepEqual(await opened.deliveries.suppressed(0), { total: 1, accounts: [] });
      const note = () => entry({ kind: "mail.unsuppressed" });
      assert.equal(await opened.deliveries.unsuppress(id, note()), true);
      assert.equal(await opened.deliveries.unsuppress(id, note()), false);
      assert.equal((await opened.audit.list({ kind: "mail.unsuppressed", limit: 9 })).length, 1);
      assert.equal(await send(opened, ACCEPTED), null);
    },
  },
  {
    name: "sends to a refused address again after a password recovery by email",
    async run(store) {
      const user = sampleUser(1, { emailConfirmedAt: NOW });
      await store.identity.addUser(user, sampleLink(1));
      const account = { issuer: "embedded", subject: user.id, emailConfirmedAt: NOW };
      await store.accounts.add(sampleAccount(1, account), entry());
      await refuseRepeatedly(store);
      assert.equal((await store.deliveries.suppressed(9)).total, 1);
      await store.identity.putToken({ ...TOKEN, purpose: "recovery" }, []);
      const times = { at: NOW, after: "2000", before: "9999", reserved: [] };
      const key = { hash: TOKEN.hash, purpose: "recovery" } as const;
      assert.notEqual(await store.identity.redeem(key, times), null);
      assert.equal((await store.deliveries.suppressed(9)).total, 0);
    },
  },
  {
    name: "tries the failed letters of one announcement again, when an operator says so",
    async run(store) {
      for (const number of [1, 2, 3]) await reader(store, number);
      const data = { title: "News", body: "There are some." };
      const of = (number: number, announcementId: string) =>
        delivery(number, {
          accountId: sampleId("account", number),
          notice: { kind: "announcement", data },
          announcementId,
        });
      await queue(store, [of(1, "one"), of(2, "one"), of(3, "two")]);
      await send(store, { state: "failed" });
      await send(store, { state: "unknown" });
      await send(store, { state: "failed" });
      const retried = entry({ kind: "announcement.retried" });
      assert.equal(await store.deliveries.retry("one", sampleTime(600), retried), 1);
      const counts = await store.deliveries.countsOf(["one", "two", "three"]);
      const { pending, unknown } = counts.get("one")!;
      assert.deepEqual([pending, unknown, counts.get("two")?.failed, counts.size], [1, 1, 1, 2]);
      assert.equal(await store.deliveries.begin(sampleTime(599), HOST), null);
      assert.equal(await send(store, ACCEPTED, sampleTime(601)), null);
      const [again] = await store.deliveries.ofAccount(sampleId("account", 1), 9);
      assert.deepEqual([again?.attempt, again?.state], [2, "accepted"]);
    },
  },
  {
    name: "forgets the content of letters some time after their end, and the rest with the account",
    async run(store) {
      const { id } = await reader(store, 1);
      await queue(store, [delivery(1), delivery(2)]);
      await send(store, ACCEPTED, sampleTime(400));
      assert.equal(await store.deliveries.sweep(sampleTime(400), 9), 0);
      assert.equal(await store.deliveries.sweep(sampleTime(401), 9), 1);
      assert.equal(await store.deliveries.sweep(sampleTime(401), 9), 0);
      const [kept, swept] = await store.deliveries.list(9);
      assert.deepEqual([swept?.notice, swept?.messageId, swept?.state], [null, null, "accepted"]);
      assert.notEqual(kept?.notice, null);
      const leaving = { ...FORMERLY, second: 1, ban: null, inMatch: [] };
      await store.accounts.leave(id, leaving, entry({ kind: "account.left" }));
      assert.deepEqual(await store.deliveries.list(9), []);
    },
  },
];
