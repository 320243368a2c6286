// Accounts, their keys and the bots that they own, over plain maps.

import { handleKey, isAdmin, LEFT_OWNER, outlastsSignOut } from "#core/accounts/account.ts";
import { ownerFold } from "#core/accounts/name.ts";
import { withMail, withoutMail } from "#core/mail/delivery.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AccountRecord, Leaving, Left } from "#data/store/account.ts";
import type { OwnerRecord } from "#data/store/account.ts";
import type { AskingSession, KeyRecord, ProgramRecord } from "#data/store/agent-key.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { nameKey } from "#data/store/bot.ts";
import type { BotRecord, GivenUp } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import { StoreError } from "#data/store/errors.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import { countCreation } from "./memory-versions.ts";

type Former = GivenUp & { name: string; id: string };

export type AccountFacts = {
  accounts: Map<string, AccountRecord>;
  signOuts: Map<string, number>;
  keys: Map<string, KeyRecord & { hash: string }>;
  programs: Map<string, ProgramRecord & { accountId: string }>;
  /** By account and kind. */
  dailyCreations: Map<string, { day: string; created: number }>;
  owners: Map<string, OwnerRecord & { hash: string }>;
  /** By key. */
  formerHandles: Map<string, Former>;
  formerNames: Map<string, Former>;
};

export function noAccounts(): AccountFacts {
  return {
    accounts: new Map(),
    signOuts: new Map(),
    keys: new Map(),
    programs: new Map(),
    dailyCreations: new Map(),
    owners: new Map(),
    formerHandles: new Map(),
    formerNames: new Map(),
  };
}

/** What accounts need of everything else. */
export type AroundAccounts = AccountFacts & {
  bots: Map<string, BotRecord>;
  tokens: Map<string, { botId: string; stale: boolean }>;
  hasPlayed: (botId: string) => boolean;
  deleteBot: (botId: string) => void;
  forgetRequests: (accountId: string) => void;
  deleteUser: (id: string) => boolean;
  hasUser: (id: string) => boolean;
  hasSession: (person: AccountRecord, id: string) => boolean;
  endSessions: (userId: string) => void;
  dropMemberships: (accountId: string) => void;
  revokeConsents: (userId: string) => void;
  queueMail: (letter: NewDelivery) => void;
  note: (entry: AuditEntry | undefined) => void;
};

const copy = <T>(value: T | undefined | null): T | null => structuredClone(value) ?? null;
const personKey = ({ issuer, subject }: Pick<AccountRecord, "issuer" | "subject">) =>
  `${issuer} ${subject}`;
const isOver = ({ signOuts }: AccountFacts, person: AccountRecord, signedInAt = Infinity) =>
  !outlastsSignOut(signedInAt, signOuts.get(personKey(person)) ?? null);
const hasEnded = (facts: AroundAccounts, account: AccountRecord, session?: AskingSession) =>
  isOver(facts, account, session?.signedInAt) ||
  (session !== undefined && !facts.hasSession(account, session.sessionId));
export const byAge = <T extends { created: string }>(
  rows: Iterable<T>,
  idOf: (row: T) => string,
): T[] =>
  [...rows].toSorted((a, b) => (`${a.created} ${idOf(a)}` < `${b.created} ${idOf(b)}` ? -1 : 1));

/** The account that holds a handle now or did until lately. */
function holdersOf({ accounts, formerHandles }: AccountFacts, handle: string, now: string) {
  const key = handleKey(handle);
  const present = accounts.values().find((one) => one.handle && handleKey(one.handle) === key);
  const former = formerHandles.get(key);
  return { present: present ?? null, former: former && former.until > now ? former : null };
}

export function isTakenHandle(
  facts: AccountFacts,
  handle: string,
  now: string,
  except: string | null = null,
): boolean {
  const { present, former } = holdersOf(facts, ownerFold(handle), now);
  return [present, former].some((holder) => holder !== null && holder.id !== except);
}

function isFreeOwners({ bots, owners }: AroundAccounts, handle: string): boolean {
  const fold = ownerFold(handle);
  return owners.has(fold) || bots.values().some(({ ownerId }) => ownerId === `anon:${fold}`);
}

/** Keeps the newest of the names that one gave up. */
export function giveUp(kept: Map<string, Former>, key: string, next: string, former: Former): void {
  for (const [one, { until }] of kept) if (until <= former.at) kept.delete(one);
  kept.delete(next);
  if (key === next) return;
  kept.set(key, former);
  const own = [...kept].filter(([, { id }]) => id === former.id);
  const newest = own.toSorted(([, a], [, b]) => (a.at < b.at ? 1 : -1));
  for (const [beyond] of newest.slice(FIXED.former_names)) kept.delete(beyond);
}

export function accountMethods(facts: AroundAccounts): Store["accounts"] {
  const { accounts, signOuts, note } = facts;
  return {
    find: async (issuer, subject) => ({
      account: copy(accounts.values().find((o) => o.issuer === issuer && o.subject === subject)),
      signedOutAt: signOuts.get(personKey({ issuer, subject })) ?? null,
    }),
    add: async (account, audit, signedInAt) => {
      const known = accounts.values().find((one) => personKey(one) === personKey(account));
      if (known !== undefined) return structuredClone(known);
      const isGone = account.issuer === EMBEDDED_ISSUER && !facts.hasUser(account.subject);
      if (isGone || isOver(facts, account, signedInAt))
        throw new StoreError("missing_reference", "the person is gone");
      accounts.set(account.id, structuredClone(account));
      note(audit);
      return account;
    },
    noteContact: async (id, contact) => void Object.assign(accounts.get(id) ?? {}, contact),
    byId: async (id) => copy(accounts.get(id)),
    byHandle: async (handle, now) => {
      const { present, former } = holdersOf(facts, handle, now);
      const account = present ?? accounts.get(former?.id ?? "");
      return account ? { account: structuredClone(account), isFormer: present === null } : null;
    },
    takenHandles: async (handles, now) =>
      handles.filter((one) => isTakenHandle(facts, one, now) || isFreeOwners(facts, one)),
    sweepNames: async (now) => {
      for (const kept of [facts.formerHandles, facts.formerNames])
        for (const [key, { until }] of kept) if (until <= now) kept.delete(key);
    },
    formerHandles: async (accountId, now) =>
      [...facts.formerHandles.values()]
        .filter(({ id, until }) => id === accountId && until > now)
        .toSorted((a, b) => (a.at < b.at ? 1 : -1))
        .map(({ name }) => name),
    list: async ({ text, limit }) => {
      const all = byAge(accounts.values(), ({ id }) => id).toReversed();
      const found = all.filter((one) => text === null || isSought(facts, one, text.toLowerCase()));
      const lines = found.slice(0, limit).map((one) => ({ ...one, ...useOf(facts, one.id) }));
      return { total: all.length, found: found.length, accounts: structuredClone(lines) };
    },
    admins: async (emails) => structuredClone(adminsAmong(facts, emails)),
    ...changes(facts),
  };
}

function isSought({ bots }: AroundAccounts, account: AccountRecord, text: string): boolean {
  const { id, handle, email } = account;
  if (text.includes("@")) return email?.toLowerCase() === text;
  const own = [...bots.values()].filter((bot) => bot.ownerId === id);
  const names = own.map(({ name }) => nameKey(name));
  return id === text || [handle?.toLowerCase() ?? "", ...names].some((one) => one.includes(text));
}

function useOf({ keys }: AccountFacts, accountId: string) {
  const own = [...keys.values()].filter((key) => key.accountId === accountId);
  const used = own.flatMap(({ lastUsed }) => lastUsed ?? []).toSorted();
  return { keys: own.length, keyLastUsed: used.at(-1) ?? null };
}

function adminsAmong({ accounts }: AccountFacts, emails: readonly string[]): AccountRecord[] {
  const isNamed = ({ role, email }: AccountRecord) =>
    role === "admin" || emails.includes(email?.toLowerCase() ?? "");
  return byAge(accounts.values().filter(isNamed), ({ id }) => id);
}

type Changes =
  | "countDaily"
  | "optOut"
  | "setHandle"
  | "setMail"
  | "setRole"
  | "setBan"
  | "setMaxBots"
  | "signOut"
  | "leave";

function changes(facts: AroundAccounts): Pick<Store["accounts"], Changes> {
  const { accounts, bots, note } = facts;
  const change = (id: string, values: Partial<AccountRecord>, audit?: AuditEntry) => {
    const account = accounts.get(id);
    if (account === undefined) return null;
    Object.assign(account, structuredClone(values));
    note(audit);
    return structuredClone(account);
  };
  return {
    setHandle: async (id, handle, formerly, audit, welcome = []) => {
      const account = accounts.get(id);
      if (account === undefined) return null;
      if (isTakenHandle(facts, handle, formerly.at, id)) return "handle_taken";
      if (isFreeOwners(facts, handle)) return "handle_taken";
      const { handle: former } = account;
      if (former === null) facts.formerHandles.delete(handleKey(handle));
      else
        giveUp(facts.formerHandles, handleKey(former), handleKey(handle), {
          ...formerly,
          name: former,
          id,
        });
      for (const bot of bots.values()) if (bot.ownerId === id) bot.owner = handle;
      if (former === null) for (const letter of welcome) facts.queueMail(letter);
      return change(id, { handle }, audit);
    },
    countDaily: async (id, kind, at) => {
      if (!accounts.has(id)) throw new StoreError("missing_reference", "no such account");
      return countCreation(facts, id, kind, at);
    },
    optOut: async (id, category) => {
      const account = facts.accounts.get(id);
      if (account === undefined) return false;
      return change(id, { mail: withoutMail(account.mail, category) }) !== null;
    },
    setMail: async (id, chosen) => {
      const account = facts.accounts.get(id);
      return account === undefined ? null : change(id, { mail: withMail(account.mail, chosen) });
    },
    setRole: async (id, role, emails, audit) => {
      const known = new Set(emails);
      const admins = adminsAmong(facts, emails).filter((one) => isAdmin(one, known));
      const others = admins.filter((one) => one.id !== id && one.bannedAt === null);
      const isLast = others.length === 0 && admins.some((one) => one.id === id);
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
    signOut: async (id, second, audit) => {
      const account = accounts.get(id);
      if (account === undefined) return false;
      facts.signOuts.set(personKey(account), second);
      if (account.issuer === EMBEDDED_ISSUER) {
        facts.endSessions(account.subject);
        facts.revokeConsents(account.subject);
      }
      dropSecrets(facts, id);
      note(audit);
      return true;
    },
    leave: async (id, leaving, audit) => {
      const account = accounts.get(id);
      if (account === undefined) return null;
      const left = leave(facts, account, leaving);
      const deleted_bots = left.deletedBots.map(({ name }) => name);
      const kept_bots = left.keptBots.map(({ name }) => name);
      note({ ...audit, detail: { ...audit.detail, deleted_bots, kept_bots } });
      return structuredClone(left);
    },
  };
}

function dropSecrets({ keys, programs }: AccountFacts, accountId: string): void {
  for (const [id, key] of keys) if (key.accountId === accountId) keys.delete(id);
  for (const [id, one] of programs) if (one.accountId === accountId) programs.delete(id);
}

function leave(facts: AroundAccounts, account: AccountRecord, leaving: Leaving): Left {
  const { id, handle } = account;
  const own = byAge(
    facts.bots.values().filter((bot) => bot.ownerId === id),
    (bot) => bot.id,
  );
  const isKept = (bot: BotRecord) =>
    facts.hasPlayed(bot.id) ||
    ["suspended", "banned"].includes(bot.status) ||
    leaving.inMatch.includes(bot.id);
  const deletedBots = own.filter((bot) => !isKept(bot)).map(({ id, name }) => ({ id, name }));
  for (const bot of deletedBots) facts.deleteBot(bot.id);
  const keptBots = own.filter((bot) => facts.bots.has(bot.id));
  for (const bot of keptBots) retire(facts, bot, leaving);
  if (handle !== null)
    giveUp(facts.formerHandles, handleKey(handle), "", { ...leaving, name: handle, id });
  facts.signOuts.set(personKey(account), leaving.second);
  dropSecrets(facts, id);
  facts.dropMemberships(id);
  facts.forgetRequests(id);
  facts.accounts.delete(id);
  const identityDeleted = account.issuer === EMBEDDED_ISSUER && facts.deleteUser(account.subject);
  return { account, deletedBots, keptBots, identityDeleted };
}

function retire({ tokens }: AroundAccounts, bot: BotRecord, { at, ban }: Leaving): void {
  Object.assign(bot, { owner: LEFT_OWNER, ownerId: `anon:${LEFT_OWNER}`, ownerBanned: false });
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

export function keyMethods(facts: AroundAccounts): Store["keys"] {
  const { keys, accounts, note } = facts;
  const own = (accountId: string) =>
    byAge(
      keys.values().filter((key) => key.accountId === accountId),
      ({ id }) => id,
    );
  const bare = (row: KeyRecord & { hash: string }): KeyRecord => {
    const { hash: _, ...key } = row;
    return key;
  };
  return {
    add: async (key, hash, limit, audit, session) => {
      const account = accounts.get(key.accountId);
      if (account === undefined || hasEnded(facts, account, session)) return "no_account";
      if (keys.has(key.id)) return "added";
      if (own(key.accountId).length >= limit) return "key_limit";
      if (!countCreation(facts, key.accountId, "agent_key", key.created)) return "daily_limit";
      keys.set(key.id, { ...key, hash });
      note(audit);
      return "added";
    },
    byHash: async (hash) => {
      const key = keys.values().find((one) => one.hash === hash);
      const account = key && accounts.get(key.accountId);
      return key && account ? { key: bare(key), account: structuredClone(account) } : null;
    },
    list: async (accountId) => own(accountId).map(bare),
    revoke: async (accountId, id, audit) => {
      const key = keys.get(id);
      if (key?.accountId !== accountId) return null;
      keys.delete(id);
      note(audit);
      return bare(key);
    },
    use: async (id, at) => void Object.assign(keys.get(id) ?? {}, { lastUsed: at }),
  };
}

export function programMethods(facts: AroundAccounts): Store["programs"] {
  const { accounts, programs, note } = facts;
  const keyOf = (accountId: string, clientId: string) => `${accountId} ${clientId}`;
  const bare = (row: ProgramRecord & { accountId: string }): ProgramRecord => {
    const { accountId: _, ...program } = row;
    return program;
  };
  return {
    allow: async (accountId, program, audit, session) => {
      const account = accounts.get(accountId);
      if (account === undefined || hasEnded(facts, account, session)) return false;
      const key = keyOf(accountId, program.clientId);
      const { name } = program;
      programs.set(key, { ...program, accountId, ...programs.get(key), name });
      note(audit);
      return true;
    },
    list: async (accountId) =>
      byAge(
        programs.values().filter((one) => one.accountId === accountId),
        ({ clientId }) => clientId,
      ).map(bare),
    find: async (accountId, clientId) => {
      const program = programs.get(keyOf(accountId, clientId));
      return program ? bare(program) : null;
    },
    revoke: async (accountId, clientId, audit) => {
      if (!programs.delete(keyOf(accountId, clientId))) return false;
      note(audit);
      return true;
    },
    use: async (accountId, clientId, at) =>
      void Object.assign(programs.get(keyOf(accountId, clientId)) ?? {}, { lastUsed: at }),
  };
}
