// The letters that the build made, on their way: over SMTP, and into the outbox.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";

import { pino } from "pino";

import { newId, systemClock } from "#base/clock/clock.ts";
import { SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";
import { OUTBOX_FILE } from "#outside/mail/outbox.ts";
import { readServeOptions } from "#server/configuration/flags.ts";
import { LETTERS } from "#testing/fixtures/letters.ts";
import { openMailServer } from "#testing/fixtures/mail-server.ts";
import { BUILD } from "#testing/fixtures/project.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

import { openMail } from "./mail.ts";
import type { MailDeps } from "./mail.ts";
import { CLOSE_GRACE_MS } from "./port.ts";

const TO = "ada.lovelace@example.org";
const ALL = Object.values(LETTERS);

async function mailWorld(t: TestContext, flags: readonly string[] = []) {
  const data = await mkdtemp(join(tmpdir(), "bout-mail-"));
  t.after(() => rm(data, { recursive: true }));
  const log: string[] = [];
  const told: string[] = [];
  const options = readServeOptions(["--data", data, "--contact", "the moderators", ...flags], {});
  assert.ok(!("error" in options));
  const deps: MailDeps = {
    options,
    place: { baseUrl: "http://localhost:7777" },
    build: BUILD,
    store: memoryStore(),
    key: Buffer.alloc(32, 7),
    clock: systemClock,
    newId,
    log: pino({ level: "trace" }, { write: (line) => void log.push(line) }),
    tell: (line) => told.push(line),
  };
  const mail = await openMail(deps);
  t.after(() => mail.stop());
  return { data, log, told, deps, ...mail };
}

/** What nobody but the reader of a letter may see. */
const SECRETS = [
  TO,
  "ada",
  LETTERS.signup.link,
  "pkce_",
  String(LETTERS.signup.code),
  "ci @ work",
  "throw",
];

function assertSilent(log: readonly string[]): void {
  for (const secret of SECRETS) assert.ok(!log.join("").includes(secret), `${secret} in ${log}`);
}

it("every letter is in the outbox before a stop is over, and nothing of it in the log", async (t) => {
  const { data, log, told, send, stop } = await mailWorld(t);
  for (const letter of ALL) send(TO, letter);
  await stop();
  const lines = (await readFile(join(data, OUTBOX_FILE), "utf8")).trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { type: string }).type).toSorted(),
    Object.keys(LETTERS).toSorted(),
  );
  assert.equal(told.length, 3, "the links of three letters");
  assert.deepEqual(log, []);
});

it("letters go over SMTP where there is a server, and then to no file", async (t) => {
  const server = await openMailServer();
  t.after(() => server.close());
  const flags = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--base-url", "https://x.example"];
  const { data, log, told, send, stop } = await mailWorld(t, flags);
  for (const letter of ALL) send(TO, letter);
  await stop();
  assert.equal(server.mails.length, ALL.length);
  for (const { raw, recipients } of server.mails) {
    assert.deepEqual(recipients, [TO]);
    assert.match(raw, /^From: Bout <bout@localhost>\r$/m);
    assert.match(raw.replaceAll("=\r\n", ""), /the moderators/);
  }
  await assert.rejects(readFile(join(data, OUTBOX_FILE)), { code: "ENOENT" });
  assert.deepEqual([log, told], [[], []]);
});

it("a server that refuses, whatever it says, leaves codes in the log alone", async (t) => {
  const text = `no mail for <${TO}>: ${LETTERS.signup.link} ${LETTERS.signup.code}`;
  const server = await openMailServer({ step: "content", code: 554, text });
  t.after(() => server.close());
  const flags = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--mail-from", "Ring <ring@x.org>"];
  const { log, send, stop } = await mailWorld(t, flags);
  send(TO, LETTERS.signup);
  send(TO, LETTERS.new_key);
  await stop();
  const faults = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    faults.map(({ level, type, outcome, code, response, msg }) => [
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
      "a mail was not sent",
    ]),
  );
  assertSilent(log);
});

it("a mail server that refuses the log-in is told of at the start, without the password", async (t) => {
  const server = await openMailServer({ step: "login", code: 535, text: "no such secret-word" });
  t.after(() => server.close());
  const flags = ["--smtp", `smtp://ada:secret-word@127.0.0.1:${server.port}`];
  const { log, stop } = await mailWorld(t, flags);
  while (log.length === 0) await setTimeout(10);
  const { level, code, response, msg } = JSON.parse(log[0]!) as Record<string, unknown>;
  const told = "the mail server was tried, and does not take our letters";
  assert.deepEqual([level, code, response, msg], [40, "EAUTH", 535, told]);
  assert.ok(!log.join("").includes("secret-word"));
  await stop();
});

it("a mail server that takes the log-in is tried once, and nothing is told", async (t) => {
  const server = await openMailServer();
  t.after(() => server.close());
  const flags = ["--smtp", `smtp://ada:secret-word@127.0.0.1:${server.port}`];
  const { log, stop } = await mailWorld(t, flags);
  while (server.logins.length === 0) await setTimeout(10);
  await stop();
  assert.deepEqual([server.logins, server.mails, log], [["ada"], [], []]);
});

it("a ladder that others reach says once that it has no mail server, and prints no link", async (t) => {
  const { log, told, send, stop } = await mailWorld(t, ["--base-url", "https://ladder.example"]);
  send(TO, LETTERS.signup);
  await stop();
  assert.deepEqual(told, []);
  assert.equal(log.length, 1);
  assert.match(log[0]!, /there is no mail server: letters to people wait in the outbox/);
});

it("says what to do if the letters are not built", async (t) => {
  const { deps } = await mailWorld(t);
  const unbuilt = { ...deps, build: { ...BUILD, letters: null } };
  await assert.rejects(openMail(unbuilt), {
    message: "the letters are not built: run `npm run build`",
  });
});

it("a stop waits less than 5 s for clients and then for letters (T90)", () => {
  assert.ok(CLOSE_GRACE_MS + FIXED.mail_stop_s * SECOND_MS < 5 * SECOND_MS);
});
