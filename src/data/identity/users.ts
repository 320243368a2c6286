import type { Insertable, Selectable, Updateable } from "kysely";

import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import { StoreError } from "#data/store/errors.ts";
import type {
  AddUserOutcome,
  UserChangeOptions,
  IdentityRecord,
  NewSession,
  PendingSignUp,
  UserChanges,
  UserRecord,
} from "#data/store/identity.ts";

import type { IdentityLinkTable, UserTable } from "./identity-tables.ts";
import { endPendingCredentials, deleteSessions, insertSession, sessionById } from "./sessions.ts";

export async function addUser(
  tx: OpenTransaction,
  user: UserRecord,
  identity: IdentityRecord,
): Promise<AddUserOutcome> {
  if (user.email !== null) {
    const emailHolder = await userByEmail(tx, user.email);
    if (emailHolder !== null) return emailHolder.id === user.id ? "added" : "email_taken";
  }
  const inserted = await tx
    .insertInto("identity_users")
    .values({ ...userColumns(user), id: user.id, created_at: user.createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) {
    return (await userById(tx, user.id)) === null ? "email_taken" : "added";
  }
  await linkIdentity(tx, identity);
  return "added";
}

export async function userByEmail(database: Database, email: string): Promise<UserRecord | null> {
  const query = database.selectFrom("identity_users").selectAll().where("email", "=", email);
  return toUser(await query.executeTakeFirst());
}

export async function userById(database: Database, id: string): Promise<UserRecord | null> {
  const query = database.selectFrom("identity_users").selectAll().where("id", "=", id);
  return toUser(await query.executeTakeFirst());
}

export async function userByIdentity(
  database: Database,
  provider: string,
  subject: string,
): Promise<UserRecord | null> {
  const query = database
    .selectFrom("identity_users")
    .innerJoin("identity_links", "identity_links.user_id", "identity_users.id")
    .selectAll("identity_users")
    .where("identity_links.provider", "=", provider)
    .where("identity_links.subject", "=", subject);
  return toUser(await query.executeTakeFirst());
}

export async function unconfirmedUsers(
  database: Database,
  limit: number,
): Promise<{ total: number; users: UserRecord[] }> {
  const query = database
    .selectFrom("identity_users")
    .where("email", "is not", null)
    .where("email_confirmed_at", "is", null);
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const newestFirst = query.selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
  const rows = await newestFirst.limit(limit).execute();
  return { total, users: rows.flatMap((row) => toUser(row) ?? []) };
}

export async function identitiesOf(database: Database, userId: string): Promise<IdentityRecord[]> {
  const query = database.selectFrom("identity_links").selectAll().where("user_id", "=", userId);
  const rows = await query.orderBy("created_at").orderBy("id").execute();
  return rows.map(toIdentity);
}

export async function changeUser(
  tx: OpenTransaction,
  id: string,
  changes: UserChanges,
  { ends: sessionsToEnd, session }: UserChangeOptions = {},
): Promise<UserRecord | "email_taken" | null> {
  if (session !== undefined && (await sessionById(tx, session))?.userId !== id) return null;
  const { email } = changes;
  const emailHolder = typeof email === "string" ? await userByEmail(tx, email) : null;
  if (emailHolder !== null && emailHolder.id !== id) return "email_taken";
  if (sessionsToEnd !== undefined) await deleteSessions(tx, id, sessionsToEnd);
  const columns = toChangedColumns(changes);
  if (Object.keys(columns).length > 0)
    await tx.updateTable("identity_users").set(columns).where("id", "=", id).execute();
  return userById(tx, id);
}

export async function signInUser(
  tx: OpenTransaction,
  { id }: UserRecord,
  session: NewSession,
): Promise<UserRecord | null> {
  await insertSession(tx, { ...session, userId: id });
  await tx
    .updateTable("identity_users")
    .set({ last_sign_in_at: session.createdAt })
    .where("id", "=", id)
    .execute();
  return userById(tx, id);
}

export async function setFirstPassword(
  tx: OpenTransaction,
  id: string,
  { passwordHash, userData }: PendingSignUp,
  at: string,
): Promise<UserRecord | null> {
  const user = await userById(tx, id);
  if (user === null || user.passwordHash !== null) return null;
  await endPendingCredentials(tx, id);
  const updated = await changeUser(tx, id, { passwordHash, userData, updatedAt: at });
  return updated === "email_taken" ? null : updated;
}

export async function linkIdentity(tx: OpenTransaction, identity: IdentityRecord): Promise<void> {
  const { email, lastSignInAt: last_sign_in_at } = identity;
  await tx
    .insertInto("identity_links")
    .values(linkColumns(identity))
    .onConflict((conflict) =>
      conflict.columns(["provider", "subject"]).doUpdateSet({ email, last_sign_in_at }),
    )
    .execute();
  const owner = await userByIdentity(tx, identity.provider, identity.subject);
  if (owner?.id !== identity.userId)
    throw new StoreError("invalid", "the identity belongs to another user");
}

export async function deleteUser(tx: OpenTransaction, id: string): Promise<boolean> {
  const result = await tx.deleteFrom("identity_users").where("id", "=", id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteUnconfirmed(
  tx: OpenTransaction,
  email: string,
  keptUserId: string,
): Promise<void> {
  await tx
    .deleteFrom("identity_users")
    .where("email", "=", email)
    .where("email_confirmed_at", "is", null)
    .where("id", "<>", keptUserId)
    .execute();
}

type UserColumns = Updateable<UserTable>;

const COLUMNS: Readonly<Record<keyof UserChanges, keyof UserColumns>> = {
  email: "email",
  emailConfirmedAt: "email_confirmed_at",
  newEmail: "new_email",
  passwordHash: "password_hash",
  userData: "user_data",
  confirmationSentAt: "confirmation_sent_at",
  recoverySentAt: "recovery_sent_at",
  lastSignInAt: "last_sign_in_at",
  updatedAt: "updated_at",
};

function toChangedColumns(changes: UserChanges): UserColumns {
  const entries = Object.entries(changes).map(([name, value]) => {
    const column = COLUMNS[name as keyof UserChanges];
    return [column, name === "userData" ? JSON.stringify(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

function userColumns({ id: _id, createdAt: _made, ...rest }: UserRecord) {
  return toChangedColumns(rest) as Omit<Insertable<UserTable>, "id" | "created_at">;
}

function toUser(row: Selectable<UserTable> | undefined): UserRecord | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    email: row.email,
    emailConfirmedAt: row.email_confirmed_at,
    newEmail: row.new_email,
    passwordHash: row.password_hash,
    userData: JSON.parse(row.user_data) as UserRecord["userData"],
    confirmationSentAt: row.confirmation_sent_at,
    recoverySentAt: row.recovery_sent_at,
    lastSignInAt: row.last_sign_in_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function linkColumns(identity: IdentityRecord): Insertable<IdentityLinkTable> {
  const { id, userId, provider, subject, email, createdAt, lastSignInAt } = identity;
  const timestamps = { created_at: createdAt, last_sign_in_at: lastSignInAt };
  return { id, user_id: userId, provider, subject, email, ...timestamps };
}

function toIdentity(row: Selectable<IdentityLinkTable>): IdentityRecord {
  const { id, provider, subject, email } = row;
  const timestamps = { createdAt: row.created_at, lastSignInAt: row.last_sign_in_at };
  return { id, userId: row.user_id, provider, subject, email, ...timestamps };
}
