// How much one connection has sent lately. Times are whole microseconds.

import { SECOND } from "#base/units/time.ts";
import type { Deadlines } from "#core/engine/types.ts";
import type { Limits } from "#core/words/limits.ts";

export type Flood = {
  /** Frames since the last observation, and the match's limit; null outside a match. */
  sinceObservation: { frames: number; readonly most: number } | null;
  /** Arrival times of the last second's frames outside a match. */
  recent: number[];
  /** Limit of `recent`, as it was when the connection began or its last match ended. */
  mostRecent: number;
};

type Outside = Pick<Limits, "messages_per_second">;

export const calm = ({ messages_per_second }: Outside): Flood => ({
  sinceObservation: null,
  recent: [],
  mostRecent: messages_per_second,
});

/** A match takes the connection. Its start-up counts as one tick. */
export function enterMatch(flood: Flood, { messages_per_tick }: Deadlines): void {
  flood.sinceObservation = { frames: 0, most: messages_per_tick };
}

export function noteObservation(flood: Flood): void {
  if (flood.sinceObservation !== null) flood.sinceObservation.frames = 0;
}

export function leaveMatch(flood: Flood, { messages_per_second }: Outside): void {
  flood.sinceObservation = null;
  flood.recent.length = 0;
  flood.mostRecent = messages_per_second;
}

/** Counts one data frame; false when it exceeds the limit. */
export function admits(flood: Flood, at: number): boolean {
  const { sinceObservation } = flood;
  if (sinceObservation !== null) {
    sinceObservation.frames += 1;
    return sinceObservation.frames <= sinceObservation.most;
  }
  while ((flood.recent[0] ?? Infinity) <= at - SECOND) flood.recent.shift();
  flood.recent.push(at);
  return flood.recent.length <= flood.mostRecent;
}

/** What a bot that exceeded the limit is told. */
export function floodText({ sinceObservation, mostRecent }: Flood): string {
  return sinceObservation === null
    ? `Too many messages: outside a match a bot may send ${mostRecent} a second.`
    : `Too many messages: in a match a bot may send ${sinceObservation.most} a tick.`;
}
