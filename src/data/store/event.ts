// Events, as operators made and changed them.

import type { EventDefinition, EventImage } from "#core/events/event.ts";
import type { EventId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { looks, writes } from "./method.ts";

/** What can change once an event is there. Every change raises the revision. */
export type EventStep = Partial<Omit<EventDefinition, "id" | "ladderId" | "revision">>;

export type AddEventOutcome = "added" | "event_exists" | "no_ladder";

const AUDITED = (outcome: unknown): string[] =>
  typeof outcome === "object" && outcome === null ? [] : ["audit"];

/** Nothing here is announced: routes ask memory (#core/events/events.ts). */
export const EVENTS = {
  /** By age. */
  list: looks<() => Promise<EventDefinition[]>>(),
  byId: looks<(id: EventId) => Promise<EventDefinition | null>>(),
  /** Made when its audit entry was. */
  add: writes<(event: EventDefinition, audit: AuditEntry) => Promise<AddEventOutcome>>((outcome) =>
    outcome === undefined || outcome === "added" ? ["audit"] : [],
  ),
  /** Null when there is none of this id. */
  change:
    writes<(id: EventId, step: EventStep, audit: AuditEntry) => Promise<EventDefinition | null>>(
      AUDITED,
    ),
  /** Only one in which nothing was earned goes, with its requests. Null when there is none. */
  delete: writes<
    (id: EventId, audit: AuditEntry) => Promise<"deleted" | "event_has_awards" | null>
  >((outcome) => (outcome === undefined || outcome === "deleted" ? ["audit"] : [])),
  /** Ids of events whose matches were all looked at after their end. */
  settled: looks<() => Promise<EventId[]>>(),
  /** Notes that, until the event is changed. */
  settle: writes<(id: EventId, at: string) => Promise<void>>(() => []),
  /** The pictures that events name. */
  images: looks<() => Promise<EventImage[]>>(),
};
