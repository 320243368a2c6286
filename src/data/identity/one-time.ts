// What can be used once: links with their codes, and flows. Taking one deletes its row, so of two
// that ask at once a single one gets it.

import type { Insertable, Selectable } from "kysely";

import { FIXED } from "#core/words/limits.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { FlowRecord, IdentitySweep, TokenPurpose, TokenRecord } from "#data/store/identity.ts";

import type { FlowTable, OneTimeTable } from "./identity-tables.ts";

/** Strangers may ask for mails too, so a new one leaves those of before good, up to a number. */
export async function putToken(open: OpenTransaction, token: TokenRecord): Promise<void> {
  await open.insertInto("identity_tokens").values(tokenColumns(token)).execute();
  const all = await open
    .selectFrom("identity_tokens")
    .select("hash")
    .where("user_id", "=", token.userId)
    .where("purpose", "=", token.purpose)
    .orderBy("created_at", "desc")
    .execute();
  const others = all.filter(({ hash }) => hash !== token.hash);
  const beyond = others.slice(FIXED.mailed_tokens - 1).map(({ hash }) => hash);
  if (beyond.length > 0)
    await open.deleteFrom("identity_tokens").where("hash", "in", beyond).execute();
}

export async function tokenByHash(database: Database, hash: string): Promise<TokenRecord | null> {
  const found = database.selectFrom("identity_tokens").selectAll().where("hash", "=", hash);
  return toToken(await found.executeTakeFirst());
}

export async function pendingToken(
  database: Database,
  userId: string,
  purpose: TokenPurpose,
  after: string,
): Promise<TokenRecord | null> {
  const found = database
    .selectFrom("identity_tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("created_at", ">", after);
  return toToken(await found.limit(1).executeTakeFirst());
}

export async function takeToken(
  open: OpenTransaction,
  hash: string,
  purpose: TokenPurpose,
): Promise<TokenRecord | null> {
  const taken = open
    .deleteFrom("identity_tokens")
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .returningAll();
  return toToken(await taken.executeTakeFirst());
}

/** Takes the token if its code is the right one; every other try is counted. */
export async function tryCode(
  open: OpenTransaction,
  userId: string,
  purpose: TokenPurpose,
  codeHash: string,
  most: number,
): Promise<TokenRecord | null> {
  const taken = await open
    .deleteFrom("identity_tokens")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("code_hash", "=", codeHash)
    .where("tries", "<", most)
    .returningAll()
    .executeTakeFirst();
  if (taken !== undefined) return toToken(taken);
  await open
    .updateTable("identity_tokens")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .execute();
  return null;
}

export async function addFlow(open: OpenTransaction, flow: FlowRecord): Promise<void> {
  await open.insertInto("identity_flows").values(flowColumns(flow)).execute();
}

export async function flowByHash(database: Database, hash: string): Promise<FlowRecord | null> {
  const found = database.selectFrom("identity_flows").selectAll().where("hash", "=", hash);
  return toFlow(await found.executeTakeFirst());
}

export async function takeFlow(open: OpenTransaction, hash: string): Promise<FlowRecord | null> {
  const taken = open.deleteFrom("identity_flows").where("hash", "=", hash).returningAll();
  return toFlow(await taken.executeTakeFirst());
}

/** Forgets what nobody can use any more. */
export async function sweepPeople(
  open: OpenTransaction,
  { unconfirmed, sessions, tokens }: IdentitySweep,
): Promise<void> {
  await open.deleteFrom("identity_tokens").where("created_at", "<", tokens).execute();
  await open
    .updateTable("identity_users")
    .set({ new_email: null })
    .where("new_email", "is not", null)
    .where("id", "not in", (eb) =>
      eb.selectFrom("identity_tokens").select("user_id").where("purpose", "=", "email_change"),
    )
    .execute();
  await open.deleteFrom("identity_flows").where("created_at", "<", tokens).execute();
  await open.deleteFrom("identity_sessions").where("refreshed_at", "<", sessions).execute();
  await open
    .deleteFrom("identity_users")
    .where("email", "is not", null)
    .where("email_confirmed_at", "is", null)
    .where("updated_at", "<", unconfirmed)
    .execute();
}

function tokenColumns(token: TokenRecord): Insertable<OneTimeTable> {
  const { hash, userId, purpose, email, codeHash, tries, challenge, createdAt } = token;
  const renamed = { user_id: userId, code_hash: codeHash, created_at: createdAt };
  return { hash, purpose, email, tries, challenge, ...renamed };
}

function toToken(row: Selectable<OneTimeTable> | undefined): TokenRecord | null {
  if (row === undefined) return null;
  const { hash, purpose, email, tries, challenge } = row;
  const renamed = { userId: row.user_id, codeHash: row.code_hash, createdAt: row.created_at };
  return { hash, purpose, email, tries, challenge, ...renamed };
}

function flowColumns(flow: FlowRecord): Insertable<FlowTable> {
  const { hash, challenge, createdAt: created_at } = flow;
  const empty = { user_id: null, method: null, provider: null, redirect_to: null };
  const kept =
    flow.kind === "code"
      ? { user_id: flow.userId, method: flow.method }
      : { provider: flow.provider, redirect_to: flow.redirectTo };
  return { hash, challenge, created_at, ...empty, ...kept };
}

function toFlow(row: Selectable<FlowTable> | undefined): FlowRecord | null {
  if (row === undefined) return null;
  const { hash, challenge, user_id: userId, method, provider, redirect_to: redirectTo } = row;
  const shared = { hash, challenge, createdAt: row.created_at };
  if (userId !== null) return { ...shared, kind: "code", userId, method: method ?? "" };
  return { ...shared, kind: "social", provider: provider ?? "", redirectTo: redirectTo ?? "" };
}
