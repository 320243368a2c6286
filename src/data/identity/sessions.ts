// Sessions of browsers and of programs.

import type { Insertable, Selectable } from "kysely";

import type { Backend } from "#data/queries/backend.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { EndOf, SessionRotation, SessionRecord } from "#data/store/identity.ts";

import type { SessionTable } from "./identity-tables.ts";

/** The subject under which transactions about one user's sessions and emails are serialized. */
export const lockOf = (userId: string): string => `identity ${userId}`;

export async function insertSession(open: OpenTransaction, session: SessionRecord): Promise<void> {
  await open
    .insertInto("identity_sessions")
    .values(toColumns(session))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

export async function sessionById(database: Database, id: string): Promise<SessionRecord | null> {
  const found = database.selectFrom("identity_sessions").selectAll().where("id", "=", id);
  return toSession(await found.executeTakeFirst());
}

export async function countSessions(database: Database): Promise<number> {
  const count = database
    .selectFrom("identity_sessions")
    .select((eb) => eb.fn.countAll<number>().as("sessions"));
  return (await count.executeTakeFirstOrThrow()).sessions;
}

export async function rotateSession(
  open: OpenTransaction,
  id: string,
  { from, counter, parent, at }: SessionRotation,
): Promise<SessionRecord | null> {
  await open
    .updateTable("identity_sessions")
    .set({ counter, parent, refreshed_at: at })
    .where("id", "=", id)
    .where("counter", "=", from)
    .execute();
  return sessionById(open, id);
}

export async function endSession(
  { lock }: Pick<Backend, "lock">,
  open: OpenTransaction,
  id: string,
): Promise<boolean> {
  const session = await sessionById(open, id);
  if (session === null) return false;
  await lock(open, lockOf(session.userId));
  const gone = await open.deleteFrom("identity_sessions").where("id", "=", id).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Ends the session of a client; nothing happens if there is none. */
export async function endClientSession(
  open: OpenTransaction,
  id: string,
  clientId: string,
): Promise<void> {
  const ended = open.deleteFrom("identity_sessions").where("id", "=", id);
  await ended.where("client_id", "=", clientId).execute();
}

/**
 * Ends what might become a session later: mails with links and digits, codes of browsers and of
 * programs, and a change of address that waits for its mail.
 */
export async function endPending(open: OpenTransaction, userId: string): Promise<void> {
  await open.deleteFrom("identity_tokens").where("user_id", "=", userId).execute();
  await open.deleteFrom("identity_flows").where("user_id", "=", userId).execute();
  await open
    .deleteFrom("identity_authorizations")
    .where("user_id", "=", userId)
    .where("code_hash", "is not", null)
    .execute();
  const changing = open.updateTable("identity_users").set({ new_email: null });
  await changing.where("id", "=", userId).where("new_email", "is not", null).execute();
}

/** With whatever is pending. */
export async function endSessions(
  open: OpenTransaction,
  userId: string,
  which: EndOf,
): Promise<void> {
  const ended = open.deleteFrom("identity_sessions").where("user_id", "=", userId);
  await (which === "all" ? ended : ended.where("id", "<>", which.except)).execute();
  await endPending(open, userId);
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
  const times = { refreshedAt: row.refreshed_at, createdAt: row.created_at };
  return { id, userId: row.user_id, client, counter, parent, method, ...times };
}
