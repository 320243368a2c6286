import assert from "node:assert/strict";
import { it } from "node:test";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#base/util/time.ts";
import { DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { DeliveryOutcome } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { memoryStores } from "#testing/store-contract/memory-store.ts";
import {
  sampleEntry,
  SAMPLE_RESERVATION,
  CASE_NOW,
  sampleAccount,
} from "#testing/store-contract/store-account-cases.ts";
import { SAMPLE_EVENT } from "#testing/store-contract/store-event-cases.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleVersion,
} from "#testing/store-contract/store-samples.ts";
import type { MatchChanges } from "#testing/store-contract/store-samples.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import { openOptionalEmailRounds } from "./optional-emails.ts";

const WEEKLY = {
  ...DEFAULT_EMAIL_SETTINGS,
  preferences: { ...DEFAULT_EMAIL_SETTINGS.preferences, weekly_digest: true },
};

/** Two accounts, each with one bot. The clock starts at noon on a Monday. */
function emailFixture() {
  const open = memoryStores();
  const clock = fakeClock();
  const events: EventDefinition[] = [];
  const sentEmails: string[] = [];
  let ids = 0;
  const store = open();
  const { signal } = new AbortController();
  const roundsWithStore = (storeForRounds: Store) =>
    openOptionalEmailRounds({
      store: storeForRounds,
      events: { list: () => events },
      ladders: { list: () => [PUBLIC_LADDER] },
      adminEmails: () => new Set(["person-0@example.org"]),
      sendEmail: (to, { type, at }) => void sentEmails.push(`${to} ${type} ${at}`),
      clock,
      newId: () => sampleId("delivery", (ids += 1)),
    });
  const rounds = roundsWithStore(store);
  return {
    store,
    clock,
    events,
    urgent: sentEmails,
    roundsOver: roundsWithStore,
    signal,
    look: () => rounds.runRound(signal),
    made: async (since = 0) =>
      (await store.deliveries.list(999))
        .toReversed()
        .slice(since)
        .map(
          ({ accountId, notice }) => `${Number.parseInt(accountId.slice(-3), 16)} ${notice?.kind}`,
        ),
    add: async (number: number, changes: Partial<AccountRecord> = {}) => {
      const accountFields = { emailConfirmedAt: CASE_NOW, ...changes };
      const { id } = await store.accounts.add(sampleAccount(number, accountFields), sampleEntry());
      await store.accounts.setHandle(id, `person-${number}`, SAMPLE_RESERVATION, sampleEntry());
      const ownerFields = { owner: `person-${number}`, ownerId: id };
      await store.bots.add(sampleBot(number, ownerFields), `hash-${number}`, null);
      await store.versions.add(sampleVersion(number), null);
    },
    saveMatch: async (number: number, changes: MatchChanges = {}) => {
      const ended = clock.wall().toISOString();
      const seats = [0, 1].map((bot) => sampleSeat(bot, { fighter: "AB"[bot]! }));
      await store.matches.save(sampleMatch(number, { seats, started: ended, ended, ...changes }));
    },
  };
}

const BAD_STATS = JSON.stringify({
  stats_version: 2,
  ticks: 10,
  fighters: [{ disqualified: true }, {}],
});
const GOOD_STATS = JSON.stringify({ stats_version: 2, ticks: 10, fighters: [{}, {}] });

it("notifies a bot's owner once when the bot is unhealthy and once when it recovers", async () => {
  const { look: runRound, made: queuedEmails, clock, ...fixture } = emailFixture();
  for (const number of [0, 1]) await fixture.add(number);
  for (const number of [1, 2, 3]) await fixture.saveMatch(number, { stats: BAD_STATS });
  await runRound();
  await runRound();
  assert.deepEqual(await queuedEmails(), ["0 bot_unwell"]);
  for (let number = 10; number < 10 + FIXED_LIMITS.bot_health_matches; number += 1) {
    clock.advance(1000);
    await fixture.saveMatch(number, { stats: GOOD_STATS });
  }
  clock.advance(HOUR_MS);
  await runRound();
  assert.deepEqual(await queuedEmails(), ["0 bot_unwell"], "one a day");
  clock.advance(DAY_MS);
  await fixture.saveMatch(50, { stats: GOOD_STATS });
  const [row] = await fixture.store.deliveries.list(1);
  await fixture.store.deliveries.begin(row!.due, "host");
  await runRound();
  assert.deepEqual(await queuedEmails(1), ["0 bot_well"]);
  clock.advance(DAY_MS);
  await fixture.saveMatch(51, { stats: GOOD_STATS });
  await runRound();
  assert.equal((await queuedEmails()).length, 2);
});

it("sends players one reminder per event, even if rounds are interrupted", async () => {
  const {
    look: runRound,
    made: queuedEmails,
    clock,
    events,
    store,
    roundsOver: roundsWithStore,
    signal,
    ...fixture
  } = emailFixture();
  for (const number of [0, 1, 2]) await fixture.add(number);
  await fixture.saveMatch(1);
  const opensAt = new Date(clock.wall().getTime() + 20 * HOUR_MS).toISOString();
  const closesAt = new Date(clock.wall().getTime() + 5 * DAY_MS).toISOString();
  events.push({ ...SAMPLE_EVENT, enabled: true, opensAt, closesAt });
  // Queues the emails but fails to store that all players were reminded.
  const failingStore = overrideStore(store, {
    deliveries: {
      queue: async (rows, marks) => {
        if (marks.length > 0) throw new Error("process killed");
        return store.deliveries.queue(rows, marks);
      },
    },
  });
  await assert.rejects(roundsWithStore(failingStore).runRound(signal), /process killed/);
  assert.deepEqual(await queuedEmails(), ["0 event_opens", "1 event_opens"]);
  await runRound();
  await runRound();
  assert.equal((await queuedEmails()).length, 2);
  const seats = [0, 2].map((bot, at) => sampleSeat(bot, { fighter: "AB"[at]! }));
  await fixture.saveMatch(3, { seats });
  clock.advance(5 * MINUTE_MS);
  await runRound();
  assert.deepEqual(await queuedEmails(2), ["2 event_opens"], "players who join later get one too");
  clock.advance(4 * DAY_MS + HOUR_MS);
  await store.accounts.optOut(sampleId("account", 1), "event_reminders");
  await runRound();
  assert.deepEqual(await queuedEmails(3), ["0 event_closes", "2 event_closes"]);
});

it("sends the weekly digest only to subscribers who played, and never late", async () => {
  const { look: runRound, made: queuedEmails, clock, ...fixture } = emailFixture();
  await fixture.add(0, { mail: WEEKLY });
  await fixture.add(1);
  await fixture.saveMatch(1);
  await runRound();
  assert.deepEqual(await queuedEmails(), [], "no matches in the previous week");
  clock.advance(7 * DAY_MS);
  await runRound();
  await runRound();
  const [email] = await fixture.store.deliveries.list(9);
  assert.deepEqual(email?.notice, {
    kind: "weekly_digest",
    data: {
      from: "2026-01-05",
      to: "2026-01-11",
      bots: [{ bot: "Bot-0", games: 1, wins: 1, draws: 0, losses: 0 }],
    },
  });
  await fixture.saveMatch(2);
  clock.advance(10 * DAY_MS);
  await runRound();
  assert.equal((await queuedEmails()).length, 1, "too late for that week");
});

it("warns admins of faults and incidents at most once an hour per kind", async () => {
  const {
    look: runRound,
    made: queuedEmails,
    clock,
    store,
    urgent: sentEmails,
    ...fixture
  } = emailFixture();
  for (const number of [0, 1]) await fixture.add(number);
  const fault = { voided: true, rated: false, unratedReason: "server_fault" } as const;
  await runRound();
  await fixture.saveMatch(1, fault);
  await runRound();
  await fixture.saveMatch(2, fault);
  await runRound();
  assert.deepEqual(await queuedEmails(), ["0 admin_warning"]);
  clock.advance(HOUR_MS);
  await fixture.saveMatch(3, fault);
  await runRound();
  await runRound();
  assert.equal((await queuedEmails()).length, 2);
  await stopMailSending(store, clock.wall(), "sender");
  await runRound();
  await runRound();
  const [latest] = await store.deliveries.list(1);
  const at = clock.wall().toISOString();
  const data = { warning: "mail_incident", at, about: "sender_refused, of onboarding" };
  assert.deepEqual(latest?.notice, { kind: "admin_warning", data });
  assert.equal((await queuedEmails()).length, 4);
  assert.deepEqual(sentEmails, []);
});

/** Sends due emails, then makes the mail server refuse the sender or the login, or fail. */
async function stopMailSending(store: Store, now: Date, refusedPart: "sender" | "login" | null) {
  const at = now.toISOString();
  const note = sampleEntry({ kind: "mail.incident", at });
  const end = (id: string, outcome: Partial<DeliveryOutcome>) =>
    store.deliveries.end(id, { ...ACCEPTED, at, ...outcome }, note);
  for (let delivery; (delivery = await store.deliveries.begin(at, "host")) !== null;)
    await end(delivery.id, {});
  const attempts = refusedPart === null ? FIXED_LIMITS.mail_failures : 1;
  for (let time = 0; time < attempts; time += 1) {
    const id = sampleEntry().id;
    const email = { accountId: sampleId("account", 0), subject: `one ${id}`, due: at };
    const notice = { kind: "welcome", data: { handle: "ada" } } as const;
    const row = { category: "onboarding", announcementId: null, created: at } as const;
    await store.deliveries.queue([{ ...row, ...email, id, notice }], []);
    await store.deliveries.begin(at, "host");
    await end(id, { state: "failed", refused: refusedPart });
  }
}

const ACCEPTED = { state: "accepted", responseCode: null, error: null, refused: null } as const;

it("alerts admins about held email once an hour, unless the login fails", async () => {
  const {
    look: runRound,
    made: queuedEmails,
    clock,
    store,
    urgent: sentEmails,
    ...fixture
  } = emailFixture();
  for (const number of [0, 1]) await fixture.add(number);
  const resolveIncident = () => store.incidents.resolve("*", null, resolvedEntry(clock.wall()));
  const resolvedEntry = (now: Date) =>
    sampleEntry({ kind: "mail.resolved", at: now.toISOString() });
  await runRound();
  const openedAt = clock.wall().toISOString();
  await stopMailSending(store, clock.wall(), null);
  await runRound();
  await runRound();
  assert.deepEqual(sentEmails, [`person-0@example.org mail_stopped ${openedAt}`]);
  clock.advance(MINUTE_MS);
  await resolveIncident();
  clock.advance(MINUTE_MS);
  await stopMailSending(store, clock.wall(), null);
  await runRound();
  assert.equal(sentEmails.length, 1);
  clock.advance(HOUR_MS);
  await runRound();
  await runRound();
  assert.equal(sentEmails.length, 2);
  await resolveIncident();
  clock.advance(HOUR_MS);
  await stopMailSending(store, clock.wall(), "login");
  await runRound();
  assert.equal(sentEmails.length, 2);
  assert.deepEqual(new Set(await queuedEmails()), new Set(["0 welcome"]));
});

it("runs the remaining checks when one fails", async () => {
  const {
    store,
    roundsOver: roundsWithStore,
    signal,
    made: queuedEmails,
    ...fixture
  } = emailFixture();
  for (const number of [0, 1]) await fixture.add(number);
  for (const number of [1, 2, 3]) await fixture.saveMatch(number, { stats: BAD_STATS });
  const failingStore = overrideStore(store, {
    incidents: { list: () => Promise.reject(new Error("away")) },
  });
  await assert.rejects(roundsWithStore(failingStore).runRound(signal), /away/);
  assert.deepEqual(await queuedEmails(), ["0 bot_unwell"]);
});
