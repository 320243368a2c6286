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

/** With an account, what it did itself and what was done to it. */
export type AuditQuery = { kind?: AuditKind; accountId?: AccountId; limit: number };

export const AUDIT = {
  add: writes<(entries: AuditEntry[]) => Promise<void>>((_, entries) =>
    entries.length === 0 ? [] : ["audit"],
  ),
  /** Newest first. */
  list: reads<(query: AuditQuery) => Promise<AuditEntry[]>>(() => ["audit"]),
};
