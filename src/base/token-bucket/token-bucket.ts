// A token bucket for each of many callers, kept as one number each (the generic cell rate

import { SECOND } from "#base/units/time.ts";

// algorithm, ITU-T I.371): the time at which the bucket of a caller is full again.

/** How much may be used on average and at once. */
export type Rate = { perSecond: number; burst: number };

/** µs to wait before this caller may use one more; 0 when it was used just now. */
export type Throttle = (caller: string, now: number) => number;

/** Callers remembered: some 10 MB. Those whose buckets are full are forgotten to make room. */
const REMEMBERED = 100_000;

/** While all places are taken by callers with emptier buckets, newcomers are not counted. */
export function openThrottle({ perSecond, burst }: Rate, remembered = REMEMBERED): Throttle {
  const step = SECOND / perSecond;
  const depth = step * burst;
  const fullAt = new Map<string, number>();
  let nextSweep = 0;

  /** Full buckets say nothing that an absent one does not. */
  function hasRoom(now: number): boolean {
    if (fullAt.size < remembered) return true;
    if (now < nextSweep) return false;
    nextSweep = now + SECOND;
    for (const [caller, full] of fullAt) if (full <= now) fullAt.delete(caller);
    return fullAt.size < remembered;
  }

  return (caller, now) => {
    const full = Math.max(fullAt.get(caller) ?? now, now) + step;
    const wait = full - depth - now;
    if (wait > 0) return wait;
    if (fullAt.has(caller) || hasRoom(now)) fullAt.set(caller, full);
    return 0;
  };
}
