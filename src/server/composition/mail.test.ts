import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";

import { pino } from "pino";

import { OUTBOX_FILE } from "#adapters/mail/outbox.ts";
import { newId, systemClock } from "#base/clock/clock.ts";
import { SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { readServeOptions } from "#server/configuration/flags.ts";
import { openSmtpServer } from "#testing/fixtures/mail-server.ts";
import { TEST_BUILD } from "#testing/fixtures/project.ts";
import { SAMPLE_EMAILS } from "#testing/fixtures/sample-emails.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

import { openMail } from "./mail.ts";
import type { MailDeps } from "./mail.ts";
import { CLOSE_GRACE_MS } from "./server-port.ts";

const RECIPIENT = "ada.lovelace@example.org";
const ALL_EMAILS = Object.values(SAMPLE_EMAILS);

async function mailFixture(t: TestContext, flags: readonly string[] = []) {
  const data = await mkdtemp(join(tmpdir(), "bout-mail-"));
  t.after(() => rm(data, { recursive: true }));
  const log: string[] = [];
  const printedLines: string[] = [];
  const options = readServeOptions(["--data", data, "--contact", "the moderators", ...flags], {});
  assert.ok(!("error" in options));
  const deps: MailDeps = {
    options,
    apiSettings: { baseUrl: "http://localhost:7777" },
    build: TEST_BUILD,
    store: memoryStore(),
    key: Buffer.alloc(32, 7),
    clock: systemClock,
    newId,
    log: pino({ level: "trace" }, { write: (line) => void log.push(line) }),
    printLine: (line) => printedLines.push(line),
  };
  const mail = await openMail(deps);
  t.after(() => mail.stop());
  return { data, log, told: printedLines, deps, ...mail };
}

const SECRETS = [
  RECIPIENT,
  "ada",
  SAMPLE_EMAILS.signup.link,
  "pkce_",
  String(SAMPLE_EMAILS.signup.code),
  "ci @ work",
  "throw",
];

function assertNoSecrets(log: readonly string[]): void {
  for (const secret of SECRETS) assert.ok(!log.join("").includes(secret), `${secret} in ${log}`);
}

it("writes all emails to the outbox before shutdown completes and logs no content", async (t) => {
  const { data, log, told: printedLines, send, stop } = await mailFixture(t);
  for (const email of ALL_EMAILS) send(RECIPIENT, email);
  await stop();
  const lines = (await readFile(join(data, OUTBOX_FILE), "utf8")).trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { type: string }).type).toSorted(),
    Object.keys(SAMPLE_EMAILS).toSorted(),
  );
  assert.equal(printedLines.length, 3, "the links of three emails");
  assert.deepEqual(log, []);
});

it("sends emails over SMTP if a mail server is configured, and doesn't write them to a file", async (t) => {
  const server = await openSmtpServer();
  t.after(() => server.close());
  const flags = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--base-url", "https://x.example"];
  const { data, log, told: printedLines, send, stop } = await mailFixture(t, flags);
  for (const email of ALL_EMAILS) send(RECIPIENT, email);
  await stop();
  assert.equal(server.receivedMessages.length, ALL_EMAILS.length);
  for (const { raw, recipients } of server.receivedMessages) {
    assert.deepEqual(recipients, [RECIPIENT]);
    assert.match(raw, /^From: Bout <bout@localhost>\r$/m);
    assert.match(raw.replaceAll("=\r\n", ""), /the moderators/);
  }
  await assert.rejects(readFile(join(data, OUTBOX_FILE)), { code: "ENOENT" });
  assert.deepEqual([log, printedLines], [[], []]);
});

it("logs only codes when the mail server rejects an email, whatever the response says", async (t) => {
  const text = `no mail for <${RECIPIENT}>: ${SAMPLE_EMAILS.signup.link} ${SAMPLE_EMAILS.signup.code}`;
  const server = await openSmtpServer({ step: "content", code: 554, text });
  t.after(() => server.close());
  const flags = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--mail-from", "Ring <ring@x.org>"];
  const { log, send, stop } = await mailFixture(t, flags);
  send(RECIPIENT, SAMPLE_EMAILS.signup);
  send(RECIPIENT, SAMPLE_EMAILS.new_key);
  await stop();
  const logEntries = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    logEntries.map(({ level, type, outcome, code, response, msg }) => [
      level,
      type,
      outcome,
      code,
      response,
      msg,
    ]),
    ["signup", "new_key"].map((type) => [
      40,
      type,
      "failed",
      "EMESSAGE",
      554,
      "could not send email",
    ]),
  );
  assertNoSecrets(log);
});

it("reports a rejected SMTP login at startup without the password", async (t) => {
  const server = await openSmtpServer({ step: "login", code: 535, text: "no such secret-word" });
  t.after(() => server.close());
  const flags = ["--smtp", `smtp://ada:secret-word@127.0.0.1:${server.port}`];
  const { log, stop } = await mailFixture(t, flags);
  while (log.length === 0) await setTimeout(10);
  const { level, code, response, msg } = JSON.parse(log[0]!) as Record<string, unknown>;
  const printedLines = "mail server check failed: it does not accept our email";
  assert.deepEqual([level, code, response, msg], [40, "EAUTH", 535, printedLines]);
  assert.ok(!log.join("").includes("secret-word"));
  await stop();
});

it("checks a successful SMTP login once and doesn't report it", async (t) => {
  const server = await openSmtpServer();
  t.after(() => server.close());
  const flags = ["--smtp", `smtp://ada:secret-word@127.0.0.1:${server.port}`];
  const { log, stop } = await mailFixture(t, flags);
  while (server.loginNames.length === 0) await setTimeout(10);
  await stop();
  assert.deepEqual([server.loginNames, server.receivedMessages, log], [["ada"], [], []]);
});

it("reports once that a public server has no mail server, and prints no links", async (t) => {
  const {
    log,
    told: printedLines,
    send,
    stop,
  } = await mailFixture(t, ["--base-url", "https://ladder.example"]);
  send(RECIPIENT, SAMPLE_EMAILS.signup);
  await stop();
  assert.deepEqual(printedLines, []);
  assert.equal(log.length, 1);
  assert.match(log[0]!, /no mail server configured: emails wait in the outbox/);
});

it("explains what to do if the email templates aren't built", async (t) => {
  const { deps } = await mailFixture(t);
  const depsWithoutBuild = { ...deps, build: { ...TEST_BUILD, emails: null } };
  await assert.rejects(openMail(depsWithoutBuild), {
    message: "email templates are not built: run `npm run build`",
  });
});

it("waits less than 5 s at shutdown for clients and then for emails (T90)", () => {
  assert.ok(CLOSE_GRACE_MS + FIXED_LIMITS.mail_stop_s * SECOND_MS < 5 * SECOND_MS);
});
