import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";

import { LETTERS, MARKUP } from "#testing/fixtures/letters.ts";

import type { Mail } from "./carrier.ts";
import { OUTBOX_FILE, outboxCarrier } from "./outbox.ts";
import type { OutboxLine } from "./outbox.ts";

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bout-outbox-"));
  folders.push(folder);
  return folder;
}

const { signal } = new AbortController();
const mailOf = (letter: Mail["letter"], to = "ada@example.org", text = "Text.\n"): Mail => ({
  id: "01900000-0000-7000-8000-000000000001",
  to,
  letter,
  written: { subject: "Subject", text, html: "<p>Text.</p>" },
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

it("a letter is a line with its link and its digits, which its owner alone can read", async () => {
  const folder = await freshFolder();
  await outboxCarrier(folder, null)(mailOf(LETTERS.signup), signal);
  const { link, code } = LETTERS.signup;
  assert.deepEqual(await linesIn(folder), [
    { to: "ada@example.org", type: "signup", subject: "Subject", link, code, text: "Text.\n" },
  ]);
  assert.equal(await permissionsOf(folder), 0o600);
});

it("a file that others could read is closed to them before anything is added", async () => {
  const folder = await freshFolder();
  const path = join(folder, OUTBOX_FILE);
  await writeFile(path, "");
  await chmod(path, 0o644);
  await outboxCarrier(folder, null)(mailOf(LETTERS.signup), signal);
  assert.equal(await permissionsOf(folder), 0o600);
});

it("letters of one moment are whole lines in their order", async () => {
  const folder = await freshFolder();
  const carry = outboxCarrier(folder, null);
  const texts = Array.from({ length: 100 }, (_, at) => `${at}\n${MARKUP.repeat(at)}\u2028`);
  await Promise.all(
    texts.map((text) => carry(mailOf(LETTERS.recovery, "ada@example.org", text), signal)),
  );
  assert.deepEqual(
    (await linesIn(folder)).map(({ text }) => text),
    texts,
  );
});

it("links are printed once they are in the file; letters that only tell are not", async () => {
  const folder = await freshFolder();
  const printed: string[] = [];
  const carry = outboxCarrier(folder, (line) => printed.push(line));
  await carry(mailOf(LETTERS.new_key), signal);
  await carry(mailOf(LETTERS.signup, "a\u001b[2Jda@example.org"), signal);
  const { link, code } = LETTERS.signup;
  assert.deepEqual(printed, [`mail signup "a\\u001b[2Jda@example.org" ${link} ${code}`]);
});

it("a folder that cannot be written fails, and the next letter is tried again", async () => {
  const folder = await freshFolder();
  const gone = join(folder, "gone");
  const carry = outboxCarrier(gone, () => assert.fail("nothing was written"));
  await assert.rejects(carry(mailOf(LETTERS.signup), signal), { code: "ENOENT" });
  await assert.rejects(carry(mailOf(LETTERS.signup), signal), { code: "ENOENT" });
});
