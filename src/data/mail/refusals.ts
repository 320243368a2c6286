// Counts refused recipients. An account with enough refusals (`count`) gets no optional email.
// `in_row` is the number of refusals since the mail server last accepted an email. They are
// subtracted if the fault turns out to be the server's.

import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { refusalCount } from "#core/mail/skip-reason.ts";
import type { MailboxRefusals } from "#core/mail/skip-reason.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { SuppressedAccount } from "#data/store/delivery.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";

/**
 * Returns the refusals that count against an account. While the server has refused several accounts
 * in a row, the current streak doesn't count, because the server may be at fault.
 */
export async function countedRefusals(
  database: Database,
  accountId: AccountId,
): Promise<MailboxRefusals | null> {
  const row = await findRefusals(database, accountId);
  if (row === null) return null;
  const { confirmedAt, count, inRow: streak } = row;
  const isDisputed = streak > 0 && (await refusalStreaks(database)).length > 1;
  return { confirmedAt, count: isDisputed ? Math.max(0, count - streak) : count };
}

async function findRefusals(database: Database, accountId: AccountId) {
  const row = await database
    .selectFrom("mail_refusals")
    .select(["confirmed_at as confirmedAt", "count", "in_row as inRow"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row ?? null;
}

export async function countRefusal(
  tx: OpenTransaction,
  accountId: AccountId,
  emailConfirmedAt: string | null,
): Promise<void> {
  if (emailConfirmedAt === null) return;
  const refusals = await findRefusals(tx, accountId);
  const count = refusalCount({ emailConfirmedAt, refusals }) + 1;
  const columns = { confirmed_at: emailConfirmedAt, count, in_row: (refusals?.inRow ?? 0) + 1 };
  await tx
    .insertInto("mail_refusals")
    .values({ account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(columns))
    .execute();
}

/** Returns the number of refusals per account since the mail server last accepted an email. */
export async function refusalStreaks(database: Database): Promise<number[]> {
  const query = database.selectFrom("mail_refusals").select("in_row").where("in_row", ">", 0);
  return (await query.execute()).map((row) => row.in_row);
}

/** Call when the server accepts an email: earlier refusals were then caused by the recipients. */
export async function endRefusalStreak(tx: OpenTransaction): Promise<void> {
  await tx.updateTable("mail_refusals").set({ in_row: 0 }).where("in_row", ">", 0).execute();
}

/**
 * Call when the server refuses every recipient: the refusals of this streak then say nothing about
 * the recipients.
 */
export async function revertRefusalStreak(tx: OpenTransaction): Promise<void> {
  await tx.deleteFrom("mail_refusals").whereRef("count", "<=", "in_row").execute();
  await tx
    .updateTable("mail_refusals")
    .set((eb) => ({ count: eb("count", "-", eb.ref("in_row")), in_row: 0 }))
    .where("in_row", ">", 0)
    .execute();
}

/** Returns whether the account was suppressed. */
export async function clearRefusals(tx: OpenTransaction, accountId: AccountId): Promise<boolean> {
  const { accounts } = await suppressedAccounts(tx, 1, accountId);
  await tx.deleteFrom("mail_refusals").where("account_id", "=", accountId).execute();
  return accounts.length > 0;
}

/** Call when a user has used an emailed link or code, which proves that the mailbox works. */
export async function clearRefusalsOfUser(tx: OpenTransaction, userId: string): Promise<void> {
  await tx
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
  limit: number,
  onlyAccountId: AccountId | null = null,
): Promise<{ total: number; accounts: SuppressedAccount[] }> {
  const rows = await database
    .selectFrom("mail_refusals as r")
    .innerJoin("accounts as a", (join) =>
      join.onRef("a.id", "=", "r.account_id").onRef("a.email_confirmed_at", "=", "r.confirmed_at"),
    )
    .select(["a.id as accountId", "a.handle", "r.count as refusals"])
    .where("r.count", ">=", FIXED_LIMITS.mail_refusals)
    .$if(onlyAccountId !== null, (query) => query.where("a.id", "=", onlyAccountId ?? ""))
    .orderBy("a.created")
    .orderBy("a.id")
    .execute();
  return { total: rows.length, accounts: rows.slice(0, limit) };
}
