import { sql } from "kysely";
import type { Selectable } from "kysely";

import { handleKey } from "#core/accounts/account.ts";
import type { MailChoice, Role } from "#core/accounts/account.ts";
import { ownerFold } from "#core/accounts/name.ts";
import type { AccountId } from "#core/words/ids.ts";
import { countMade } from "#data/days/daily.ts";
import { queueDeliveries } from "#data/mail/deliveries.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { AccountRecord, Contact, FoundAccount } from "#data/store/account.ts";
import type { GivenUp } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";

import type { AccountTable } from "./account-tables.ts";
import { formerHolder, moveHandle } from "./former-names.ts";

export async function findAccount(
  database: Database,
  issuer: string,
  subject: string,
): Promise<FoundAccount> {
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
  return { account: toAccount(account), signedOutAt: signOut?.at ?? null };
}

export async function addAccount(open: OpenTransaction, account: AccountRecord): Promise<void> {
  await open.insertInto("accounts").values(toColumns(account)).execute();
  await countMade(open, "users", account.created);
}

export async function accountById(database: Database, id: string): Promise<AccountRecord | null> {
  const found = database.selectFrom("accounts").selectAll().where("id", "=", id);
  return toAccount(await found.executeTakeFirst());
}

async function byPresentHandle(database: Database, handle: string): Promise<AccountRecord | null> {
  const all = database.selectFrom("accounts").selectAll();
  return toAccount(await all.where("handle_key", "=", handleKey(handle)).executeTakeFirst());
}

export async function accountByHandle(
  database: Database,
  handle: string,
  now: string,
): Promise<{ account: AccountRecord; isFormer: boolean } | null> {
  const present = await byPresentHandle(database, handle);
  if (present !== null) return { account: present, isFormer: false };
  const formerId = await formerHolder(database, handle, now);
  const former = formerId === null ? null : await accountById(database, formerId);
  return former && { account: former, isFormer: true };
}

/**
 * Whether a name is an account's handle, or was until lately, however it is written: owners without
 * an account may use any letters. Of the given account it is free.
 */
export async function isTakenHandle(
  database: Database,
  name: string,
  now: string,
  except: AccountId | null = null,
): Promise<boolean> {
  const handle = ownerFold(name);
  const holder = (await byPresentHandle(database, handle))?.id;
  const former = await formerHolder(database, handle, now);
  return [holder ?? null, former].some((id) => id !== null && id !== except);
}

/** Whether a bot without an account, or an owner with a key, goes by this name. */
async function isFreeOwners(database: Database, handle: string): Promise<boolean> {
  const fold = ownerFold(handle);
  const bot = database.selectFrom("bots").select("id").where("owner_id", "=", `anon:${fold}`);
  const owner = database.selectFrom("owners").select("name").where("name_key", "=", fold);
  const [one, other] = [await bot.limit(1).executeTakeFirst(), await owner.executeTakeFirst()];
  return one !== undefined || other !== undefined;
}

export async function takenHandles(
  database: Database,
  handles: readonly string[],
  now: string,
): Promise<string[]> {
  const taken: string[] = [];
  for (const handle of handles)
    if ((await isTakenHandle(database, handle, now)) || (await isFreeOwners(database, handle)))
      taken.push(handle);
  return taken;
}

export async function setHandle(
  open: OpenTransaction,
  id: AccountId,
  handle: string,
  formerly: GivenUp,
  welcome: readonly NewDelivery[],
): Promise<AccountRecord | "handle_taken" | null> {
  const account = await accountById(open, id);
  if (account === null) return null;
  if (await isTakenHandle(open, handle, formerly.at, id)) return "handle_taken";
  if (await isFreeOwners(open, handle)) return "handle_taken";
  await open
    .updateTable("accounts")
    .set({ handle, handle_key: handleKey(handle) })
    .where("id", "=", id)
    .execute();
  await open.updateTable("bots").set({ owner: handle }).where("owner_id", "=", id).execute();
  await moveHandle(open, id, [account.handle, handle], formerly);
  if (account.handle === null) await queueDeliveries(open, welcome);
  return { ...account, handle };
}

/** Changes some columns. Null when there is no such account. */
export async function changeAccount(
  open: OpenTransaction,
  id: AccountId,
  columns: Partial<
    Pick<Selectable<AccountTable>, "role" | "max_bots" | "mail" | "banned_at" | "ban_reason">
  >,
): Promise<AccountRecord | null> {
  await open.updateTable("accounts").set(columns).where("id", "=", id).execute();
  return accountById(open, id);
}

export async function noteContact(
  open: OpenTransaction,
  id: AccountId,
  { email, emailConfirmedAt, emailSignsIn }: Contact,
): Promise<void> {
  const columns = {
    email,
    email_confirmed_at: emailConfirmedAt,
    email_signs_in: Number(emailSignsIn),
  };
  await open.updateTable("accounts").set(columns).where("id", "=", id).execute();
}

/** Everybody with the role or with one of these addresses, by age. */
export async function adminsAmong(
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
  return rows.map(fromRow);
}

/** Sessions of the person that began before are over, with whichever account they come back. */
export async function noteSignOut(
  open: OpenTransaction,
  { issuer, subject }: Pick<AccountRecord, "issuer" | "subject">,
  at: number,
): Promise<void> {
  await open
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
    email_signs_in: Number(account.emailSignsIn),
    mail: JSON.stringify(account.mail),
    created,
  };
}

export function fromRow(row: Selectable<AccountTable>): AccountRecord {
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
    emailSignsIn: row.email_signs_in === 1,
    mail: JSON.parse(row.mail) as MailChoice,
    created,
  };
}

function toAccount(row: Selectable<AccountTable> | undefined): AccountRecord | null {
  return row === undefined ? null : fromRow(row);
}
