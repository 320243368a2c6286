// Former names of accounts and bots. They stay reserved for a while and resolve to whoever used
// them.

import { handleKey } from "#core/accounts/account.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import { nameKey } from "#data/store/bot.ts";
import type { NameReservation } from "#data/store/bot.ts";

export async function formerHandleHolder(
  database: Database,
  handle: string,
  now: string,
): Promise<string | null> {
  const row = await database
    .selectFrom("former_handles")
    .select("account_id")
    .where("handle_key", "=", handleKey(handle))
    .where("until", ">", now)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

export async function formerNameHolder(
  database: Database,
  name: string,
  now: string,
): Promise<string | null> {
  const row = await database
    .selectFrom("former_names")
    .select("bot_id")
    .where("name_key", "=", nameKey(name))
    .where("until", ">", now)
    .executeTakeFirst();
  return row?.bot_id ?? null;
}

export async function formerHandles(
  database: Database,
  accountId: string,
  now: string,
): Promise<string[]> {
  const rows = await database
    .selectFrom("former_handles")
    .select("handle")
    .where("account_id", "=", accountId)
    .where("until", ">", now)
    .orderBy("given_up", "desc")
    .orderBy("handle_key")
    .execute();
  return rows.map(({ handle }) => handle);
}

export async function sweepFormerNames(tx: OpenTransaction, now: string): Promise<void> {
  await tx.deleteFrom("former_handles").where("until", "<=", now).execute();
  await tx.deleteFrom("former_names").where("until", "<=", now).execute();
}

/** Reserves the account's old handle. If its new handle was reserved, ends that reservation. */
export async function replaceHandle(
  tx: OpenTransaction,
  account_id: string,
  [oldName, newName]: [former: string | null, next: string | null],
  { at, until }: NameReservation,
): Promise<void> {
  await tx.deleteFrom("former_handles").where("until", "<=", at).execute();
  if (newName !== null)
    await tx.deleteFrom("former_handles").where("handle_key", "=", handleKey(newName)).execute();
  if (oldName === null || (newName !== null && handleKey(oldName) === handleKey(newName))) return;
  const reserved = { handle: oldName, account_id, given_up: at, until };
  await tx
    .insertInto("former_handles")
    .values({ ...reserved, handle_key: handleKey(oldName) })
    .onConflict((conflict) => conflict.column("handle_key").doUpdateSet(reserved))
    .execute();
  const query = tx.selectFrom("former_handles").where("account_id", "=", account_id);
  const reservedRows = await query.select("handle_key").orderBy("given_up", "desc").execute();
  const excessKeys = reservedRows
    .slice(FIXED_LIMITS.former_names)
    .map(({ handle_key }) => handle_key);
  if (excessKeys.length > 0)
    await tx.deleteFrom("former_handles").where("handle_key", "in", excessKeys).execute();
}

/** Reserves the bot's old name. If its new name was reserved, ends that reservation. */
export async function replaceName(
  tx: OpenTransaction,
  bot_id: string,
  [oldName, newName]: [former: string, next: string],
  { at, until }: NameReservation,
): Promise<void> {
  await tx.deleteFrom("former_names").where("until", "<=", at).execute();
  await tx.deleteFrom("former_names").where("name_key", "=", nameKey(newName)).execute();
  if (nameKey(oldName) === nameKey(newName)) return;
  const reserved = { bot_id, given_up: at, until };
  await tx
    .insertInto("former_names")
    .values({ ...reserved, name_key: nameKey(oldName) })
    .onConflict((conflict) => conflict.column("name_key").doUpdateSet(reserved))
    .execute();
  const query = tx.selectFrom("former_names").where("bot_id", "=", bot_id);
  const reservedRows = await query.select("name_key").orderBy("given_up", "desc").execute();
  const excessKeys = reservedRows.slice(FIXED_LIMITS.former_names).map(({ name_key }) => name_key);
  if (excessKeys.length > 0)
    await tx.deleteFrom("former_names").where("name_key", "in", excessKeys).execute();
}
