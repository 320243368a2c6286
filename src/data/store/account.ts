// Accounts of people. An account is the pair of issuer and subject at its identity provider; its id
// is ours.

import { handleKey } from "#core/accounts/account.ts";
import type { AdminFacts, MailChoice, Role } from "#core/accounts/account.ts";
import type { MailCategory, MailChange } from "#core/mail/delivery.ts";
import type { AccountId, BotId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import type { BotRecord, GivenUp } from "./bot.ts";
import type { NewDelivery } from "./delivery.ts";
import { looks, reads, writes } from "./method.ts";

export type AccountRecord = AdminFacts & {
  id: AccountId;
  issuer: string;
  subject: string;
  /** Null until chosen. */
  handle: string | null;
  role: Role;
  /** UTC instant; null unless banned. */
  bannedAt: string | null;
  banReason: string | null;
  /** Null for what the settings say. */
  maxBots: number | null;
  mail: MailChoice;
  created: string;
};

/** The address as the provider last said it. */
export type Contact = Pick<AccountRecord, "email" | "emailConfirmedAt" | "emailSignsIn">;

/** `signedOutAt`, in whole seconds since 1970, outlives the account. */
export type FoundAccount = { account: AccountRecord | null; signedOutAt: number | null };

/** A text that is part of a handle or of a bot's name, a whole id, or a whole address. */
export type AccountQuery = { text: string | null; limit: number };

/** An account as operators list it. */
export type AccountLine = AccountRecord & { keys: number; keyLastUsed: string | null };

export type AccountList = { total: number; found: number; accounts: AccountLine[] };

/** How somebody leaves, or is made to. */
export type Leaving = GivenUp & {
  /** `at` in whole seconds since 1970: sessions from before are over. */
  second: number;
  /** Bots that have played are banned for this reason rather than retired. */
  ban: { reason: string | null } | null;
  /** Bots in a match are kept as if they had played. */
  inMatch: readonly BotId[];
};

export type Left = {
  /** As it was. */
  account: AccountRecord;
  deletedBots: { id: BotId; name: string }[];
  /** As they are now, under another owner. */
  keptBots: BotRecord[];
  /** Whether the embedded provider forgot the person too. */
  identityDeleted: boolean;
};

/** Also what depends on the account's bots: they carry its handle, and whether it is banned. */
const changed = (id: AccountId): string[] => ["facts", `owner:${id}`, "audit"];

const GOES_WITH_AN_ACCOUNT =
  "bots facts tokens versions retired matches casual replays audit".split(" ");

/** An audit entry is written in the transaction of what it records, and only if that happens. */
/** New names, or new tokens of bots. */
export type DailyChange = "rename" | "token";

export const ACCOUNTS = {
  find: looks<(issuer: string, subject: string) => Promise<FoundAccount>>(),
  /**
   * The account of the same issuer and subject, if there is one already. A new one is refused with
   * `missing_reference` if the embedded provider has no such user, or if the person was signed out
   * everywhere after `signedInAt`, in whole seconds since 1970: they may have deleted their account.
   */
  add: writes<
    (account: AccountRecord, audit: AuditEntry, signedInAt?: number) => Promise<AccountRecord>
  >(() => ["audit"]),
  noteContact: writes<(id: AccountId, contact: Contact) => Promise<void>>(() => []),
  byId: looks<(id: AccountId) => Promise<AccountRecord | null>>(),
  /** By its handle in any letter case, or by one that it gave up and that is still kept for it. */
  byHandle: reads<
    (handle: string, now: string) => Promise<{ account: AccountRecord; isFormer: boolean } | null>
  >((found, handle) => [
    `handle:${handleKey(handle)}`,
    ...(found === null ? [] : [`owner:${found.account.id}`]),
  ]),
  /** Which of these handles an account may not take. */
  takenHandles: looks<(handles: readonly string[], now: string) => Promise<string[]>>(),
  /** Former handles that are still kept, the newest first. */
  formerHandles: looks<(id: AccountId, now: string) => Promise<string[]>>(),
  /** Forgets former handles, and former names of bots, that are free again. */
  sweepNames: writes<(now: string) => Promise<void>>(() => []),
  /** Newest first. */
  list: looks<(query: AccountQuery) => Promise<AccountList>>(),
  /** The accounts with the role of an admin, and those with one of these addresses, by age. */
  admins: looks<(emails: readonly string[]) => Promise<AccountRecord[]>>(),
  /**
   * The handle becomes the owner of the account's bots. With the first one go letters, in the same
   * transaction. Null when there is no such account.
   */
  setHandle: writes<
    (
      id: AccountId,
      handle: string,
      formerly: GivenUp,
      audit: AuditEntry,
      welcome?: readonly NewDelivery[],
    ) => Promise<AccountRecord | "handle_taken" | null>
  >((outcome, id, handle) =>
    outcome === "handle_taken" ? [] : [`handle:${handleKey(handle)}`, ...changed(id)],
  ),
  /**
   * Counts a change that an account can make so often in the UTC day of `at`. False, and uncounted,
   * beyond the limit. Rejects with `missing_reference` without such an account.
   */
  countDaily: writes<(id: AccountId, kind: DailyChange, at: string) => Promise<boolean>>(() => []),
  /** From now on they get no mail of a category. False when there is no such account. */
  optOut: writes<(id: AccountId, category: MailCategory) => Promise<boolean>>(() => []),
  /** What is not chosen stays, as it is at that moment. Null when there is no such account. */
  setMail: writes<(id: AccountId, change: MailChange) => Promise<AccountRecord | null>>(() => []),
  /** Taking the role from the last of all admins is refused. `emails` are those configured. */
  setRole: writes<
    (
      id: AccountId,
      role: Role,
      emails: readonly string[],
      audit: AuditEntry,
    ) => Promise<AccountRecord | "last_admin" | null>
  >(() => ["audit"]),
  /** With null the ban is lifted. An account that is as asked for already stays what it is. */
  setBan: writes<
    (
      id: AccountId,
      ban: { at: string; reason: string | null } | null,
      audit: AuditEntry,
    ) => Promise<{ isChanged: boolean; account: AccountRecord } | null>
  >((outcome, id) => (outcome?.isChanged === false ? [] : ["tokens", ...changed(id)])),
  setMaxBots: writes<
    (id: AccountId, maxBots: number | null, audit: AuditEntry) => Promise<AccountRecord | null>
  >(() => ["audit"]),
  /** Ends all sessions from before that second, and all keys and grants. */
  signOut: writes<(id: AccountId, second: number, audit: AuditEntry) => Promise<boolean>>(() => [
    "audit",
  ]),
  /** The account goes with all that is only its own. Null when there is no such account. */
  leave: writes<(id: AccountId, leaving: Leaving, audit: AuditEntry) => Promise<Left | null>>(
    (left, id) => {
      if (left === null) return [];
      const gone = left?.deletedBots ?? [];
      return [
        ...GOES_WITH_AN_ACCOUNT,
        `owner:${id}`,
        ...gone.flatMap((bot) => [`bot:${bot.id}`, `versions:${bot.id}`]),
      ];
    },
  ),
};

/** Without an account: an operator gave them a key, which registers bots and does nothing else. */
export type OwnerRecord = { name: string; maxBots: number; created: string };

export const OWNERS = {
  /** False when the name is an owner's or somebody's handle already. */
  add: writes<
    (owner: OwnerRecord, keyHash: string, now: string, audit: AuditEntry) => Promise<boolean>
  >((isAdded) => (isAdded === false ? [] : ["audit"])),
  byKey: looks<(keyHash: string) => Promise<OwnerRecord | null>>(),
  /** By age. */
  list: looks<() => Promise<OwnerRecord[]>>(),
};
