// What stopped mail that can be refused, until an operator resolves it.

import type { IncidentCause, IncidentScope } from "#core/mail/incident.ts";

import type { AuditEntry } from "./audit.ts";
import { looks, writes } from "./method.ts";

export type IncidentRecord = {
  id: string;
  scope: IncidentScope;
  opened: string;
  cause: IncidentCause;
  /** Null while it is open. */
  resolved: string | null;
  /** The handle of who resolved it. */
  resolvedBy: string | null;
  /** What they said of it. */
  resolution: string | null;
};

export const INCIDENTS = {
  /** Newest first. */
  list: looks<(most: number) => Promise<IncidentRecord[]>>(),
  /** The reason and the time are the entry's. Null if none of that scope is open. */
  resolve: writes<
    (scope: IncidentScope, by: string | null, audit: AuditEntry) => Promise<IncidentRecord | null>
  >((incident) => (incident === null ? [] : ["audit"])),
};
