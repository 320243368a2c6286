// A token bucket per caller, stored as one number: the time at which the bucket is full again (the
// generic cell rate algorithm, ITU-T I.371).

import { SECOND } from "#base/units/time.ts";

/** How much may be used, on average and at once. */
export type Rate = { perSecond: number; burst: number };

/**
 * Microseconds to wait before this caller may use one more; 0 means that one was used just now.
 * `scale` multiplies the rate and the burst of this caller.
 */
export type Throttle = (caller: string, now: number, scale?: number) => number;

/** Returns how many times the usual limits apply to a caller: 1 for most. */
export type ScaleOf = (caller: string) => number;

/** Callers remembered, some 10 MB. */
const REMEMBERED = 100_000;

/** With more callers than can be remembered, the least recently seen are forgotten. */
export function openThrottle({ perSecond, burst }: Rate, remembered = REMEMBERED): Throttle {
  const unit = SECOND / perSecond;
  const depth = unit * burst;
  /** When each bucket is full again; in order of the last request. */
  const fullAt = new Map<string, number>();

  function remember(caller: string, full: number): void {
    fullAt.delete(caller);
    fullAt.set(caller, full);
    if (fullAt.size <= remembered) return;
    for (const oldest of fullAt.keys()) {
      fullAt.delete(oldest);
      break;
    }
  }

  return (caller, now, scale = 1) => {
    const before = Math.max(fullAt.get(caller) ?? now, now);
    const full = before + unit / scale;
    const wait = full - depth - now;
    // A refused caller stays remembered, however many others come meanwhile.
    remember(caller, wait > 0 ? before : full);
    return Math.max(0, wait);
  };
}
