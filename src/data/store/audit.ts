// What was done, by whom and to what.

import type { ActorKind, AuditKind, SubjectKind } from "#core/words/audit.ts";
import type { AccountId } from "#core/words/ids.ts";

import { reads, writes } from "./method.ts";

/** An account, and its handle when the entry was written. */
export type AuditAccount = { id: AccountId; name: string | null };

export type AuditEntry = {
  id: string;
  at: string;
  kind: AuditKind;
  actor: {
    kind: ActorKind;
    id: string | null;
    name: string | null;
    /** The account that an agent key belongs to. Absent for other actors. */
    account?: AuditAccount;
  };
  subject: { kind: SubjectKind; id: string | null; name: string | null } | null;
  /** The account affected, where the subject isn't one: a bot's owner, a new member. */
  person?: AuditAccount;
  /** The reason that an operator gave. */
  reason: string | null;
  detail: object | null;
};

/** Entries before these instants are forgotten: of throttled bots, and all. */
export type AuditSweep = { throttled: string; all: string };

/** A place in the audit: `at`, then id. */
export type AuditPlace = Pick<AuditEntry, "id" | "at">;

/** Matches an id exactly, or a name in any letter case. */
export type AuditMatch = { ids: readonly string[]; name: string };

export type AuditQuery = {
  kind?: AuditKind | readonly AuditKind[];
  /** What an account did itself and what was done to it. */
  accountId?: AccountId;
  /** Who acted, directly or through an agent key. A kind of actor is a name too. */
  actor?: AuditMatch;
  /** What was changed, or the account affected. */
  subject?: AuditMatch;
  /** The first instant included. */
  since?: string;
  /** The first instant excluded. */
  until?: string;
  /** Entries older than this one. */
  before?: AuditPlace;
  limit: number;
};

export const AUDIT = {
  add: writes<(entries: AuditEntry[]) => Promise<void>>((_, entries) =>
    entries.length === 0 ? [] : ["audit"],
  ),
  /** Forgets up to `most` entries; resolves with how many. */
  sweep: writes<(before: AuditSweep, most: number) => Promise<number>>((forgotten) =>
    forgotten === 0 ? [] : ["audit"],
  ),
  byId: reads<(id: string) => Promise<AuditEntry | null>>(() => ["audit"]),
  /** Newest first. */
  list: reads<(query: AuditQuery) => Promise<AuditEntry[]>>(() => ["audit"]),
};
