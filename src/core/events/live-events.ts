// In-memory registry of a running server's events. Routes that change an event in the store also
// update the registry.

import type { HouseKind } from "#core/ids/house-bots.ts";
import type { EventId, LadderId } from "#core/ids/ids.ts";

import { eventPhase } from "./event.ts";
import type { EventDefinition } from "./event.ts";
import { isApproved } from "./readiness.ts";

export type LiveEvents = {
  /** Oldest first. */
  list(): readonly EventDefinition[];
  byId(eventId: EventId): EventDefinition | null;
  onLadder(ladderId: LadderId): readonly EventDefinition[];
  /** Adds or replaces an event. Ignored if a later revision is already known. */
  upsert(event: EventDefinition): void;
  remove(eventId: EventId): void;
};

export function createLiveEvents(initialEvents: readonly EventDefinition[] = []): LiveEvents {
  const eventsById = new Map(initialEvents.map((event) => [event.id, event]));
  return {
    list: () => [...eventsById.values()],
    byId: (id) => eventsById.get(id) ?? null,
    onLadder: (ladderId) => [...eventsById.values()].filter((event) => event.ladderId === ladderId),
    upsert: (event) => {
      const { revision = -1 } = eventsById.get(event.id) ?? {};
      if (event.revision > revision) eventsById.set(event.id, event);
    },
    remove: (id) => void eventsById.delete(id),
  };
}

/**
 * Returns the conditions that an event must meet before a requested game begins. `instant` returns
 * the current UTC instant.
 */
export const opponentRequestRules = (events: Pick<LiveEvents, "byId">, instant: () => string) => ({
  isEventOpen: (id: EventId): boolean => {
    const event = events.byId(id);
    return event?.enabled === true && eventPhase(event, instant()) === "open";
  },
  isApproved: (id: EventId, kind: HouseKind, label: string): boolean => {
    const event = events.byId(id);
    return event !== null && isApproved(event, kind, label);
  },
});
