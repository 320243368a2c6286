// Which query answers which method about accounts.

import { isAdmin, handleKey, outlastsSignOut } from "#core/accounts/account.ts";
import { ownerFold } from "#core/accounts/name.ts";
import { withMail, withoutMail } from "#core/mail/delivery.ts";
import type { AccountId } from "#core/words/ids.ts";
import { revokeConsents } from "#data/identity/grants.ts";
import { endSessions, lockOf, sessionById } from "#data/identity/sessions.ts";
import { userById } from "#data/identity/users.ts";
import { addAudit } from "#data/queries/audit.ts";
import type { Backend } from "#data/queries/backend.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { Write } from "#data/queries/writer.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AskingSession } from "#data/store/agent-key.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { StoreError } from "#data/store/errors.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Nouns } from "#data/store/store.ts";

import { listAccounts } from "./account-list.ts";
import {
  accountByHandle,
  accountById,
  addAccount,
  adminsAmong,
  changeAccount,
  findAccount,
  noteContact,
  noteSignOut,
  setHandle,
  takenHandles,
} from "./accounts.ts";
import { countCreation } from "./daily-creations.ts";
import { formerHandles, sweepNames } from "./former-names.ts";
import { leave } from "./leaving.ts";
import {
  addKey,
  addOwner,
  allowProgram,
  keyByHash,
  keysOf,
  listOwners,
  ownerByKey,
  programOf,
  programsOf,
  revokeKey,
  revokeProgram,
  useKey,
  useProgram,
} from "./secrets.ts";

/** The outcome of a write, whose audit entry is written with it if it happened. */
export async function noted<T>(
  open: OpenTransaction,
  outcome: T,
  happened: boolean,
  audit: AuditEntry | undefined,
): Promise<T> {
  if (happened && audit !== undefined) await addAudit(open, [audit]);
  return outcome;
}

export function accountQueries(backend: Backend, write: Write): Nouns["accounts"] {
  const { database } = backend;
  return {
    find: (issuer, subject) => findAccount(database, issuer, subject),
    add: (account, audit, signedInAt) =>
      write(async (open) => {
        const { issuer, subject } = account;
        await backend.lock(open, lockOf(subject));
        const known = await findAccount(open, issuer, subject);
        if (known.account !== null) return known.account;
        await assertPresent(open, account, signedInAt, known.signedOutAt);
        await addAccount(open, account);
        await addAudit(open, [audit]);
        return account;
      }),
    noteContact: (id, contact) => write((open) => noteContact(open, id, contact)),
    byId: (id) => accountById(database, id),
    byHandle: (handle, now) => accountByHandle(database, handle, now),
    takenHandles: (handles, now) => takenHandles(database, handles, now),
    formerHandles: (id, now) => formerHandles(database, id, now),
    countDaily: (id, kind, at) => write((open) => countCreation(open, id, kind, at)),
    sweepNames: (now) => write((open) => sweepNames(open, now)),
    list: (query) => listAccounts(database, query),
    admins: (emails) => adminsAmong(database, emails),
    ...changes(backend, write),
    signOut: (id, second, audit) =>
      write(async (open) => {
        const account = await accountById(open, id);
        if (account === null) return false;
        await backend.lock(open, lockOf(account.subject));
        await signOut(open, account, second);
        return noted(open, true, true, audit);
      }),
    leave: (id, leaving, audit) =>
      write(async (open) => {
        await backend.lock(open, `owner ${id}`);
        const account = await accountById(open, id);
        if (account !== null) await backend.lock(open, lockOf(account.subject));
        const left = await leave(open, id, leaving);
        const deleted_bots = left?.deletedBots.map(({ name }) => name);
        const kept_bots = left?.keptBots.map(({ name }) => name);
        const detail = { ...audit.detail, deleted_bots, kept_bots };
        return noted(open, left, left !== null, { ...audit, detail });
      }),
  };
}

/** Throws if the person deleted their account, or was removed, after they signed in. */
async function assertPresent(
  open: OpenTransaction,
  { issuer, subject }: AccountRecord,
  signedInAt: number | undefined,
  signedOutAt: number | null,
): Promise<void> {
  const isOver = signedInAt !== undefined && !outlastsSignOut(signedInAt, signedOutAt);
  const isGone = issuer === EMBEDDED_ISSUER && (await userById(open, subject)) === null;
  if (isOver || isGone) throw new StoreError("missing_reference", "the person is gone");
}

type Changes = "optOut" | "setHandle" | "setMail" | "setRole" | "setBan" | "setMaxBots";

function changes(backend: Backend, write: Write): Pick<Nouns["accounts"], Changes> {
  return {
    setHandle: (id, handle, formerly, audit, welcome = []) =>
      write(async (open) => {
        await backend.lock(open, `owner ${id}`);
        await backend.lock(open, `owner anon:${ownerFold(handle)}`);
        await backend.lock(open, `handle ${handleKey(handle)}`);
        const outcome = await setHandle(open, id, handle, formerly, welcome);
        return noted(open, outcome, outcome !== null && outcome !== "handle_taken", audit);
      }),
    optOut: (id, category) =>
      write(async (open) => {
        await backend.lock(open, `owner ${id}`);
        const account = await accountById(open, id);
        if (account === null) return false;
        const mail = JSON.stringify(withoutMail(account.mail, category));
        return (await changeAccount(open, id, { mail })) !== null;
      }),
    setMail: (id, change) =>
      write(async (open) => {
        await backend.lock(open, `owner ${id}`);
        const account = await accountById(open, id);
        if (account === null) return null;
        return changeAccount(open, id, { mail: JSON.stringify(withMail(account.mail, change)) });
      }),
    setRole: (id, role, emails, audit) =>
      write(async (open) => {
        await backend.lock(open, "admins");
        if (role === "player" && (await isLastAdmin(open, id, emails))) return "last_admin";
        const account = await changeAccount(open, id, { role });
        return noted(open, account, account !== null, audit);
      }),
    setBan: (id, ban, audit) =>
      write(async (open) => {
        const account = await accountById(open, id);
        if (account === null) return null;
        const isChanged = (account.bannedAt === null) === (ban !== null);
        if (!isChanged) return { isChanged, account };
        const columns = { banned_at: ban?.at ?? null, ban_reason: ban?.reason ?? null };
        const changed = (await changeAccount(open, id, columns)) ?? account;
        return noted(open, { isChanged, account: changed }, true, audit);
      }),
    setMaxBots: (id, max_bots, audit) =>
      write(async (open) => {
        const account = await changeAccount(open, id, { max_bots });
        return noted(open, account, account !== null, audit);
      }),
  };
}

/** Whether the role is all that keeps the ladder from being without an admin. */
async function isLastAdmin(
  open: OpenTransaction,
  id: AccountId,
  emails: readonly string[],
): Promise<boolean> {
  const known = new Set(emails);
  const admins = (await adminsAmong(open, emails)).filter((one) => isAdmin(one, known));
  const others = admins.filter((one) => one.id !== id && one.bannedAt === null);
  return others.length === 0 && admins.some((one) => one.id === id);
}

async function signOut(open: OpenTransaction, account: AccountRecord, second: number) {
  const { id, issuer, subject } = account;
  await noteSignOut(open, account, second);
  if (issuer === EMBEDDED_ISSUER) {
    await endSessions(open, subject, "all");
    await revokeConsents(open, subject);
  }
  await open.deleteFrom("agent_keys").where("account_id", "=", id).execute();
  await open.deleteFrom("programs").where("account_id", "=", id).execute();
}

/** Whether the session that asks ended, or its person was signed out, since it was checked. */
async function isOver(
  open: OpenTransaction,
  { issuer, subject }: AccountRecord,
  session: AskingSession | undefined,
): Promise<boolean> {
  if (session === undefined) return false;
  const { signedOutAt } = await findAccount(open, issuer, subject);
  if (!outlastsSignOut(session.signedInAt, signedOutAt)) return true;
  return issuer === EMBEDDED_ISSUER && (await sessionById(open, session.sessionId)) === null;
}

export function keyQueries(backend: Backend, write: Write): Nouns["keys"] {
  const { database } = backend;
  return {
    add: (key, hash, limit, audit, session) =>
      write(async (open) => {
        await backend.lock(open, `keys ${key.accountId}`);
        const account = await accountById(open, key.accountId);
        if (account !== null) await backend.lock(open, lockOf(account.subject));
        if (account === null || (await isOver(open, account, session))) return "no_account";
        const outcome = await addKey(open, key, hash, limit);
        return noted(open, outcome, outcome === "added", audit);
      }),
    byHash: (hash) => keyByHash(database, hash),
    list: (accountId) => keysOf(database, accountId),
    revoke: (accountId, id, audit) =>
      write(async (open) => {
        const key = await revokeKey(open, accountId, id);
        return noted(open, key, key !== null, audit);
      }),
    use: (id, at) => write((open) => useKey(open, id, at)),
  };
}

export function programQueries(backend: Backend, write: Write): Nouns["programs"] {
  const { database } = backend;
  return {
    allow: (accountId, program, audit, session) =>
      write(async (open) => {
        const account = await accountById(open, accountId);
        if (account === null) return false;
        // A sign-out takes the same lock, so it comes before the check or after the commit.
        await backend.lock(open, lockOf(account.subject));
        if (await isOver(open, account, session)) return false;
        await allowProgram(open, accountId, program);
        return noted(open, true, true, audit);
      }),
    list: (accountId) => programsOf(database, accountId),
    find: (accountId, clientId) => programOf(database, accountId, clientId),
    revoke: (accountId, clientId, audit) =>
      write(async (open) => {
        const isDone = await revokeProgram(open, accountId, clientId);
        return noted(open, isDone, isDone, audit);
      }),
    use: (accountId, clientId, at) => write((open) => useProgram(open, accountId, clientId, at)),
  };
}

export function ownerQueries(backend: Backend, write: Write): Nouns["owners"] {
  const { database } = backend;
  return {
    add: (owner, keyHash, now, audit) =>
      write(async (open) => {
        await backend.lock(open, `owner anon:${ownerFold(owner.name)}`);
        const isAdded = await addOwner(open, owner, keyHash, now);
        return noted(open, isAdded, isAdded, audit);
      }),
    byKey: (keyHash) => ownerByKey(database, keyHash),
    list: () => listOwners(database),
  };
}
