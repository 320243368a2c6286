// What can be used once: links with their codes, and flows. Taking one deletes its row, so of two
// that ask at once a single one gets it.

import type { Insertable, Selectable } from "kysely";

import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type {
  CodeKey,
  FlowRecord,
  IdentitySweep,
  LinkKey,
  PendingSignUp,
  TokenPurpose,
  TokenRecord,
} from "#data/store/identity.ts";

import type { FlowTable, OneTimeTable } from "./identity-tables.ts";

/** Adds a token and ends others of the same user and purpose. */
export async function putToken(
  open: OpenTransaction,
  token: TokenRecord,
  ends: readonly string[],
): Promise<void> {
  await open.insertInto("identity_tokens").values(tokenColumns(token)).execute();
  if (ends.length === 0) return;
  await open
    .deleteFrom("identity_tokens")
    .where("user_id", "=", token.userId)
    .where("purpose", "=", token.purpose)
    .where("hash", "in", ends)
    .execute();
}

export async function tokenByHash(database: Database, hash: string): Promise<TokenRecord | null> {
  const found = database.selectFrom("identity_tokens").selectAll().where("hash", "=", hash);
  return toToken(await found.executeTakeFirst());
}

export async function pendingToken(
  database: Database,
  userId: string,
  purpose: TokenPurpose,
  email: string,
  after: string,
): Promise<TokenRecord | null> {
  const found = database
    .selectFrom("identity_tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("email", "=", email)
    .where("created_at", ">", after)
    .orderBy("created_at", "desc")
    .orderBy("hash");
  return toToken(await found.limit(1).executeTakeFirst());
}

export async function takeToken(
  open: OpenTransaction,
  { hash, purpose }: LinkKey,
): Promise<TokenRecord | null> {
  const taken = open
    .deleteFrom("identity_tokens")
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .returningAll();
  return toToken(await taken.executeTakeFirst());
}

/** Takes the token of a code; null for a wrong or old one, or after too many wrong ones. */
export async function takeByCode(
  open: OpenTransaction,
  { userId, purpose, codeHash, newest, mostTries }: CodeKey,
): Promise<TokenRecord | null> {
  const taken = open
    .deleteFrom("identity_tokens")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("code_hash", "=", codeHash)
    .where("tries", "<", mostTries)
    .where("hash", "in", (eb) =>
      eb
        .selectFrom("identity_tokens")
        .select("hash")
        .where("user_id", "=", userId)
        .where("purpose", "=", purpose)
        .orderBy("created_at", "desc")
        .orderBy("hash")
        .limit(newest),
    )
    .returningAll();
  return toToken(await taken.executeTakeFirst());
}

/** Wrong codes of an address since the first that still counts. */
export async function wrongCodes(database: Database, key: CodeKey) {
  const found = database
    .selectFrom("identity_wrong_codes")
    .select(["wrong", "since"])
    .where("address_hash", "=", key.addressHash)
    .where("since", ">", key.countAfter)
    .where("since", "<", key.countBefore);
  return (await found.executeTakeFirst()) ?? null;
}

/** Counts a wrong code, against each email it may have come from and against the address. */
export async function countWrongCode(
  open: OpenTransaction,
  key: CodeKey,
  at: string,
): Promise<number> {
  await open
    .updateTable("identity_tokens")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("user_id", "=", key.userId)
    .where("purpose", "=", key.purpose)
    .execute();
  const before = await wrongCodes(open, key);
  const count = { wrong: (before?.wrong ?? 0) + 1, since: before?.since ?? at };
  await open
    .insertInto("identity_wrong_codes")
    .values({ address_hash: key.addressHash, ...count })
    .onConflict((conflict) => conflict.column("address_hash").doUpdateSet(count))
    .execute();
  return count.wrong;
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
  await open.deleteFrom("identity_wrong_codes").where("since", "<", tokens).execute();
  await open.deleteFrom("identity_sessions").where("refreshed_at", "<", sessions).execute();
  await open
    .deleteFrom("identity_users")
    .where("email", "is not", null)
    .where("email_confirmed_at", "is", null)
    .where("updated_at", "<", unconfirmed)
    .execute();
}

const fromJson = (text: string | null): PendingSignUp | null =>
  text === null ? null : (JSON.parse(text) as PendingSignUp);

const toJson = (signUp: PendingSignUp | null): string | null =>
  signUp === null ? null : JSON.stringify(signUp);

function tokenColumns(token: TokenRecord): Insertable<OneTimeTable> {
  const { hash, userId, purpose, email, codeHash, tries, challenge, signUp, createdAt } = token;
  const renamed = { user_id: userId, code_hash: codeHash, created_at: createdAt };
  return { hash, purpose, email, tries, challenge, sign_up: toJson(signUp), ...renamed };
}

function toToken(row: Selectable<OneTimeTable> | undefined): TokenRecord | null {
  if (row === undefined) return null;
  const { hash, purpose, email, tries, challenge } = row;
  const renamed = { userId: row.user_id, codeHash: row.code_hash, createdAt: row.created_at };
  return { hash, purpose, email, tries, challenge, signUp: fromJson(row.sign_up), ...renamed };
}

function flowColumns(flow: FlowRecord): Insertable<FlowTable> {
  const { hash, challenge, createdAt: created_at } = flow;
  const ofCode = { user_id: null, method: null, sign_up: null, token_hash: null };
  const empty = { ...ofCode, provider: null, redirect_to: null };
  if (flow.kind === "social") {
    const { provider, redirectTo: redirect_to } = flow;
    return { hash, challenge, created_at, ...empty, provider, redirect_to };
  }
  const { userId: user_id, method, signUp, tokenHash: token_hash } = flow;
  const code = { user_id, method, sign_up: toJson(signUp), token_hash };
  return { hash, challenge, created_at, ...empty, ...code };
}

function toFlow(row: Selectable<FlowTable> | undefined): FlowRecord | null {
  if (row === undefined) return null;
  const { hash, challenge, user_id: userId, method, provider, redirect_to: redirectTo } = row;
  const shared = { hash, challenge, createdAt: row.created_at };
  if (userId === null)
    return { ...shared, kind: "social", provider: provider ?? "", redirectTo: redirectTo ?? "" };
  const pending = { signUp: fromJson(row.sign_up), tokenHash: row.token_hash };
  return { ...shared, kind: "code", userId, method: method ?? "", ...pending };
}
