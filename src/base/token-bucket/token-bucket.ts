// A token bucket per caller. A bucket is stored as a single number, the time at which it is full
// again (generic cell rate algorithm, ITU-T I.371).

import { SECOND_US } from "#base/util/time.ts";

export type Rate = { perSecond: number; burst: number };

/**
 * Takes a token. Returns the microseconds until a token is available, or 0 if one was taken.
 * `scale` multiplies this caller's rate and burst.
 */
export type TokenBucket = (caller: string, now: number, scale?: number) => number;

/** Returns the factor by which a caller's limits are multiplied: 1 for most callers. */
export type CallerScale = (caller: string) => number;

/** Tracking this many callers takes about 10 MB. */
const MAX_CALLERS = 100_000;

/** Opens buckets for up to `maxCallers`. When full, evicts the least recently seen caller. */
export function openTokenBucket({ perSecond, burst }: Rate, maxCallers = MAX_CALLERS): TokenBucket {
  const usPerToken = SECOND_US / perSecond;
  const burstUs = usPerToken * burst;
  /** When each bucket is full again, in order of the callers' last requests. */
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
    // Storing refused callers too keeps new callers from evicting them.
    storeCaller(caller, wait > 0 ? previousFullTime : fullTime);
    return Math.max(0, wait);
  };
}
