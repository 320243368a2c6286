// One-time tokens, codes and flows. They are consumed by deleting their row, so only one of two
// concurrent requests succeeds.

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

import type { IdentityFlowTable, IdentityTokenTable } from "./identity-tables.ts";

export async function putToken(
  tx: OpenTransaction,
  token: TokenRecord,
  replacedHashes: readonly string[],
): Promise<void> {
  await tx.insertInto("identity_tokens").values(tokenColumns(token)).execute();
  if (replacedHashes.length === 0) return;
  await tx
    .deleteFrom("identity_tokens")
    .where("user_id", "=", token.userId)
    .where("purpose", "=", token.purpose)
    .where("hash", "in", replacedHashes)
    .execute();
}

export async function tokenByHash(database: Database, hash: string): Promise<TokenRecord | null> {
  const query = database.selectFrom("identity_tokens").selectAll().where("hash", "=", hash);
  return toToken(await query.executeTakeFirst());
}

export async function pendingToken(
  database: Database,
  userId: string,
  purpose: TokenPurpose,
  email: string,
  createdAfter: string,
): Promise<TokenRecord | null> {
  const query = database
    .selectFrom("identity_tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("email", "=", email)
    .where("created_at", ">", createdAfter)
    .orderBy("created_at", "desc")
    .orderBy("hash");
  return toToken(await query.limit(1).executeTakeFirst());
}

export async function consumeToken(
  tx: OpenTransaction,
  { hash, purpose }: LinkKey,
): Promise<TokenRecord | null> {
  const deletion = tx
    .deleteFrom("identity_tokens")
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .returningAll();
  return toToken(await deletion.executeTakeFirst());
}

/**
 * Deletes and returns the token that belongs to a code. Returns null if the code is wrong, isn't
 * among the newest, or has too many failed attempts.
 */
export async function consumeTokenByCode(
  tx: OpenTransaction,
  { userId, purpose, codeHash, newest, maxTries }: CodeKey,
): Promise<TokenRecord | null> {
  const deletion = tx
    .deleteFrom("identity_tokens")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("code_hash", "=", codeHash)
    .where("tries", "<", maxTries)
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
  return toToken(await deletion.executeTakeFirst());
}

/**
 * Returns the number of wrong codes entered for an address, or null if the first one no longer
 * counts.
 */
export async function wrongCodes(database: Database, key: CodeKey) {
  const query = database
    .selectFrom("identity_wrong_codes")
    .select(["wrong", "since"])
    .where("address_hash", "=", key.addressHash)
    .where("since", ">", key.countAfter)
    .where("since", "<", key.countBefore);
  return (await query.executeTakeFirst()) ?? null;
}

/**
 * Counts a wrong code against the address and against every pending email it might belong to.
 * Returns the number for the address.
 */
export async function countWrongCode(
  tx: OpenTransaction,
  key: CodeKey,
  at: string,
): Promise<number> {
  await tx
    .updateTable("identity_tokens")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("user_id", "=", key.userId)
    .where("purpose", "=", key.purpose)
    .execute();
  const previous = await wrongCodes(tx, key);
  const count = { wrong: (previous?.wrong ?? 0) + 1, since: previous?.since ?? at };
  await tx
    .insertInto("identity_wrong_codes")
    .values({ address_hash: key.addressHash, ...count })
    .onConflict((conflict) => conflict.column("address_hash").doUpdateSet(count))
    .execute();
  return count.wrong;
}

export async function addFlow(tx: OpenTransaction, flow: FlowRecord): Promise<void> {
  await tx.insertInto("identity_flows").values(flowColumns(flow)).execute();
}

export async function flowByHash(database: Database, hash: string): Promise<FlowRecord | null> {
  const query = database.selectFrom("identity_flows").selectAll().where("hash", "=", hash);
  return toFlow(await query.executeTakeFirst());
}

export async function consumeFlow(tx: OpenTransaction, hash: string): Promise<FlowRecord | null> {
  const deletion = tx.deleteFrom("identity_flows").where("hash", "=", hash).returningAll();
  return toFlow(await deletion.executeTakeFirst());
}

export async function sweepIdentity(
  tx: OpenTransaction,
  { unconfirmed, sessions, tokens }: IdentitySweep,
): Promise<void> {
  await tx.deleteFrom("identity_tokens").where("created_at", "<", tokens).execute();
  await tx
    .updateTable("identity_users")
    .set({ new_email: null })
    .where("new_email", "is not", null)
    .where("id", "not in", (eb) =>
      eb.selectFrom("identity_tokens").select("user_id").where("purpose", "=", "email_change"),
    )
    .execute();
  await tx.deleteFrom("identity_flows").where("created_at", "<", tokens).execute();
  await tx.deleteFrom("identity_wrong_codes").where("since", "<", tokens).execute();
  await tx.deleteFrom("identity_sessions").where("refreshed_at", "<", sessions).execute();
  await tx
    .deleteFrom("identity_users")
    .where("email", "is not", null)
    .where("email_confirmed_at", "is", null)
    .where("updated_at", "<", unconfirmed)
    .execute();
}

const parseSignUp = (text: string | null): PendingSignUp | null =>
  text === null ? null : (JSON.parse(text) as PendingSignUp);

const serializeSignUp = (signUp: PendingSignUp | null): string | null =>
  signUp === null ? null : JSON.stringify(signUp);

function tokenColumns(token: TokenRecord): Insertable<IdentityTokenTable> {
  const { hash, userId, purpose, email, codeHash, tries, challenge, signUp, createdAt } = token;
  const renamedColumns = { user_id: userId, code_hash: codeHash, created_at: createdAt };
  return {
    hash,
    purpose,
    email,
    tries,
    challenge,
    sign_up: serializeSignUp(signUp),
    ...renamedColumns,
  };
}

function toToken(row: Selectable<IdentityTokenTable> | undefined): TokenRecord | null {
  if (row === undefined) return null;
  const { hash, purpose, email, tries, challenge } = row;
  const renamedColumns = {
    userId: row.user_id,
    codeHash: row.code_hash,
    createdAt: row.created_at,
  };
  return {
    hash,
    purpose,
    email,
    tries,
    challenge,
    signUp: parseSignUp(row.sign_up),
    ...renamedColumns,
  };
}

function flowColumns(flow: FlowRecord): Insertable<IdentityFlowTable> {
  const { hash, challenge, createdAt: created_at } = flow;
  const noCodeColumns = { user_id: null, method: null, sign_up: null, token_hash: null };
  const emptyColumns = { ...noCodeColumns, provider: null, redirect_to: null };
  if (flow.kind === "social") {
    const { provider, redirectTo: redirect_to } = flow;
    return { hash, challenge, created_at, ...emptyColumns, provider, redirect_to };
  }
  const { userId: user_id, method, signUp, tokenHash: token_hash } = flow;
  const codeColumns = { user_id, method, sign_up: serializeSignUp(signUp), token_hash };
  return { hash, challenge, created_at, ...emptyColumns, ...codeColumns };
}

function toFlow(row: Selectable<IdentityFlowTable> | undefined): FlowRecord | null {
  if (row === undefined) return null;
  const { hash, challenge, user_id: userId, method, provider, redirect_to: redirectTo } = row;
  const commonFields = { hash, challenge, createdAt: row.created_at };
  if (userId === null)
    return {
      ...commonFields,
      kind: "social",
      provider: provider ?? "",
      redirectTo: redirectTo ?? "",
    };
  const codeFields = { signUp: parseSignUp(row.sign_up), tokenHash: row.token_hash };
  return { ...commonFields, kind: "code", userId, method: method ?? "", ...codeFields };
}
