// Audit log: actions with their actor and subject.

import type { ActorKind, AuditKind, SubjectKind } from "#core/ids/audit-kinds.ts";
import type { AccountId } from "#core/ids/ids.ts";

import { reads, writes } from "./method.ts";

/** An account, with its handle when the entry was written. */
export type AuditAccount = { id: AccountId; name: string | null };

export type AuditEntry = {
  id: string;
  at: string;
  kind: AuditKind;
  actor: {
    kind: ActorKind;
    id: string | null;
    name: string | null;
    /** Account that owns the agent key. Absent for other actors. */
    account?: AuditAccount;
  };
  subject: { kind: SubjectKind; id: string | null; name: string | null } | null;
  /** Account affected, if the subject isn't an account: a bot's owner, a new member. */
  person?: AuditAccount;
  /** Reason given by an operator. */
  reason: string | null;
  detail: object | null;
};

/** Entries before these instants are deleted: those of throttled bots, and all. */
export type AuditSweep = { throttled: string; all: string };

/** Position in the audit log: `at`, then ID. */
export type AuditCursor = Pick<AuditEntry, "id" | "at">;

/** Matches an ID exactly, or a name in any letter case. */
export type AuditPartyFilter = { ids: readonly string[]; name: string };

export type AuditQuery = {
  kind?: AuditKind | readonly AuditKind[];
  /** Actions by an account and on it. */
  accountId?: AccountId;
  /** Matches the actor, directly or through an agent key. A kind of actor counts as a name. */
  actor?: AuditPartyFilter;
  /** Matches the subject, or the account affected. */
  subject?: AuditPartyFilter;
  /** Inclusive. */
  since?: string;
  /** Exclusive. */
  until?: string;
  /** Only entries older than this one. */
  before?: AuditCursor;
  limit: number;
};

export const AUDIT = {
  add: writes<(entries: AuditEntry[]) => Promise<void>>((_, entries) =>
    entries.length === 0 ? [] : ["audit"],
  ),
  /** Deletes up to `limit` entries; returns how many. */
  sweep: writes<(sweep: AuditSweep, limit: number) => Promise<number>>((sweptCount) =>
    sweptCount === 0 ? [] : ["audit"],
  ),
  byId: reads<(id: string) => Promise<AuditEntry | null>>(() => ["audit"]),
  /** Newest first. */
  list: reads<(query: AuditQuery) => Promise<AuditEntry[]>>(() => ["audit"]),
};
