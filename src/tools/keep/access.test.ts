// Access that a restore brings back, and what was revoked since the backup.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import type { AuditKind } from "#core/words/audit.ts";
import { recordRevocations } from "#data/files/revocation-recording.ts";
import { openStore } from "#server/composition/open-store.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import {
  botOf,
  entry,
  join as joinLadder,
  KEY,
  sampleAccount,
} from "#testing/store-cases/store-account-cases.ts";

import { makeBackup } from "./backup.ts";
import { restoreBackup } from "./restore.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const wall = () => NOW;
const quiet = () => {};

type Ladder = { data: string; at: (name: string) => string };

/** A data folder with accounts that have access, and its backup. */
async function backedUpLadder(): Promise<Ladder> {
  const root = temporaryFolder();
  const at = (name: string) => join(root, name);
  const data = at("data");
  await addAccess(data);
  const plan = { data, database: null, folder: at("backup"), withSecrets: false };
  await makeBackup(plan, wall, quiet);
  return { data, at };
}

const restored = ({ at }: Ladder, changes: { revoked?: string; withoutKeys?: boolean } = {}) => {
  const places = { folder: at("backup"), data: at("new"), database: null };
  const plan = { ...places, left: null, revoked: null, withoutKeys: false, ...changes };
  return restoreBackup(plan, wall, quiet);
};

const AT = "2026-11-24T12:00:00.000Z";

/** Accounts with keys: `ada` is an admin with an app and a bot, `eve` is banned. `root` is an admin. */
async function addAccess(data: string): Promise<void> {
  const store = await openStore({ data });
  const [ada, eve] = [await joinLadder(store, 1, "ada"), await joinLadder(store, 2, "eve")];
  const root = await joinLadder(store, 3, "root");
  for (const { id } of [ada, root]) await store.accounts.setRole(id, "admin", [], entry());
  await store.accounts.setBan(eve.id, { at: AT, reason: null }, entry());
  await store.bots.add({ ...botOf(ada, 7), name: "ada-1" }, "token-ada", null, entry());
  for (const [index, { id }] of [ada, eve].entries()) {
    const key = { ...KEY, id: `key-${index + 1}`, accountId: id };
    await store.keys.add(key, `hash-${index}`, 10, entry());
  }
  const app = { clientId: "app", name: "Editor", created: KEY.created, lastUsed: null };
  await store.programs.allow(ada.id, app, entry());
  await store.close();
}

/** Takes all of it away, as a server does. */
async function revokeAccess(data: string): Promise<void> {
  const failed = (error: unknown) => assert.fail(String(error));
  const store = recordRevocations(await openStore({ data }), { folder: data, failed });
  const [ada, eve] = [sampleAccount(1).id, sampleAccount(2).id];
  const bot = (await store.bots.byName("ada-1"))!;
  let second = 0;
  const noted = (kind: AuditKind, id: string, detail: object | null = null) => {
    const at = `2026-11-24T12:00:0${(second += 1)}.000Z`;
    return entry({ kind, at, subject: { kind: "account", id, name: null }, detail });
  };
  await store.keys.revoke(ada, "key-1", noted("key.revoked", ada, { key: "key-1" }));
  const demoted = noted("account.role", ada, { from: "admin", to: "player" });
  await store.accounts.setRole(ada, "player", [], demoted);
  await store.accounts.setBan(ada, { at: AT, reason: null }, noted("account.ban", ada));
  await store.accounts.setBan(eve, null, noted("account.unban", eve));
  await store.bots.rotateToken(bot.id, "newer", { audit: noted("bot.rotated", bot.id) });
  const suspended = { from: ["active"], to: "suspended", reason: null, at: AT } as const;
  await store.bots.setStatus(bot.id, suspended, noted("bot.suspended", bot.id));
  await store.programs.revoke(ada, "app", noted("mcp.revoked", ada, { client_id: "app" }));
  await store.close();
}

it("lists the access of a restored ladder, and what was revoked since the backup", async () => {
  const ladder = await backedUpLadder();
  await revokeAccess(ladder.data);
  const list = join(ladder.data, "revoked.jsonl");
  const { access, undone } = await restored(ladder, { revoked: list });
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
      'account ada: agent key "agent" was revoked, works again',
      "account ada: became player, is admin again",
      "account ada: was banned, is not banned again",
      "account eve: was unbanned, is banned again",
      "bot ada-1: the token was replaced, the old one works again",
      "bot ada-1: was suspended, is active again",
      'account ada: app "Editor" was revoked, works again',
    ],
  );
  assert.ok(existsSync(ladder.at("new/revoked.jsonl")), "the list goes on with them");
});

it("revokes agent keys, apps and sessions with --without-keys", async () => {
  const ladder = await backedUpLadder();
  const { access } = await restored(ladder, { withoutKeys: true });
  assert.deepEqual([access.agentKeys, access.apps, access.bots], [[], [], 1]);
  const store = await openStore({ data: ladder.at("new") });
  const found = await store.accounts.find("https://id.example/auth/v1", "person-1");
  assert.equal(found.signedOutAt, NOW.getTime() / 1000);
  const entries = await store.audit.list({ kind: "account.sign_out", limit: 9 });
  assert.equal(entries.length, 3);
  assert.ok(await store.bots.byToken("token-ada"), "bot tokens stay");
  await store.close();
});
