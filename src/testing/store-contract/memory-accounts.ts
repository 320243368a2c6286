import { handleKey, isAdmin, DELETED_OWNER, isAfterSignOut } from "#core/accounts/account.ts";
import { normalizeOwner } from "#core/accounts/name-rules.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { updateEmailSettings, optOut } from "#core/mail/delivery.ts";
import type {
  AccountRecord,
  AccountDeletionOptions,
  AccountDeletionResult,
} from "#data/store/account.ts";
import type { OwnerRecord } from "#data/store/account.ts";
import type { RequestSession, AgentKeyRecord, AppRecord } from "#data/store/agent-key.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { nameKey } from "#data/store/bot.ts";
import type { BotRecord, NameReservation } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import { StoreError } from "#data/store/errors.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import { countCreationInMemory } from "./memory-versions.ts";

type FormerName = NameReservation & { name: string; id: string };

export type AccountMemory = {
  accounts: Map<string, AccountRecord>;
  signOuts: Map<string, number>;
  keys: Map<string, AgentKeyRecord & { hash: string }>;
  apps: Map<string, AppRecord & { accountId: string }>;
  /** Keyed by account and kind. */
  dailyCreations: Map<string, { day: string; created: number }>;
  owners: Map<string, OwnerRecord & { hash: string }>;
  formerHandles: Map<string, FormerName>;
  formerNames: Map<string, FormerName>;
};

export function emptyAccountMemory(): AccountMemory {
  return {
    accounts: new Map(),
    signOuts: new Map(),
    keys: new Map(),
    apps: new Map(),
    dailyCreations: new Map(),
    owners: new Map(),
    formerHandles: new Map(),
    formerNames: new Map(),
  };
}

export type AccountContext = AccountMemory & {
  bots: Map<string, BotRecord>;
  tokens: Map<string, { botId: string; stale: boolean }>;
  hasPlayed: (botId: string) => boolean;
  deleteBot: (botId: string) => void;
  deleteRequests: (accountId: string) => void;
  deleteUser: (id: string) => boolean;
  hasUser: (id: string) => boolean;
  hasSession: (person: AccountRecord, id: string) => boolean;
  endSessions: (userId: string) => void;
  deleteMemberships: (accountId: string) => void;
  revokeConsents: (userId: string) => void;
  queueMail: (email: NewDelivery) => void;
  recordAudit: (entry: AuditEntry | undefined) => void;
};

const copy = <T>(value: T | undefined | null): T | null => structuredClone(value) ?? null;
const personKey = ({ issuer, subject }: Pick<AccountRecord, "issuer" | "subject">) =>
  `${issuer} ${subject}`;
const hasSignedOut = ({ signOuts }: AccountMemory, account: AccountRecord, signedInAt = Infinity) =>
  !isAfterSignOut(signedInAt, signOuts.get(personKey(account)) ?? null);
const isSessionOver = (memory: AccountContext, account: AccountRecord, session?: RequestSession) =>
  hasSignedOut(memory, account, session?.signedInAt) ||
  (session !== undefined && !memory.hasSession(account, session.sessionId));
export const byAge = <T extends { created: string }>(
  rows: Iterable<T>,
  idOf: (row: T) => string,
): T[] =>
  [...rows].toSorted((a, b) => (`${a.created} ${idOf(a)}` < `${b.created} ${idOf(b)}` ? -1 : 1));

function holdersOf({ accounts, formerHandles }: AccountMemory, handle: string, now: string) {
  const key = handleKey(handle);
  const current = accounts
    .values()
    .find((candidate) => candidate.handle && handleKey(candidate.handle) === key);
  const former = formerHandles.get(key);
  return { present: current ?? null, former: former && former.until > now ? former : null };
}

export function isHandleTaken(
  memory: AccountMemory,
  handle: string,
  now: string,
  except: string | null = null,
): boolean {
  const { present: current, former } = holdersOf(memory, normalizeOwner(handle), now);
  return [current, former].some((holderId) => holderId !== null && holderId.id !== except);
}

function isUnaccountedOwnerName({ bots, owners }: AccountContext, handle: string): boolean {
  const foldedName = normalizeOwner(handle);
  return (
    owners.has(foldedName) || bots.values().some(({ ownerId }) => ownerId === `anon:${foldedName}`)
  );
}

export function reserveName(
  reservations: Map<string, FormerName>,
  key: string,
  next: string,
  former: FormerName,
): void {
  for (const [reservedName, { until }] of reservations)
    if (until <= former.at) reservations.delete(reservedName);
  reservations.delete(next);
  if (key === next) return;
  reservations.set(key, former);
  const reservedByHolder = [...reservations].filter(([, { id }]) => id === former.id);
  const newest = reservedByHolder.toSorted(([, a], [, b]) => (a.at < b.at ? 1 : -1));
  for (const [excessName] of newest.slice(FIXED_LIMITS.former_names))
    reservations.delete(excessName);
}

export function accountMethods(memory: AccountContext): Store["accounts"] {
  const { accounts, signOuts, recordAudit } = memory;
  return {
    find: async (issuer, subject) => ({
      account: copy(
        accounts.values().find((entry) => entry.issuer === issuer && entry.subject === subject),
      ),
      signedOutAt: signOuts.get(personKey({ issuer, subject })) ?? null,
    }),
    add: async (account, audit, signedInAt) => {
      const existing = accounts
        .values()
        .find((candidate) => personKey(candidate) === personKey(account));
      if (existing !== undefined) return structuredClone(existing);
      const isGone = account.issuer === EMBEDDED_ISSUER && !memory.hasUser(account.subject);
      if (isGone || hasSignedOut(memory, account, signedInAt))
        throw new StoreError("missing_reference", "the user no longer exists");
      accounts.set(account.id, structuredClone(account));
      recordAudit(audit);
      return account;
    },
    updateContact: async (id, contact) => void Object.assign(accounts.get(id) ?? {}, contact),
    byId: async (id) => copy(accounts.get(id)),
    byHandle: async (handle, now) => {
      const { present: current, former } = holdersOf(memory, handle, now);
      const account = current ?? accounts.get(former?.id ?? "");
      return account ? { account: structuredClone(account), isFormer: current === null } : null;
    },
    takenHandles: async (handles, now) =>
      handles.filter(
        (candidate) =>
          isHandleTaken(memory, candidate, now) || isUnaccountedOwnerName(memory, candidate),
      ),
    sweepNames: async (now) => {
      for (const reservations of [memory.formerHandles, memory.formerNames])
        for (const [key, { until }] of reservations) if (until <= now) reservations.delete(key);
    },
    formerHandles: async (accountId, now) =>
      [...memory.formerHandles.values()]
        .filter(({ id, until }) => id === accountId && until > now)
        .toSorted((a, b) => (a.at < b.at ? 1 : -1))
        .map(({ name }) => name),
    list: async ({ text, limit }) => {
      const allAccounts = byAge(accounts.values(), ({ id }) => id).toReversed();
      const found = allAccounts.filter(
        (candidate) => text === null || matchesQuery(memory, candidate, text.toLowerCase()),
      );
      const listItems = found
        .slice(0, limit)
        .map((candidate) => ({ ...candidate, ...keyUsage(memory, candidate.id) }));
      return {
        total: allAccounts.length,
        found: found.length,
        accounts: structuredClone(listItems),
      };
    },
    admins: async (emails) => structuredClone(findAdmins(memory, emails)),
    ...accountChangeMethods(memory),
  };
}

function matchesQuery({ bots }: AccountContext, account: AccountRecord, text: string): boolean {
  const { id, handle, email } = account;
  if (text.includes("@")) return email?.toLowerCase() === text;
  const ownBots = [...bots.values()].filter((bot) => bot.ownerId === id);
  const names = ownBots.map(({ name }) => nameKey(name));
  return id === text || [handle?.toLowerCase() ?? "", ...names].some((term) => term.includes(text));
}

function keyUsage({ keys }: AccountMemory, accountId: string) {
  const accountKeys = [...keys.values()].filter((key) => key.accountId === accountId);
  const lastUses = accountKeys.flatMap(({ lastUsed }) => lastUsed ?? []).toSorted();
  return { keys: accountKeys.length, keyLastUsed: lastUses.at(-1) ?? null };
}

function findAdmins({ accounts }: AccountMemory, emails: readonly string[]): AccountRecord[] {
  const isNamed = ({ role, email }: AccountRecord) =>
    role === "admin" || emails.includes(email?.toLowerCase() ?? "");
  return byAge(accounts.values().filter(isNamed), ({ id }) => id);
}

type AccountChangeMethod =
  | "countDaily"
  | "optOut"
  | "setHandle"
  | "setMail"
  | "setRole"
  | "setBan"
  | "setMaxBots"
  | "signOut"
  | "delete";

function accountChangeMethods(
  memory: AccountContext,
): Pick<Store["accounts"], AccountChangeMethod> {
  const { accounts, bots, recordAudit } = memory;
  const change = (id: string, values: Partial<AccountRecord>, audit?: AuditEntry) => {
    const account = accounts.get(id);
    if (account === undefined) return null;
    Object.assign(account, structuredClone(values));
    recordAudit(audit);
    return structuredClone(account);
  };
  return {
    setHandle: async (id, handle, reservation, audit, welcomeEmails = []) => {
      const account = accounts.get(id);
      if (account === undefined) return null;
      if (isHandleTaken(memory, handle, reservation.at, id)) return "handle_taken";
      if (isUnaccountedOwnerName(memory, handle)) return "handle_taken";
      const { handle: former } = account;
      if (former === null) memory.formerHandles.delete(handleKey(handle));
      else
        reserveName(memory.formerHandles, handleKey(former), handleKey(handle), {
          ...reservation,
          name: former,
          id,
        });
      for (const bot of bots.values()) if (bot.ownerId === id) bot.owner = handle;
      if (former === null) for (const email of welcomeEmails) memory.queueMail(email);
      return change(id, { handle }, audit);
    },
    countDaily: async (id, kind, at) => {
      if (!accounts.has(id)) throw new StoreError("missing_reference", "no such account");
      return countCreationInMemory(memory, id, kind, at);
    },
    optOut: async (id, category) => {
      const account = memory.accounts.get(id);
      if (account === undefined) return false;
      return change(id, { mail: optOut(account.mail, category) }) !== null;
    },
    setMail: async (id, chosen) => {
      const account = memory.accounts.get(id);
      return account === undefined
        ? null
        : change(id, { mail: updateEmailSettings(account.mail, chosen) });
    },
    setRole: async (id, role, emails, audit) => {
      const adminEmails = new Set(emails);
      const admins = findAdmins(memory, emails).filter((account) => isAdmin(account, adminEmails));
      const otherAdmins = admins.filter(
        (account) => account.id !== id && account.bannedAt === null,
      );
      const isLast = otherAdmins.length === 0 && admins.some((account) => account.id === id);
      return role === "player" && isLast ? "last_admin" : change(id, { role }, audit);
    },
    setBan: async (id, ban, audit) => {
      const account = accounts.get(id);
      if (account === undefined) return null;
      const isChanged = (account.bannedAt === null) === (ban !== null);
      if (isChanged)
        change(id, { bannedAt: ban?.at ?? null, banReason: ban?.reason ?? null }, audit);
      return { isChanged, account: structuredClone(account) };
    },
    setMaxBots: async (id, maxBots, audit) => change(id, { maxBots }, audit),
    signOut: async (id, signedOutSecond, audit) => {
      const account = accounts.get(id);
      if (account === undefined) return false;
      memory.signOuts.set(personKey(account), signedOutSecond);
      if (account.issuer === EMBEDDED_ISSUER) {
        memory.endSessions(account.subject);
        memory.revokeConsents(account.subject);
      }
      deleteKeysAndApps(memory, id);
      recordAudit(audit);
      return true;
    },
    delete: async (id, options, audit) => {
      const account = accounts.get(id);
      if (account === undefined) return null;
      const deletion = deleteAccount(memory, account, options);
      const deleted_bots = deletion.deletedBots.map(({ name }) => name);
      const kept_bots = deletion.retainedBots.map(({ name }) => name);
      recordAudit({ ...audit, detail: { ...audit.detail, deleted_bots, kept_bots } });
      return structuredClone(deletion);
    },
  };
}

function deleteKeysAndApps({ keys, apps }: AccountMemory, accountId: string): void {
  for (const [id, key] of keys) if (key.accountId === accountId) keys.delete(id);
  for (const [id, app] of apps) if (app.accountId === accountId) apps.delete(id);
}

function deleteAccount(
  memory: AccountContext,
  account: AccountRecord,
  options: AccountDeletionOptions,
): AccountDeletionResult {
  const { id, handle } = account;
  const deletableBots = byAge(
    memory.bots.values().filter((bot) => bot.ownerId === id),
    (bot) => bot.id,
  );
  const isKept = (bot: BotRecord) =>
    memory.hasPlayed(bot.id) ||
    ["suspended", "banned"].includes(bot.status) ||
    options.inMatch.includes(bot.id);
  const deletedBots = deletableBots
    .filter((bot) => !isKept(bot))
    .map(({ id, name }) => ({ id, name }));
  for (const bot of deletedBots) memory.deleteBot(bot.id);
  const keptBots = deletableBots.filter((bot) => memory.bots.has(bot.id));
  for (const bot of keptBots) retireBot(memory, bot, options);
  if (handle !== null)
    reserveName(memory.formerHandles, handleKey(handle), "", { ...options, name: handle, id });
  memory.signOuts.set(personKey(account), options.second);
  deleteKeysAndApps(memory, id);
  memory.deleteMemberships(id);
  memory.deleteRequests(id);
  memory.accounts.delete(id);
  const identityDeleted = account.issuer === EMBEDDED_ISSUER && memory.deleteUser(account.subject);
  return { account, deletedBots, retainedBots: keptBots, identityDeleted };
}

function retireBot(
  { tokens }: AccountContext,
  bot: BotRecord,
  { at, ban }: AccountDeletionOptions,
): void {
  Object.assign(bot, {
    owner: DELETED_OWNER,
    ownerId: `anon:${DELETED_OWNER}`,
    ownerBanned: false,
  });
  const isMoved = ban === null ? bot.status === "active" : bot.status !== "banned";
  if (isMoved)
    Object.assign(bot, {
      status: ban === null ? "retired" : "banned",
      statusReason: ban?.reason ?? null,
      statusSince: at,
    });
  if (ban !== null)
    for (const token of tokens.values()) if (token.botId === bot.id) token.stale = true;
}

export function keyMethods(memory: AccountContext): Store["keys"] {
  const { keys, accounts, recordAudit } = memory;
  const accountKeys = (accountId: string) =>
    byAge(
      keys.values().filter((key) => key.accountId === accountId),
      ({ id }) => id,
    );
  const withoutAccountId = (row: AgentKeyRecord & { hash: string }): AgentKeyRecord => {
    const { hash: _, ...key } = row;
    return key;
  };
  return {
    add: async (key, hash, limit, audit, session) => {
      const account = accounts.get(key.accountId);
      if (account === undefined || isSessionOver(memory, account, session)) return "no_account";
      if (keys.has(key.id)) return "added";
      if (accountKeys(key.accountId).length >= limit) return "key_limit";
      if (!countCreationInMemory(memory, key.accountId, "agent_key", key.created))
        return "daily_limit";
      keys.set(key.id, { ...key, hash });
      recordAudit(audit);
      return "added";
    },
    byHash: async (hash) => {
      const key = keys.values().find((candidate) => candidate.hash === hash);
      const account = key && accounts.get(key.accountId);
      return key && account
        ? { key: withoutAccountId(key), account: structuredClone(account) }
        : null;
    },
    list: async (accountId) => accountKeys(accountId).map(withoutAccountId),
    revoke: async (accountId, id, audit) => {
      const key = keys.get(id);
      if (key?.accountId !== accountId) return null;
      keys.delete(id);
      recordAudit(audit);
      return withoutAccountId(key);
    },
    recordUse: async (id, at) => void Object.assign(keys.get(id) ?? {}, { lastUsed: at }),
  };
}

export function appMethods(memory: AccountContext): Store["apps"] {
  const { accounts, apps, recordAudit } = memory;
  const keyOf = (accountId: string, clientId: string) => `${accountId} ${clientId}`;
  const withoutAccountId = (row: AppRecord & { accountId: string }): AppRecord => {
    const { accountId: _, ...app } = row;
    return app;
  };
  return {
    authorize: async (accountId, app, audit, session) => {
      const account = accounts.get(accountId);
      if (account === undefined || isSessionOver(memory, account, session)) return false;
      const key = keyOf(accountId, app.clientId);
      const { name } = app;
      apps.set(key, { ...app, accountId, ...apps.get(key), name });
      recordAudit(audit);
      return true;
    },
    list: async (accountId) =>
      byAge(
        apps.values().filter((app) => app.accountId === accountId),
        ({ clientId }) => clientId,
      ).map(withoutAccountId),
    find: async (accountId, clientId) => {
      const app = apps.get(keyOf(accountId, clientId));
      return app ? withoutAccountId(app) : null;
    },
    revoke: async (accountId, clientId, audit) => {
      if (!apps.delete(keyOf(accountId, clientId))) return false;
      recordAudit(audit);
      return true;
    },
    recordUse: async (accountId, clientId, at) =>
      void Object.assign(apps.get(keyOf(accountId, clientId)) ?? {}, { lastUsed: at }),
  };
}
