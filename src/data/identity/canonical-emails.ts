// Rewrites stored email addresses to their canonical spelling. Releases before 0.54.0 stored the
// domain as it was typed.

import { sql } from "kysely";

import { canonicalEmail } from "#data/access/canonical-email.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";

/** Rows read at once. */
const PAGE = 1000;

type Row = { id: string; email: string; confirmed: string | null; created: string };
type Rewrite = Row & { canonical: string };

/**
 * Rewrites every address that has a canonical spelling. Where another account already has that
 * address, the account keeps its spelling: `bout doctor` lists it. Running it again changes nothing.
 */
export async function canonicaliseEmails(open: OpenTransaction): Promise<void> {
  for (const { id, canonical } of inOrder(await rewritesIn(open, "identity_users", "email")))
    if (!(await isTaken(open, canonical)))
      await rewrite(open, "identity_users", "email", id, canonical);
  for (const [table, column] of COPIES)
    for (const { id, canonical } of await rewritesIn(open, table, column))
      await rewrite(open, table, column, id, canonical);
}

/** Columns in which addresses need not be unique. */
const COPIES = [
  ["identity_users", "new_email"],
  ["identity_links", "email"],
  ["accounts", "email"],
] as const;

/** Of two spellings of one address the confirmed one wins, then the older one. */
function inOrder(rows: readonly Rewrite[]): Rewrite[] {
  const rank = ({ confirmed, created, id }: Rewrite) => `${confirmed === null} ${created} ${id}`;
  return rows.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

async function isTaken(open: Database, email: string): Promise<boolean> {
  const found = open.selectFrom("identity_users").select("id").where("email", "=", email);
  return (await found.executeTakeFirst()) !== undefined;
}

async function rewrite(
  open: OpenTransaction,
  table: string,
  column: string,
  id: string,
  email: string,
): Promise<void> {
  const set = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${email} where id = ${id}`;
  await set.execute(open);
}

async function rewritesIn(open: Database, table: string, column: string): Promise<Rewrite[]> {
  const found: Rewrite[] = [];
  const isUser = table === "identity_users";
  const confirmed = isUser ? sql`email_confirmed_at` : sql`null`;
  const created = isUser ? sql`created_at` : sql`''`;
  for (let last = ""; ;) {
    const page = sql<Row>`select id, ${sql.ref(column)} as email, ${confirmed} as confirmed,
      ${created} as created from ${sql.table(table)}
      where ${sql.ref(column)} is not null and id > ${last} order by id limit ${PAGE}`;
    const { rows } = await page.execute(open);
    for (const row of rows) {
      const canonical = canonicalEmail(row.email);
      if (canonical !== null && canonical !== row.email) found.push({ ...row, canonical });
    }
    const next = rows.at(-1)?.id;
    if (next === undefined) return found;
    last = next;
  }
}
