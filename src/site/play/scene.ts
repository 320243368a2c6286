import { assertDefined } from "#base/util/assert-defined.ts";
// Converts observations to viewer frames. Two consecutive observations form a tick.
import type { FighterFrame, MatchFrame } from "#core/engine/frame.ts";
import type { Grid } from "#core/engine/grid.ts";
import type { FighterId, FighterView } from "#core/engine/types.ts";
import { zoneRadius } from "#core/engine/zone.ts";
import { boltFlights } from "#site/viewer/bolt-flight.ts";
import type { SimulatedTick } from "#site/viewer/simulated-replay.ts";
import { computeTickTiming } from "#site/viewer/tick-timing.ts";
import type { TickScene } from "#site/viewer/tick-timing.ts";

import type { PlayEndMessage, PlayObservation, PlayEvent } from "./messages.ts";

/** Returns the frame before a tick. Omits an opponent that is out of sight. */
function observationFrame(grid: Grid, observation: PlayObservation): MatchFrame {
  const { tick, self, fighters, areas, pickups } = observation;
  const ownFrame: FighterFrame = { ...self, alive: self.hp > 0 };
  const opponentFrames = fighters.flatMap(visibleFrame);
  return {
    tick,
    fighters: [ownFrame, ...opponentFrames],
    areas,
    pickups,
    radius: zoneRadius(grid, tick),
  };
}

function visibleFrame(fighter: FighterView): FighterFrame[] {
  if ("alive" in fighter || !fighter.visible) return [];
  return [{ ...fighter, alive: fighter.hp > 0, cooldowns: { ...fighter.cooldowns, shout: 0 } }];
}

/** Returns the animated tick between two observations. */
export function sceneBetweenObservations(
  grid: Grid,
  earlier: PlayObservation,
  later: PlayObservation,
): TickScene {
  const [before, after] = [observationFrame(grid, earlier), observationFrame(grid, later)];
  const ids = new Set([...before.fighters, ...after.fighters].map(({ id }) => id));
  const frameChanges = [...ids].map((id) => frameChangeOf(id, before, after, later.events));
  const events = later.events.filter(isDrawn);
  const tick: SimulatedTick = {
    tick: earlier.tick,
    turns: [],
    reply_ms: [],
    budget_ms: [],
    events,
    flights: boltFlights(grid, events, after.fighters),
  };
  const states = {
    before: { ...before, fighters: frameChanges.map(({ from }) => from) },
    after: { ...after, fighters: frameChanges.map(({ to }) => to) },
  };
  return { tick, ...states, timing: computeTickTiming(tick, states.before, states.after) };
}

/** Returns a static frame. Omits fighters that are out of sight. */
export function restingScene(
  grid: Grid,
  lastScene: TickScene | null,
  observation: PlayObservation,
): TickScene {
  const after = observationFrame(grid, observation);
  const emptyTick: SimulatedTick = {
    tick: Math.max(0, observation.tick - 1),
    turns: [],
    reply_ms: [],
    budget_ms: [],
    events: [],
    flights: [],
  };
  const tick = lastScene?.tick ?? emptyTick;
  return { tick, before: after, after, timing: computeTickTiming(tick, after, after) };
}

/**
 * A fighter seen only before or only after the tick stays where it was seen, unless it was thrown.
 */
function frameChangeOf(
  id: FighterId,
  before: MatchFrame,
  after: MatchFrame,
  events: readonly PlayEvent[],
) {
  const frameBefore = before.fighters.find((fighter) => fighter.id === id);
  const frameAfter = after.fighters.find((fighter) => fighter.id === id);
  const from = frameBefore ?? assertDefined(frameAfter, "fighter");
  return { from, to: frameAfter ?? { ...from, ...thrownPosition(id, events) } };
}

function thrownPosition(id: FighterId, events: readonly PlayEvent[]) {
  for (const event of events)
    if ((event.type === "repulse" || event.type === "pull") && event.target === id)
      return { x: event.x, y: event.y };
  return {};
}

/** Attacks from out of sight have no position. */
const isDrawn = (event: PlayEvent): boolean => event.type !== "attack" || event.x !== undefined;

/** Builds the last observation. The end message contains only the final HP. */
export function observationAtEnd(
  lastObservation: PlayObservation,
  { stats }: PlayEndMessage,
): PlayObservation {
  const hpOf = (id: FighterId) => stats?.fighters.find((fighter) => fighter.id === id)?.hp;
  const self = {
    ...lastObservation.self,
    hp: hpOf(lastObservation.self.id) ?? lastObservation.self.hp,
  };
  const fighters = lastObservation.fighters.map((fighter): FighterView => {
    if ("alive" in fighter) return fighter;
    return { ...fighter, hp: hpOf(fighter.id) ?? fighter.hp };
  });
  return { ...lastObservation, self, fighters, events: [] };
}
