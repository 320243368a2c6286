import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { HOUR_MS } from "#base/units/time.ts";
import type { Letter } from "#core/accounts/letter.ts";
import { FIXED } from "#core/words/limits.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { LETTERS } from "#testing/fixtures/letters.ts";

import type { Carrier, Mail } from "./carrier.ts";
import { openPostOffice } from "./post-office.ts";
import type { PostOfficeDeps } from "./post-office.ts";

const ADA = "ada@example.org";
const { signup } = LETTERS;

/** A post office whose letters arrive when the test says so. */
function office(changes: Partial<PostOfficeDeps> = {}) {
  const clock = fakeClock();
  const log: object[] = [];
  const carried: { mail: Mail; signal: AbortSignal; arrive: (error?: unknown) => void }[] = [];
  const carry: Carrier = (mail, signal) =>
    new Promise((resolve, reject) => {
      const arrive = (error?: unknown) => (error === undefined ? resolve() : reject(error));
      carried.push({ mail, signal, arrive });
    });
  let ids = 0;
  const deps: PostOfficeDeps = {
    write: ({ type }) => ({ subject: type, text: `text of ${type}`, html: `<p>${type}</p>` }),
    sender: { baseUrl: "http://localhost:7777", contact: null },
    carry,
    clock,
    newId: () => `id-${++ids}`,
    log: { warn: (facts, message) => void log.push({ ...facts, message }) },
    ...changes,
  };
  return { ...openPostOffice(deps), clock, log, carried };
}

const lost = (code: string, more = {}) => ({
  type: "signup",
  outcome: "failed",
  code,
  response: null,
  message: "a mail was not sent",
  ...more,
});

it("a letter goes out at once, written, with an id and its hour", () => {
  const { send, carried } = office();
  assert.equal(send(ADA, signup), undefined);
  const { signal: _, arrive: __, mail } = { ...carried[0]! };
  assert.deepEqual(mail, {
    id: "id-1",
    to: ADA,
    letter: signup,
    at: new Date("2026-01-05T12:00:00.000Z"),
    written: { subject: "signup", text: "text of signup", html: "<p>signup</p>" },
  });
});

it("a few letters are on their way at once, some wait, and more are lost", async () => {
  const { send, carried, log } = office();
  const all = FIXED.mails_at_once + FIXED.mails_waiting;
  for (let sent = 0; sent < all + 2; sent += 1) send(ADA, signup);
  assert.equal(carried.length, FIXED.mails_at_once);
  assert.deepEqual(log, [lost("TOO_MANY"), lost("TOO_MANY")]);
  for (let arrived = 0; arrived < all; arrived += 1) {
    carried[arrived]!.arrive();
    await turnOfTheLoop();
  }
  assert.deepEqual(
    carried.map(({ mail }) => mail.id),
    Array.from({ length: all }, (_, at) => `id-${at + 1}`),
  );
});

const REFUSALS: [what: string, error: unknown, fault: object][] = [
  ["a refusal", coded("EENVELOPE", 550), { code: "EENVELOPE", response: 550 }],
  ["a refusal for now", coded("EMESSAGE", 451), { code: "EMESSAGE", response: 451 }],
  ["a refused log-in", coded("EAUTH", 535), { code: "EAUTH", response: 535 }],
  ["a fault of the letter", coded("EENVELOPE"), { code: "EENVELOPE" }],
  ["a full disk", coded("ENOSPC"), { code: "ENOSPC" }],
  ["a lost connection", coded("ECONNECTION"), { code: "ECONNECTION", outcome: "unknown" }],
  ["a code of many words", coded(`to ${ADA}`), { code: "UNKNOWN", outcome: "unknown" }],
  ["nothing", null, { code: "UNKNOWN", outcome: "unknown" }],
];

function coded(code: string, responseCode?: number): Error {
  return Object.assign(new Error(`no mail for ${ADA} at ${signup.link}`), { code, responseCode });
}

for (const [what, error, fault] of REFUSALS)
  it(`after ${what} the log has codes alone, and the next letter goes out`, async () => {
    const { send, carried, log } = office();
    for (let sent = 0; sent <= FIXED.mails_at_once; sent += 1) send(ADA, signup);
    carried[0]!.arrive(error);
    await turnOfTheLoop();
    const { code, ...more } = fault as { code: string };
    assert.deepEqual(log, [lost(code, more)]);
    assert.equal(carried.length, FIXED.mails_at_once + 1);
  });

it("a letter that cannot be written, or has no address, harms nobody", async () => {
  const write = ({ type }: Letter) => {
    if (type === "new_key") throw new TypeError(`no words for ${ADA}`);
    return { subject: type, text: type, html: type };
  };
  const { send, carried, log } = office({ write });
  send(ADA, LETTERS.new_key);
  for (const to of ["", "ada", "ada@example.org, eve@example.org", "a@b\r\nBcc: eve@example.org"])
    send(to, signup);
  send(ADA, signup);
  await turnOfTheLoop();
  assert.deepEqual(log, [
    ...Array.from({ length: 4 }, () => lost("NO_ADDRESS")),
    lost("NOT_WRITTEN", { type: "new_key" }),
  ]);
  assert.equal(carried.length, 1);
});

it("a letter that takes too long is given up", async () => {
  const { send, carried, clock } = office();
  send(ADA, signup);
  clock.pass(FIXED.mail_s * 1000 - 1);
  assert.equal(carried[0]!.signal.aborted, false);
  clock.pass(1);
  assert.equal(carried[0]!.signal.aborted, true);
});

it("a stop waits for letters on their way, and takes no more", async () => {
  const { send, stop, carried, clock, log } = office();
  send(ADA, signup);
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  send(ADA, signup);
  assert.deepEqual(log, [lost("STOPPED")]);
  await turnOfTheLoop();
  assert.equal(isStopped, false);
  carried[0]!.arrive();
  await stopped;
  assert.equal(carried.length, 1);
  assert.equal(clock.armed(), 0);
});

it("a stop does not wait for long, and says what did not go out", async () => {
  const { send, stop, carried, clock, log } = office();
  for (let sent = 0; sent <= FIXED.mails_at_once; sent += 1) send(ADA, signup);
  const stopped = stop();
  clock.pass(FIXED.mail_stop_s * 1000);
  await stopped;
  assert.deepEqual(log, [lost("STOPPED")]);
  assert.ok(carried.every(({ signal }) => signal.aborted));
});

const sentTo = (carried: readonly { mail: Mail }[]) =>
  carried.map(({ mail }) => `${mail.to.split("@")[0]} ${mail.letter.type}`);

it("letters that somebody waits for go before those that only tell", async () => {
  const { send, carried } = office();
  for (let sent = 0; sent < FIXED.mails_at_once; sent += 1) send(ADA, signup);
  send("eve@example.org", LETTERS.new_key);
  send("bob@example.org", LETTERS.recovery);
  send("joe@example.org", LETTERS.disk_full);
  for (let arrived = 0; arrived < 3; arrived += 1) {
    carried[arrived]!.arrive();
    await turnOfTheLoop();
  }
  assert.deepEqual(sentTo(carried).slice(FIXED.mails_at_once), [
    "bob recovery",
    "joe disk_full",
    "eve new_key",
  ]);
});

it("a mailbox is told so much in an hour, of each type, and gets all that it waits for", () => {
  const { send, carried, log, clock } = office({ carry: async () => {} });
  for (let sent = 0; sent <= FIXED.mail_news_per_hour; sent += 1) send(ADA, LETTERS.new_key);
  assert.deepEqual(log, [lost("TOO_OFTEN", { type: "new_key" })]);
  send("ADA@example.org", LETTERS.new_key);
  assert.equal(log.length, 2);
  send(ADA, LETTERS.password_changed);
  send("bob@example.org", LETTERS.new_key);
  for (let sent = 0; sent <= FIXED.mail_news_per_hour; sent += 1) send(ADA, signup);
  assert.equal(log.length, 2);
  clock.pass(HOUR_MS);
  for (let sent = 0; sent < FIXED.mail_news_per_hour; sent += 1) send(ADA, LETTERS.new_key);
  assert.equal(log.length, 2);
  assert.equal(carried.length, 0);
});

it("a full queue loses letters that only tell, for one that somebody waits for", () => {
  const { send, log } = office();
  for (let sent = 0; sent < FIXED.mails_at_once; sent += 1) send(ADA, signup);
  for (let sent = 0; sent < FIXED.mails_waiting; sent += 1)
    send(`person-${sent}@example.org`, LETTERS.new_key);
  assert.deepEqual(log, []);
  send(ADA, LETTERS.recovery);
  send("bob@example.org", LETTERS.new_key);
  const lostKey = lost("TOO_MANY", { type: "new_key" });
  assert.deepEqual(log, [lostKey, lostKey]);
  for (let sent = 1; sent < FIXED.mails_waiting; sent += 1) send(ADA, signup);
  assert.equal(log.length, 1 + FIXED.mails_waiting);
  send(ADA, signup);
  assert.deepEqual(log.at(-1), lost("TOO_MANY"));
});
