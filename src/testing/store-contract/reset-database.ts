// Resets a database to its initial state, which is much faster than creating a new one.
import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Backend } from "#data/queries/database-backend.ts";

type UntypedDatabase = Kysely<Record<string, Record<string, unknown>>>;

/** Records the rows of a new database. Returns a function that restores exactly these rows. */
export async function createDatabaseReset({
  database,
  types,
}: Backend): Promise<() => Promise<void>> {
  const untypedDatabase = database as unknown as UntypedDatabase;
  const initialRows = new Map<string, Record<string, unknown>[]>();
  for (const { name } of await untypedDatabase.introspection.getTables())
    initialRows.set(name, await untypedDatabase.selectFrom(name).selectAll().execute());
  const tables = [...initialRows.keys()];
  const clearTables = types.bytes === "blob" ? clearSqlite : await chooseClear(untypedDatabase);
  return () =>
    untypedDatabase.transaction().execute(async (tx) => {
      await clearTables(tx, tables);
      for (const [table, rows] of initialRows)
        if (rows.length > 0) await tx.insertInto(table).values(rows).execute();
    });
}

type ClearTables = (open: UntypedDatabase, tables: readonly string[]) => Promise<void>;

const clearSqlite: ClearTables = async (open, tables) => {
  await sql.raw("pragma defer_foreign_keys = on").execute(open);
  await deleteAllRows(open, tables);
};

/**
 * `truncate` creates new files for each table and index. Superusers can use the faster
 * `clearFilled`.
 */
async function chooseClear(database: UntypedDatabase): Promise<ClearTables> {
  const { rows } = await sql<{ is_superuser: string }>`show is_superuser`.execute(database);
  return rows[0]?.is_superuser === "on" ? clearFilled : truncateAll;
}

const truncateAll: ClearTables = async (open, tables) => {
  await sql.raw(`truncate ${tables.join()}`).execute(open);
};

/**
 * Deletes the rows of the tables that a case has filled. Foreign keys are off, so the order doesn't
 * matter.
 */
const clearFilled: ClearTables = async (open, tables) => {
  const existsQuery = (table: string) =>
    `select '${table}' as name where exists (select from ${table})`;
  const filledTables = sql.raw<{ name: string }>(tables.map(existsQuery).join(" union all "));
  const { rows } = await filledTables.execute(open);
  await sql.raw("set local session_replication_role = replica").execute(open);
  await deleteAllRows(
    open,
    rows.map(({ name }) => name),
  );
};

async function deleteAllRows(open: UntypedDatabase, tables: readonly string[]): Promise<void> {
  for (const table of tables) await sql.raw(`delete from ${table}`).execute(open);
}
