// The events of a running server. Everything is in memory: what ends a match asks it, and the routes
// that change the store tell it.

import type { HouseKind } from "#core/words/house.ts";
import type { EventId, LadderId } from "#core/words/ids.ts";

import { eventPhase } from "./event.ts";
import type { EventDefinition } from "./event.ts";
import { isApproved } from "./readiness.ts";

export type LiveEvents = {
  /** In the order in which they were made. */
  all(): readonly EventDefinition[];
  byId(eventId: EventId): EventDefinition | null;
  onLadder(ladderId: LadderId): readonly EventDefinition[];
  /** An event is like this from now on, unless a later revision is known already. */
  put(event: EventDefinition): void;
  /** An event is gone. */
  drop(eventId: EventId): void;
};

export function openEvents(kept: readonly EventDefinition[] = []): LiveEvents {
  const known = new Map(kept.map((event) => [event.id, event]));
  return {
    all: () => [...known.values()],
    byId: (id) => known.get(id) ?? null,
    onLadder: (ladderId) => [...known.values()].filter((event) => event.ladderId === ladderId),
    put: (event) => {
      const { revision = -1 } = known.get(event.id) ?? {};
      if (event.revision > revision) known.set(event.id, event);
    },
    drop: (id) => void known.delete(id),
  };
}

/** What must hold of the event of a request before its game begins; `instant` is the UTC instant. */
export const servingRules = (events: Pick<LiveEvents, "byId">, instant: () => string) => ({
  isEventOpen: (id: EventId): boolean => {
    const event = events.byId(id);
    return event?.enabled === true && eventPhase(event, instant()) === "open";
  },
  isApproved: (id: EventId, kind: HouseKind, label: string): boolean => {
    const event = events.byId(id);
    return event !== null && isApproved(event, kind, label);
  },
});
