// Accounts of people. An account is identified by issuer and subject at its identity provider; its
// ID is ours.

import { handleKey } from "#core/accounts/account.ts";
import type { AdminCriteria, EmailSettings, Role } from "#core/accounts/account.ts";
import type { AccountId, BotId } from "#core/ids/ids.ts";
import type { MailCategory, EmailSettingsChange } from "#core/mail/delivery.ts";

import type { AuditEntry } from "./audit.ts";
import type { BotRecord, NameReservation } from "./bot.ts";
import type { NewDelivery } from "./delivery.ts";
import { readsUncached, reads, writes } from "./method.ts";

export type AccountRecord = AdminCriteria & {
  id: AccountId;
  issuer: string;
  subject: string;
  /** Null until chosen. */
  handle: string | null;
  role: Role;
  /** UTC instant; null unless banned. */
  bannedAt: string | null;
  banReason: string | null;
  /** Null to use the limit in the settings. */
  maxBots: number | null;
  mail: EmailSettings;
  created: string;
};

/** Address as last reported by the provider. */
export type Contact = Pick<AccountRecord, "email" | "emailConfirmedAt" | "signsInWithEmail">;

/** `signedOutAt`, in Unix seconds, outlives the account. */
export type AccountLookup = { account: AccountRecord | null; signedOutAt: number | null };

/** Part of a handle or bot name, a whole ID, or a whole email address. */
export type AccountQuery = { text: string | null; limit: number };

/** An account as listed for operators. */
export type AccountListItem = AccountRecord & { keys: number; keyLastUsed: string | null };

export type AccountList = { total: number; found: number; accounts: AccountListItem[] };

/** Options of an account deletion. */
export type AccountDeletionOptions = NameReservation & {
  /** `second` in Unix seconds: ends earlier sessions. */
  second: number;
  /** If set, bots that have played are banned for this reason instead of retired. */
  ban: { reason: string | null } | null;
  /** Bots currently in a match, which are kept as if they had played. */
  inMatch: readonly BotId[];
};

export type AccountDeletionResult = {
  /** The account before its deletion. */
  account: AccountRecord;
  deletedBots: { id: BotId; name: string }[];
  /** The kept bots, under their new owner. */
  retainedBots: BotRecord[];
  /** Whether the embedded provider deleted the user too. */
  identityDeleted: boolean;
};

/** Includes subjects that depend on the account's bots: they carry its handle and ban. */
const accountSubjects = (id: AccountId): string[] => ["facts", `owner:${id}`, "audit"];

const ACCOUNT_DELETION_SUBJECTS =
  "bots facts tokens versions retired matches casual replays audit".split(" ");

/** An audit entry is written in the transaction of what it records, and only if that happens. */
/** New bot names or bot tokens. */
export type DailyLimitedChange = "rename" | "token";

export const ACCOUNTS = {
  find: readsUncached<(issuer: string, subject: string) => Promise<AccountLookup>>(),
  /**
   * Returns the account of the same issuer and subject if it exists. Creating one is rejected with
   * `missing_reference` if the embedded provider has no such user, or if the person was signed out
   * everywhere after `signedInAt` (Unix seconds): they may have deleted their account.
   */
  add: writes<
    (account: AccountRecord, audit: AuditEntry, signedInAt?: number) => Promise<AccountRecord>
  >(() => ["audit"]),
  updateContact: writes<(id: AccountId, contact: Contact) => Promise<void>>(() => []),
  byId: readsUncached<(id: AccountId) => Promise<AccountRecord | null>>(),
  /**
   * Finds an account by its handle in any letter case, or by a former handle that is still
   * reserved.
   */
  byHandle: reads<
    (handle: string, now: string) => Promise<{ account: AccountRecord; isFormer: boolean } | null>
  >((accountMatch, handle) => [
    `handle:${handleKey(handle)}`,
    ...(accountMatch === null ? [] : [`owner:${accountMatch.account.id}`]),
  ]),
  /** Returns the handles in the list that an account can't take. */
  takenHandles: readsUncached<(handles: readonly string[], now: string) => Promise<string[]>>(),
  /** Former handles that are still reserved, newest first. */
  formerHandles: readsUncached<(id: AccountId, now: string) => Promise<string[]>>(),
  /** Deletes expired reservations of handles and bot names. */
  sweepNames: writes<(now: string) => Promise<void>>(() => []),
  /** Newest first. */
  list: readsUncached<(query: AccountQuery) => Promise<AccountList>>(),
  /** Accounts with the admin role or one of these addresses, oldest first. */
  admins: readsUncached<(emails: readonly string[]) => Promise<AccountRecord[]>>(),
  /**
   * Sets the handle, which becomes the owner of the account's bots. The first one also queues
   * emails, in the same transaction. Null if the account doesn't exist.
   */
  setHandle: writes<
    (
      id: AccountId,
      handle: string,
      reservation: NameReservation,
      audit: AuditEntry,
      welcomeEmails?: readonly NewDelivery[],
    ) => Promise<AccountRecord | "handle_taken" | null>
  >((outcome, id, handle) =>
    outcome === "handle_taken" ? [] : [`handle:${handleKey(handle)}`, ...accountSubjects(id)],
  ),
  /**
   * Counts a change that is limited per account and UTC day of `at`. Returns false, uncounted,
   * beyond the limit. Rejects with `missing_reference` if the account doesn't exist.
   */
  countDaily: writes<
    (id: AccountId, changeKind: DailyLimitedChange, at: string) => Promise<boolean>
  >(() => []),
  /** Unsubscribes from a category of email. False if the account doesn't exist. */
  optOut: writes<(id: AccountId, category: MailCategory) => Promise<boolean>>(() => []),
  /** Fields left out keep their current value. Null if the account doesn't exist. */
  setMail: writes<(id: AccountId, change: EmailSettingsChange) => Promise<AccountRecord | null>>(
    () => [],
  ),
  /** Rejects demoting the last admin. `emails` are the configured admin addresses. */
  setRole: writes<
    (
      id: AccountId,
      role: Role,
      emails: readonly string[],
      audit: AuditEntry,
    ) => Promise<AccountRecord | "last_admin" | null>
  >(() => ["audit"]),
  /** Null lifts the ban. Changes nothing if the account is already in the requested state. */
  setBan: writes<
    (
      id: AccountId,
      ban: { at: string; reason: string | null } | null,
      audit: AuditEntry,
    ) => Promise<{ isChanged: boolean; account: AccountRecord } | null>
  >((outcome, id) => (outcome?.isChanged === false ? [] : ["tokens", ...accountSubjects(id)])),
  setMaxBots: writes<
    (id: AccountId, maxBots: number | null, audit: AuditEntry) => Promise<AccountRecord | null>
  >(() => ["audit"]),
  /** Ends all sessions started before that second, and all keys and grants. */
  signOut: writes<(id: AccountId, signedOutSecond: number, audit: AuditEntry) => Promise<boolean>>(
    () => ["audit"],
  ),
  /** Deletes the account with its data. Null if it doesn't exist. */
  delete: writes<
    (
      id: AccountId,
      options: AccountDeletionOptions,
      audit: AuditEntry,
    ) => Promise<AccountDeletionResult | null>
  >((result, id) => {
    if (result === null) return [];
    const deletedBotList = result?.deletedBots ?? [];
    return [
      ...ACCOUNT_DELETION_SUBJECTS,
      `owner:${id}`,
      ...deletedBotList.flatMap((bot) => [`bot:${bot.id}`, `versions:${bot.id}`]),
    ];
  }),
};

/** Owners without an account: an operator gave them a key, which can only register bots. */
export type OwnerRecord = { name: string; maxBots: number; created: string };

export const OWNERS = {
  /** False if the name is already an owner's or a handle. */
  add: writes<
    (owner: OwnerRecord, keyHash: string, now: string, audit: AuditEntry) => Promise<boolean>
  >((isAdded) => (isAdded === false ? [] : ["audit"])),
  byKey: readsUncached<(keyHash: string) => Promise<OwnerRecord | null>>(),
  /** Oldest first. */
  list: readsUncached<() => Promise<OwnerRecord[]>>(),
};
