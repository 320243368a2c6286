import { sql } from "kysely";
import type { Selectable } from "kysely";

import { handleKey } from "#core/accounts/account.ts";
import type { EmailSettings, Role } from "#core/accounts/account.ts";
import { normalizeOwner } from "#core/accounts/name-rules.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { countDailyCreation } from "#data/daily-stats/daily-counts.ts";
import { queueDeliveries } from "#data/mail/deliveries.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { AccountRecord, Contact, AccountLookup } from "#data/store/account.ts";
import type { NameReservation } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";

import type { AccountTable } from "./account-tables.ts";
import { formerHandleHolder, replaceHandle } from "./former-names.ts";

export async function findAccount(
  database: Database,
  issuer: string,
  subject: string,
): Promise<AccountLookup> {
  const account = await database
    .selectFrom("accounts")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  const signOut = await database
    .selectFrom("sign_outs")
    .select("at")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return { account: toAccountOrNull(account), signedOutAt: signOut?.at ?? null };
}

export async function insertAccount(tx: OpenTransaction, account: AccountRecord): Promise<void> {
  await tx.insertInto("accounts").values(toColumns(account)).execute();
  await countDailyCreation(tx, "users", account.created);
}

export async function accountById(database: Database, id: string): Promise<AccountRecord | null> {
  const query = database.selectFrom("accounts").selectAll().where("id", "=", id);
  return toAccountOrNull(await query.executeTakeFirst());
}

async function accountByCurrentHandle(
  database: Database,
  handle: string,
): Promise<AccountRecord | null> {
  const query = database.selectFrom("accounts").selectAll();
  return toAccountOrNull(
    await query.where("handle_key", "=", handleKey(handle)).executeTakeFirst(),
  );
}

export async function accountByHandle(
  database: Database,
  handle: string,
  now: string,
): Promise<{ account: AccountRecord; isFormer: boolean } | null> {
  const current = await accountByCurrentHandle(database, handle);
  if (current !== null) return { account: current, isFormer: false };
  const formerId = await formerHandleHolder(database, handle, now);
  const formerAccount = formerId === null ? null : await accountById(database, formerId);
  return formerAccount && { account: formerAccount, isFormer: true };
}

/**
 * Returns whether a name is, or recently was, an account's handle. Ignores letter case, because
 * owners without an account may use any spelling. Ignores the handles of the given account.
 */
export async function isTakenHandle(
  database: Database,
  name: string,
  now: string,
  exemptId: AccountId | null = null,
): Promise<boolean> {
  const handle = normalizeOwner(name);
  const holderId = (await accountByCurrentHandle(database, handle))?.id;
  const formerHolderId = await formerHandleHolder(database, handle, now);
  return [holderId ?? null, formerHolderId].some((id) => id !== null && id !== exemptId);
}

async function isUnaccountedOwnerName(database: Database, handle: string): Promise<boolean> {
  const foldedName = normalizeOwner(handle);
  const bot = database.selectFrom("bots").select("id").where("owner_id", "=", `anon:${foldedName}`);
  const owner = database.selectFrom("owners").select("name").where("name_key", "=", foldedName);
  const [takenByBot, takenByOwner] = [
    await bot.limit(1).executeTakeFirst(),
    await owner.executeTakeFirst(),
  ];
  return takenByBot !== undefined || takenByOwner !== undefined;
}

export async function takenHandles(
  database: Database,
  handles: readonly string[],
  now: string,
): Promise<string[]> {
  const unavailable: string[] = [];
  for (const handle of handles)
    if (
      (await isTakenHandle(database, handle, now)) ||
      (await isUnaccountedOwnerName(database, handle))
    )
      unavailable.push(handle);
  return unavailable;
}

export async function setHandle(
  tx: OpenTransaction,
  id: AccountId,
  handle: string,
  reservation: NameReservation,
  welcomeEmails: readonly NewDelivery[],
): Promise<AccountRecord | "handle_taken" | null> {
  const account = await accountById(tx, id);
  if (account === null) return null;
  if (await isTakenHandle(tx, handle, reservation.at, id)) return "handle_taken";
  if (await isUnaccountedOwnerName(tx, handle)) return "handle_taken";
  await tx
    .updateTable("accounts")
    .set({ handle, handle_key: handleKey(handle) })
    .where("id", "=", id)
    .execute();
  await tx.updateTable("bots").set({ owner: handle }).where("owner_id", "=", id).execute();
  await replaceHandle(tx, id, [account.handle, handle], reservation);
  if (account.handle === null) await queueDeliveries(tx, welcomeEmails);
  return { ...account, handle };
}

export async function changeAccount(
  tx: OpenTransaction,
  id: AccountId,
  columns: Partial<
    Pick<Selectable<AccountTable>, "role" | "max_bots" | "mail" | "banned_at" | "ban_reason">
  >,
): Promise<AccountRecord | null> {
  await tx.updateTable("accounts").set(columns).where("id", "=", id).execute();
  return accountById(tx, id);
}

export async function updateContact(
  tx: OpenTransaction,
  id: AccountId,
  { email, emailConfirmedAt, signsInWithEmail }: Contact,
): Promise<void> {
  const columns = {
    email,
    email_confirmed_at: emailConfirmedAt,
    email_signs_in: Number(signsInWithEmail),
  };
  await tx.updateTable("accounts").set(columns).where("id", "=", id).execute();
}

export async function findAdmins(
  database: Database,
  emails: readonly string[],
): Promise<AccountRecord[]> {
  const rows = await database
    .selectFrom("accounts")
    .selectAll()
    .where((eb) =>
      eb.or([
        eb("role", "=", "admin" satisfies Role),
        ...(emails.length === 0 ? [] : [eb(sql<string>`lower(email)`, "in", emails)]),
      ]),
    )
    .orderBy("created")
    .orderBy("id")
    .execute();
  return rows.map(toAccountRecord);
}

/** Ends sessions that started earlier. Applies even if the person later creates a new account. */
export async function recordSignOut(
  tx: OpenTransaction,
  { issuer, subject }: Pick<AccountRecord, "issuer" | "subject">,
  at: number,
): Promise<void> {
  await tx
    .insertInto("sign_outs")
    .values({ issuer, subject, at })
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doUpdateSet({ at }))
    .execute();
}

function toColumns(account: AccountRecord): Selectable<AccountTable> {
  const { id, issuer, subject, handle, role, bannedAt, maxBots, email, created } = account;
  return {
    id,
    issuer,
    subject,
    handle,
    handle_key: handle === null ? null : handleKey(handle),
    role,
    banned_at: bannedAt,
    ban_reason: account.banReason,
    max_bots: maxBots,
    email,
    email_confirmed_at: account.emailConfirmedAt,
    email_signs_in: Number(account.signsInWithEmail),
    mail: JSON.stringify(account.mail),
    created,
  };
}

export function toAccountRecord(row: Selectable<AccountTable>): AccountRecord {
  const { id, issuer, subject, handle, role, email, created } = row;
  return {
    id,
    issuer,
    subject,
    handle,
    role,
    bannedAt: row.banned_at,
    banReason: row.ban_reason,
    maxBots: row.max_bots,
    email,
    emailConfirmedAt: row.email_confirmed_at,
    signsInWithEmail: row.email_signs_in === 1,
    mail: JSON.parse(row.mail) as EmailSettings,
    created,
  };
}

function toAccountOrNull(row: Selectable<AccountTable> | undefined): AccountRecord | null {
  return row === undefined ? null : toAccountRecord(row);
}
