// Names that were given up: of accounts, and of bots. For a while nobody else can take them, and
// a look-up of one finds who had it.

import { handleKey } from "#core/accounts/account.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import { nameKey } from "#data/store/bot.ts";
import type { GivenUp } from "#data/store/bot.ts";

/** Id of the account that had this handle until lately; null if nobody else is kept from it. */
export async function formerHolder(
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

/** Id of the bot that had this name until lately. */
export async function formerBot(
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

/** Those that are still kept for an account, the newest first. */
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

/** Forgets those that anybody may take again. */
export async function sweepNames(open: OpenTransaction, now: string): Promise<void> {
  await open.deleteFrom("former_handles").where("until", "<=", now).execute();
  await open.deleteFrom("former_names").where("until", "<=", now).execute();
}

/** Keeps the handle that an account gives up for another one, which it may have had before. */
export async function moveHandle(
  open: OpenTransaction,
  account_id: string,
  [former, next]: [former: string | null, next: string | null],
  { at, until }: GivenUp,
): Promise<void> {
  await open.deleteFrom("former_handles").where("until", "<=", at).execute();
  if (next !== null)
    await open.deleteFrom("former_handles").where("handle_key", "=", handleKey(next)).execute();
  if (former === null || (next !== null && handleKey(former) === handleKey(next))) return;
  const kept = { handle: former, account_id, given_up: at, until };
  await open
    .insertInto("former_handles")
    .values({ ...kept, handle_key: handleKey(former) })
    .onConflict((conflict) => conflict.column("handle_key").doUpdateSet(kept))
    .execute();
  const own = open.selectFrom("former_handles").where("account_id", "=", account_id);
  const all = await own.select("handle_key").orderBy("given_up", "desc").execute();
  const beyond = all.slice(FIXED.former_names).map(({ handle_key }) => handle_key);
  if (beyond.length > 0)
    await open.deleteFrom("former_handles").where("handle_key", "in", beyond).execute();
}

/** The same for the name of a bot. */
export async function moveName(
  open: OpenTransaction,
  bot_id: string,
  [former, next]: [former: string, next: string],
  { at, until }: GivenUp,
): Promise<void> {
  await open.deleteFrom("former_names").where("until", "<=", at).execute();
  await open.deleteFrom("former_names").where("name_key", "=", nameKey(next)).execute();
  if (nameKey(former) === nameKey(next)) return;
  const kept = { bot_id, given_up: at, until };
  await open
    .insertInto("former_names")
    .values({ ...kept, name_key: nameKey(former) })
    .onConflict((conflict) => conflict.column("name_key").doUpdateSet(kept))
    .execute();
  const own = open.selectFrom("former_names").where("bot_id", "=", bot_id);
  const all = await own.select("name_key").orderBy("given_up", "desc").execute();
  const beyond = all.slice(FIXED.former_names).map(({ name_key }) => name_key);
  if (beyond.length > 0)
    await open.deleteFrom("former_names").where("name_key", "in", beyond).execute();
}
