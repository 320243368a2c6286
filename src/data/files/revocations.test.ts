import assert from "node:assert/strict";
import { appendFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { openStore } from "#server/composition/open-store.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import {
  botOf,
  entry,
  join as joinLadder,
  KEY,
  NOW,
} from "#testing/store-cases/store-account-cases.ts";

import { recordRevocations } from "./revocation-recording.ts";
import { compactRevocations, parseRevocations, REVOCATIONS_FILE } from "./revocations.ts";

const fail = (error: unknown) => assert.fail(String(error));
const about = (id: string, kind: "account" | "bot" = "account") => ({ kind, id, name: null });

async function openRecorded() {
  const folder = temporaryFolder();
  const store = recordRevocations(await openStore({ data: folder }), { folder, failed: fail });
  const path = join(folder, REVOCATIONS_FILE);
  const listed = () => parseRevocations(readFileSync(path, "utf8"));
  return { folder, store, path, listed };
}

it("lists revoked keys, new tokens, roles and bans, each once it is stored", async () => {
  const { store, path, listed } = await openRecorded();
  const ada = await joinLadder(store, 1, "ada");
  const bot = botOf(ada, 1);
  const other = { kind: "bot.registered" } as const;
  await store.keys.add({ ...KEY, accountId: ada.id }, "hash", 10, entry(other));
  await store.bots.add(bot, "token", null, entry(other));
  rmSync(path);
  const subject = about(ada.id);
  const revoked = entry({ kind: "key.revoked", subject, detail: { key: KEY.id, label: "ops" } });
  await store.keys.revoke(ada.id, KEY.id, revoked);
  await store.keys.revoke(ada.id, KEY.id, revoked);
  const audit = entry({ kind: "bot.rotated", subject: about(bot.id, "bot") });
  await store.bots.rotateToken(bot.id, "other", { audit });
  await store.bots.rotateToken(bot.id, "third", { former: "wrong", audit });
  const role = entry({ kind: "account.role", subject, detail: { from: "player", to: "admin" } });
  await store.accounts.setRole(ada.id, "admin", [], role);
  const ban = entry({ kind: "account.ban", subject });
  await store.accounts.setBan(ada.id, { at: NOW, reason: null }, ban);
  await store.accounts.setBan(ada.id, { at: NOW, reason: null }, ban);
  await store.close();
  assert.deepEqual(listed(), {
    items: [
      { at: revoked.at, kind: "key.revoked", id: ada.id, credential: KEY.id },
      { at: audit.at, kind: "bot.rotated", id: bot.id },
      { at: role.at, kind: "account.role", id: ada.id, role: "admin" },
      { at: ban.at, kind: "account.ban", id: ada.id },
    ],
    unreadable: [],
  });
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

it("stores a revocation even if the list can't be written", async () => {
  const folder = temporaryFolder();
  const failures: unknown[] = [];
  const nowhere = {
    folder: join(folder, "nowhere"),
    failed: (error: unknown) => failures.push(error),
  };
  const store = recordRevocations(await openStore({ data: folder }), nowhere);
  const ada = await joinLadder(store, 1);
  failures.splice(0);
  const ban = entry({ kind: "account.ban", subject: about(ada.id) });
  await store.accounts.setBan(ada.id, { at: NOW, reason: null }, ban);
  assert.equal((await store.accounts.byId(ada.id))?.bannedAt, NOW);
  assert.equal(failures.length, 1);
  await store.close();
});

it("keeps the latest of each kind and subject when it is compacted", async () => {
  const { folder, store, path, listed } = await openRecorded();
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
  assert.deepEqual(listed().unreadable, [7]);
  await compactRevocations(folder);
  const kept = [1, 2, 3, 5].map((index) => lines[index]);
  assert.deepEqual(listed(), { items: kept, unreadable: [] });
  rmSync(path);
  await compactRevocations(folder);
  assert.equal(readFileSync(path, "utf8"), "");
});
