import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";

import { SAMPLE_EMAILS, HOSTILE_MARKUP } from "#testing/fixtures/sample-emails.ts";

import type { OutgoingEmail } from "./mail-transport.ts";
import { OUTBOX_FILE, outboxTransport } from "./outbox.ts";
import type { OutboxLine } from "./outbox.ts";

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bout-outbox-"));
  folders.push(folder);
  return folder;
}

const { signal } = new AbortController();
const emailOf = (
  content: OutgoingEmail["content"],
  to = "ada@example.org",
  text = "Text.\n",
): OutgoingEmail => ({
  id: "01900000-0000-7000-8000-000000000001",
  to,
  content,
  rendered: { subject: "Subject", text, html: "<p>Text.</p>" },
  at: new Date("2026-11-23T12:00:00Z"),
});

async function linesIn(folder: string): Promise<OutboxLine[]> {
  const text = await readFile(join(folder, OUTBOX_FILE), "utf8");
  assert.ok(text.endsWith("\n"));
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as OutboxLine);
}

const permissionsOf = async (folder: string) =>
  (await stat(join(folder, OUTBOX_FILE))).mode & 0o777;

it("writes each email as one line with its link and code, readable only by the file's owner", async () => {
  const folder = await freshFolder();
  await outboxTransport(folder, null)(emailOf(SAMPLE_EMAILS.signup), signal);
  const { link, code } = SAMPLE_EMAILS.signup;
  assert.deepEqual(await linesIn(folder), [
    { to: "ada@example.org", type: "signup", subject: "Subject", link, code, text: "Text.\n" },
  ]);
  assert.equal(await permissionsOf(folder), 0o600);
});

it("makes a file that others can read private before appending", async () => {
  const folder = await freshFolder();
  const path = join(folder, OUTBOX_FILE);
  await writeFile(path, "");
  await chmod(path, 0o644);
  await outboxTransport(folder, null)(emailOf(SAMPLE_EMAILS.signup), signal);
  assert.equal(await permissionsOf(folder), 0o600);
});

it("writes concurrent emails in order as whole lines", async () => {
  const folder = await freshFolder();
  const transport = outboxTransport(folder, null);
  const bodies = Array.from(
    { length: 100 },
    (_, at) => `${at}\n${HOSTILE_MARKUP.repeat(at)}\u2028`,
  );
  await Promise.all(
    bodies.map((text) =>
      transport(emailOf(SAMPLE_EMAILS.recovery, "ada@example.org", text), signal),
    ),
  );
  assert.deepEqual(
    (await linesIn(folder)).map(({ text }) => text),
    bodies,
  );
});

it("prints links after writing them, and never prints notices", async () => {
  const folder = await freshFolder();
  const printedLines: string[] = [];
  const transport = outboxTransport(folder, (line) => printedLines.push(line));
  await transport(emailOf(SAMPLE_EMAILS.new_key), signal);
  await transport(emailOf(SAMPLE_EMAILS.signup, "a\u001b[2Jda@example.org"), signal);
  const { link, code } = SAMPLE_EMAILS.signup;
  assert.deepEqual(printedLines, [`mail signup "a\\u001b[2Jda@example.org" ${link} ${code}`]);
});

it("fails if the folder isn't writable, and tries again with the next email", async () => {
  const folder = await freshFolder();
  const missingFolder = join(folder, "gone");
  const transport = outboxTransport(missingFolder, () => assert.fail("nothing was written"));
  await assert.rejects(transport(emailOf(SAMPLE_EMAILS.signup), signal), { code: "ENOENT" });
  await assert.rejects(transport(emailOf(SAMPLE_EMAILS.signup), signal), { code: "ENOENT" });
});
