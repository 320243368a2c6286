// Agent keys and connected apps of an account.

import type { AccountId } from "#core/ids/ids.ts";

import type { AccountRecord } from "./account.ts";
import type { AuditEntry } from "./audit.ts";
import { readsUncached, writes } from "./method.ts";

/** The key itself is never stored. */
export type AgentKeyRecord = {
  id: string;
  accountId: AccountId;
  label: string;
  created: string;
  lastUsed: string | null;
};

/** An app at the MCP endpoint that the account consented to. */
export type AppRecord = {
  clientId: string;
  name: string;
  created: string;
  lastUsed: string | null;
};

/** Browser session of a request, with its sign-in time in Unix seconds. */
export type RequestSession = { sessionId: string; signedInAt: number };

/** `daily_limit`: `agent_keys_per_day`. */
export type AddAgentKeyOutcome = "added" | "key_limit" | "daily_limit" | "no_account";

const auditSubject = () => ["audit"];
const noSubjects = () => [];

/**
 * These methods have no invalidation subjects: a revocation must apply immediately, so nothing is
 * cached.
 */
export const AGENT_KEYS = {
  /**
   * `limit` counts the account's keys. Adding the same ID again returns `added` too. Returns
   * `no_account` also if the requesting session has ended.
   */
  add: writes<
    (
      key: AgentKeyRecord,
      hash: string,
      limit: number,
      audit: AuditEntry,
      session?: RequestSession,
    ) => Promise<AddAgentKeyOutcome>
  >(auditSubject),
  byHash:
    readsUncached<
      (hash: string) => Promise<{ key: AgentKeyRecord; account: AccountRecord } | null>
    >(),
  /** Oldest first. */
  list: readsUncached<(accountId: AccountId) => Promise<AgentKeyRecord[]>>(),
  /** Null if the account has no such key. */
  revoke:
    writes<(accountId: AccountId, id: string, audit: AuditEntry) => Promise<AgentKeyRecord | null>>(
      auditSubject,
    ),
  recordUse: writes<(id: string, at: string) => Promise<void>>(noSubjects),
};

export const APPS = {
  /**
   * Another consent to the same program keeps the first one's time. False, and nothing is stored,
   * if there is no such account or the session that approves has ended.
   */
  authorize:
    writes<
      (
        accountId: AccountId,
        app: AppRecord,
        audit: AuditEntry,
        session?: RequestSession,
      ) => Promise<boolean>
    >(auditSubject),
  /** Oldest first. */
  list: readsUncached<(accountId: AccountId) => Promise<AppRecord[]>>(),
  /** Null if the account hasn't authorized the app. */
  find: readsUncached<(accountId: AccountId, clientId: string) => Promise<AppRecord | null>>(),
  /** False if the account hasn't authorized the app. */
  revoke:
    writes<(accountId: AccountId, clientId: string, audit: AuditEntry) => Promise<boolean>>(
      auditSubject,
    ),
  recordUse:
    writes<(accountId: AccountId, clientId: string, at: string) => Promise<void>>(noSubjects),
};
