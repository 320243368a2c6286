// Agent keys, programs that an account let in, and owners with a key.

import type { Selectable } from "kysely";

import { ownerFold } from "#core/accounts/name.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { OwnerRecord } from "#data/store/account.ts";
import type { AddKeyOutcome, KeyRecord, ProgramRecord } from "#data/store/agent-key.ts";

import type { KeyTable, ProgramTable } from "./account-tables.ts";
import { accountById, isTakenHandle } from "./accounts.ts";
import { countCreation } from "./daily-creations.ts";

export async function addKey(
  open: OpenTransaction,
  key: KeyRecord,
  hash: string,
  limit: number,
): Promise<AddKeyOutcome> {
  if ((await accountById(open, key.accountId)) === null) return "no_account";
  const known = await keysOf(open, key.accountId);
  if (known.some(({ id }) => id === key.id)) return "added";
  if (known.length >= limit) return "key_limit";
  if (!(await countCreation(open, key.accountId, "agent_key", key.created))) return "daily_limit";
  const { id, accountId: account_id, label, created, lastUsed: last_used } = key;
  const row = { id, account_id, hash, label, created, last_used };
  await open.insertInto("agent_keys").values(row).execute();
  return "added";
}

export async function keyByHash(
  database: Database,
  hash: string,
): Promise<{ key: KeyRecord; account: AccountRecord } | null> {
  const all = database.selectFrom("agent_keys").selectAll();
  const row = await all.where("hash", "=", hash).executeTakeFirst();
  const account = row && (await accountById(database, row.account_id));
  return row && account ? { key: toKey(row), account } : null;
}

/** By age. */
export async function keysOf(database: Database, accountId: string): Promise<KeyRecord[]> {
  const all = database.selectFrom("agent_keys").selectAll();
  const own = all.where("account_id", "=", accountId).orderBy("created").orderBy("id");
  return (await own.execute()).map(toKey);
}

export async function revokeKey(
  open: OpenTransaction,
  accountId: string,
  id: string,
): Promise<KeyRecord | null> {
  const key = (await keysOf(open, accountId)).find((one) => one.id === id);
  if (key === undefined) return null;
  await open.deleteFrom("agent_keys").where("id", "=", id).execute();
  return key;
}

export async function useKey(open: OpenTransaction, id: string, at: string): Promise<void> {
  await open.updateTable("agent_keys").set({ last_used: at }).where("id", "=", id).execute();
}

export async function allowProgram(
  open: OpenTransaction,
  account_id: string,
  { clientId: client_id, name, created, lastUsed: last_used }: ProgramRecord,
): Promise<void> {
  await open
    .insertInto("programs")
    .values({ account_id, client_id, name, created, last_used })
    .onConflict((conflict) => conflict.columns(["account_id", "client_id"]).doUpdateSet({ name }))
    .execute();
}

/** By age. */
export async function programsOf(database: Database, accountId: string): Promise<ProgramRecord[]> {
  const all = database.selectFrom("programs").selectAll();
  const own = all.where("account_id", "=", accountId).orderBy("created").orderBy("client_id");
  return (await own.execute()).map(toProgram);
}

export async function programOf(
  database: Database,
  accountId: string,
  clientId: string,
): Promise<ProgramRecord | null> {
  const row = await database
    .selectFrom("programs")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return row ? toProgram(row) : null;
}

export async function revokeProgram(
  open: OpenTransaction,
  accountId: string,
  clientId: string,
): Promise<boolean> {
  const gone = await open
    .deleteFrom("programs")
    .where("account_id", "=", accountId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

export async function useProgram(
  open: OpenTransaction,
  accountId: string,
  clientId: string,
  at: string,
): Promise<void> {
  await open
    .updateTable("programs")
    .set({ last_used: at })
    .where("account_id", "=", accountId)
    .where("client_id", "=", clientId)
    .execute();
}

export async function addOwner(
  open: OpenTransaction,
  { name, maxBots: max_bots, created }: OwnerRecord,
  key_hash: string,
  now: string,
): Promise<boolean> {
  if (await isTakenHandle(open, name, now)) return false;
  const added = await open
    .insertInto("owners")
    .values({ name_key: ownerFold(name), name, key_hash, max_bots, created })
    .onConflict((conflict) => conflict.column("name_key").doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

export async function ownerByKey(database: Database, hash: string): Promise<OwnerRecord | null> {
  const all = database.selectFrom("owners").select(["name", "max_bots as maxBots", "created"]);
  const row = await all.where("key_hash", "=", hash).executeTakeFirst();
  return row ? { ...row } : null;
}

/** By age. */
export async function listOwners(database: Database): Promise<OwnerRecord[]> {
  const all = database.selectFrom("owners").select(["name", "max_bots as maxBots", "created"]);
  return (await all.orderBy("created").orderBy("name_key").execute()).map((row) => ({ ...row }));
}

function toKey(row: Selectable<KeyTable>): KeyRecord {
  const { id, account_id, label, created, last_used } = row;
  return { id, accountId: account_id, label, created, lastUsed: last_used };
}

function toProgram(row: Selectable<ProgramTable>): ProgramRecord {
  const { client_id, name, created, last_used } = row;
  return { clientId: client_id, name, created, lastUsed: last_used };
}
