import assert from "node:assert/strict";
import { appendFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { openStore } from "#server/composition/open-store.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import {
  sampleBotOf,
  sampleEntry,
  addSampleAccount as joinLadder,
  SAMPLE_KEY,
  CASE_NOW,
} from "#testing/store-contract/store-account-cases.ts";

import { withRevocationRecording } from "./revocation-recording.ts";
import { compactRevocations, parseRevocations, REVOCATIONS_FILE } from "./revocations.ts";

const fail = (error: unknown) => assert.fail(String(error));
const subjectOf = (id: string, kind: "account" | "bot" = "account") => ({ kind, id, name: null });

async function openRecordingStore() {
  const folder = temporaryTestFolder();
  const store = withRevocationRecording(await openStore({ data: folder }), {
    folder,
    onFailure: fail,
  });
  const path = join(folder, REVOCATIONS_FILE);
  const readRevocations = () => parseRevocations(readFileSync(path, "utf8"));
  return { folder, store, path, listed: readRevocations };
}

it("lists revoked keys, rotated tokens, role changes and bans once they are stored", async () => {
  const { store, path, listed: readRevocations } = await openRecordingStore();
  const ada = await joinLadder(store, 1, "ada");
  const bot = sampleBotOf(ada, 1);
  const addEntry = { kind: "bot.registered" } as const;
  await store.keys.add({ ...SAMPLE_KEY, accountId: ada.id }, "hash", 10, sampleEntry(addEntry));
  await store.bots.add(bot, "token", null, sampleEntry(addEntry));
  rmSync(path);
  const subject = subjectOf(ada.id);
  const revokeEntry = sampleEntry({
    kind: "key.revoked",
    subject,
    detail: { key: SAMPLE_KEY.id, label: "ops" },
  });
  await store.keys.revoke(ada.id, SAMPLE_KEY.id, revokeEntry);
  await store.keys.revoke(ada.id, SAMPLE_KEY.id, revokeEntry);
  const rotateEntry = sampleEntry({ kind: "bot.rotated", subject: subjectOf(bot.id, "bot") });
  await store.bots.rotateToken(bot.id, "other", { audit: rotateEntry });
  await store.bots.rotateToken(bot.id, "third", { former: "wrong", audit: rotateEntry });
  const roleEntry = sampleEntry({
    kind: "account.role",
    subject,
    detail: { from: "player", to: "admin" },
  });
  await store.accounts.setRole(ada.id, "admin", [], roleEntry);
  const banEntry = sampleEntry({ kind: "account.ban", subject });
  await store.accounts.setBan(ada.id, { at: CASE_NOW, reason: null }, banEntry);
  await store.accounts.setBan(ada.id, { at: CASE_NOW, reason: null }, banEntry);
  await store.close();
  assert.deepEqual(readRevocations(), {
    items: [
      { at: revokeEntry.at, kind: "key.revoked", id: ada.id, credential: SAMPLE_KEY.id },
      { at: rotateEntry.at, kind: "bot.rotated", id: bot.id },
      { at: roleEntry.at, kind: "account.role", id: ada.id, role: "admin" },
      { at: banEntry.at, kind: "account.ban", id: ada.id },
    ],
    unreadable: [],
  });
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

it("stores a revocation even if the list can't be written", async () => {
  const folder = temporaryTestFolder();
  const failures: unknown[] = [];
  const brokenOptions = {
    folder: join(folder, "nowhere"),
    onFailure: (error: unknown) => failures.push(error),
  };
  const store = withRevocationRecording(await openStore({ data: folder }), brokenOptions);
  const ada = await joinLadder(store, 1);
  failures.splice(0);
  const banEntry = sampleEntry({ kind: "account.ban", subject: subjectOf(ada.id) });
  await store.accounts.setBan(ada.id, { at: CASE_NOW, reason: null }, banEntry);
  assert.equal((await store.accounts.byId(ada.id))?.bannedAt, CASE_NOW);
  assert.equal(failures.length, 1);
  await store.close();
});

it("keeps only the latest revocation per kind and subject when compacting", async () => {
  const { folder, store, path, listed: readRevocations } = await openRecordingStore();
  await store.close();
  const at = (second: number) => `2026-01-05T12:00:0${second}.000Z`;
  const lines = [
    { at: at(1), kind: "account.ban", id: "a" },
    { at: at(2), kind: "account.unban", id: "a" },
    { at: at(3), kind: "key.revoked", id: "a", credential: "k1" },
    { at: at(4), kind: "key.revoked", id: "a", credential: "k2" },
    { at: at(5), kind: "bot.rotated", id: "b" },
    { at: at(6), kind: "bot.rotated", id: "b" },
  ];
  for (const line of lines) appendFileSync(path, `${JSON.stringify(line)}\n`);
  appendFileSync(path, '{"at":"2026');
  assert.deepEqual(readRevocations().unreadable, [7]);
  await compactRevocations(folder);
  const compactedLines = [1, 2, 3, 5].map((index) => lines[index]);
  assert.deepEqual(readRevocations(), { items: compactedLines, unreadable: [] });
  rmSync(path);
  await compactRevocations(folder);
  assert.equal(readFileSync(path, "utf8"), "");
});
