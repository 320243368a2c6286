// Lists access to a restored ladder, and the revocations that the restore undoes.

import { newId } from "#base/clock/clock.ts";
import { SECOND_MS } from "#base/units/time.ts";
import { SYSTEM } from "#core/words/audit.ts";
import { latestOf } from "#data/files/revocations.ts";
import type { Revocation } from "#data/files/revocations.ts";
import type { AccountLine } from "#data/store/account.ts";
import type { KeyRecord, ProgramRecord } from "#data/store/agent-key.ts";
import type { Store } from "#data/store/store.ts";
import { aboutAccount, entryOf } from "#web/auth/entry.ts";

/** Accounts are given by handle, or by id where they have none. */
export type RestoredAccess = {
  agentKeys: { id: string; label: string; account: string }[];
  apps: { clientId: string; name: string; account: string }[];
  /** Sessions of browsers and apps; those of a backup without secrets can't be used. */
  sessions: number;
  /** Accounts with the role; addresses of `--admin-email` are admins too. */
  admins: string[];
  banned: string[];
  /** Bots that are neither retired nor banned. Their tokens are those of the backup. */
  bots: number;
};

const BOTS_AT_ONCE = 500;
const ALL = 1_000_000_000;

const nameOf = ({ id, handle }: Pick<AccountLine, "id" | "handle">) => handle ?? id;

const accountsOf = async (store: Store): Promise<AccountLine[]> =>
  (await store.accounts.list({ text: null, limit: ALL })).accounts.toReversed();

export async function accessOf(store: Store): Promise<RestoredAccess> {
  const accounts = await accountsOf(store);
  const access: RestoredAccess = {
    agentKeys: [],
    apps: [],
    sessions: await store.identity.sessionCount(),
    admins: accounts.filter(({ role }) => role === "admin").map(nameOf),
    banned: accounts.filter(({ bannedAt }) => bannedAt !== null).map(nameOf),
    bots: await countBots(store),
  };
  for (const one of accounts) {
    const account = nameOf(one);
    const keys = await store.keys.list(one.id);
    access.agentKeys.push(...keys.map(({ id, label }) => ({ id, label, account })));
    const apps = await store.programs.list(one.id);
    access.apps.push(...apps.map(({ clientId, name }) => ({ clientId, name, account })));
  }
  return access;
}

async function countBots(store: Store): Promise<number> {
  let count = 0;
  let ids = await store.bots.ids(null, BOTS_AT_ONCE);
  while (ids.length > 0) {
    const bots = await store.bots.byIds(ids);
    count += bots.filter(({ status }) => status !== "retired" && status !== "banned").length;
    ids = await store.bots.ids(ids.at(-1) ?? null, BOTS_AT_ONCE);
  }
  return count;
}

/** Revokes the agent keys, app authorizations and sessions of all accounts, each with an audit entry. */
export async function revokeAllKeys(store: Store, wall: () => Date): Promise<void> {
  const second = Math.floor(wall().getTime() / SECOND_MS);
  for (const account of await accountsOf(store)) {
    const detail = { restored: true };
    const deps = { newId, clock: wall };
    const entry = entryOf(deps, SYSTEM, "account.sign_out", aboutAccount(account), { detail });
    await store.accounts.signOut(account.id, second, entry);
  }
}

/** Finds revocations that a database of the instant `made` does not have, a line each. */
export async function undoneRevocations(
  store: Store,
  revocations: readonly Revocation[],
  made: string,
): Promise<string[]> {
  const lines: string[] = [];
  for (const revocation of latestOf(revocations)) {
    const line = revocation.kind.startsWith("bot.")
      ? await undoneOfBot(store, revocation, made)
      : await undoneOfAccount(store, revocation, made);
    if (line !== null) lines.push(`${line} (${revocation.at})`);
  }
  return lines;
}

async function undoneOfBot(
  store: Store,
  { kind, id, at }: Revocation,
  made: string,
): Promise<string | null> {
  const bot = await store.bots.byId(id);
  if (bot === null) return null;
  if (kind === "bot.rotated")
    return at > made ? `bot ${bot.name}: the token was replaced, the old one works again` : null;
  const status = STATUSES[kind];
  if (status === undefined || [status, "retired"].includes(bot.status)) return null;
  return `bot ${bot.name}: was ${status}, is ${bot.status} again`;
}

const STATUSES: Partial<Record<Revocation["kind"], string>> = {
  "bot.suspended": "suspended",
  "bot.activated": "active",
  "bot.banned": "banned",
};

async function undoneOfAccount(
  store: Store,
  revocation: Revocation,
  made: string,
): Promise<string | null> {
  const { kind, id, at, credential, role } = revocation;
  const account = await store.accounts.byId(id);
  if (account === null) return null;
  const name = nameOf(account);
  const [keys, apps] = [await store.keys.list(id), await store.programs.list(id)];
  switch (kind) {
    case "key.revoked":
      return undoneCredential(name, "agent key", labelOf(keys, credential));
    case "mcp.revoked":
      return undoneCredential(name, "app", nameOfApp(apps, credential, at));
    case "account.sign_out":
      return at > made && keys.length + apps.length > 0
        ? `account ${name}: was signed out everywhere, its keys and apps work again`
        : null;
    case "account.role":
      return role === undefined || role === account.role
        ? null
        : `account ${name}: became ${role}, is ${account.role} again`;
    case "account.ban":
    case "account.unban": {
      const isBanned = account.bannedAt !== null;
      if (isBanned === (kind === "account.ban")) return null;
      return `account ${name}: ${isBanned ? "was unbanned, is banned" : "was banned, is not banned"} again`;
    }
    case "bot.rotated":
    case "bot.suspended":
    case "bot.activated":
    case "bot.banned":
      return null;
  }
}

const undoneCredential = (account: string, what: string, label: string | undefined) =>
  label === undefined ? null : `account ${account}: ${what} "${label}" was revoked, works again`;

const labelOf = (keys: readonly KeyRecord[], id: string | undefined) =>
  keys.find((key) => key.id === id)?.label;

/** An app that was authorized again after it was revoked is not undone. */
const nameOfApp = (apps: readonly ProgramRecord[], id: string | undefined, at: string) =>
  apps.find(({ clientId, created }) => clientId === id && created < at)?.name;
