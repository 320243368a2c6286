import type { Selectable } from "kysely";

import { normalizeOwner } from "#core/accounts/name-rules.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { OwnerRecord } from "#data/store/account.ts";
import type { AddAgentKeyOutcome, AgentKeyRecord, AppRecord } from "#data/store/agent-key.ts";

import type { AgentKeyTable, AppTable } from "./account-tables.ts";
import { accountById, isTakenHandle } from "./accounts.ts";
import { countCreation } from "./daily-creations.ts";

export async function insertAgentKey(
  tx: OpenTransaction,
  key: AgentKeyRecord,
  hash: string,
  limit: number,
): Promise<AddAgentKeyOutcome> {
  if ((await accountById(tx, key.accountId)) === null) return "no_account";
  const existingKeys = await agentKeysOf(tx, key.accountId);
  if (existingKeys.some(({ id }) => id === key.id)) return "added";
  if (existingKeys.length >= limit) return "key_limit";
  if (!(await countCreation(tx, key.accountId, "agent_key", key.created))) return "daily_limit";
  const { id, accountId: account_id, label, created, lastUsed: last_used } = key;
  const row = { id, account_id, hash, label, created, last_used };
  await tx.insertInto("agent_keys").values(row).execute();
  return "added";
}

export async function agentKeyByHash(
  database: Database,
  hash: string,
): Promise<{ key: AgentKeyRecord; account: AccountRecord } | null> {
  const query = database.selectFrom("agent_keys").selectAll();
  const row = await query.where("hash", "=", hash).executeTakeFirst();
  const account = row && (await accountById(database, row.account_id));
  return row && account ? { key: toAgentKey(row), account } : null;
}

export async function agentKeysOf(
  database: Database,
  accountId: string,
): Promise<AgentKeyRecord[]> {
  const query = database.selectFrom("agent_keys").selectAll();
  const accountKeys = query.where("account_id", "=", accountId).orderBy("created").orderBy("id");
  return (await accountKeys.execute()).map(toAgentKey);
}

export async function revokeAgentKey(
  tx: OpenTransaction,
  accountId: string,
  id: string,
): Promise<AgentKeyRecord | null> {
  const key = (await agentKeysOf(tx, accountId)).find((candidate) => candidate.id === id);
  if (key === undefined) return null;
  await tx.deleteFrom("agent_keys").where("id", "=", id).execute();
  return key;
}

export async function recordKeyUse(tx: OpenTransaction, id: string, at: string): Promise<void> {
  await tx.updateTable("agent_keys").set({ last_used: at }).where("id", "=", id).execute();
}

export async function insertAppAuthorization(
  tx: OpenTransaction,
  account_id: string,
  { clientId: client_id, name, created, lastUsed: last_used }: AppRecord,
): Promise<void> {
  await tx
    .insertInto("programs")
    .values({ account_id, client_id, name, created, last_used })
    .onConflict((conflict) => conflict.columns(["account_id", "client_id"]).doUpdateSet({ name }))
    .execute();
}

export async function appsOf(database: Database, accountId: string): Promise<AppRecord[]> {
  const query = database.selectFrom("programs").selectAll();
  const accountApps = query
    .where("account_id", "=", accountId)
    .orderBy("created")
    .orderBy("client_id");
  return (await accountApps.execute()).map(toApp);
}

export async function appOf(
  database: Database,
  accountId: string,
  clientId: string,
): Promise<AppRecord | null> {
  const row = await database
    .selectFrom("programs")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return row ? toApp(row) : null;
}

export async function revokeApp(
  tx: OpenTransaction,
  accountId: string,
  clientId: string,
): Promise<boolean> {
  const result = await tx
    .deleteFrom("programs")
    .where("account_id", "=", accountId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function recordAppUse(
  tx: OpenTransaction,
  accountId: string,
  clientId: string,
  at: string,
): Promise<void> {
  await tx
    .updateTable("programs")
    .set({ last_used: at })
    .where("account_id", "=", accountId)
    .where("client_id", "=", clientId)
    .execute();
}

export async function addOwner(
  tx: OpenTransaction,
  { name, maxBots: max_bots, created }: OwnerRecord,
  key_hash: string,
  now: string,
): Promise<boolean> {
  if (await isTakenHandle(tx, name, now)) return false;
  const result = await tx
    .insertInto("owners")
    .values({ name_key: normalizeOwner(name), name, key_hash, max_bots, created })
    .onConflict((conflict) => conflict.column("name_key").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function ownerByKey(database: Database, hash: string): Promise<OwnerRecord | null> {
  const query = database.selectFrom("owners").select(["name", "max_bots as maxBots", "created"]);
  const row = await query.where("key_hash", "=", hash).executeTakeFirst();
  return row ? { ...row } : null;
}

export async function listOwners(database: Database): Promise<OwnerRecord[]> {
  const query = database.selectFrom("owners").select(["name", "max_bots as maxBots", "created"]);
  return (await query.orderBy("created").orderBy("name_key").execute()).map((row) => ({ ...row }));
}

function toAgentKey(row: Selectable<AgentKeyTable>): AgentKeyRecord {
  const { id, account_id, label, created, last_used } = row;
  return { id, accountId: account_id, label, created, lastUsed: last_used };
}

function toApp(row: Selectable<AppTable>): AppRecord {
  const { client_id, name, created, last_used } = row;
  return { clientId: client_id, name, created, lastUsed: last_used };
}
