import type { EventDefinition, EventImage } from "#core/events/event.ts";
import type { EventId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, writes } from "./store-method.ts";

/** Fields that can change after creation. Every change increments the revision. */
export type EventChanges = Partial<Omit<EventDefinition, "id" | "ladderId" | "revision">>;

export type AddEventOutcome = "added" | "event_exists" | "no_ladder";

const auditSubject = (outcome: unknown): string[] =>
  typeof outcome === "object" && outcome === null ? [] : ["audit"];

/** Never cached: routes read events from memory (#core/events/live-events.ts). */
export const EVENTS = {
  /** Returns events, oldest first. */
  list: readsUncached<() => Promise<EventDefinition[]>>(),
  byId: readsUncached<(id: EventId) => Promise<EventDefinition | null>>(),
  /** Takes the creation time from the audit entry. */
  add: writes<(event: EventDefinition, audit: AuditEntry) => Promise<AddEventOutcome>>((outcome) =>
    outcome === undefined || outcome === "added" ? ["audit"] : [],
  ),
  /** Returns null if the ID doesn't exist. */
  change:
    writes<
      (id: EventId, changes: EventChanges, audit: AuditEntry) => Promise<EventDefinition | null>
    >(auditSubject),
  /**
   * Deletes an event that has no awards, with its opponent requests. Returns null if the event
   * doesn't exist.
   */
  delete: writes<
    (id: EventId, audit: AuditEntry) => Promise<"deleted" | "event_has_awards" | null>
  >((outcome) => (outcome === undefined || outcome === "deleted" ? ["audit"] : [])),
  /** Returns the IDs of events whose matches have all been processed since the end of the event. */
  settledIds: readsUncached<() => Promise<EventId[]>>(),
  /** Marks an event as settled. A later change to the event removes the mark. */
  markSettled: writes<(id: EventId, at: string) => Promise<void>>(() => []),
  images: readsUncached<() => Promise<EventImage[]>>(),
};
