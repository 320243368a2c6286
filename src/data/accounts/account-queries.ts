import { isAdmin, handleKey, isAfterSignOut } from "#core/accounts/account.ts";
import { normalizeOwner } from "#core/accounts/name-rules.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { updateEmailSettings, optOut } from "#core/mail/delivery.ts";
import { revokeConsents } from "#data/identity/grants.ts";
import { deleteSessions, identityLock, sessionById } from "#data/identity/sessions.ts";
import { userById } from "#data/identity/users.ts";
import { addAudit } from "#data/queries/audit.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Write } from "#data/queries/group-writer.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { RequestSession } from "#data/store/agent-key.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { StoreError } from "#data/store/errors.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Repositories } from "#data/store/store.ts";

import { listAccounts } from "./account-list.ts";
import {
  accountByHandle,
  accountById,
  insertAccount,
  findAdmins,
  changeAccount,
  findAccount,
  updateContact,
  recordSignOut,
  setHandle,
  takenHandles,
} from "./accounts.ts";
import {
  insertAgentKey,
  addOwner,
  insertAppAuthorization,
  agentKeyByHash,
  agentKeysOf,
  listOwners,
  ownerByKey,
  appOf,
  appsOf,
  revokeAgentKey,
  revokeApp,
  recordKeyUse,
  recordAppUse,
} from "./agent-keys.ts";
import { countCreation } from "./daily-creations.ts";
import { deleteAccountRows } from "./delete-account.ts";
import { formerHandles, sweepFormerNames } from "./former-names.ts";

/** Returns `outcome`. Writes the audit entry in the same transaction if something changed. */
export async function withAudit<T>(
  tx: OpenTransaction,
  outcome: T,
  isChanged: boolean,
  auditEntry: AuditEntry | undefined,
): Promise<T> {
  if (isChanged && auditEntry !== undefined) await addAudit(tx, [auditEntry]);
  return outcome;
}

export function accountQueries(backend: Backend, write: Write): Repositories["accounts"] {
  const { database } = backend;
  return {
    find: (issuer, subject) => findAccount(database, issuer, subject),
    add: (account, auditEntry, signedInAt) =>
      write(async (tx) => {
        const { issuer, subject } = account;
        await backend.lock(tx, identityLock(subject));
        const existing = await findAccount(tx, issuer, subject);
        if (existing.account !== null) return existing.account;
        await assertNotSignedOut(tx, account, signedInAt, existing.signedOutAt);
        await insertAccount(tx, account);
        await addAudit(tx, [auditEntry]);
        return account;
      }),
    updateContact: (id, contact) => write((tx) => updateContact(tx, id, contact)),
    byId: (id) => accountById(database, id),
    byHandle: (handle, now) => accountByHandle(database, handle, now),
    takenHandles: (handles, now) => takenHandles(database, handles, now),
    formerHandles: (id, now) => formerHandles(database, id, now),
    countDaily: (id, kind, at) => write((tx) => countCreation(tx, id, kind, at)),
    sweepNames: (now) => write((tx) => sweepFormerNames(tx, now)),
    list: (query) => listAccounts(database, query),
    admins: (emails) => findAdmins(database, emails),
    ...accountChangeQueries(backend, write),
    signOut: (id, signedOutSecond, auditEntry) =>
      write(async (tx) => {
        const account = await accountById(tx, id);
        if (account === null) return false;
        await backend.lock(tx, identityLock(account.subject));
        await signOutEverywhere(tx, account, signedOutSecond);
        return withAudit(tx, true, true, auditEntry);
      }),
    delete: (id, options, auditEntry) =>
      write(async (tx) => {
        await backend.lock(tx, `owner ${id}`);
        const account = await accountById(tx, id);
        if (account !== null) await backend.lock(tx, identityLock(account.subject));
        const deletion = await deleteAccountRows(tx, id, options);
        const deleted_bots = deletion?.deletedBots.map(({ name }) => name);
        const kept_bots = deletion?.retainedBots.map(({ name }) => name);
        const detail = { ...auditEntry.detail, deleted_bots, kept_bots };
        return withAudit(tx, deletion, deletion !== null, { ...auditEntry, detail });
      }),
  };
}

/** Throws if the user deleted their account or was removed after they signed in. */
async function assertNotSignedOut(
  tx: OpenTransaction,
  { issuer, subject }: AccountRecord,
  signedInAt: number | undefined,
  signedOutAt: number | null,
): Promise<void> {
  const hasSignedOut = signedInAt !== undefined && !isAfterSignOut(signedInAt, signedOutAt);
  const isUserDeleted = issuer === EMBEDDED_ISSUER && (await userById(tx, subject)) === null;
  if (hasSignedOut || isUserDeleted)
    throw new StoreError("missing_reference", "the user no longer exists");
}

type AccountChangeMethod = "optOut" | "setHandle" | "setMail" | "setRole" | "setBan" | "setMaxBots";

function accountChangeQueries(
  backend: Backend,
  write: Write,
): Pick<Repositories["accounts"], AccountChangeMethod> {
  return {
    setHandle: (id, handle, reservation, auditEntry, welcomeEmails = []) =>
      write(async (tx) => {
        await backend.lock(tx, `owner ${id}`);
        await backend.lock(tx, `owner anon:${normalizeOwner(handle)}`);
        await backend.lock(tx, `handle ${handleKey(handle)}`);
        const outcome = await setHandle(tx, id, handle, reservation, welcomeEmails);
        return withAudit(tx, outcome, outcome !== null && outcome !== "handle_taken", auditEntry);
      }),
    optOut: (id, category) =>
      write(async (tx) => {
        await backend.lock(tx, `owner ${id}`);
        const account = await accountById(tx, id);
        if (account === null) return false;
        const mail = JSON.stringify(optOut(account.mail, category));
        return (await changeAccount(tx, id, { mail })) !== null;
      }),
    setMail: (id, change) =>
      write(async (tx) => {
        await backend.lock(tx, `owner ${id}`);
        const account = await accountById(tx, id);
        if (account === null) return null;
        return changeAccount(tx, id, {
          mail: JSON.stringify(updateEmailSettings(account.mail, change)),
        });
      }),
    setRole: (id, role, emails, auditEntry) =>
      write(async (tx) => {
        await backend.lock(tx, "admins");
        if (role === "player" && (await isLastAdmin(tx, id, emails))) return "last_admin";
        const account = await changeAccount(tx, id, { role });
        return withAudit(tx, account, account !== null, auditEntry);
      }),
    setBan: (id, ban, auditEntry) =>
      write(async (tx) => {
        const account = await accountById(tx, id);
        if (account === null) return null;
        const isChanged = (account.bannedAt === null) === (ban !== null);
        if (!isChanged) return { isChanged, account };
        const columns = { banned_at: ban?.at ?? null, ban_reason: ban?.reason ?? null };
        const changedAccount = (await changeAccount(tx, id, columns)) ?? account;
        return withAudit(tx, { isChanged, account: changedAccount }, true, auditEntry);
      }),
    setMaxBots: (id, max_bots, auditEntry) =>
      write(async (tx) => {
        const account = await changeAccount(tx, id, { max_bots });
        return withAudit(tx, account, account !== null, auditEntry);
      }),
  };
}

async function isLastAdmin(
  tx: OpenTransaction,
  id: AccountId,
  emails: readonly string[],
): Promise<boolean> {
  const adminEmails = new Set(emails);
  const admins = (await findAdmins(tx, emails)).filter((admin) => isAdmin(admin, adminEmails));
  const otherAdmins = admins.filter((admin) => admin.id !== id && admin.bannedAt === null);
  return otherAdmins.length === 0 && admins.some((admin) => admin.id === id);
}

async function signOutEverywhere(
  tx: OpenTransaction,
  account: AccountRecord,
  signedOutSecond: number,
) {
  const { id, issuer, subject } = account;
  await recordSignOut(tx, account, signedOutSecond);
  if (issuer === EMBEDDED_ISSUER) {
    await deleteSessions(tx, subject, "all");
    await revokeConsents(tx, subject);
  }
  await tx.deleteFrom("agent_keys").where("account_id", "=", id).execute();
  await tx.deleteFrom("programs").where("account_id", "=", id).execute();
}

/**
 * Returns whether the requesting session has ended, or its user was signed out, since the session
 * was checked.
 */
async function isSessionOver(
  tx: OpenTransaction,
  { issuer, subject }: AccountRecord,
  session: RequestSession | undefined,
): Promise<boolean> {
  if (session === undefined) return false;
  const { signedOutAt } = await findAccount(tx, issuer, subject);
  if (!isAfterSignOut(session.signedInAt, signedOutAt)) return true;
  return issuer === EMBEDDED_ISSUER && (await sessionById(tx, session.sessionId)) === null;
}

export function agentKeyQueries(backend: Backend, write: Write): Repositories["keys"] {
  const { database } = backend;
  return {
    add: (key, hash, limit, auditEntry, session) =>
      write(async (tx) => {
        await backend.lock(tx, `keys ${key.accountId}`);
        const account = await accountById(tx, key.accountId);
        if (account !== null) await backend.lock(tx, identityLock(account.subject));
        if (account === null || (await isSessionOver(tx, account, session))) return "no_account";
        const outcome = await insertAgentKey(tx, key, hash, limit);
        return withAudit(tx, outcome, outcome === "added", auditEntry);
      }),
    byHash: (hash) => agentKeyByHash(database, hash),
    list: (accountId) => agentKeysOf(database, accountId),
    revoke: (accountId, id, auditEntry) =>
      write(async (tx) => {
        const key = await revokeAgentKey(tx, accountId, id);
        return withAudit(tx, key, key !== null, auditEntry);
      }),
    recordUse: (id, at) => write((tx) => recordKeyUse(tx, id, at)),
  };
}

export function appQueries(backend: Backend, write: Write): Repositories["apps"] {
  const { database } = backend;
  return {
    authorize: (accountId, app, auditEntry, session) =>
      write(async (tx) => {
        const account = await accountById(tx, accountId);
        if (account === null) return false;
        // A sign-out takes the same lock, so it is either visible to the check or happens after the
        // commit.
        await backend.lock(tx, identityLock(account.subject));
        if (await isSessionOver(tx, account, session)) return false;
        await insertAppAuthorization(tx, accountId, app);
        return withAudit(tx, true, true, auditEntry);
      }),
    list: (accountId) => appsOf(database, accountId),
    find: (accountId, clientId) => appOf(database, accountId, clientId),
    revoke: (accountId, clientId, auditEntry) =>
      write(async (tx) => {
        const isRevoked = await revokeApp(tx, accountId, clientId);
        return withAudit(tx, isRevoked, isRevoked, auditEntry);
      }),
    recordUse: (accountId, clientId, at) =>
      write((tx) => recordAppUse(tx, accountId, clientId, at)),
  };
}

export function ownerQueries(backend: Backend, write: Write): Repositories["owners"] {
  const { database } = backend;
  return {
    add: (owner, keyHash, now, auditEntry) =>
      write(async (tx) => {
        await backend.lock(tx, `owner anon:${normalizeOwner(owner.name)}`);
        const isAdded = await addOwner(tx, owner, keyHash, now);
        return withAudit(tx, isAdded, isAdded, auditEntry);
      }),
    byKey: (keyHash) => ownerByKey(database, keyHash),
    list: () => listOwners(database),
  };
}
