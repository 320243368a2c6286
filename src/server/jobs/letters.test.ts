// Rounds of looks over a store, as letters come of them.
import assert from "node:assert/strict";
import { it } from "node:test";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#base/units/time.ts";
import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { PUBLIC } from "#core/ladder/ladder.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { DeliveryOutcome } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStores } from "#testing/store-cases/memory-store.ts";
import { entry, FORMERLY, NOW, sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import { SPRING } from "#testing/store-cases/store-event-cases.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleVersion,
} from "#testing/store-cases/store-samples.ts";
import type { MatchChanges } from "#testing/store-cases/store-samples.ts";

import { openLetterRounds } from "./letters.ts";

const WEEKLY = {
  ...DEFAULT_MAIL,
  preferences: { ...DEFAULT_MAIL.preferences, weekly_digest: true },
};

/** Two people, each with the bot of their number. The clock begins on a Monday at noon. */
function world() {
  const open = memoryStores();
  const clock = fakeClock();
  const events: EventDefinition[] = [];
  const urgent: string[] = [];
  let ids = 0;
  const store = open();
  const { signal } = new AbortController();
  const roundsOver = (over: Store) =>
    openLetterRounds({
      store: over,
      events: { all: () => events },
      ladders: { all: () => [PUBLIC] },
      adminEmails: () => new Set(["person-0@example.org"]),
      sendLetter: (to, { type, at }) => void urgent.push(`${to} ${type} ${at}`),
      clock,
      newId: () => sampleId("delivery", (ids += 1)),
    });
  const rounds = roundsOver(store);
  return {
    store,
    clock,
    events,
    urgent,
    roundsOver,
    signal,
    look: () => rounds.look(signal),
    /** What was made since the letters of a count, oldest first. */
    made: async (since = 0) =>
      (await store.deliveries.list(999))
        .toReversed()
        .slice(since)
        .map(
          ({ accountId, notice }) => `${Number.parseInt(accountId.slice(-3), 16)} ${notice?.kind}`,
        ),
    add: async (number: number, changes: Partial<AccountRecord> = {}) => {
      const confirmed = { emailConfirmedAt: NOW, ...changes };
      const { id } = await store.accounts.add(sampleAccount(number, confirmed), entry());
      await store.accounts.setHandle(id, `person-${number}`, FORMERLY, entry());
      const owned = { owner: `person-${number}`, ownerId: id };
      await store.bots.add(sampleBot(number, owned), `hash-${number}`, null);
      await store.versions.add(sampleVersion(number), null);
    },
    play: async (number: number, changes: MatchChanges = {}) => {
      const ended = clock.wall().toISOString();
      const seats = [0, 1].map((bot) => sampleSeat(bot, { fighter: "AB"[bot]! }));
      await store.matches.save(sampleMatch(number, { seats, started: ended, ended, ...changes }));
    },
  };
}

const BAD = JSON.stringify({
  stats_version: 2,
  ticks: 10,
  fighters: [{ disqualified: true }, {}],
});
const GOOD = JSON.stringify({ stats_version: 2, ticks: 10, fighters: [{}, {}] });

it("a bot that is not well is told of once, and once when it is well again", async () => {
  const { look, made, clock, ...one } = world();
  for (const number of [0, 1]) await one.add(number);
  for (const number of [1, 2, 3]) await one.play(number, { stats: BAD });
  await look();
  await look();
  assert.deepEqual(await made(), ["0 bot_unwell"]);
  for (let number = 10; number < 10 + FIXED.bot_health_matches; number += 1) {
    clock.pass(1000);
    await one.play(number, { stats: GOOD });
  }
  clock.pass(HOUR_MS);
  await look();
  assert.deepEqual(await made(), ["0 bot_unwell"], "one a day");
  clock.pass(DAY_MS);
  await one.play(50, { stats: GOOD });
  const [row] = await one.store.deliveries.list(1);
  await one.store.deliveries.begin(row!.due, "host");
  await look();
  assert.deepEqual(await made(1), ["0 bot_well"]);
  clock.pass(DAY_MS);
  await one.play(51, { stats: GOOD });
  await look();
  assert.equal((await made()).length, 2);
});

it("an event is told of once to those who play there, however often a look breaks off", async () => {
  const { look, made, clock, events, store, roundsOver, signal, ...one } = world();
  for (const number of [0, 1, 2]) await one.add(number);
  await one.play(1);
  const opensAt = new Date(clock.wall().getTime() + 20 * HOUR_MS).toISOString();
  const closesAt = new Date(clock.wall().getTime() + 5 * DAY_MS).toISOString();
  events.push({ ...SPRING, enabled: true, opensAt, closesAt });
  // The rows are written, and what notes that everybody is told is not.
  const broken = changedStore(store, {
    deliveries: {
      queue: async (rows, marks) => {
        if (marks.length > 0) throw new Error("the process ends");
        return store.deliveries.queue(rows, marks);
      },
    },
  });
  await assert.rejects(roundsOver(broken).look(signal), /the process ends/);
  assert.deepEqual(await made(), ["0 event_opens", "1 event_opens"]);
  await look();
  await look();
  assert.equal((await made()).length, 2);
  const seats = [0, 2].map((bot, at) => sampleSeat(bot, { fighter: "AB"[at]! }));
  await one.play(3, { seats });
  clock.pass(5 * MINUTE_MS);
  await look();
  assert.deepEqual(await made(2), ["2 event_opens"], "who comes later is told too");
  clock.pass(4 * DAY_MS + HOUR_MS);
  await store.accounts.optOut(sampleId("account", 1), "event_reminders");
  await look();
  assert.deepEqual(await made(3), ["0 event_closes", "2 event_closes"]);
});

it("a digest comes once a week to who wants it and has played, and never long after", async () => {
  const { look, made, clock, ...one } = world();
  await one.add(0, { mail: WEEKLY });
  await one.add(1);
  await one.play(1);
  await look();
  assert.deepEqual(await made(), [], "nothing was played in the week before");
  clock.pass(7 * DAY_MS);
  await look();
  await look();
  const [letter] = await one.store.deliveries.list(9);
  assert.deepEqual(letter?.notice, {
    kind: "weekly_digest",
    data: {
      from: "2026-01-05",
      to: "2026-01-11",
      bots: [{ bot: "Bot-0", games: 1, wins: 1, draws: 0, losses: 0 }],
    },
  });
  await one.play(2);
  clock.pass(10 * DAY_MS);
  await look();
  assert.equal((await made()).length, 1, "it is too late for that week");
});

it("admins are warned of faults and incidents, once an hour of a kind", async () => {
  const { look, made, clock, store, urgent, ...one } = world();
  for (const number of [0, 1]) await one.add(number);
  const fault = { voided: true, rated: false, unratedReason: "server_fault" } as const;
  await look();
  await one.play(1, fault);
  await look();
  await one.play(2, fault);
  await look();
  assert.deepEqual(await made(), ["0 admin_warning"]);
  clock.pass(HOUR_MS);
  await one.play(3, fault);
  await look();
  await look();
  assert.equal((await made()).length, 2);
  await stopMail(store, clock.wall(), "sender");
  await look();
  await look();
  const [latest] = await store.deliveries.list(1);
  const at = clock.wall().toISOString();
  const data = { warning: "mail_incident", at, about: "sender_refused, of onboarding" };
  assert.deepEqual(latest?.notice, { kind: "admin_warning", data });
  assert.equal((await made()).length, 4);
  assert.deepEqual(urgent, []);
});

/** Sends what is due, and then a letter with which the mail server refuses a part, or fails. */
async function stopMail(store: Store, now: Date, refused: "sender" | "login" | null) {
  const at = now.toISOString();
  const note = entry({ kind: "mail.incident", at });
  const end = (id: string, how: Partial<DeliveryOutcome>) =>
    store.deliveries.end(id, { ...TAKEN, at, ...how }, note);
  for (let begun; (begun = await store.deliveries.begin(at, "host")) !== null;)
    await end(begun.id, {});
  const times = refused === null ? FIXED.mail_failures : 1;
  for (let time = 0; time < times; time += 1) {
    const id = entry().id;
    const letter = { accountId: sampleId("account", 0), subject: `one ${id}`, due: at };
    const notice = { kind: "welcome", data: { handle: "ada" } } as const;
    const row = { category: "onboarding", announcementId: null, created: at } as const;
    await store.deliveries.queue([{ ...row, ...letter, id, notice }], []);
    await store.deliveries.begin(at, "host");
    await end(id, { state: "failed", refused });
  }
}

const TAKEN = { state: "accepted", responseCode: null, error: null, refused: null } as const;

it("admins are told past the mail that is held, once an hour, unless there is no log-in", async () => {
  const { look, made, clock, store, urgent, ...one } = world();
  for (const number of [0, 1]) await one.add(number);
  const letGo = () => store.incidents.resolve("*", null, resolved(clock.wall()));
  const resolved = (now: Date) => entry({ kind: "mail.resolved", at: now.toISOString() });
  await look();
  const opened = clock.wall().toISOString();
  await stopMail(store, clock.wall(), null);
  await look();
  await look();
  assert.deepEqual(urgent, [`person-0@example.org mail_stopped ${opened}`]);
  clock.pass(MINUTE_MS);
  await letGo();
  clock.pass(MINUTE_MS);
  await stopMail(store, clock.wall(), null);
  await look();
  assert.equal(urgent.length, 1);
  clock.pass(HOUR_MS);
  await look();
  await look();
  assert.equal(urgent.length, 2);
  await letGo();
  clock.pass(HOUR_MS);
  await stopMail(store, clock.wall(), "login");
  await look();
  assert.equal(urgent.length, 2);
  assert.deepEqual(new Set(await made()), new Set(["0 welcome"]));
});

it("one look that fails does not keep the others from being made", async () => {
  const { store, roundsOver, signal, made, ...one } = world();
  for (const number of [0, 1]) await one.add(number);
  for (const number of [1, 2, 3]) await one.play(number, { stats: BAD });
  const broken = changedStore(store, {
    incidents: { list: () => Promise.reject(new Error("away")) },
  });
  await assert.rejects(roundsOver(broken).look(signal), /away/);
  assert.deepEqual(await made(), ["0 bot_unwell"]);
});
