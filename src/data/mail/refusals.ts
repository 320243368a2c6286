// Refused recipients. `count` suppresses an account; `in_row` are those of its refusals since the
// mail server last accepted an email, which are taken back if the server turns out to be at fault.

import { refusedSoFar } from "#core/mail/gate.ts";
import type { Refusals } from "#core/mail/gate.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { SuppressedAccount } from "#data/store/delivery.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";

/**
 * Returns the refusals that count against an account. While the server has refused several accounts
 * in a row, those of that row don't: it may be the server's fault.
 */
export async function refusalsOf(
  database: Database,
  accountId: AccountId,
): Promise<Refusals | null> {
  const row = await rowOf(database, accountId);
  if (row === null) return null;
  const { confirmedAt, count, inRow } = row;
  const isDisputed = inRow > 0 && (await refusalsInRow(database)).length > 1;
  return { confirmedAt, count: isDisputed ? Math.max(0, count - inRow) : count };
}

async function rowOf(database: Database, accountId: AccountId) {
  const row = await database
    .selectFrom("mail_refusals")
    .select(["confirmed_at as confirmedAt", "count", "in_row as inRow"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row ?? null;
}

export async function countRefusal(
  open: OpenTransaction,
  accountId: AccountId,
  emailConfirmedAt: string | null,
): Promise<void> {
  if (emailConfirmedAt === null) return;
  const refusals = await rowOf(open, accountId);
  const count = refusedSoFar({ emailConfirmedAt, refusals }) + 1;
  const columns = { confirmed_at: emailConfirmedAt, count, in_row: (refusals?.inRow ?? 0) + 1 };
  await open
    .insertInto("mail_refusals")
    .values({ account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(columns))
    .execute();
}

/** Refusals since the server last accepted an email, as a number for each account. */
export async function refusalsInRow(database: Database): Promise<number[]> {
  const rows = database.selectFrom("mail_refusals").select("in_row").where("in_row", ">", 0);
  return (await rows.execute()).map((row) => row.in_row);
}

/** The server accepted an email: earlier refusals are about their recipients. */
export async function endRow(open: OpenTransaction): Promise<void> {
  await open.updateTable("mail_refusals").set({ in_row: 0 }).where("in_row", ">", 0).execute();
}

/** The server refuses everyone: the refusals of this row say nothing about their recipients. */
export async function takeBackRow(open: OpenTransaction): Promise<void> {
  await open.deleteFrom("mail_refusals").whereRef("count", "<=", "in_row").execute();
  await open
    .updateTable("mail_refusals")
    .set((eb) => ({ count: eb("count", "-", eb.ref("in_row")), in_row: 0 }))
    .where("in_row", ">", 0)
    .execute();
}

/** Returns whether the account was suppressed. */
export async function clearRefusals(open: OpenTransaction, accountId: AccountId): Promise<boolean> {
  const { accounts } = await suppressedAccounts(open, 1, accountId);
  await open.deleteFrom("mail_refusals").where("account_id", "=", accountId).execute();
  return accounts.length > 0;
}

/** Someone used a link or a code that was emailed, so the mailbox of the user works. */
export async function clearRefusalsOfUser(open: OpenTransaction, userId: string): Promise<void> {
  await open
    .deleteFrom("mail_refusals")
    .where("account_id", "in", (eb) =>
      eb
        .selectFrom("accounts")
        .select("id")
        .where("issuer", "=", EMBEDDED_ISSUER)
        .where("subject", "=", userId),
    )
    .execute();
}

export async function suppressedAccounts(
  database: Database,
  most: number,
  only: AccountId | null = null,
): Promise<{ total: number; accounts: SuppressedAccount[] }> {
  const rows = await database
    .selectFrom("mail_refusals as r")
    .innerJoin("accounts as a", (join) =>
      join.onRef("a.id", "=", "r.account_id").onRef("a.email_confirmed_at", "=", "r.confirmed_at"),
    )
    .select(["a.id as accountId", "a.handle", "r.count as refusals"])
    .where("r.count", ">=", FIXED.mail_refusals)
    .$if(only !== null, (query) => query.where("a.id", "=", only ?? ""))
    .orderBy("a.created")
    .orderBy("a.id")
    .execute();
  return { total: rows.length, accounts: rows.slice(0, most) };
}
