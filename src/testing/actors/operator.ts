// Operators create and change ladders and events the same way the HTTP routes do.

import type { EventDefinition } from "#core/events/event.ts";
import type { EventId, LadderId } from "#core/ids/ids.ts";
import { isValidWindow, isWindowWithin, windowRefusal } from "#core/ladder/ladder-window.ts";
import type { Window } from "#core/ladder/ladder-window.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { LadderChange } from "#data/store/ladder.ts";
import type { SimulatedServer } from "#testing/simulation/simulated-server.ts";
import { emitNotice } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

import type { PlannedEvent } from "./event-plan.ts";
import type { PlannedLadder } from "./ladder-plan.ts";
import { createAuditEntry, applyMutation, scheduleAt } from "./mutation.ts";

export async function storeLadders(world: World): Promise<void> {
  for (const plan of world.ladderPlans) {
    if (plan.createdAt > 0) continue;
    const ladder = createLadderDefinition(world, plan);
    await world.store.ladders.add(
      ladder,
      passwordHashOf(ladder),
      createAuditEntry(world, "ladder.created"),
    );
  }
}

export function scheduleOperatorActions(world: World): void {
  for (const plan of world.ladderPlans) {
    const { createdAt, changes, ladder } = plan;
    if (createdAt > 0)
      scheduleAt(world, createdAt, () => createLadder(world, createLadderDefinition(world, plan)));
    for (const { at, change, closesAfter } of changes)
      scheduleAt(world, at, () => applyLadderChange(world, ladder.id, change, closesAfter));
  }
  for (const plan of world.eventPlans) scheduleEvent(world, plan);
}

const instantAfter = ({ timeline }: World, us: number | null): string | null =>
  us === null ? null : new Date(timeline.wall().getTime() + Math.floor(us / 1000)).toISOString();

const createLadderDefinition = (
  world: World,
  { ladder, window }: PlannedLadder,
): LadderDefinition => ({
  ...ladder,
  opensAt: instantAfter(world, window.opensAfter),
  closesAt: instantAfter(world, window.closesAfter),
});

const passwordHashOf = ({ access, id }: LadderDefinition): string | null =>
  access === "password" ? hashToken(id) : null;

function createLadder(world: World, ladder: LadderDefinition): void {
  const auditEntry = createAuditEntry(world, "ladder.created");
  applyMutation(world, {
    about: [ladder.id],
    apply: async (server) => {
      if (server.deps.ladders.byId(ladder.id) !== null) return;
      await server.store.ladders.add(ladder, passwordHashOf(ladder), auditEntry);
      // An earlier attempt may have been stored even though its response was lost.
      publishLadder(world, server, (await server.store.ladders.byId(ladder.id)) ?? ladder);
    },
  });
}

/** Does nothing if the HTTP route would reject the change. */
export function applyLadderChange(
  world: World,
  id: LadderId,
  change: LadderChange,
  closesAfter: number | null = null,
): void {
  const auditEntry = createAuditEntry(world, "ladder.changed");
  const closingChange = closesAfter === null ? {} : { closesAt: instantAfter(world, closesAfter) };
  const payload = { ...change, ...closingChange };
  applyMutation(world, {
    about: [id],
    apply: async (server) => {
      const ladder = server.deps.ladders.byId(id);
      if (ladder === null || isRefused(world, server, ladder, payload)) return;
      const updatedRow = await server.store.ladders.change(id, payload, auditEntry);
      if (updatedRow !== null) publishLadder(world, server, updatedRow);
    },
  });
}

function isRefused(
  world: World,
  { events }: SimulatedServer,
  ladder: LadderDefinition,
  change: LadderChange,
): boolean {
  const { opensAt = ladder.opensAt, closesAt = ladder.closesAt } = change;
  const now = world.timeline.wall().toISOString();
  const ladderEvents = events.onLadder(ladder.id);
  const containsEvents = (window: Window) =>
    ladderEvents.every((event) => isWindowWithin(event, window));
  return windowRefusal(ladder, { opensAt, closesAt }, now, containsEvents) !== null;
}

function publishLadder(
  world: World,
  { deps, arena }: SimulatedServer,
  ladder: LadderDefinition,
): void {
  deps.ladders.upsert(ladder);
  arena.onLaddersChanged();
  emitNotice(world, { type: "ladder", ladder });
}

function scheduleEvent(world: World, plan: PlannedEvent): void {
  const { event, createdAt, disabledPeriod } = plan;
  scheduleAt(world, createdAt, () => createEvent(world, plan));
  if (disabledPeriod === null) return;
  scheduleAt(world, disabledPeriod.from, () => setEventEnabled(world, event.id, false));
  scheduleAt(world, disabledPeriod.until, () => setEventEnabled(world, event.id, true));
}

/** The event opens when created or when its ladder opens, and closes no later than its ladder. */
function createEvent(world: World, { event, closesAfter }: PlannedEvent): void {
  const auditEntry = createAuditEntry(world, "event.created");
  applyMutation(world, {
    about: [event.id],
    apply: async (server) => {
      const { store, events, deps } = server;
      const ladder = deps.ladders.byId(event.ladderId);
      if (ladder === null || events.byId(event.id) !== null) return;
      const opensAt = ladder.opensAt ?? instantAfter(world, 0) ?? "";
      const closesAt = ladder.closesAt ?? instantAfter(world, closesAfter) ?? "";
      const payload = { ...event, opensAt, closesAt };
      if (!isValidWindow(payload)) return;
      await store.events.add(payload, auditEntry);
      // An earlier attempt may have been stored even though its response was lost.
      publishEvent(world, server, (await store.events.byId(event.id)) ?? payload);
    },
  });
}

function setEventEnabled(world: World, id: EventId, enabled: boolean): void {
  const auditEntry = createAuditEntry(world, enabled ? "event.enabled" : "event.disabled");
  applyMutation(world, {
    about: [id],
    apply: async (server) => {
      const updatedRow = await server.store.events.change(id, { enabled }, auditEntry);
      if (updatedRow !== null) publishEvent(world, server, updatedRow);
    },
  });
}

function publishEvent(
  world: World,
  { events, awards }: SimulatedServer,
  event: EventDefinition,
): void {
  events.upsert(event);
  awards.handleEventChanged(event.id);
  emitNotice(world, { type: "event", event });
}
