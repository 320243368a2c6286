// What was done, by whom and to what.

import { reads, writes } from "./method.ts";

export type AuditEntry = {
  id: string;
  at: string;
  kind: string;
  subject: string;
  detail: unknown;
};

export type AuditQuery = { kind?: string; limit: number };

export const AUDIT = {
  add: writes<(entries: AuditEntry[]) => Promise<void>>((_, entries) =>
    entries.length === 0 ? [] : ["audit"],
  ),
  /** Newest first. */
  list: reads<(query: AuditQuery) => Promise<AuditEntry[]>>(() => ["audit"]),
};
