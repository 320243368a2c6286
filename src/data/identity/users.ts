// Users, and the ways in which they sign in.

import type { Insertable, Selectable, Updateable } from "kysely";

import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import { StoreError } from "#data/store/errors.ts";
import type {
  AddUserOutcome,
  ChangeTerms,
  IdentityRecord,
  NewSession,
  PendingSignUp,
  UserChanges,
  UserRecord,
} from "#data/store/identity.ts";

import type { LinkTable, UserTable } from "./identity-tables.ts";
import { endPending, endSessions, insertSession, sessionById } from "./sessions.ts";

/** Adds a user with the way in which they signed up. */
export async function addUser(
  open: OpenTransaction,
  user: UserRecord,
  identity: IdentityRecord,
): Promise<AddUserOutcome> {
  if (user.email !== null) {
    const holder = await userByEmail(open, user.email);
    if (holder !== null) return holder.id === user.id ? "added" : "email_taken";
  }
  const inserted = await open
    .insertInto("identity_users")
    .values({ ...userColumns(user), id: user.id, created_at: user.createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) {
    return (await userById(open, user.id)) === null ? "email_taken" : "added";
  }
  await linkIdentity(open, identity);
  return "added";
}

export async function userByEmail(database: Database, email: string): Promise<UserRecord | null> {
  const found = database.selectFrom("identity_users").selectAll().where("email", "=", email);
  return toUser(await found.executeTakeFirst());
}

export async function userById(database: Database, id: string): Promise<UserRecord | null> {
  const found = database.selectFrom("identity_users").selectAll().where("id", "=", id);
  return toUser(await found.executeTakeFirst());
}

export async function userByIdentity(
  database: Database,
  provider: string,
  subject: string,
): Promise<UserRecord | null> {
  const found = database
    .selectFrom("identity_users")
    .innerJoin("identity_links", "identity_links.user_id", "identity_users.id")
    .selectAll("identity_users")
    .where("identity_links.provider", "=", provider)
    .where("identity_links.subject", "=", subject);
  return toUser(await found.executeTakeFirst());
}

export async function unconfirmedUsers(
  database: Database,
  most: number,
): Promise<{ total: number; users: UserRecord[] }> {
  const found = database
    .selectFrom("identity_users")
    .where("email", "is not", null)
    .where("email_confirmed_at", "is", null);
  const { total } = await found
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const newest = found.selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
  const rows = await newest.limit(most).execute();
  return { total, users: rows.flatMap((row) => toUser(row) ?? []) };
}

/** By age. */
export async function identitiesOf(database: Database, userId: string): Promise<IdentityRecord[]> {
  const found = database.selectFrom("identity_links").selectAll().where("user_id", "=", userId);
  const rows = await found.orderBy("created_at").orderBy("id").execute();
  return rows.map(toIdentity);
}

/** Null when there is no such user, or the session that asks has ended. */
export async function changeUser(
  open: OpenTransaction,
  id: string,
  changes: UserChanges,
  { ends, session }: ChangeTerms = {},
): Promise<UserRecord | "email_taken" | null> {
  if (session !== undefined && (await sessionById(open, session))?.userId !== id) return null;
  const { email } = changes;
  const holder = typeof email === "string" ? await userByEmail(open, email) : null;
  if (holder !== null && holder.id !== id) return "email_taken";
  if (ends !== undefined) await endSessions(open, id, ends);
  const columns = changedColumns(changes);
  if (Object.keys(columns).length > 0)
    await open.updateTable("identity_users").set(columns).where("id", "=", id).execute();
  return userById(open, id);
}

/** Adds a session of a user in a browser. */
export async function signInUser(
  open: OpenTransaction,
  { id }: UserRecord,
  session: NewSession,
): Promise<UserRecord | null> {
  await insertSession(open, { ...session, userId: id });
  await open
    .updateTable("identity_users")
    .set({ last_sign_in_at: session.createdAt })
    .where("id", "=", id)
    .execute();
  return userById(open, id);
}

/** Null if the user has a password already, or is gone. */
export async function setFirstPassword(
  open: OpenTransaction,
  id: string,
  { passwordHash, userData }: PendingSignUp,
  at: string,
): Promise<UserRecord | null> {
  const user = await userById(open, id);
  if (user === null || user.passwordHash !== null) return null;
  await endPending(open, id);
  const changed = await changeUser(open, id, { passwordHash, userData, updatedAt: at });
  return changed === "email_taken" ? null : changed;
}

/** An identity of another user is refused as `invalid`. */
export async function linkIdentity(open: OpenTransaction, one: IdentityRecord): Promise<void> {
  const { email, lastSignInAt: last_sign_in_at } = one;
  await open
    .insertInto("identity_links")
    .values(linkColumns(one))
    .onConflict((conflict) =>
      conflict.columns(["provider", "subject"]).doUpdateSet({ email, last_sign_in_at }),
    )
    .execute();
  const owner = await userByIdentity(open, one.provider, one.subject);
  if (owner?.id !== one.userId) throw new StoreError("invalid", "the identity is another user's");
}

/** What belongs to the user is deleted by foreign keys. */
export async function deleteUser(open: OpenTransaction, id: string): Promise<boolean> {
  const gone = await open.deleteFrom("identity_users").where("id", "=", id).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Deletes the user of an address that nobody confirmed, unless it is the one with that id. */
export async function deleteUnconfirmed(
  open: OpenTransaction,
  email: string,
  except: string,
): Promise<void> {
  await open
    .deleteFrom("identity_users")
    .where("email", "=", email)
    .where("email_confirmed_at", "is", null)
    .where("id", "<>", except)
    .execute();
}

type Changeable = Updateable<UserTable>;

const COLUMNS: Readonly<Record<keyof UserChanges, keyof Changeable>> = {
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

function changedColumns(changes: UserChanges): Changeable {
  const given = Object.entries(changes).map(([name, value]) => {
    const column = COLUMNS[name as keyof UserChanges];
    return [column, name === "userData" ? JSON.stringify(value) : value] as const;
  });
  return Object.fromEntries(given);
}

function userColumns({ id: _id, createdAt: _made, ...rest }: UserRecord) {
  return changedColumns(rest) as Omit<Insertable<UserTable>, "id" | "created_at">;
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

function linkColumns(one: IdentityRecord): Insertable<LinkTable> {
  const { id, userId, provider, subject, email, createdAt, lastSignInAt } = one;
  const times = { created_at: createdAt, last_sign_in_at: lastSignInAt };
  return { id, user_id: userId, provider, subject, email, ...times };
}

function toIdentity(row: Selectable<LinkTable>): IdentityRecord {
  const { id, provider, subject, email } = row;
  const times = { createdAt: row.created_at, lastSignInAt: row.last_sign_in_at };
  return { id, userId: row.user_id, provider, subject, email, ...times };
}
