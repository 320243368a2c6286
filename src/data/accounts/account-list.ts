import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import type { Database } from "#data/queries/tables.ts";
import type { AccountList, AccountQuery } from "#data/store/account.ts";

import { fromRow } from "./accounts.ts";

/** Newest first. */
export async function listAccounts(
  database: Database,
  { text, limit }: AccountQuery,
): Promise<AccountList> {
  const matching = text === null ? sql<boolean>`1 = 1` : conditionOf(text);
  const counted = await sql<{ total: number; found: number }>`
    select cast(count(*) as integer) as total,
      cast(coalesce(sum(case when ${matching} then 1 else 0 end), 0) as integer) as found
    from accounts`.execute(database);
  const { total = 0, found = 0 } = counted.rows[0] ?? {};
  const rows = await database
    .selectFrom("accounts")
    .selectAll()
    .select([KEYS.as("keys"), LAST_USED.as("key_last_used")])
    .where(matching)
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const accounts = rows.map(({ keys, key_last_used, ...row }) => {
    return { ...fromRow(row), keys, keyLastUsed: key_last_used };
  });
  return { total, found, accounts };
}

const KEYS = sql<number>`(select cast(count(*) as integer) from agent_keys
  where agent_keys.account_id = accounts.id)`;
const LAST_USED = sql<string | null>`(select max(last_used) from agent_keys
  where agent_keys.account_id = accounts.id)`;

/** With an @ it is a whole address; otherwise a whole id, or part of a handle or a bot's name. */
function conditionOf(text: string): RawBuilder<boolean> {
  const sought = text.toLowerCase();
  if (sought.includes("@")) return sql<boolean>`lower(email) = ${sought}`;
  const part = `%${sought.replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`;
  return sql<boolean>`(id = ${sought} or handle_key like ${part} escape '!' or exists (
    select 1 from bots
    where bots.owner_id = accounts.id and bots.name_key like ${part} escape '!'))`;
}
