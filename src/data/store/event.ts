// Events and their revisions.

import type { EventDefinition, EventImage } from "#core/events/event.ts";
import type { EventId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, writes } from "./method.ts";

/** Fields that can change after creation. Every change raises the revision. */
export type EventChanges = Partial<Omit<EventDefinition, "id" | "ladderId" | "revision">>;

export type AddEventOutcome = "added" | "event_exists" | "no_ladder";

const auditSubject = (outcome: unknown): string[] =>
  typeof outcome === "object" && outcome === null ? [] : ["audit"];

/**
 * These methods have no invalidation subjects: routes read events from memory
 * (#core/events/live-events.ts).
 */
export const EVENTS = {
  /** Oldest first. */
  list: readsUncached<() => Promise<EventDefinition[]>>(),
  byId: readsUncached<(id: EventId) => Promise<EventDefinition | null>>(),
  /** Its creation time is that of its audit entry. */
  add: writes<(event: EventDefinition, audit: AuditEntry) => Promise<AddEventOutcome>>((outcome) =>
    outcome === undefined || outcome === "added" ? ["audit"] : [],
  ),
  /** Null if the ID doesn't exist. */
  change:
    writes<
      (id: EventId, changes: EventChanges, audit: AuditEntry) => Promise<EventDefinition | null>
    >(auditSubject),
  /** Deletes an event without awards, with its requests. Null if it doesn't exist. */
  delete: writes<
    (id: EventId, audit: AuditEntry) => Promise<"deleted" | "event_has_awards" | null>
  >((outcome) => (outcome === undefined || outcome === "deleted" ? ["audit"] : [])),
  /** IDs of events whose matches were all processed after their end. */
  settledIds: readsUncached<() => Promise<EventId[]>>(),
  /** Marks an event as settled until it changes. */
  markSettled: writes<(id: EventId, at: string) => Promise<void>>(() => []),
  /** Images referenced by events. */
  images: readsUncached<() => Promise<EventImage[]>>(),
};
