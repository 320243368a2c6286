import type { ActorKind, AuditKind, SubjectKind } from "#core/ids/audit-kinds.ts";
import type { AccountId } from "#core/ids/ids.ts";

import { reads, writes } from "./store-method.ts";

/** An account, with the handle it had when the entry was written. */
export type AuditAccount = { id: AccountId; name: string | null };

export type AuditEntry = {
  id: string;
  at: string;
  kind: AuditKind;
  actor: {
    kind: ActorKind;
    id: string | null;
    name: string | null;
    /** Account that owns the agent key. Absent for all other actors. */
    account?: AuditAccount;
  };
  subject: { kind: SubjectKind; id: string | null; name: string | null } | null;
  /**
   * The account affected if the subject isn't an account, such as a bot's owner or a new member.
   */
  person?: AuditAccount;
  reason: string | null;
  detail: object | null;
};

/**
 * Instants before which entries are deleted: one for entries about throttled bots, one for all
 * entries.
 */
export type AuditSweep = { throttled: string; all: string };

export type AuditCursor = Pick<AuditEntry, "id" | "at">;

/** Matches an exact ID, or a name ignoring letter case. */
export type AuditPartyFilter = { ids: readonly string[]; name: string };

export type AuditQuery = {
  kind?: AuditKind | readonly AuditKind[];
  /** Selects actions by this account and actions that affect it. */
  accountId?: AccountId;
  /** Matches the actor, directly or through an agent key. The kind of actor counts as a name. */
  actor?: AuditPartyFilter;
  /** Matches the subject or the affected account. */
  subject?: AuditPartyFilter;
  /** Inclusive. */
  since?: string;
  /** Exclusive. */
  until?: string;
  before?: AuditCursor;
  limit: number;
};

export const AUDIT = {
  add: writes<(entries: AuditEntry[]) => Promise<void>>((_, entries) =>
    entries.length === 0 ? [] : ["audit"],
  ),
  /** Deletes up to `limit` entries. Returns how many. */
  sweep: writes<(sweep: AuditSweep, limit: number) => Promise<number>>((sweptCount) =>
    sweptCount === 0 ? [] : ["audit"],
  ),
  byId: reads<(id: string) => Promise<AuditEntry | null>>(() => ["audit"]),
  /** Returns entries, newest first (by `at`, then ID). */
  list: reads<(query: AuditQuery) => Promise<AuditEntry[]>>(() => ["audit"]),
};
