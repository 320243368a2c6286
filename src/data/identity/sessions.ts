import type { Insertable, Selectable } from "kysely";

import type { Backend } from "#data/queries/database-backend.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { SessionSelection, SessionRotation, SessionRecord } from "#data/store/identity.ts";

import type { SessionTable } from "./identity-tables.ts";

export const identityLock = (userId: string): string => `identity ${userId}`;

export async function insertSession(tx: OpenTransaction, session: SessionRecord): Promise<void> {
  await tx
    .insertInto("identity_sessions")
    .values(toColumns(session))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

export async function sessionById(database: Database, id: string): Promise<SessionRecord | null> {
  const query = database.selectFrom("identity_sessions").selectAll().where("id", "=", id);
  return toSession(await query.executeTakeFirst());
}

export async function countSessions(database: Database): Promise<number> {
  const query = database
    .selectFrom("identity_sessions")
    .select((eb) => eb.fn.countAll<number>().as("sessions"));
  return (await query.executeTakeFirstOrThrow()).sessions;
}

export async function rotateSession(
  tx: OpenTransaction,
  id: string,
  { from, counter, parent, at }: SessionRotation,
): Promise<SessionRecord | null> {
  await tx
    .updateTable("identity_sessions")
    .set({ counter, parent, refreshed_at: at })
    .where("id", "=", id)
    .where("counter", "=", from)
    .execute();
  return sessionById(tx, id);
}

export async function deleteSession(
  { lock }: Pick<Backend, "lock">,
  tx: OpenTransaction,
  id: string,
): Promise<boolean> {
  const session = await sessionById(tx, id);
  if (session === null) return false;
  await lock(tx, identityLock(session.userId));
  const result = await tx.deleteFrom("identity_sessions").where("id", "=", id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteClientSession(
  tx: OpenTransaction,
  id: string,
  clientId: string,
): Promise<void> {
  const deletion = tx.deleteFrom("identity_sessions").where("id", "=", id);
  await deletion.where("client_id", "=", clientId).execute();
}

/**
 * Ends everything that could still turn into a session: emailed links and codes, codes of browsers
 * and clients, and a pending email change.
 */
export async function endPendingCredentials(tx: OpenTransaction, userId: string): Promise<void> {
  await tx.deleteFrom("identity_tokens").where("user_id", "=", userId).execute();
  await tx.deleteFrom("identity_flows").where("user_id", "=", userId).execute();
  await tx
    .deleteFrom("identity_authorizations")
    .where("user_id", "=", userId)
    .where("code_hash", "is not", null)
    .execute();
  const update = tx.updateTable("identity_users").set({ new_email: null });
  await update.where("id", "=", userId).where("new_email", "is not", null).execute();
}

/** Deletes sessions, and everything that could still turn into one. */
export async function deleteSessions(
  tx: OpenTransaction,
  userId: string,
  selection: SessionSelection,
): Promise<void> {
  const deletion = tx.deleteFrom("identity_sessions").where("user_id", "=", userId);
  await (selection === "all" ? deletion : deletion.where("id", "<>", selection.except)).execute();
  await endPendingCredentials(tx, userId);
}

function toColumns(session: SessionRecord): Insertable<SessionTable> {
  const { id, userId, client, counter, parent, refreshedAt, method, createdAt } = session;
  return {
    id,
    user_id: userId,
    client_id: client?.id ?? null,
    scope: client?.scope ?? null,
    resource: client?.resource ?? null,
    counter,
    parent,
    refreshed_at: refreshedAt,
    method,
    created_at: createdAt,
  };
}

function toSession(row: Selectable<SessionTable> | undefined): SessionRecord | null {
  if (row === undefined) return null;
  const { id, client_id, scope, resource, counter, parent, method } = row;
  const client =
    client_id === null ? null : { id: client_id, scope: scope ?? "", resource: resource ?? "" };
  const timestamps = { refreshedAt: row.refreshed_at, createdAt: row.created_at };
  return { id, userId: row.user_id, client, counter, parent, method, ...timestamps };
}
