// node bench/integration/mail.ts: sends transactional and optional emails to a real mail server,
// Debian's Exim, on a loopback port. Every email is sent by the ladder's own code and read back
// from the mailbox.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { openMailer } from "#adapters/mail/mailer.ts";
import { openNotificationQueue } from "#adapters/mail/notification-queue.ts";
import { smtpTransport } from "#adapters/mail/smtp.ts";
import { newId, systemClock } from "#base/clock/clock.ts";
import { DAY_MS, SECOND_MS } from "#base/util/time.ts";
import { DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import type { EmailSettings } from "#core/accounts/account.ts";
import type { RenderTransactionalEmail } from "#core/accounts/transactional-email.ts";
import { createDelivery } from "#core/mail/due-email.ts";
import type { EmailNotification, RenderNotification } from "#core/mail/email-notification.ts";
import type { DeliveryRecord } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { TEST_BUILD } from "#testing/fixtures/project.ts";
import { SAMPLE_EMAILS } from "#testing/fixtures/sample-emails.ts";
import { SAMPLE_NOTIFICATIONS } from "#testing/fixtures/sample-notifications.ts";
import { sampleEntry, sampleAccount } from "#testing/store-contract/store-account-cases.ts";

import { eximProblem, openExim } from "./exim.ts";
import type { Exim } from "./exim.ts";

const HOST = "ladder.example";
const SENDER = { baseUrl: `https://${HOST}`, contact: "the moderators" };
const FROM_ADDRESS = { name: "Bout ümlaut", address: `bout@${HOST}` };
const LINK = `${SENDER.baseUrl}/api/email/unsubscribe?token=x`;
const TIMEOUT_MS = 60 * SECOND_MS;
const POLL_INTERVAL_MS = 200;
const TOO_LARGE = "long ".repeat(20_000);

type EmailWriters = {
  renderTransactionalEmail: RenderTransactionalEmail;
  renderNotificationEmail: RenderNotification;
};

let failures = 0;
function reportCheck(name: string, isPassed: boolean, text = ""): void {
  if (!isPassed) failures += 1;
  console.log(`${isPassed ? "passed" : "FAILED"}  ${name}${isPassed ? "" : `: ${text}`}`);
}

async function waitUntil(isReached: () => Promise<boolean>): Promise<boolean> {
  for (let elapsedMs = 0; elapsedMs < TIMEOUT_MS; elapsedMs += POLL_INTERVAL_MS) {
    if (await isReached()) return true;
    await pause(POLL_INTERVAL_MS);
  }
  return false;
}

const transportTo = (exim: Exim, from = FROM_ADDRESS) =>
  smtpTransport({ host: "127.0.0.1", port: exim.port, isSecure: false, login: null }, from, HOST);

async function checkTransactionalEmail(
  exim: Exim,
  writeEmail: RenderTransactionalEmail,
): Promise<void> {
  const warnings: unknown[] = [];
  const log = { warn: (facts: object) => void warnings.push(facts), error: () => {} };
  const mailerOptions = { write: writeEmail, sender: SENDER, clock: systemClock, newId, log };
  const outageHandlers = { onOutage: () => {}, onRecovery: () => {} };
  const mailer = openMailer({ ...mailerOptions, ...outageHandlers, transport: transportTo(exim) });
  const emails = Object.values(SAMPLE_EMAILS);
  for (const email of emails) mailer.send("ada@reader.example", email);
  const isDelivered = await waitUntil(
    async () => (await exim.readDelivered()).length >= emails.length,
  );
  await mailer.stop();
  const deliveredEmails = await exim.readDelivered();
  reportCheck(`${emails.length} transactional emails`, isDelivered, JSON.stringify(warnings));
  reportCheck(
    "each header appears once, and they have no unsubscribe link",
    deliveredEmails.every((mail) => !/^(?:Bcc|List-Unsubscribe):/im.test(headersOf(mail))),
  );
}

const headersOf = (mail: string): string => mail.split(/\r?\n\r?\n/, 1)[0] ?? "";

type DeliveryCase = { to: string; notice: EmailNotification; from?: typeof FROM_ADDRESS };

async function sendAndWait(
  store: Store,
  exim: Exim,
  writeEmail: RenderNotification,
  deliveryCases: readonly DeliveryCase[],
): Promise<DeliveryRecord[]> {
  const now = new Date().toISOString();
  const ids: string[] = [];
  for (const { to, notice } of deliveryCases) {
    const accountId = newId();
    const mail = withPreference("weekly_digest");
    const accountFields = {
      id: accountId,
      subject: accountId,
      email: to,
      emailConfirmedAt: now,
      mail,
    };
    await store.accounts.add(sampleAccount(1, accountFields), sampleEntry({ id: newId() }));
    const row = createDelivery({ accountId, subject: "bench", notice, due: now }, now, newId);
    ids.push(row.id);
    await store.deliveries.queue([row], []);
  }
  const log = { warn: () => {}, error: (facts: object) => console.error(facts) };
  const notificationQueue = openNotificationQueue({
    store,
    write: writeEmail,
    sender: SENDER,
    transport: transportTo(exim, deliveryCases[0]?.from),
    host: HOST,
    unsubscribeLinkOf: () => LINK,
    deliveryResults: new Map(),
    clock: systemClock,
    newId,
    log,
  });
  const readDeliveries = async () =>
    (await store.deliveries.list(999)).filter(({ id }) => ids.includes(id));
  await waitUntil(async () => (await readDeliveries()).every(({ ended }) => ended !== null));
  await notificationQueue.stop();
  return readDeliveries();
}

const withPreference = (name: keyof typeof DEFAULT_EMAIL_SETTINGS.preferences): EmailSettings => ({
  ...DEFAULT_EMAIL_SETTINGS,
  preferences: { ...DEFAULT_EMAIL_SETTINGS.preferences, [name]: true },
});

/** Sets a future date, because reminders for past events aren't sent. */
function withFutureDate(notice: EmailNotification): EmailNotification {
  if (notice.kind !== "event_opens" && notice.kind !== "event_closes") return notice;
  const at = new Date(Date.now() + DAY_MS).toISOString();
  return { kind: notice.kind, data: { ...notice.data, at } };
}

async function checkNotificationEmail(
  exim: Exim,
  store: Store,
  writeEmail: RenderNotification,
): Promise<void> {
  const before = (await exim.readDelivered()).length;
  const notices = Object.values<EmailNotification>(SAMPLE_NOTIFICATIONS).map(withFutureDate);
  const deliveryCases = notices.map((notice, at) => ({
    to: `reader-${at}@reader.example`,
    notice,
  }));
  const rows = await sendAndWait(store, exim, writeEmail, deliveryCases);
  await waitUntil(async () => (await exim.readDelivered()).length >= before + notices.length);
  const deliveredEmails = (await exim.readDelivered()).map((mail) => ({
    mail,
    headers: headersOf(mail),
  }));
  const matchingEmails = rows.map(({ messageId }) =>
    deliveredEmails.filter(({ headers }) => headers.includes(messageId ?? "none")),
  );
  reportCheck(
    `${notices.length} optional emails, each once`,
    matchingEmails.every(({ length }) => length === 1) &&
      rows.every(({ state }) => state === "accepted"),
    rows.map(({ state, error }) => `${state} ${error}`).join(),
  );
  reportCheck(
    "each has one-click unsubscribe headers",
    matchingEmails
      .flat()
      .every(
        ({ headers }) =>
          headers.replaceAll(/\r?\n\s+/g, " ").includes(`List-Unsubscribe: <${LINK}>`) &&
          headers.includes("List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
      ),
  );
  const starts = rows.map(({ started }) => Date.parse(started ?? "")).toSorted((a, b) => a - b);
  const intervals = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
  reportCheck(
    "one per second",
    Math.min(...intervals) >= SECOND_MS - POLL_INTERVAL_MS / 2,
    intervals.join(),
  );
}

const announcement = (title: string, body = "News."): EmailNotification => ({
  kind: "announcement",
  data: { title, body },
});

async function checkRefusals(
  exim: Exim,
  store: Store,
  writeEmail: RenderNotification,
): Promise<void> {
  const refusedSender = { name: "", address: "bout@refused.example" };
  const deliveryCases: [string, DeliveryCase, string, string | null][] = [
    [
      "no such mailbox",
      { to: "refused@reader.example", notice: announcement("x") },
      "failed 550",
      null,
    ],
    ["not now", { to: "later@reader.example", notice: announcement("x") }, "failed 451", null],
    [
      "rejected text",
      { to: "a@reader.example", notice: announcement("x", "not taken") },
      "failed 550",
      null,
    ],
    [
      "too large",
      { to: "b@reader.example", notice: announcement("x", TOO_LARGE) },
      "failed 552",
      null,
    ],
    [
      "not this sender",
      { to: "c@reader.example", notice: announcement("x"), from: refusedSender },
      "failed 550",
      "announcements",
    ],
  ];
  for (const [name, deliveryCase, expectedOutcome, expectedScope] of deliveryCases) {
    const before = (await exim.readDelivered()).length;
    const [row] = await sendAndWait(store, exim, writeEmail, [deliveryCase]);
    const outcome = `${row?.state} ${row?.responseCode}`;
    const openIncidents = (await store.incidents.list(9)).filter(
      ({ resolved }) => resolved === null,
    );
    const openScopes = openIncidents.map((incident) => incident.scope).join() || null;
    const isQuiet = (await exim.readDelivered()).length === before;
    const isPassed = outcome === expectedOutcome && openScopes === expectedScope && isQuiet;
    reportCheck(`${name}: ${expectedOutcome}`, isPassed, `${outcome}, incident ${openScopes}`);
    if (expectedScope !== null)
      await store.incidents.resolve(
        "announcements",
        null,
        sampleEntry({ id: newId(), reason: "bench" }),
      );
  }
}

async function checkOutage(
  exim: Exim,
  store: Store,
  writeEmail: RenderNotification,
): Promise<void> {
  await exim.kill();
  const [lostDelivery] = await sendAndWait(store, exim, writeEmail, [
    { to: "d@reader.example", notice: announcement("away") },
  ]);
  await exim.start();
  const [nextDelivery] = await sendAndWait(store, exim, writeEmail, [
    { to: "e@reader.example", notice: announcement("back") },
  ]);
  reportCheck("server down: outcome unknown, not sent again", lostDelivery?.state === "unknown");
  reportCheck("server back: the next email is delivered", nextDelivery?.state === "accepted");
  await waitUntil(async () =>
    (await exim.readDelivered()).some((mail) => /^Subject: back/m.test(mail)),
  );
  const subjects = (await exim.readDelivered()).join("\n");
  reportCheck("nothing of the first email arrived", !/^Subject: away/m.test(subjects));
}

async function main(): Promise<void> {
  const eximError = eximProblem();
  if (eximError !== null) {
    console.error(eximError);
    process.exitCode = 2;
    return;
  }
  if (TEST_BUILD.emails === null)
    throw new Error("email templates are not built: run `npm run build`");
  const builtModuleUrl = pathToFileURL(join(TEST_BUILD.folder, TEST_BUILD.emails)).href;
  const { renderTransactionalEmail, renderNotificationEmail } = (await import(
    builtModuleUrl
  )) as EmailWriters;
  const data = await mkdtemp(join(tmpdir(), "bout-bench-mail-"));
  const store = await openStore({ data });
  const exim = await openExim();
  try {
    await checkTransactionalEmail(exim, renderTransactionalEmail);
    await checkNotificationEmail(exim, store, renderNotificationEmail);
    await checkRefusals(exim, store, renderNotificationEmail);
    await checkOutage(exim, store, renderNotificationEmail);
  } finally {
    await exim.close();
    await store.close();
    await rm(data, { recursive: true });
  }
  console.log(failures === 0 ? "all checks passed" : `${failures} failed`);
  if (failures > 0) process.exitCode = 1;
}

await main();
