// Rewrites stored email addresses to their canonical form. Releases before 0.54.0 stored the domain
// as typed.

import { sql } from "kysely";

import { canonicalEmail } from "#data/credentials/canonical-email.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";

const PAGE = 1000;

type Row = { id: string; email: string; confirmed: string | null; created: string };
type Rewrite = Row & { canonical: string };

/**
 * Canonicalizes every stored address. If another account already has the canonical address, keeps
 * the old spelling, and `bout doctor` lists the account. Idempotent.
 */
export async function canonicalizeEmails(tx: OpenTransaction): Promise<void> {
  for (const { id, canonical } of byPriority(await findRewrites(tx, "identity_users", "email")))
    if (!(await isTaken(tx, canonical)))
      await rewrite(tx, "identity_users", "email", id, canonical);
  for (const [table, column] of COPIES)
    for (const { id, canonical } of await findRewrites(tx, table, column))
      await rewrite(tx, table, column, id, canonical);
}

/** Columns in which addresses needn't be unique. */
const COPIES = [
  ["identity_users", "new_email"],
  ["identity_links", "email"],
  ["accounts", "email"],
] as const;

/**
 * Sorts confirmed addresses first, then by age. The first of two spellings gets the canonical
 * address.
 */
function byPriority(rows: readonly Rewrite[]): Rewrite[] {
  const sortKey = ({ confirmed, created, id }: Rewrite) => `${confirmed === null} ${created} ${id}`;
  return rows.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

async function isTaken(tx: Database, email: string): Promise<boolean> {
  const existing = tx.selectFrom("identity_users").select("id").where("email", "=", email);
  return (await existing.executeTakeFirst()) !== undefined;
}

async function rewrite(
  tx: OpenTransaction,
  table: string,
  column: string,
  id: string,
  email: string,
): Promise<void> {
  const updateQuery = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${email} where id = ${id}`;
  await updateQuery.execute(tx);
}

async function findRewrites(tx: Database, table: string, column: string): Promise<Rewrite[]> {
  const rewrites: Rewrite[] = [];
  const isUser = table === "identity_users";
  const confirmed = isUser ? sql`email_confirmed_at` : sql`null`;
  const created = isUser ? sql`created_at` : sql`''`;
  for (let lastId = ""; ;) {
    const pageQuery = sql<Row>`select id, ${sql.ref(column)} as email, ${confirmed} as confirmed,
      ${created} as created from ${sql.table(table)}
      where ${sql.ref(column)} is not null and id > ${lastId} order by id limit ${PAGE}`;
    const { rows } = await pageQuery.execute(tx);
    for (const row of rows) {
      const canonical = canonicalEmail(row.email);
      if (canonical !== null && canonical !== row.email) rewrites.push({ ...row, canonical });
    }
    const nextId = rows.at(-1)?.id;
    if (nextId === undefined) return rewrites;
    lastId = nextId;
  }
}
