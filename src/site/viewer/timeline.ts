// Finds the marks of a replay's timeline.
import type { FightEvent, FighterId } from "#core/engine/types.ts";

import type { SimulatedReplay, SimulatedTick } from "./simulated-replay.ts";

export const TIMELINE_MARKS = ["hit", "pickup", "rejected", "idle"] as const;
export type TimelineMark = (typeof TIMELINE_MARKS)[number];

/** Positions on the timeline by kind. An integer n is the state after n ticks. */
export type TimelineLane = Record<TimelineMark, number[]>;

/** Returns a fighter's hits on its opponent, pickups, rejected actions and failed turns. */
export function timelineLane(simulation: SimulatedReplay, seat: number): TimelineLane {
  const { id } = simulation.replay.header.fighters[seat]!;
  const positionsWhere = (hasMark: (tick: SimulatedTick) => boolean): number[] =>
    simulation.ticks.filter(hasMark).map(({ tick }) => tick + 1);
  const positionsOf = (isMark: (event: FightEvent, fighter: FighterId) => boolean): number[] =>
    positionsWhere(({ events }) => events.some((event) => isMark(event, id)));
  return {
    hit: positionsOf(isHitBy),
    pickup: positionsOf((event, fighter) => event.type === "pickup" && event.by === fighter),
    rejected: positionsOf((event, fighter) => event.type === "rejected" && event.by === fighter),
    idle: positionsWhere(({ turns }) => {
      const turn = turns[seat];
      return turn !== null && turn !== undefined && "idle" in turn;
    }),
  };
}

function isHitBy(event: FightEvent, fighter: FighterId): boolean {
  return event.type === "hit" && event.by === fighter && event.target !== fighter;
}
