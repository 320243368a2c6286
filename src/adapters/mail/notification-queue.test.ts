import assert from "node:assert/strict";
import { it } from "node:test";
import type { TestContext } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { CATEGORY_BY_KIND } from "#core/mail/email-notification.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { openSmtpServer, openScriptedServer } from "#testing/fixtures/mail-server.ts";
import type { SmtpStep } from "#testing/fixtures/mail-server.ts";
import { memoryStores } from "#testing/store-contract/memory-store.ts";
import {
  sampleEntry,
  CASE_NOW,
  sampleAccount,
} from "#testing/store-contract/store-account-cases.ts";
import { sampleId } from "#testing/store-contract/store-samples.ts";

import type { MailTransport, OutgoingEmail } from "./mail-transport.ts";
import { openNotificationQueue } from "./notification-queue.ts";
import type { NotificationQueueDeps } from "./notification-queue.ts";
import { smtpTransport } from "./smtp.ts";
import { readUnsubscribeToken, unsubscribeToken } from "./unsubscribe-link.ts";

const HOST = "ladder.example";
const LINK = "https://ladder.example/api/email/unsubscribe?token=x";
const CREATED = "2026-01-05T11:00:00.000Z";

const delivery = (number: number): NewDelivery => ({
  id: sampleId("delivery", number),
  accountId: sampleId("account", number),
  category: CATEGORY_BY_KIND.welcome,
  subject: "welcome",
  notice: { kind: "welcome", data: { handle: `person-${number}` } },
  announcementId: null,
  created: CREATED,
  due: CREATED,
});

async function queueFixture(
  emailCount: number,
  transport: MailTransport,
  openStore = memoryStores(),
) {
  const store = openStore();
  for (let number = 0; number < emailCount; number += 1) {
    await store.accounts.add(sampleAccount(number, { emailConfirmedAt: CASE_NOW }), sampleEntry());
    await store.deliveries.queue([delivery(number)], []);
  }
  const clock = fakeClock();
  const log: object[] = [];
  const recordLog = (facts: object, message: string) => void log.push({ ...facts, message });
  let ids = 0;
  const deps: NotificationQueueDeps = {
    store,
    write: ({ kind }) => ({ subject: kind, text: kind, html: `<p>${kind}</p>` }),
    sender: { baseUrl: "https://ladder.example", contact: null },
    transport,
    host: HOST,
    unsubscribeLinkOf: () => LINK,
    deliveryResults: new Map(),
    clock,
    newId: () => sampleId("audit", 9000 + ++ids),
    log: { warn: recordLog, error: recordLog },
  };
  return { store, clock, log, deps };
}

/** Runs pending promises and I/O callbacks without advancing the clock. */
async function settleTurns(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await turnOfTheLoop();
}

const statesOf = async (store: Store) =>
  (await store.deliveries.list(99)).map(({ state }) => state).toReversed();

function recordingTransport(clock: () => number) {
  const sentEmails: { mail: OutgoingEmail; atMs: number }[] = [];
  const transport: MailTransport = async (mail) => {
    sentEmails.push({ mail, atMs: clock() });
    return null;
  };
  return { taken: sentEmails, carry: transport };
}

it("sends one email a second, each exactly once and with its unsubscribe link", async () => {
  let now = () => 0;
  const { taken: sentEmails, carry: transport } = recordingTransport(() => now());
  const { store, clock, deps, log } = await queueFixture(4, transport);
  now = () => clock.now() / 1000;
  const notificationQueue = openNotificationQueue(deps);
  for (let seconds = 0; seconds < 8; seconds += 1) {
    await settleTurns();
    clock.advance(SECOND_MS);
  }
  await notificationQueue.stop();
  assert.deepEqual(
    sentEmails.map(({ mail }) => mail.to),
    [0, 1, 2, 3].map((number) => `person-${number}@example.org`),
  );
  const starts = sentEmails.map(({ atMs }) => atMs);
  for (const [at, start] of starts.slice(1).entries())
    assert.ok(start - starts[at]! >= FIXED_LIMITS.optional_mail_every_ms, starts.join());
  assert.ok(sentEmails.every(({ mail }) => mail.unsubscribe === LINK));
  assert.deepEqual(await statesOf(store), Array(4).fill("accepted"));
  assert.deepEqual([...deps.deliveryResults], [["accepted", 4]]);
  assert.deepEqual(log, []);
});

it("sends nothing to a recipient who opts out while the email is queued", async () => {
  let now = () => 0;
  const { taken: sentEmails, carry: transport } = recordingTransport(() => now());
  const { store, clock, deps } = await queueFixture(2, transport);
  now = () => clock.now();
  await store.accounts.optOut(sampleId("account", 0), "onboarding");
  const notificationQueue = openNotificationQueue(deps);
  await settleTurns();
  await notificationQueue.stop();
  assert.deepEqual(
    sentEmails.map(({ mail }) => mail.to),
    ["person-1@example.org"],
  );
  assert.deepEqual(await statesOf(store), ["skipped", "accepted"]);
  assert.deepEqual(Object.fromEntries(deps.deliveryResults), { skipped: 1, accepted: 1 });
});

it("the outcome stays unknown if the process dies while sending an email", async () => {
  const openStore = memoryStores();
  const { store, deps } = await queueFixture(1, async () => null, openStore);
  assert.ok(await store.deliveries.begin("2026-01-05T12:00:00.000Z", HOST));
  const sentEmails: OutgoingEmail[] = [];
  const transport: MailTransport = async (mail) => {
    sentEmails.push(mail);
    return null;
  };
  const reopenedQueue = openNotificationQueue({ ...deps, store: openStore(), transport });
  await settleTurns();
  await reopenedQueue.stop();
  assert.deepEqual(sentEmails, []);
  const [row] = await store.deliveries.list(9);
  assert.deepEqual(
    [row?.state, row?.error, row?.messageId],
    ["unknown", "interrupted", `<${row?.id}@${HOST}>`],
  );
});

it("stop waits briefly for the current email and then marks it as unknown", async () => {
  const transport: MailTransport = (_mail, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("cut short")));
    });
  const { store, clock, deps } = await queueFixture(2, transport);
  const notificationQueue = openNotificationQueue(deps);
  await settleTurns();
  const stopping = notificationQueue.stop();
  await settleTurns();
  assert.deepEqual(await statesOf(store), ["sending", "pending"]);
  clock.advance(FIXED_LIMITS.mail_stop_s * SECOND_MS);
  await stopping;
  assert.deepEqual(await statesOf(store), ["unknown", "pending"]);
});

it("retries while the store is unreachable and loses no outcome", async () => {
  let failures = 3;
  const { store, clock, deps, log } = await queueFixture(1, async () => null);
  const { deliveries } = store;
  const end: typeof deliveries.end = async (...values) => {
    if ((failures -= 1) > 0) throw new Error("away");
    return deliveries.end(...values);
  };
  const notificationQueue = openNotificationQueue({
    ...deps,
    store: { deliveries: { ...deliveries, end } },
  });
  for (let seconds = 0; seconds < 20; seconds += 1) {
    await settleTurns();
    clock.advance(SECOND_MS);
  }
  await notificationQueue.stop();
  assert.deepEqual(await statesOf(store), ["accepted"]);
  assert.ok(log.length > 0);
});

const SENDER = { name: "Bout", address: "bout@ladder.example" };
const smtpTransportTo = (port: number) =>
  smtpTransport(
    { host: "127.0.0.1", port, isSecure: false, login: { user: "bout", password: "right" } },
    SENDER,
    HOST,
    { connectMs: 2000, greetingMs: 2000, silenceMs: 300 },
  );

async function sendOne(t: TestContext, port: number) {
  const { store, deps, log } = await queueFixture(1, smtpTransportTo(port));
  const notificationQueue = openNotificationQueue(deps);
  t.after(() => notificationQueue.stop());
  for (;;) {
    const [row] = await store.deliveries.list(1);
    if (row !== undefined && row.ended !== null) {
      await notificationQueue.stop();
      return { row, log, incidents: await store.incidents.list(9) };
    }
    await turnOfTheLoop();
  }
}

const REFUSALS: [SmtpStep, number, string | null][] = [
  ["login", 535, "login_refused"],
  ["sender", 553, "sender_refused"],
  ["recipient", 550, null],
  ["recipient", 450, null],
  ["content", 552, null],
];
for (const [step, code, cause] of REFUSALS)
  it(`marks an email as failed if the mail server refuses the ${step} with ${code} (T48)`, async (t) => {
    const text = "no: person-0@example.org";
    const server = await openSmtpServer({ step, code, text });
    t.after(() => server.close());
    const { row, log, incidents } = await sendOne(t, server.port);
    assert.deepEqual([row.state, row.responseCode, row.attempt], ["failed", code, 1]);
    assert.deepEqual(
      incidents.map((incident) => incident.cause),
      cause === null ? [] : [cause],
    );
    assert.doesNotMatch(JSON.stringify([row, log]), /@example|no:/);
  });

it("marks an email as unknown if the mail server hangs or disconnects after the content (T48)", async (t) => {
  const replies: Record<string, string> = { EHLO: "250-odd\r\n250 AUTH PLAIN", DATA: "354 go on" };
  for (const dropsConnection of [false, true]) {
    let received = 0;
    const server = await openScriptedServer((line, socket) => {
      const [verb = ""] = line.split(" ");
      if (line === ".") {
        received += 1;
        if (dropsConnection) socket.destroy();
      } else if (/^(?:EHLO|AUTH|MAIL|RCPT|DATA)$/.test(verb))
        socket.write(`${replies[verb] ?? (verb === "AUTH" ? "235 in" : "250 ok")}\r\n`);
    });
    t.after(() => server.close());
    const { row } = await sendOne(t, server.port);
    assert.deepEqual([row.state, row.responseCode, received], ["unknown", null, 1]);
  }
});

it("sends one-click unsubscribe headers over SMTP", async (t) => {
  const server = await openSmtpServer();
  t.after(() => server.close());
  const { row } = await sendOne(t, server.port);
  assert.deepEqual([row.state, row.responseCode], ["accepted", 250]);
  const raw = server.receivedMessages[0]?.raw ?? "";
  assert.match(raw, /^List-Unsubscribe: <https:\/\/ladder\.example\/api\/[^>]*>\r$/im);
  assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/im);
  assert.ok(raw.includes(`Message-ID: ${row.messageId}`));
});

it("rejects an unsubscribe token that this server didn't sign", () => {
  const key = Buffer.alloc(32, 1);
  const unsubscribe = { accountId: sampleId("account", 1), category: "achievements" } as const;
  const token = unsubscribeToken(key, unsubscribe, 0);
  assert.deepEqual(readUnsubscribeToken(key, token, 1), unsubscribe);
  assert.equal(readUnsubscribeToken(Buffer.alloc(32, 2), token, 1), null);
  const [text = "", signature = ""] = token.split(".");
  const alteredPayload = Buffer.from(
    Buffer.from(text, "base64url").toString().replace("achievements", "onboarding"),
  ).toString("base64url");
  for (const forgedToken of [
    `${alteredPayload}.${signature}`,
    text,
    `${text}.`,
    `${token}.x`,
    "",
    "x".repeat(400),
  ])
    assert.equal(readUnsubscribeToken(key, forgedToken, 1), null, forgedToken);
});
