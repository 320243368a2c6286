// Takes a database back to how it was made, which is far quicker than making another.
import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Backend } from "#data/queries/backend.ts";

/** Notes the rows of a database that was just made; what it returns brings back these alone. */
export async function remaker({ database, types }: Backend): Promise<() => Promise<void>> {
  const untyped = database as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const made = new Map<string, Record<string, unknown>[]>();
  for (const { name } of await untyped.introspection.getTables())
    made.set(name, await untyped.selectFrom(name).selectAll().execute());
  const tables = [...made.keys()];
  const isSqlite = types.bytes === "blob";
  const clearing = isSqlite
    ? ["pragma defer_foreign_keys = on", ...tables.map((table) => `delete from ${table}`)]
    : [`truncate ${tables.join()}`];
  return () =>
    untyped.transaction().execute(async (open) => {
      for (const statement of clearing) await sql.raw(statement).execute(open);
      for (const [table, rows] of made)
        if (rows.length > 0) await open.insertInto(table).values(rows).execute();
    });
}
