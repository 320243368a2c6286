// Takes a database back to how it was made, which is far quicker than making another.
import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Backend } from "#data/queries/backend.ts";

type Untyped = Kysely<Record<string, Record<string, unknown>>>;

/** Notes the rows of a database that was just made; what it returns brings back these alone. */
export async function remaker({ database, types }: Backend): Promise<() => Promise<void>> {
  const untyped = database as unknown as Untyped;
  const made = new Map<string, Record<string, unknown>[]>();
  for (const { name } of await untyped.introspection.getTables())
    made.set(name, await untyped.selectFrom(name).selectAll().execute());
  const tables = [...made.keys()];
  const clear = types.bytes === "blob" ? clearSqlite : await clearerOf(untyped);
  return () =>
    untyped.transaction().execute(async (open) => {
      await clear(open, tables);
      for (const [table, rows] of made)
        if (rows.length > 0) await open.insertInto(table).values(rows).execute();
    });
}

type Clear = (open: Untyped, tables: readonly string[]) => Promise<void>;

const clearSqlite: Clear = async (open, tables) => {
  await sql.raw("pragma defer_foreign_keys = on").execute(open);
  await emptyAll(open, tables);
};

/** To truncate makes new files for each table and index: superusers can do without. */
async function clearerOf(database: Untyped): Promise<Clear> {
  const { rows } = await sql<{ is_superuser: string }>`show is_superuser`.execute(database);
  return rows[0]?.is_superuser === "on" ? clearFilled : truncateAll;
}

const truncateAll: Clear = async (open, tables) => {
  await sql.raw(`truncate ${tables.join()}`).execute(open);
};

/** Empties the few tables that a case has filled, in any order: what refers to them goes as well. */
const clearFilled: Clear = async (open, tables) => {
  const look = (table: string) => `select '${table}' as name where exists (select from ${table})`;
  const filled = sql.raw<{ name: string }>(tables.map(look).join(" union all "));
  const { rows } = await filled.execute(open);
  await sql.raw("set local session_replication_role = replica").execute(open);
  await emptyAll(
    open,
    rows.map(({ name }) => name),
  );
};

async function emptyAll(open: Untyped, tables: readonly string[]): Promise<void> {
  for (const table of tables) await sql.raw(`delete from ${table}`).execute(open);
}
