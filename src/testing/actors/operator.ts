// Operators make ladders and events and change them, as the routes do.

import type { EventDefinition } from "#core/events/event.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { isWindow, isWithin, windowRefusal } from "#core/ladder/window.ts";
import type { Window } from "#core/ladder/window.ts";
import type { EventId, LadderId } from "#core/words/ids.ts";
import { hashToken } from "#data/access/token.ts";
import type { LadderChange } from "#data/store/ladder.ts";
import type { Life } from "#testing/simulation/server-life.ts";
import { notice } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

import { entryNow, perform, planAt } from "./deed.ts";
import type { PlannedEvent } from "./event-plan.ts";
import type { PlannedLadder } from "./ladder-plan.ts";

/** Stores the ladders that are there before the server starts. */
export async function storeLadders(world: World): Promise<void> {
  for (const plan of world.plans) {
    if (plan.madeAt > 0) continue;
    const ladder = ladderNow(world, plan);
    await world.store.ladders.add(ladder, hashOf(ladder), entryNow(world, "ladder.created"));
  }
}

/** Plans what operators will do. */
export function employOperators(world: World): void {
  for (const plan of world.plans) {
    const { madeAt, changes, ladder } = plan;
    if (madeAt > 0) planAt(world, madeAt, () => makeLadder(world, ladderNow(world, plan)));
    for (const { at, change, closesAfter } of changes)
      planAt(world, at, () => changeLadder(world, ladder.id, change, closesAfter));
  }
  for (const plan of world.eventPlans) planEvent(world, plan);
}

const instantAfter = ({ timeline }: World, us: number | null): string | null =>
  us === null ? null : new Date(timeline.wall().getTime() + Math.floor(us / 1000)).toISOString();

const ladderNow = (world: World, { ladder, window }: PlannedLadder): LadderDefinition => ({
  ...ladder,
  opensAt: instantAfter(world, window.opensAfter),
  closesAt: instantAfter(world, window.closesAfter),
});

const hashOf = ({ access, id }: LadderDefinition): string | null =>
  access === "password" ? hashToken(id) : null;

function makeLadder(world: World, ladder: LadderDefinition): void {
  const entry = entryNow(world, "ladder.created");
  perform(world, {
    about: [ladder.id],
    act: async (life) => {
      if (life.deps.ladders.byId(ladder.id) !== null) return;
      await life.store.ladders.add(ladder, hashOf(ladder), entry);
      // An earlier try may have stored it, without an answer.
      tell(world, life, (await life.store.ladders.byId(ladder.id)) ?? ladder);
    },
  });
}

/** A change that a route would refuse does nothing. */
export function changeLadder(
  world: World,
  id: LadderId,
  change: LadderChange,
  closesAfter: number | null = null,
): void {
  const entry = entryNow(world, "ladder.changed");
  const closing = closesAfter === null ? {} : { closesAt: instantAfter(world, closesAfter) };
  const whole = { ...change, ...closing };
  perform(world, {
    about: [id],
    act: async (life) => {
      const ladder = life.deps.ladders.byId(id);
      if (ladder === null || isRefused(world, life, ladder, whole)) return;
      const changed = await life.store.ladders.change(id, whole, entry);
      if (changed !== null) tell(world, life, changed);
    },
  });
}

function isRefused(
  world: World,
  { events }: Life,
  ladder: LadderDefinition,
  change: LadderChange,
): boolean {
  const { opensAt = ladder.opensAt, closesAt = ladder.closesAt } = change;
  const now = world.timeline.wall().toISOString();
  const own = events.onLadder(ladder.id);
  const holds = (window: Window) => own.every((event) => isWithin(event, window));
  return windowRefusal(ladder, { opensAt, closesAt }, now, holds) !== null;
}

function tell(world: World, { deps, arena }: Life, ladder: LadderDefinition): void {
  deps.ladders.put(ladder);
  arena.laddersChanged();
  notice(world, { type: "ladder", ladder });
}

function planEvent(world: World, plan: PlannedEvent): void {
  const { event, madeAt, off } = plan;
  planAt(world, madeAt, () => makeEvent(world, plan));
  if (off === null) return;
  planAt(world, off.from, () => enableEvent(world, event.id, false));
  planAt(world, off.until, () => enableEvent(world, event.id, true));
}

/** It opens at once, or with its ladder, and is over with it. */
function makeEvent(world: World, { event, closesAfter }: PlannedEvent): void {
  const entry = entryNow(world, "event.created");
  perform(world, {
    about: [event.id],
    act: async (life) => {
      const { store, events, deps } = life;
      const ladder = deps.ladders.byId(event.ladderId);
      if (ladder === null || events.byId(event.id) !== null) return;
      const opensAt = ladder.opensAt ?? instantAfter(world, 0) ?? "";
      const closesAt = ladder.closesAt ?? instantAfter(world, closesAfter) ?? "";
      const whole = { ...event, opensAt, closesAt };
      if (!isWindow(whole)) return;
      await store.events.add(whole, entry);
      // An earlier try may have stored it, without an answer.
      tellEvent(world, life, (await store.events.byId(event.id)) ?? whole);
    },
  });
}

function enableEvent(world: World, id: EventId, enabled: boolean): void {
  const entry = entryNow(world, enabled ? "event.enabled" : "event.disabled");
  perform(world, {
    about: [id],
    act: async (life) => {
      const changed = await life.store.events.change(id, { enabled }, entry);
      if (changed !== null) tellEvent(world, life, changed);
    },
  });
}

function tellEvent(world: World, { events, awards }: Life, event: EventDefinition): void {
  events.put(event);
  awards.changed(event.id);
  notice(world, { type: "event", event });
}
