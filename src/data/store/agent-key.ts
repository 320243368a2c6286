// What an account lets others use in its name: agent keys, and programs that it let in.

import type { AccountId } from "#core/words/ids.ts";

import type { AccountRecord } from "./account.ts";
import type { AuditEntry } from "./audit.ts";
import { looks, writes } from "./method.ts";

/** The key itself is never stored. */
export type KeyRecord = {
  id: string;
  accountId: AccountId;
  label: string;
  created: string;
  lastUsed: string | null;
};

/** A program at the MCP endpoint that the account consented to. */
export type ProgramRecord = {
  clientId: string;
  name: string;
  created: string;
  lastUsed: string | null;
};

/** The browser session of a request, and its sign-in in whole seconds since 1970. */
export type AskingSession = { sessionId: string; signedInAt: number };

/** `daily_limit`: `agent_keys_per_day`. */
export type AddKeyOutcome = "added" | "key_limit" | "daily_limit" | "no_account";

const AUDITED = () => ["audit"];
const SILENT = () => [];

/** Nothing here is announced: what is revoked must be gone at once, so no answer is ever cached. */
export const KEYS = {
  /**
   * `limit` counts the account's keys. Adding the same id again is `added` too. `no_account` also if
   * the session that asks is over.
   */
  add: writes<
    (
      key: KeyRecord,
      hash: string,
      limit: number,
      audit: AuditEntry,
      session?: AskingSession,
    ) => Promise<AddKeyOutcome>
  >(AUDITED),
  byHash: looks<(hash: string) => Promise<{ key: KeyRecord; account: AccountRecord } | null>>(),
  /** By age. */
  list: looks<(accountId: AccountId) => Promise<KeyRecord[]>>(),
  /** Null when the account has no such key. */
  revoke:
    writes<(accountId: AccountId, id: string, audit: AuditEntry) => Promise<KeyRecord | null>>(
      AUDITED,
    ),
  use: writes<(id: string, at: string) => Promise<void>>(SILENT),
};

export const PROGRAMS = {
  /**
   * Another consent to the same program keeps the first one's time. False, and nothing is stored,
   * if there is no such account or the session that approves has ended.
   */
  allow:
    writes<
      (
        accountId: AccountId,
        program: ProgramRecord,
        audit: AuditEntry,
        session?: AskingSession,
      ) => Promise<boolean>
    >(AUDITED),
  /** By age. */
  list: looks<(accountId: AccountId) => Promise<ProgramRecord[]>>(),
  /** Null when the account has let in no such program. */
  find: looks<(accountId: AccountId, clientId: string) => Promise<ProgramRecord | null>>(),
  /** False when the account has let in no such program. */
  revoke:
    writes<(accountId: AccountId, clientId: string, audit: AuditEntry) => Promise<boolean>>(
      AUDITED,
    ),
  use: writes<(accountId: AccountId, clientId: string, at: string) => Promise<void>>(SILENT),
};
