// OAuth clients, their authorizations, and what people consented to.

import type { Insertable, Selectable } from "kysely";

import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type {
  AllowedRedirect,
  AuthorizationRecord,
  ClientRecord,
  ConsentRecord,
  Grant,
} from "#data/store/identity-grants.ts";

import type { AuthorizationTable, ClientTable, ConsentTable } from "./identity-tables.ts";

export async function putClient(open: OpenTransaction, client: ClientRecord): Promise<void> {
  const { id, kind, ...columns } = clientColumns(client);
  await open
    .insertInto("identity_clients")
    .values({ id, kind, ...columns })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
    .execute();
}

export async function clientById(database: Database, id: string): Promise<ClientRecord | null> {
  const found = database.selectFrom("identity_clients").selectAll().where("id", "=", id);
  const row = await found.executeTakeFirst();
  return row ? toClient(row) : null;
}

export async function addAuthorization(
  open: OpenTransaction,
  authorization: AuthorizationRecord,
): Promise<void> {
  await open
    .insertInto("identity_authorizations")
    .values(authorizationColumns(authorization))
    .execute();
}

export async function authorizationByHash(
  database: Database,
  hash: string,
): Promise<AuthorizationRecord | null> {
  const all = database.selectFrom("identity_authorizations").selectAll();
  return toAuthorization(await all.where("hash", "=", hash).executeTakeFirst());
}

/** Makes an authorization without an owner this user's; null when it is not theirs then. */
export async function claimAuthorization(
  open: OpenTransaction,
  hash: string,
  userId: string,
): Promise<AuthorizationRecord | null> {
  await open
    .updateTable("identity_authorizations")
    .set({ user_id: userId })
    .where("hash", "=", hash)
    .where("user_id", "is", null)
    .execute();
  const row = await open
    .selectFrom("identity_authorizations")
    .selectAll()
    .where("hash", "=", hash)
    .where("user_id", "=", userId)
    .where("code_hash", "is", null)
    .executeTakeFirst();
  return toAuthorization(row);
}

/** Gives a claimed authorization its code, once, and notes the consent. */
export async function approveAuthorization(
  open: OpenTransaction,
  hash: string,
  codeHash: string,
  consent: ConsentRecord,
): Promise<boolean> {
  const { userId, clientId, scopes, redirects, grantedAt } = consent;
  const approved = await open
    .updateTable("identity_authorizations")
    .set({ code_hash: codeHash })
    .where("hash", "=", hash)
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .where("code_hash", "is", null)
    .executeTakeFirst();
  if (approved.numUpdatedRows === 0n) return false;
  const columns = {
    scopes: scopes.join(" "),
    redirects: JSON.stringify(redirects),
    granted_at: grantedAt,
  };
  await open
    .insertInto("identity_consents")
    .values({ user_id: userId, client_id: clientId, ...columns })
    .onConflict((conflict) => conflict.columns(["user_id", "client_id"]).doUpdateSet(columns))
    .execute();
  return true;
}

export async function denyAuthorization(
  open: OpenTransaction,
  hash: string,
  userId: string,
): Promise<boolean> {
  const gone = await open
    .deleteFrom("identity_authorizations")
    .where("hash", "=", hash)
    .where("user_id", "=", userId)
    .where("code_hash", "is", null)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

export async function authorizationByCode(
  database: Database,
  codeHash: string,
): Promise<AuthorizationRecord | null> {
  const all = database.selectFrom("identity_authorizations").selectAll();
  return toAuthorization(await all.where("code_hash", "=", codeHash).executeTakeFirst());
}

export async function takeCode(
  open: OpenTransaction,
  codeHash: string,
): Promise<AuthorizationRecord | null> {
  const taken = open.deleteFrom("identity_authorizations").where("code_hash", "=", codeHash);
  return toAuthorization(await taken.returningAll().executeTakeFirst());
}

export async function consentOf(
  database: Database,
  userId: string,
  clientId: string,
): Promise<ConsentRecord | null> {
  const row = await database
    .selectFrom("identity_consents")
    .selectAll()
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return row === undefined ? null : toConsent(row);
}

/** Oldest first. */
export async function grantsOf(database: Database, userId: string): Promise<Grant[]> {
  const rows = await database
    .selectFrom("identity_consents")
    .innerJoin("identity_clients", "identity_clients.id", "identity_consents.client_id")
    .selectAll("identity_clients")
    .select(["user_id", "client_id", "scopes", "redirects", "granted_at"])
    .where("user_id", "=", userId)
    .orderBy("granted_at")
    .orderBy("client_id")
    .execute();
  return rows.map((row) => ({ ...toConsent(row), client: toClient(row) }));
}

/** Ends what a client can do for a user; false when there was no consent. */
export async function revokeConsent(
  open: OpenTransaction,
  userId: string,
  clientId: string,
): Promise<boolean> {
  for (const table of ["identity_sessions", "identity_authorizations"] as const) {
    const used = open.deleteFrom(table).where("user_id", "=", userId);
    await used.where("client_id", "=", clientId).execute();
  }
  const gone = await open
    .deleteFrom("identity_consents")
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Ends what all clients can do for a user, their sessions apart. */
export async function revokeConsents(open: OpenTransaction, userId: string): Promise<void> {
  for (const table of ["identity_authorizations", "identity_consents"] as const)
    await open.deleteFrom(table).where("user_id", "=", userId).execute();
}

/** Forgets authorizations and clients without a consent that were made before these instants. */
export async function sweepGrants(
  open: OpenTransaction,
  before: { authorizations: string; clients: string },
): Promise<void> {
  await open
    .deleteFrom("identity_authorizations")
    .where("created_at", "<", before.authorizations)
    .execute();
  await open
    .deleteFrom("identity_clients")
    .where("created_at", "<", before.clients)
    .where("id", "not in", (eb) => eb.selectFrom("identity_consents").select("client_id"))
    .execute();
}

function clientColumns(client: ClientRecord): Insertable<ClientTable> {
  const { id, kind, name, uri, logoUri, redirectUris, authMethod, secretHash } = client;
  return {
    id,
    kind,
    name,
    uri,
    logo_uri: logoUri,
    redirect_uris: JSON.stringify(redirectUris),
    auth_method: authMethod,
    secret_hash: secretHash,
    created_at: client.createdAt,
  };
}

function toClient(row: Selectable<ClientTable>): ClientRecord {
  const { id, kind, name, uri } = row;
  return {
    id,
    kind,
    name,
    uri,
    logoUri: row.logo_uri,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    authMethod: row.auth_method,
    secretHash: row.secret_hash,
    createdAt: row.created_at,
  };
}

function toConsent(row: Selectable<ConsentTable>): ConsentRecord {
  return {
    userId: row.user_id,
    clientId: row.client_id,
    scopes: row.scopes.split(" ").filter((word) => word !== ""),
    redirects: JSON.parse(row.redirects) as AllowedRedirect[],
    grantedAt: row.granted_at,
  };
}

function authorizationColumns(one: AuthorizationRecord): Insertable<AuthorizationTable> {
  const { hash, scope, state, nonce, resource, challenge } = one;
  return {
    hash,
    client_id: one.clientId,
    redirect_uri: one.redirectUri,
    scope,
    state,
    nonce,
    resource,
    challenge,
    user_id: one.userId,
    code_hash: one.codeHash,
    created_at: one.createdAt,
  };
}

function toAuthorization(
  row: Selectable<AuthorizationTable> | undefined,
): AuthorizationRecord | null {
  if (row === undefined) return null;
  const { hash, scope, state, nonce, resource, challenge } = row;
  return {
    hash,
    clientId: row.client_id,
    redirectUri: row.redirect_uri,
    scope,
    state,
    nonce,
    resource,
    challenge,
    userId: row.user_id,
    codeHash: row.code_hash,
    createdAt: row.created_at,
  };
}
