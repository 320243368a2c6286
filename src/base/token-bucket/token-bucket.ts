// A token bucket per caller, stored as one number: the time at which the bucket is full again (the
// generic cell rate algorithm, ITU-T I.371).

import { SECOND } from "#base/units/time.ts";

/** How much may be used, on average and at once. */
export type Rate = { perSecond: number; burst: number };

/** Microseconds to wait before this caller may use one more; 0 means that one was used just now. */
export type Throttle = (caller: string, now: number) => number;

/** Callers remembered, some 10 MB. Those with full buckets are forgotten to make room. */
const REMEMBERED = 100_000;

/** While all places are taken by callers with emptier buckets, newcomers are not limited. */
export function openThrottle({ perSecond, burst }: Rate, remembered = REMEMBERED): Throttle {
  const step = SECOND / perSecond;
  const depth = step * burst;
  const fullAt = new Map<string, number>();
  let nextSweep = 0;

  /** A full bucket carries no information, so it can be forgotten. */
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
