import type { Insertable, Selectable } from "kysely";

import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type {
  AllowedRedirect,
  AuthorizationRecord,
  ClientRecord,
  ConsentRecord,
  ConsentGrant,
} from "#data/store/identity-grants.ts";

import type { AuthorizationTable, ClientTable, ConsentTable } from "./identity-tables.ts";

export async function putClient(tx: OpenTransaction, client: ClientRecord): Promise<void> {
  const { id, kind, ...columns } = clientColumns(client);
  await tx
    .insertInto("identity_clients")
    .values({ id, kind, ...columns })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
    .execute();
}

export async function clientById(database: Database, id: string): Promise<ClientRecord | null> {
  const query = database.selectFrom("identity_clients").selectAll().where("id", "=", id);
  const row = await query.executeTakeFirst();
  return row ? toClient(row) : null;
}

export async function addAuthorization(
  tx: OpenTransaction,
  authorization: AuthorizationRecord,
): Promise<void> {
  await tx
    .insertInto("identity_authorizations")
    .values(authorizationColumns(authorization))
    .execute();
}

export async function authorizationByHash(
  database: Database,
  hash: string,
): Promise<AuthorizationRecord | null> {
  const query = database.selectFrom("identity_authorizations").selectAll();
  return toAuthorization(await query.where("hash", "=", hash).executeTakeFirst());
}

export async function claimAuthorization(
  tx: OpenTransaction,
  hash: string,
  userId: string,
): Promise<AuthorizationRecord | null> {
  await tx
    .updateTable("identity_authorizations")
    .set({ user_id: userId })
    .where("hash", "=", hash)
    .where("user_id", "is", null)
    .execute();
  const row = await tx
    .selectFrom("identity_authorizations")
    .selectAll()
    .where("hash", "=", hash)
    .where("user_id", "=", userId)
    .where("code_hash", "is", null)
    .executeTakeFirst();
  return toAuthorization(row);
}

export async function approveAuthorization(
  tx: OpenTransaction,
  hash: string,
  codeHash: string,
  consent: ConsentRecord,
): Promise<boolean> {
  const { userId, clientId, scopes, redirects, grantedAt } = consent;
  const result = await tx
    .updateTable("identity_authorizations")
    .set({ code_hash: codeHash })
    .where("hash", "=", hash)
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .where("code_hash", "is", null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  const columns = {
    scopes: scopes.join(" "),
    redirects: JSON.stringify(redirects),
    granted_at: grantedAt,
  };
  await tx
    .insertInto("identity_consents")
    .values({ user_id: userId, client_id: clientId, ...columns })
    .onConflict((conflict) => conflict.columns(["user_id", "client_id"]).doUpdateSet(columns))
    .execute();
  return true;
}

export async function denyAuthorization(
  tx: OpenTransaction,
  hash: string,
  userId: string,
): Promise<boolean> {
  const result = await tx
    .deleteFrom("identity_authorizations")
    .where("hash", "=", hash)
    .where("user_id", "=", userId)
    .where("code_hash", "is", null)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function authorizationByCode(
  database: Database,
  codeHash: string,
): Promise<AuthorizationRecord | null> {
  const query = database.selectFrom("identity_authorizations").selectAll();
  return toAuthorization(await query.where("code_hash", "=", codeHash).executeTakeFirst());
}

export async function consumeCode(
  tx: OpenTransaction,
  codeHash: string,
): Promise<AuthorizationRecord | null> {
  const deletion = tx.deleteFrom("identity_authorizations").where("code_hash", "=", codeHash);
  return toAuthorization(await deletion.returningAll().executeTakeFirst());
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

export async function grantsOf(database: Database, userId: string): Promise<ConsentGrant[]> {
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

export async function revokeConsent(
  tx: OpenTransaction,
  userId: string,
  clientId: string,
): Promise<boolean> {
  for (const table of ["identity_sessions", "identity_authorizations"] as const) {
    const rows = tx.deleteFrom(table).where("user_id", "=", userId);
    await rows.where("client_id", "=", clientId).execute();
  }
  const result = await tx
    .deleteFrom("identity_consents")
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Revokes every client's access to a user, but keeps existing sessions. */
export async function revokeConsents(tx: OpenTransaction, userId: string): Promise<void> {
  for (const table of ["identity_authorizations", "identity_consents"] as const)
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
}

export async function sweepGrants(
  tx: OpenTransaction,
  cutoffs: { authorizations: string; clients: string },
): Promise<void> {
  await tx
    .deleteFrom("identity_authorizations")
    .where("created_at", "<", cutoffs.authorizations)
    .execute();
  await tx
    .deleteFrom("identity_clients")
    .where("created_at", "<", cutoffs.clients)
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
    scopes: row.scopes.split(" ").filter((scope) => scope !== ""),
    redirects: JSON.parse(row.redirects) as AllowedRedirect[],
    grantedAt: row.granted_at,
  };
}

function authorizationColumns(authorization: AuthorizationRecord): Insertable<AuthorizationTable> {
  const { hash, scope, state, nonce, resource, challenge } = authorization;
  return {
    hash,
    client_id: authorization.clientId,
    redirect_uri: authorization.redirectUri,
    scope,
    state,
    nonce,
    resource,
    challenge,
    user_id: authorization.userId,
    code_hash: authorization.codeHash,
    created_at: authorization.createdAt,
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
