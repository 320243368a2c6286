// Lists who has access to a restored ladder, and revocations that the restore undoes.

import { newId } from "#base/clock/clock.ts";
import { SECOND_MS } from "#base/util/time.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import { latestRevocations } from "#data/files/revocations.ts";
import type { Revocation } from "#data/files/revocations.ts";
import type { AccountListItem } from "#data/store/account.ts";
import type { AgentKeyRecord, AppRecord } from "#data/store/agent-key.ts";
import type { Store } from "#data/store/store.ts";
import { accountSubject, newAuditEntry } from "#web/auth/audit-entry.ts";

/** Accounts are listed by handle, or by id if they have no handle. */
export type RestoredAccess = {
  agentKeys: { id: string; label: string; account: string }[];
  apps: { clientId: string; name: string; account: string }[];
  /** Sessions of browsers and apps. In a backup without secrets, no session is usable. */
  sessions: number;
  /** Accounts with the admin role. Addresses in `--admin-email` are admins too. */
  admins: string[];
  banned: string[];
  /** Bots that are neither retired nor banned. Their tokens come from the backup. */
  bots: number;
};

const BOT_BATCH_SIZE = 500;
const NO_LIMIT = 1_000_000_000;

const accountLabel = ({ id, handle }: Pick<AccountListItem, "id" | "handle">) => handle ?? id;

const listAccounts = async (store: Store): Promise<AccountListItem[]> =>
  (await store.accounts.list({ text: null, limit: NO_LIMIT })).accounts.toReversed();

export async function collectAccess(store: Store): Promise<RestoredAccess> {
  const accounts = await listAccounts(store);
  const access: RestoredAccess = {
    agentKeys: [],
    apps: [],
    sessions: await store.identity.sessionCount(),
    admins: accounts.filter(({ role }) => role === "admin").map(accountLabel),
    banned: accounts.filter(({ bannedAt }) => bannedAt !== null).map(accountLabel),
    bots: await countBots(store),
  };
  for (const accountRow of accounts) {
    const account = accountLabel(accountRow);
    const keys = await store.keys.list(accountRow.id);
    access.agentKeys.push(...keys.map(({ id, label }) => ({ id, label, account })));
    const apps = await store.apps.list(accountRow.id);
    access.apps.push(...apps.map(({ clientId, name }) => ({ clientId, name, account })));
  }
  return access;
}

async function countBots(store: Store): Promise<number> {
  let count = 0;
  let ids = await store.bots.ids(null, BOT_BATCH_SIZE);
  while (ids.length > 0) {
    const bots = await store.bots.byIds(ids);
    count += bots.filter(({ status }) => status !== "retired" && status !== "banned").length;
    ids = await store.bots.ids(ids.at(-1) ?? null, BOT_BATCH_SIZE);
  }
  return count;
}

/** Revokes all agent keys, app authorizations and sessions, with an audit entry for each. */
export async function revokeAllKeys(store: Store, wall: () => Date): Promise<void> {
  const second = Math.floor(wall().getTime() / SECOND_MS);
  for (const account of await listAccounts(store)) {
    const detail = { restored: true };
    const deps = { newId, clock: wall };
    const auditEntry = newAuditEntry(
      deps,
      SYSTEM_ACTOR,
      "account.sign_out",
      accountSubject(account),
      { detail },
    );
    await store.accounts.signOut(account.id, second, auditEntry);
  }
}

/**
 * Returns one line for each revocation made after `made`, the time at which the database was
 * copied.
 */
export async function findUndoneRevocations(
  store: Store,
  revocations: readonly Revocation[],
  backupTime: string,
): Promise<string[]> {
  const lines: string[] = [];
  for (const revocation of latestRevocations(revocations)) {
    const line = revocation.kind.startsWith("bot.")
      ? await undoneBotRevocation(store, revocation, backupTime)
      : await undoneAccountRevocation(store, revocation, backupTime);
    if (line !== null) lines.push(`${line} (${revocation.at})`);
  }
  return lines;
}

async function undoneBotRevocation(
  store: Store,
  { kind, id, at }: Revocation,
  backupTime: string,
): Promise<string | null> {
  const bot = await store.bots.byId(id);
  if (bot === null) return null;
  if (kind === "bot.rotated")
    return at > backupTime
      ? `bot ${bot.name}: token was replaced, now the old one works again`
      : null;
  const status = STATUS_BY_REVOCATION[kind];
  if (status === undefined || [status, "retired"].includes(bot.status)) return null;
  return `bot ${bot.name}: was ${status}, now ${bot.status} again`;
}

const STATUS_BY_REVOCATION: Partial<Record<Revocation["kind"], string>> = {
  "bot.suspended": "suspended",
  "bot.activated": "active",
  "bot.banned": "banned",
};

async function undoneAccountRevocation(
  store: Store,
  revocation: Revocation,
  backupTime: string,
): Promise<string | null> {
  const { kind, id, at, credential, role } = revocation;
  const account = await store.accounts.byId(id);
  if (account === null) return null;
  const name = accountLabel(account);
  const [keys, apps] = [await store.keys.list(id), await store.apps.list(id)];
  switch (kind) {
    case "key.revoked":
      return describeUndoneCredential(name, "agent key", keyLabel(keys, credential));
    case "mcp.revoked":
      return describeUndoneCredential(name, "app", activeAppName(apps, credential, at));
    case "account.sign_out":
      return at > backupTime && keys.length + apps.length > 0
        ? `account ${name}: was signed out everywhere, now its keys and apps work again`
        : null;
    case "account.role":
      return role === undefined || role === account.role
        ? null
        : `account ${name}: was made ${role}, now ${account.role} again`;
    case "account.ban":
    case "account.unban": {
      const isBanned = account.bannedAt !== null;
      if (isBanned === (kind === "account.ban")) return null;
      return `account ${name}: ${isBanned ? "was unbanned, now banned again" : "was banned, now not banned"}`;
    }
    case "bot.rotated":
    case "bot.suspended":
    case "bot.activated":
    case "bot.banned":
      return null;
  }
}

const describeUndoneCredential = (
  account: string,
  credentialKind: string,
  label: string | undefined,
) =>
  label === undefined
    ? null
    : `account ${account}: ${credentialKind} "${label}" was revoked, now works again`;

const keyLabel = (keys: readonly AgentKeyRecord[], id: string | undefined) =>
  keys.find((key) => key.id === id)?.label;

/** Excludes an app that was authorized again after it was revoked. */
const activeAppName = (apps: readonly AppRecord[], id: string | undefined, at: string) =>
  apps.find(({ clientId, created }) => clientId === id && created < at)?.name;
