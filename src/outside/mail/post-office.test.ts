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
      const arrive = (error?: unknown) => (error === undefined ? resolve(250) : reject(error));
      carried.push({ mail, signal, arrive });
    });
  let ids = 0;
  const outages: string[] = [];
  const deps: PostOfficeDeps = {
    onOutage: (cause) => outages.push(cause),
    onRecovery: () => outages.push("recovered"),
    write: ({ type }) => ({ subject: type, text: `text of ${type}`, html: `<p>${type}</p>` }),
    sender: { baseUrl: "http://localhost:7777", contact: null },
    carry,
    clock,
    newId: () => `id-${++ids}`,
    log: { warn: (facts, message) => void log.push({ ...facts, message }) },
    ...changes,
  };
  return { ...openPostOffice(deps), clock, log, carried, outages };
}

const lost = (code: string, more = {}) => ({
  type: "signup",
  outcome: "failed",
  code,
  response: null,
  retry_s: null,
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

const FIRST = { retry_s: FIXED.mail_retry_s };
const REFUSALS: [what: string, error: unknown, fault: object][] = [
  ["a refusal", coded("EENVELOPE", 550), { code: "EENVELOPE", response: 550, ...FIRST }],
  ["a refusal for now", coded("EMESSAGE", 451), { code: "EMESSAGE", response: 451, ...FIRST }],
  ["a refused log-in", coded("EAUTH", 535), { code: "EAUTH", response: 535, ...FIRST }],
  ["a fault of the letter", coded("EENVELOPE"), { code: "EENVELOPE" }],
  ["a full disk", coded("ENOSPC"), { code: "ENOSPC", ...FIRST }],
  [
    "a lost connection",
    coded("ECONNECTION"),
    { code: "ECONNECTION", outcome: "unknown", ...FIRST },
  ],
  ["a code of many words", coded(`to ${ADA}`), { code: "UNKNOWN", outcome: "unknown", ...FIRST }],
  ["nothing", null, { code: "UNKNOWN", outcome: "unknown", ...FIRST }],
];

function coded(code: string, responseCode?: number, command?: string): Error {
  const text = `no mail for ${ADA} at ${signup.link}`;
  return Object.assign(new Error(text), { code, responseCode, command });
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

it("cancels an attempt that takes too long", async () => {
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
  const { send, carried, log, clock } = office({ carry: async () => null });
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

/** A mail server that answers every attempt with one error, or accepts. */
function server(answer: { error: unknown }) {
  const attempts: { id: string; to: string; code: string | null }[] = [];
  const carry: Carrier = async ({ id, to, letter }) => {
    attempts.push({ id, to, code: "code" in letter ? letter.code : null });
    if (answer.error !== null) throw answer.error;
    return 250;
  };
  return { attempts, carry };
}

const REFUSED = coded("ESOCKET");
const RETRY_TIMES_S = [60, 300, 1260, 5100];

it("retries an email after 1, 4, 16 and 64 minutes with the same id, then gives it up", async () => {
  const { attempts, carry } = server({ error: REFUSED });
  const { send, clock, log, report } = office({ carry });
  send(ADA, signup);
  await turnOfTheLoop();
  const times = [0];
  for (let second = 0; second < 3 * 3600; second += 10) {
    clock.pass(10_000);
    await turnOfTheLoop();
    if (attempts.length > times.length) times.push(second + 10);
  }
  assert.deepEqual(times, [0, ...RETRY_TIMES_S]);
  assert.deepEqual([...new Set(attempts.map(({ id }) => id))], ["id-1"]);
  assert.deepEqual(
    log.map((line) => (line as { retry_s: number | null }).retry_s),
    [60, 240, 960, 3840, null],
  );
  const { last_failure, ...counts } = report();
  const none = { waiting: 0, retrying: 0, sent: 0, failed: 0, rate_limited: 0, last_sent: null };
  assert.deepEqual(counts, { ...none, given_up: 1 });
  assert.deepEqual(last_failure?.code, "ESOCKET");
});

it("leaves a code out of an email that is retried after the code has expired", async () => {
  const answer = { error: REFUSED as unknown };
  const { attempts, carry } = server(answer);
  const { send, clock } = office({ carry });
  send(ADA, signup);
  for (const seconds of [0, 60, 240, 960]) {
    clock.pass(seconds * 1000);
    await turnOfTheLoop();
  }
  assert.deepEqual(
    attempts.map(({ code }) => code),
    [signup.code, signup.code, signup.code, null],
  );
});

it("sends all emails that wait for a retry as soon as the mail server accepts one", async () => {
  const answer = { error: REFUSED as unknown };
  const { attempts, carry } = server(answer);
  const { send, report, outages } = office({ carry });
  const people = Array.from({ length: 11 }, (_, number) => `person-${number}@example.org`);
  for (const person of people) send(person, signup);
  while (attempts.length < people.length) await turnOfTheLoop();
  await turnOfTheLoop();
  assert.deepEqual([report().waiting, report().retrying], [11, 11]);
  assert.deepEqual(new Set(outages), new Set(["many_failures"]));
  answer.error = null;
  send(ADA, signup);
  for (let turn = 0; turn < 20; turn += 1) await turnOfTheLoop();
  assert.deepEqual(
    attempts.slice(people.length).map(({ to }) => to),
    [ADA, ...people],
  );
  assert.deepEqual([report().waiting, report().retrying, report().sent], [0, 0, 12]);
  assert.deepEqual(outages.slice(-1), ["recovered"]);
});

const NO_SUCH_USER = coded("EENVELOPE", 550, "RCPT TO");

it("retries a refused recipient once while the mail server accepts others", async () => {
  const carried: string[] = [];
  const carry: Carrier = async ({ to }) => {
    carried.push(to);
    if (to === ADA) throw NO_SUCH_USER;
    return 250;
  };
  const { send, clock, report, outages } = office({ carry });
  send(ADA, signup);
  send("bob@example.org", signup);
  for (let minute = 0; minute < 120; minute += 1) {
    await turnOfTheLoop();
    clock.pass(60_000);
    if (minute === 0) send("eve@example.org", signup);
  }
  assert.equal(carried.filter((to) => to === ADA).length, 2);
  assert.deepEqual([report().sent, report().given_up], [2, 1]);
  assert.deepEqual(outages, ["recovered"], "the first email that is sent ends no outage");
});

const OUTAGES: [what: string, error: unknown, after: number, cause: string][] = [
  ["refuses connections", REFUSED, FIXED.mail_outage_failures, "many_failures"],
  ["answers 421", coded("EPROTOCOL", 421), FIXED.mail_outage_failures, "many_failures"],
  ["refuses the password", coded("EAUTH", 535), 1, "login_refused"],
  ["refuses the sender", coded("EENVELOPE", 550, "MAIL FROM"), 1, "sender_refused"],
  ["refuses every recipient", NO_SUCH_USER, FIXED.mail_refused_row, "recipients_refused"],
];

for (const [what, error, after, cause] of OUTAGES)
  it(`reports an outage when the mail server ${what}`, async () => {
    const { carry } = server({ error });
    const { send, outages } = office({ carry });
    for (let number = 1; number < after; number += 1) send(`p${number}@example.org`, signup);
    for (let turn = 0; turn < 10; turn += 1) await turnOfTheLoop();
    assert.deepEqual(outages, []);
    send(ADA, signup);
    for (let turn = 0; turn < 10; turn += 1) await turnOfTheLoop();
    assert.deepEqual(outages, [cause]);
  });

it("reports no outage for one refused recipient, however often", async () => {
  const { carry } = server({ error: NO_SUCH_USER });
  const { send, outages } = office({ carry });
  for (let sent = 0; sent < 20; sent += 1) send(ADA, signup);
  for (let turn = 0; turn < 30; turn += 1) await turnOfTheLoop();
  assert.deepEqual(outages, []);
});

it("keeps a bounded number of emails to retry, half of them for urgent ones", async () => {
  const { carry, attempts } = server({ error: REFUSED });
  const { send, report } = office({ carry });
  const all = FIXED.mails_waiting + 10;
  const sendAll = async (letter: Letter) => {
    for (let number = 0; number < all; number += 1) {
      send(`p${number}@example.org`, letter);
      await turnOfTheLoop();
    }
  };
  await sendAll(LETTERS.new_key);
  assert.equal(report().retrying, FIXED.mails_waiting / 2);
  await sendAll(signup);
  assert.equal(report().retrying, FIXED.mails_waiting);
  assert.equal(attempts.length, 2 * all);
  assert.equal(report().given_up, 2 * all - FIXED.mails_waiting);
});

it("a stop counts emails that wait for a retry as failed", async () => {
  const { carry } = server({ error: REFUSED });
  const { send, stop, clock, report, log } = office({ carry });
  send(ADA, signup);
  await turnOfTheLoop();
  await stop();
  assert.deepEqual(log.slice(1), [lost("STOPPED")]);
  assert.deepEqual([report().failed, report().waiting, clock.armed()], [1, 0, 0]);
});
