import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { HOUR_MS } from "#base/util/time.ts";
import type { TransactionalEmail } from "#core/accounts/transactional-email.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { SAMPLE_EMAILS } from "#testing/fixtures/sample-emails.ts";

import type { MailTransport, OutgoingEmail } from "./mail-transport.ts";
import { openMailer } from "./mailer.ts";
import type { MailerDeps } from "./mailer.ts";

const ADA = "ada@example.org";
const { signup } = SAMPLE_EMAILS;

function mailerFixture(changes: Partial<MailerDeps> = {}) {
  const clock = fakeClock();
  const log: object[] = [];
  const transportCalls: {
    email: OutgoingEmail;
    signal: AbortSignal;
    finishSending: (error?: unknown) => void;
  }[] = [];
  const transport: MailTransport = (email, signal) =>
    new Promise((resolve, reject) => {
      const finishSending = (error?: unknown) =>
        error === undefined ? resolve(250) : reject(error);
      transportCalls.push({ email, signal, finishSending });
    });
  let ids = 0;
  const outages: string[] = [];
  const deps: MailerDeps = {
    onOutage: (cause) => outages.push(cause),
    onRecovery: () => outages.push("recovered"),
    write: ({ type }) => ({ subject: type, text: `text of ${type}`, html: `<p>${type}</p>` }),
    sender: { baseUrl: "http://localhost:7777", contact: null },
    transport,
    clock,
    newId: () => `id-${++ids}`,
    log: { warn: (facts, message) => void log.push({ ...facts, message }) },
    ...changes,
  };
  return { ...openMailer(deps), clock, log, carried: transportCalls, outages };
}

const droppedEntry = (code: string, extraFields = {}) => ({
  type: "signup",
  outcome: "failed",
  code,
  response: null,
  retry_s: null,
  message: "could not send email",
  ...extraFields,
});

it("renders and sends an email immediately, with an ID and a date", () => {
  const { send, carried: transportCalls } = mailerFixture();
  assert.equal(send(ADA, signup), undefined);
  const { signal: _, finishSending: __, email } = { ...transportCalls[0]! };
  assert.deepEqual(email, {
    id: "id-1",
    to: ADA,
    content: signup,
    at: new Date("2026-01-05T12:00:00.000Z"),
    rendered: { subject: "signup", text: "text of signup", html: "<p>signup</p>" },
  });
});

it("sends a few emails concurrently, queues some and drops the rest", async () => {
  const { send, carried: transportCalls, log } = mailerFixture();
  const totalEmails = FIXED_LIMITS.mails_at_once + FIXED_LIMITS.mails_waiting;
  for (let count = 0; count < totalEmails + 2; count += 1) send(ADA, signup);
  assert.equal(transportCalls.length, FIXED_LIMITS.mails_at_once);
  assert.deepEqual(log, [droppedEntry("TOO_MANY"), droppedEntry("TOO_MANY")]);
  for (let index = 0; index < totalEmails; index += 1) {
    transportCalls[index]!.finishSending();
    await turnOfTheLoop();
  }
  assert.deepEqual(
    transportCalls.map(({ email }) => email.id),
    Array.from({ length: totalEmails }, (_, at) => `id-${at + 1}`),
  );
});

const FIRST_RETRY = { retry_s: FIXED_LIMITS.mail_retry_s };
const REFUSALS: [what: string, error: unknown, fault: object][] = [
  ["a refusal", smtpError("EENVELOPE", 550), { code: "EENVELOPE", response: 550, ...FIRST_RETRY }],
  [
    "a temporary refusal",
    smtpError("EMESSAGE", 451),
    { code: "EMESSAGE", response: 451, ...FIRST_RETRY },
  ],
  ["a rejected login", smtpError("EAUTH", 535), { code: "EAUTH", response: 535, ...FIRST_RETRY }],
  ["an error of the email itself", smtpError("EENVELOPE"), { code: "EENVELOPE" }],
  ["a full disk", smtpError("ENOSPC"), { code: "ENOSPC", ...FIRST_RETRY }],
  [
    "a lost connection",
    smtpError("ECONNECTION"),
    { code: "ECONNECTION", outcome: "unknown", ...FIRST_RETRY },
  ],
  [
    "a code with spaces",
    smtpError(`to ${ADA}`),
    { code: "UNKNOWN", outcome: "unknown", ...FIRST_RETRY },
  ],
  ["nothing", null, { code: "UNKNOWN", outcome: "unknown", ...FIRST_RETRY }],
];

function smtpError(code: string, responseCode?: number, command?: string): Error {
  const text = `no mail for ${ADA} at ${signup.link}`;
  return Object.assign(new Error(text), { code, responseCode, command });
}

for (const [title, error, expectedFields] of REFUSALS)
  it(`after ${title}, logs only codes and sends the next email`, async () => {
    const { send, carried: transportCalls, log } = mailerFixture();
    for (let count = 0; count <= FIXED_LIMITS.mails_at_once; count += 1) send(ADA, signup);
    transportCalls[0]!.finishSending(error);
    await turnOfTheLoop();
    const { code, ...extraFields } = expectedFields as { code: string };
    assert.deepEqual(log, [droppedEntry(code, extraFields)]);
    assert.equal(transportCalls.length, FIXED_LIMITS.mails_at_once + 1);
  });

it("an email that can't be rendered or has an invalid address doesn't affect other emails", async () => {
  const write = ({ type }: TransactionalEmail) => {
    if (type === "new_key") throw new TypeError(`no text for ${ADA}`);
    return { subject: type, text: type, html: type };
  };
  const { send, carried: transportCalls, log } = mailerFixture({ write });
  send(ADA, SAMPLE_EMAILS.new_key);
  for (const to of ["", "ada", "ada@example.org, eve@example.org", "a@b\r\nBcc: eve@example.org"])
    send(to, signup);
  send(ADA, signup);
  await turnOfTheLoop();
  assert.deepEqual(log, [
    ...Array.from({ length: 4 }, () => droppedEntry("NO_ADDRESS")),
    droppedEntry("NOT_WRITTEN", { type: "new_key" }),
  ]);
  assert.equal(transportCalls.length, 1);
});

it("cancels an attempt that takes too long", async () => {
  const { send, carried: transportCalls, clock } = mailerFixture();
  send(ADA, signup);
  clock.advance(FIXED_LIMITS.mail_s * 1000 - 1);
  assert.equal(transportCalls[0]!.signal.aborted, false);
  clock.advance(1);
  assert.equal(transportCalls[0]!.signal.aborted, true);
});

it("stop waits for emails being sent and accepts no new emails", async () => {
  const { send, stop, carried: transportCalls, clock, log } = mailerFixture();
  send(ADA, signup);
  let isStopped = false;
  const stopping = stop().then(() => (isStopped = true));
  send(ADA, signup);
  assert.deepEqual(log, [droppedEntry("STOPPED")]);
  await turnOfTheLoop();
  assert.equal(isStopped, false);
  transportCalls[0]!.finishSending();
  await stopping;
  assert.equal(transportCalls.length, 1);
  assert.equal(clock.armedTimers(), 0);
});

it("stop times out and reports the unsent emails", async () => {
  const { send, stop, carried: transportCalls, clock, log } = mailerFixture();
  for (let count = 0; count <= FIXED_LIMITS.mails_at_once; count += 1) send(ADA, signup);
  const stopping = stop();
  clock.advance(FIXED_LIMITS.mail_stop_s * 1000);
  await stopping;
  assert.deepEqual(log, [droppedEntry("STOPPED")]);
  assert.ok(transportCalls.every(({ signal }) => signal.aborted));
});

const sentTo = (transportCalls: readonly { email: OutgoingEmail }[]) =>
  transportCalls.map(({ email }) => `${email.to.split("@")[0]} ${email.content.type}`);

it("sends urgent emails before notices", async () => {
  const { send, carried: transportCalls } = mailerFixture();
  for (let count = 0; count < FIXED_LIMITS.mails_at_once; count += 1) send(ADA, signup);
  send("eve@example.org", SAMPLE_EMAILS.new_key);
  send("bob@example.org", SAMPLE_EMAILS.recovery);
  send("joe@example.org", SAMPLE_EMAILS.disk_full);
  for (let index = 0; index < 3; index += 1) {
    transportCalls[index]!.finishSending();
    await turnOfTheLoop();
  }
  assert.deepEqual(sentTo(transportCalls).slice(FIXED_LIMITS.mails_at_once), [
    "bob recovery",
    "joe disk_full",
    "eve new_key",
  ]);
});

it("limits notices per mailbox, type and hour, but not urgent emails", () => {
  const {
    send,
    carried: transportCalls,
    log,
    clock,
  } = mailerFixture({ transport: async () => null });
  for (let count = 0; count <= FIXED_LIMITS.mail_news_per_hour; count += 1)
    send(ADA, SAMPLE_EMAILS.new_key);
  assert.deepEqual(log, [droppedEntry("TOO_OFTEN", { type: "new_key" })]);
  send("ADA@example.org", SAMPLE_EMAILS.new_key);
  assert.equal(log.length, 2);
  send(ADA, SAMPLE_EMAILS.password_changed);
  send("bob@example.org", SAMPLE_EMAILS.new_key);
  for (let count = 0; count <= FIXED_LIMITS.mail_news_per_hour; count += 1) send(ADA, signup);
  assert.equal(log.length, 2);
  clock.advance(HOUR_MS);
  for (let count = 0; count < FIXED_LIMITS.mail_news_per_hour; count += 1)
    send(ADA, SAMPLE_EMAILS.new_key);
  assert.equal(log.length, 2);
  assert.equal(transportCalls.length, 0);
});

it("a full queue drops notices to make room for urgent emails", () => {
  const { send, log } = mailerFixture();
  for (let count = 0; count < FIXED_LIMITS.mails_at_once; count += 1) send(ADA, signup);
  for (let count = 0; count < FIXED_LIMITS.mails_waiting; count += 1)
    send(`person-${count}@example.org`, SAMPLE_EMAILS.new_key);
  assert.deepEqual(log, []);
  send(ADA, SAMPLE_EMAILS.recovery);
  send("bob@example.org", SAMPLE_EMAILS.new_key);
  const droppedKey = droppedEntry("TOO_MANY", { type: "new_key" });
  assert.deepEqual(log, [droppedKey, droppedKey]);
  for (let count = 1; count < FIXED_LIMITS.mails_waiting; count += 1) send(ADA, signup);
  assert.equal(log.length, 1 + FIXED_LIMITS.mails_waiting);
  send(ADA, signup);
  assert.deepEqual(log.at(-1), droppedEntry("TOO_MANY"));
});

function mailServerStub(reply: { error: unknown }) {
  const attempts: { id: string; to: string; code: string | null }[] = [];
  const transport: MailTransport = async ({ id, to, content }) => {
    attempts.push({ id, to, code: "code" in content ? content.code : null });
    if (reply.error !== null) throw reply.error;
    return 250;
  };
  return { attempts, carry: transport };
}

const REFUSED = smtpError("ESOCKET");
const RETRY_TIMES_S = [60, 300, 1260, 5100];

it("retries an email after 1, 4, 16 and 64 minutes with the same ID, then gives up", async () => {
  const { attempts, carry: transport } = mailServerStub({ error: REFUSED });
  const { send, clock, log, report } = mailerFixture({ transport });
  send(ADA, signup);
  await turnOfTheLoop();
  const times = [0];
  for (let seconds = 0; seconds < 3 * 3600; seconds += 10) {
    clock.advance(10_000);
    await turnOfTheLoop();
    if (attempts.length > times.length) times.push(seconds + 10);
  }
  assert.deepEqual(times, [0, ...RETRY_TIMES_S]);
  assert.deepEqual([...new Set(attempts.map(({ id }) => id))], ["id-1"]);
  assert.deepEqual(
    log.map((line) => (line as { retry_s: number | null }).retry_s),
    [60, 240, 960, 3840, null],
  );
  const { last_failure, ...counts } = report();
  const emptyCounts = {
    waiting: 0,
    retrying: 0,
    sent: 0,
    failed: 0,
    rate_limited: 0,
    last_sent: null,
  };
  assert.deepEqual(counts, { ...emptyCounts, given_up: 1 });
  assert.deepEqual(last_failure?.code, "ESOCKET");
});

it("omits the code from a retried email once the code has expired", async () => {
  const reply = { error: REFUSED as unknown };
  const { attempts, carry: transport } = mailServerStub(reply);
  const { send, clock } = mailerFixture({ transport });
  send(ADA, signup);
  for (const seconds of [0, 60, 240, 960]) {
    clock.advance(seconds * 1000);
    await turnOfTheLoop();
  }
  assert.deepEqual(
    attempts.map(({ code }) => code),
    [signup.code, signup.code, signup.code, null],
  );
});

it("sends all emails awaiting a retry once the mail server accepts an email", async () => {
  const reply = { error: REFUSED as unknown };
  const { attempts, carry: transport } = mailServerStub(reply);
  const { send, report, outages } = mailerFixture({ transport });
  const addresses = Array.from({ length: 11 }, (_, number) => `person-${number}@example.org`);
  for (const address of addresses) send(address, signup);
  while (attempts.length < addresses.length) await turnOfTheLoop();
  await turnOfTheLoop();
  assert.deepEqual([report().waiting, report().retrying], [11, 11]);
  assert.deepEqual(new Set(outages), new Set(["many_failures"]));
  reply.error = null;
  send(ADA, signup);
  for (let turn = 0; turn < 20; turn += 1) await turnOfTheLoop();
  assert.deepEqual(
    attempts.slice(addresses.length).map(({ to }) => to),
    [ADA, ...addresses],
  );
  assert.deepEqual([report().waiting, report().retrying, report().sent], [0, 0, 12]);
  assert.deepEqual(outages.slice(-1), ["recovered"]);
});

const NO_SUCH_USER = smtpError("EENVELOPE", 550, "RCPT TO");

it("retries a refused recipient only once while the mail server accepts other emails", async () => {
  const transportCalls: string[] = [];
  const transport: MailTransport = async ({ to }) => {
    transportCalls.push(to);
    if (to === ADA) throw NO_SUCH_USER;
    return 250;
  };
  const { send, clock, report, outages } = mailerFixture({ transport });
  send(ADA, signup);
  send("bob@example.org", signup);
  for (let minute = 0; minute < 120; minute += 1) {
    await turnOfTheLoop();
    clock.advance(60_000);
    if (minute === 0) send("eve@example.org", signup);
  }
  assert.equal(transportCalls.filter((to) => to === ADA).length, 2);
  assert.deepEqual([report().sent, report().given_up], [2, 1]);
  assert.deepEqual(outages, ["recovered"], "the first sent email ends no outage");
});

const OUTAGES: [what: string, error: unknown, after: number, cause: string][] = [
  ["refuses connections", REFUSED, FIXED_LIMITS.mail_outage_failures, "many_failures"],
  ["answers 421", smtpError("EPROTOCOL", 421), FIXED_LIMITS.mail_outage_failures, "many_failures"],
  ["refuses the password", smtpError("EAUTH", 535), 1, "login_refused"],
  ["refuses the sender", smtpError("EENVELOPE", 550, "MAIL FROM"), 1, "sender_refused"],
  ["refuses every recipient", NO_SUCH_USER, FIXED_LIMITS.mail_refused_row, "recipients_refused"],
];

for (const [title, error, failureCount, cause] of OUTAGES)
  it(`reports an outage if the mail server ${title}`, async () => {
    const { carry: transport } = mailServerStub({ error });
    const { send, outages } = mailerFixture({ transport });
    for (let number = 1; number < failureCount; number += 1) send(`p${number}@example.org`, signup);
    for (let turn = 0; turn < 10; turn += 1) await turnOfTheLoop();
    assert.deepEqual(outages, []);
    send(ADA, signup);
    for (let turn = 0; turn < 10; turn += 1) await turnOfTheLoop();
    assert.deepEqual(outages, [cause]);
  });

it("reports no outage for a single refused recipient", async () => {
  const { carry: transport } = mailServerStub({ error: NO_SUCH_USER });
  const { send, outages } = mailerFixture({ transport });
  for (let count = 0; count < 20; count += 1) send(ADA, signup);
  for (let turn = 0; turn < 30; turn += 1) await turnOfTheLoop();
  assert.deepEqual(outages, []);
});

it("limits the emails awaiting a retry and reserves half for urgent emails", async () => {
  const { carry: transport, attempts } = mailServerStub({ error: REFUSED });
  const { send, report } = mailerFixture({ transport });
  const totalEmails = FIXED_LIMITS.mails_waiting + 10;
  const sendAll = async (content: TransactionalEmail) => {
    for (let number = 0; number < totalEmails; number += 1) {
      send(`p${number}@example.org`, content);
      await turnOfTheLoop();
    }
  };
  await sendAll(SAMPLE_EMAILS.new_key);
  assert.equal(report().retrying, FIXED_LIMITS.mails_waiting / 2);
  await sendAll(signup);
  assert.equal(report().retrying, FIXED_LIMITS.mails_waiting);
  assert.equal(attempts.length, 2 * totalEmails);
  assert.equal(report().given_up, 2 * totalEmails - FIXED_LIMITS.mails_waiting);
});

it("stop counts emails awaiting a retry as failed", async () => {
  const { carry: transport } = mailServerStub({ error: REFUSED });
  const { send, stop, clock, report, log } = mailerFixture({ transport });
  send(ADA, signup);
  await turnOfTheLoop();
  await stop();
  assert.deepEqual(log.slice(1), [droppedEntry("STOPPED")]);
  assert.deepEqual([report().failed, report().waiting, clock.armedTimers()], [1, 0, 0]);
});
