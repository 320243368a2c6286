// A token bucket per caller, stored as one number: the time at which the bucket is full again (the
// generic cell rate algorithm, ITU-T I.371).

import { SECOND_US } from "#base/util/time.ts";

/** Average rate and burst. */
export type Rate = { perSecond: number; burst: number };

/**
 * Takes a token. Returns the microseconds to wait until one is available; 0 means that one was
 * taken. `scale` multiplies the rate and burst of this caller.
 */
export type TokenBucket = (caller: string, now: number, scale?: number) => number;

/** Returns how many times the usual limits apply to a caller: 1 for most. */
export type CallerScale = (caller: string) => number;

/** Maximum number of callers tracked, about 10 MB. */
const MAX_CALLERS = 100_000;

/** When full, evicts the least recently seen callers. */
export function openTokenBucket({ perSecond, burst }: Rate, maxCallers = MAX_CALLERS): TokenBucket {
  const usPerToken = SECOND_US / perSecond;
  const burstUs = usPerToken * burst;
  /** When each bucket is full again; in order of the last request. */
  const fullAt = new Map<string, number>();

  function storeCaller(caller: string, fullTime: number): void {
    fullAt.delete(caller);
    fullAt.set(caller, fullTime);
    if (fullAt.size <= maxCallers) return;
    for (const oldest of fullAt.keys()) {
      fullAt.delete(oldest);
      break;
    }
  }

  return (caller, now, scale = 1) => {
    const previousFullTime = Math.max(fullAt.get(caller) ?? now, now);
    const fullTime = previousFullTime + usPerToken / scale;
    const wait = fullTime - burstUs - now;
    // A refused caller stays tracked, however many others arrive meanwhile.
    storeCaller(caller, wait > 0 ? previousFullTime : fullTime);
    return Math.max(0, wait);
  };
}
