import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import type { Database } from "#data/queries/tables.ts";
import type { AccountList, AccountQuery } from "#data/store/account.ts";

import { toAccountRecord } from "./accounts.ts";

export async function listAccounts(
  database: Database,
  { text, limit }: AccountQuery,
): Promise<AccountList> {
  const matching = text === null ? sql<boolean>`1 = 1` : filterCondition(text);
  const totals = await sql<{ total: number; found: number }>`
    select cast(count(*) as integer) as total,
      cast(coalesce(sum(case when ${matching} then 1 else 0 end), 0) as integer) as found
    from accounts`.execute(database);
  const { total = 0, found = 0 } = totals.rows[0] ?? {};
  const rows = await database
    .selectFrom("accounts")
    .selectAll()
    .select([KEY_COUNT.as("keys"), LAST_KEY_USE.as("key_last_used")])
    .where(matching)
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const accounts = rows.map(({ keys, key_last_used, ...row }) => {
    return { ...toAccountRecord(row), keys, keyLastUsed: key_last_used };
  });
  return { total, found, accounts };
}

const KEY_COUNT = sql<number>`(select cast(count(*) as integer) from agent_keys
  where agent_keys.account_id = accounts.id)`;
const LAST_KEY_USE = sql<string | null>`(select max(last_used) from agent_keys
  where agent_keys.account_id = accounts.id)`;

/**
 * A query with an @ must match the whole email address. Any other query must match the whole ID, or
 * part of the handle or of a bot name.
 */
function filterCondition(text: string): RawBuilder<boolean> {
  const query = text.toLowerCase();
  if (query.includes("@")) return sql<boolean>`lower(email) = ${query}`;
  const pattern = `%${query.replaceAll(/[!%_]/g, (character) => `!${character}`)}%`;
  return sql<boolean>`(id = ${query} or handle_key like ${pattern} escape '!' or exists (
    select 1 from bots
    where bots.owner_id = accounts.id and bots.name_key like ${pattern} escape '!'))`;
}
