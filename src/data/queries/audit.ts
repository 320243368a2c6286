import type { AuditEntry } from "#data/store/audit.ts";

import type { Database, OpenTransaction } from "./tables.ts";

/** An id that is already there is left as it is, so an unknown outcome may be tried again. */
export async function addAudit(transaction: OpenTransaction, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries) {
    await transaction
      .insertInto("audit")
      .values({ ...entry, detail: JSON.stringify(entry.detail ?? null) })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }
}

/** Newest first (`at`, then id). */
export async function audit(
  database: Database,
  query: { kind?: string; limit: number },
): Promise<AuditEntry[]> {
  const { kind, limit } = query;
  const rows = await database
    .selectFrom("audit")
    .selectAll()
    .$if(kind !== undefined, (entries) => entries.where("kind", "=", kind ?? ""))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as unknown }));
}
