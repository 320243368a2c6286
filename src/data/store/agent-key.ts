import type { AccountId } from "#core/ids/ids.ts";

import type { AccountRecord } from "./account.ts";
import type { AuditEntry } from "./audit.ts";
import { readsUncached, writes } from "./store-method.ts";

/** Only a hash of the key is stored. */
export type AgentKeyRecord = {
  id: string;
  accountId: AccountId;
  label: string;
  created: string;
  lastUsed: string | null;
};

export type AppRecord = {
  clientId: string;
  name: string;
  created: string;
  lastUsed: string | null;
};

/** Browser session that made the request. `signedInAt` is in Unix seconds. */
export type RequestSession = { sessionId: string; signedInAt: number };

/** `daily_limit`: the account has reached `agent_keys_per_day`. */
export type AddAgentKeyOutcome = "added" | "key_limit" | "daily_limit" | "no_account";

const auditSubject = () => ["audit"];
const noSubjects = () => [];

/** Never cached, because a revocation must take effect immediately. */
export const AGENT_KEYS = {
  /**
   * Adds a key if the account has fewer than `limit`. Adding the same ID again also returns
   * `added`. Returns `no_account` if the account doesn't exist or the requesting session has ended.
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
  /** Returns keys, oldest first. */
  list: readsUncached<(accountId: AccountId) => Promise<AgentKeyRecord[]>>(),
  /** Returns null if the account has no such key. */
  revoke:
    writes<(accountId: AccountId, id: string, audit: AuditEntry) => Promise<AgentKeyRecord | null>>(
      auditSubject,
    ),
  recordUse: writes<(id: string, at: string) => Promise<void>>(noSubjects),
};

export const APPS = {
  /**
   * Authorizing the same app again keeps the original time. Returns false, without changes, if the
   * account doesn't exist or the approving session has ended.
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
  /** Returns apps, oldest first. */
  list: readsUncached<(accountId: AccountId) => Promise<AppRecord[]>>(),
  /** Returns null if the account hasn't authorized the app. */
  find: readsUncached<(accountId: AccountId, clientId: string) => Promise<AppRecord | null>>(),
  /** Returns false if the account hasn't authorized the app. */
  revoke:
    writes<(accountId: AccountId, clientId: string, audit: AuditEntry) => Promise<boolean>>(
      auditSubject,
    ),
  recordUse:
    writes<(accountId: AccountId, clientId: string, at: string) => Promise<void>>(noSubjects),
};
