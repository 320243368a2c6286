// What was done, by whom and to what.

import type { ActorKind, AuditKind, SubjectKind } from "#core/words/audit.ts";
import type { AccountId } from "#core/words/ids.ts";

import { reads, writes } from "./method.ts";

export type AuditEntry = {
  id: string;
  at: string;
  kind: AuditKind;
  actor: { kind: ActorKind; id: string | null; name: string | null };
  subject: { kind: SubjectKind; id: string | null; name: string | null } | null;
  /** The reason that an operator gave. */
  reason: string | null;
  detail: object | null;
};

/** Entries before these instants are forgotten: of throttled bots, and all. */
export type AuditSweep = { throttled: string; all: string };

/** A place in the audit: `at`, then id. */
export type AuditPlace = Pick<AuditEntry, "id" | "at">;

export type AuditQuery = {
  kind?: AuditKind | readonly AuditKind[];
  /** What an account did itself and what was done to it. */
  accountId?: AccountId;
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
