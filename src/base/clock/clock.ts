// Only this module reads a clock, sets timers or draws random numbers.

import { randomBytes, randomUUIDv7 } from "node:crypto";
import { performance } from "node:perf_hooks";

/** The process's time source. Tests and simulations pass their own. */
export type Clock = {
  /** Monotonic, in whole microseconds. */
  now(): number;
  wall(): Date;
  /** Calls `callback` once after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void;
};

/** Maximum delay of setTimeout. Longer delays are split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Math.round(performance.now() * 1000),
  wall: () => new Date(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

export function newSeed(): number {
  return randomBytes(4).readUInt32LE();
}

/**
 * Returns a UUIDv7 (RFC 9562). Ids from the same millisecond are unordered, and nothing relies on
 * their order.
 */
export const newId = (): string => randomUUIDv7();
