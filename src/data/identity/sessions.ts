// Sessions of browsers and of programs.

import type { Insertable, Selectable } from "kysely";

import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { EndOf, SessionRecord } from "#data/store/identity.ts";

import type { SessionTable } from "./identity-tables.ts";

export async function addSession(open: OpenTransaction, session: SessionRecord): Promise<void> {
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

/** Moves on to the next number if this is the active one; returns the session as it is then. */
export async function rotateSession(
  open: OpenTransaction,
  id: string,
  counter: number,
  at: string,
): Promise<SessionRecord | null> {
  await open
    .updateTable("identity_sessions")
    .set({ counter: counter + 1, refreshed_at: at })
    .where("id", "=", id)
    .where("counter", "=", counter)
    .execute();
  return sessionById(open, id);
}

export async function endSession(open: OpenTransaction, id: string): Promise<boolean> {
  const gone = await open.deleteFrom("identity_sessions").where("id", "=", id).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/**
 * Ends what might become a session later: mails with links and digits, codes of browsers and of
 * programs, and a change of address that waits for its mail.
 */
async function endPending(open: OpenTransaction, userId: string): Promise<void> {
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
  const { id, userId, client, counter, refreshedAt, method, createdAt } = session;
  return {
    id,
    user_id: userId,
    client_id: client?.id ?? null,
    scope: client?.scope ?? null,
    resource: client?.resource ?? null,
    counter,
    refreshed_at: refreshedAt,
    method,
    created_at: createdAt,
  };
}

function toSession(row: Selectable<SessionTable> | undefined): SessionRecord | null {
  if (row === undefined) return null;
  const { id, client_id, scope, resource, counter, method } = row;
  const client =
    client_id === null ? null : { id: client_id, scope: scope ?? "", resource: resource ?? "" };
  const times = { refreshedAt: row.refreshed_at, createdAt: row.created_at };
  return { id, userId: row.user_id, client, counter, method, ...times };
}
