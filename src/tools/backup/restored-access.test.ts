import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import type { AuditKind } from "#core/ids/audit-kinds.ts";
import { withRevocationRecording } from "#data/files/revocation-recording.ts";
import { openStore } from "#server/composition/open-store.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import {
  sampleBotOf,
  sampleEntry,
  addSampleAccount as joinLadder,
  SAMPLE_KEY,
  sampleAccount,
} from "#testing/store-contract/store-account-cases.ts";

import { makeBackup } from "./backup.ts";
import { restoreBackup } from "./restore.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const wall = () => NOW;
const noProgress = () => {};

type Ladder = { data: string; at: (name: string) => string };

async function createBackedUpLadder(): Promise<Ladder> {
  const root = temporaryTestFolder();
  const at = (name: string) => join(root, name);
  const data = at("data");
  await addAccess(data);
  const restorePlan = { data, database: null, folder: at("backup"), withSecrets: false };
  await makeBackup(restorePlan, wall, noProgress);
  return { data, at };
}

const restoreWith = ({ at }: Ladder, changes: { revoked?: string; withoutKeys?: boolean } = {}) => {
  const places = { folder: at("backup"), data: at("new"), database: null };
  const restorePlan = { ...places, left: null, revoked: null, withoutKeys: false, ...changes };
  return restoreBackup(restorePlan, wall, noProgress);
};

const AT = "2026-11-24T12:00:00.000Z";

/**
 * `ada` is an admin with an app and a bot, `eve` is banned, and `root` is an admin. All have keys.
 */
async function addAccess(data: string): Promise<void> {
  const store = await openStore({ data });
  const [ada, eve] = [await joinLadder(store, 1, "ada"), await joinLadder(store, 2, "eve")];
  const root = await joinLadder(store, 3, "root");
  for (const { id } of [ada, root]) await store.accounts.setRole(id, "admin", [], sampleEntry());
  await store.accounts.setBan(eve.id, { at: AT, reason: null }, sampleEntry());
  await store.bots.add({ ...sampleBotOf(ada, 7), name: "ada-1" }, "token-ada", null, sampleEntry());
  for (const [index, { id }] of [ada, eve].entries()) {
    const key = { ...SAMPLE_KEY, id: `key-${index + 1}`, accountId: id };
    await store.keys.add(key, `hash-${index}`, 10, sampleEntry());
  }
  const app = { clientId: "app", name: "Editor", created: SAMPLE_KEY.created, lastUsed: null };
  await store.apps.authorize(ada.id, app, sampleEntry());
  await store.close();
}

async function revokeAccess(data: string): Promise<void> {
  const failed = (error: unknown) => assert.fail(String(error));
  const store = withRevocationRecording(await openStore({ data }), {
    folder: data,
    onFailure: failed,
  });
  const [ada, eve] = [sampleAccount(1).id, sampleAccount(2).id];
  const bot = (await store.bots.byName("ada-1"))!;
  let second = 0;
  const revocationList = (kind: AuditKind, id: string, detail: object | null = null) => {
    const at = `2026-11-24T12:00:0${(second += 1)}.000Z`;
    return sampleEntry({ kind, at, subject: { kind: "account", id, name: null }, detail });
  };
  await store.keys.revoke(ada, "key-1", revocationList("key.revoked", ada, { key: "key-1" }));
  const demotedAdmin = revocationList("account.role", ada, { from: "admin", to: "player" });
  await store.accounts.setRole(ada, "player", [], demotedAdmin);
  await store.accounts.setBan(ada, { at: AT, reason: null }, revocationList("account.ban", ada));
  await store.accounts.setBan(eve, null, revocationList("account.unban", eve));
  await store.bots.rotateToken(bot.id, "newer", { audit: revocationList("bot.rotated", bot.id) });
  const suspendedBot = { from: ["active"], to: "suspended", reason: null, at: AT } as const;
  await store.bots.setStatus(bot.id, suspendedBot, revocationList("bot.suspended", bot.id));
  await store.apps.revoke(ada, "app", revocationList("mcp.revoked", ada, { client_id: "app" }));
  await store.close();
}

it("lists who has access to a restored ladder, and which revocations the restore undid", async () => {
  const ladder = await createBackedUpLadder();
  await revokeAccess(ladder.data);
  const list = join(ladder.data, "revoked.jsonl");
  const { access, undone } = await restoreWith(ladder, { revoked: list });
  const label = "agent";
  assert.deepEqual(access, {
    agentKeys: [
      { id: "key-1", label, account: "ada" },
      { id: "key-2", label, account: "eve" },
    ],
    apps: [{ clientId: "app", name: "Editor", account: "ada" }],
    sessions: 0,
    admins: ["ada", "root"],
    banned: ["eve"],
    bots: 1,
  });
  assert.deepEqual(
    undone?.map((line) => line.replace(/ \([^(]*\)$/, "")),
    [
      'account ada: agent key "agent" was revoked, now works again',
      "account ada: was made player, now admin again",
      "account ada: was banned, now not banned",
      "account eve: was unbanned, now banned again",
      "bot ada-1: token was replaced, now the old one works again",
      "bot ada-1: was suspended, now active again",
      'account ada: app "Editor" was revoked, now works again',
    ],
  );
  assert.ok(existsSync(ladder.at("new/revoked.jsonl")), "the server keeps appending to the list");
});

it("revokes agent keys, apps and sessions with --without-keys", async () => {
  const ladder = await createBackedUpLadder();
  const { access } = await restoreWith(ladder, { withoutKeys: true });
  assert.deepEqual([access.agentKeys, access.apps, access.bots], [[], [], 1]);
  const store = await openStore({ data: ladder.at("new") });
  const foundLines = await store.accounts.find("https://id.example/auth/v1", "person-1");
  assert.equal(foundLines.signedOutAt, NOW.getTime() / 1000);
  const entries = await store.audit.list({ kind: "account.sign_out", limit: 9 });
  assert.equal(entries.length, 3);
  assert.ok(await store.bots.byToken("token-ada"), "bot tokens stay");
  await store.close();
});
